//! The Guide's own order, and the steps that show a symptom one after another.

use crate::history::{History, Sign};
use crate::model::{State, StepNo};

use super::super::guide::{SYMPTOMS, SignOf, Symptom};
use super::super::model::Model;

/// Steps with a reason, or findings, that a search for the next sign looks at.
const LOOK_AT: usize = 50_000;

impl Model {
    /// How often this capture shows a symptom; never told behind the curtain.
    pub(in crate::app) fn symptom_sign(
        &self,
        history: &History,
        symptom: &Symptom,
    ) -> Option<Sign> {
        if self.has_curtain {
            return None;
        }
        symptom.seen(history, self.waiting_sign(history))
    }

    /// The symptoms with how often they are shown, those that are shown first.
    pub(in crate::app) fn symptoms(
        &self,
        history: &History,
    ) -> Vec<(&'static Symptom, Option<Sign>)> {
        let mut symptoms: Vec<_> = SYMPTOMS
            .iter()
            .map(|symptom| (symptom, self.symptom_sign(history, symptom)))
            .collect();
        symptoms.sort_by_key(|(_, sign)| sign.is_none());
        symptoms
    }

    /// The next step after `from` that shows a symptom.
    pub(in crate::app) fn next_sign(
        &self,
        history: &History,
        symptom: &Symptom,
        from: StepNo,
    ) -> Option<StepNo> {
        let next = |sign: &SignOf| match *sign {
            SignOf::Finding(code) => history.next_finding(from, code, LOOK_AT),
            SignOf::State(state) => history.find_state(from, true, &[state]),
            SignOf::Reason(name) => {
                let reason = history.terms().vocabulary.find(name)?;
                history.next_reason(from, |one| one == reason, LOOK_AT)
            }
            SignOf::FieldReason(prefix) => history.next_reason(
                from,
                |reason| SignOf::is_field_reason(history.reason_name(reason), prefix),
                LOOK_AT,
            ),
            SignOf::Replay => history.next_replay(from),
            SignOf::ReceiptWithoutSchema if history.terms().has_schema_version => None,
            SignOf::ReceiptWithoutSchema => history.find_state(from, true, &[State::Applied]),
            SignOf::Waiting => self
                .waiting_sign(history)
                .map(|sign| sign.first)
                .filter(|first| *first > from),
        };
        symptom.signs.iter().filter_map(next).min()
    }
}
