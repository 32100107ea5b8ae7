//! The Guide's own order, and the steps that show a symptom one after another.

use crate::history::{History, Sign};
use crate::model::{State, StepNo};

use super::super::guide::{SYMPTOMS, Seen, SignOf, Symptom};
use super::super::model::Model;

/// Steps with a reason, or findings, that a search for the next sign looks at.
const LOOK_AT: usize = 50_000;

impl Model {
    /// How often this capture shows a symptom; never told behind the curtain.
    pub(in crate::app) fn symptom_seen(&self, history: &History, symptom: &Symptom) -> Seen {
        if self.has_curtain {
            return Seen::default();
        }
        symptom.seen(history, self.waiting_signs(history))
    }

    /// The symptoms with how often they are shown: what needs a person first, then what was handled.
    pub(in crate::app) fn symptoms(&self, history: &History) -> Vec<(&'static Symptom, Seen)> {
        let mut symptoms: Vec<_> = SYMPTOMS
            .iter()
            .map(|symptom| (symptom, self.symptom_seen(history, symptom)))
            .collect();
        symptoms.sort_by_key(|(_, seen)| match (seen.person, seen.handled) {
            (Some(_), _) => 0,
            (None, Some(_)) => 1,
            (None, None) => 2,
        });
        symptoms
    }

    /// The next step after `from` that shows a symptom: a person's signs where there are any.
    pub(in crate::app) fn next_sign(
        &self,
        history: &History,
        symptom: &Symptom,
        from: StepNo,
    ) -> Option<StepNo> {
        let has_person = self.symptom_seen(history, symptom).person.is_some();
        let signs = if has_person {
            symptom.signs
        } else {
            symptom.handled
        };
        let signs = signs.iter();
        signs
            .filter_map(|sign| self.next_of_sign(history, *sign, from))
            .min()
    }

    fn next_of_sign(&self, history: &History, sign: SignOf, from: StepNo) -> Option<StepNo> {
        let later = |sign: Option<Sign>| sign.map(|sign| sign.first).filter(|first| *first > from);
        match sign {
            SignOf::Finding(code) => history.next_finding(from, code, LOOK_AT),
            SignOf::State(state) => history.find_state(from, true, &[state]),
            SignOf::OtherContent => history.next_other_content(from),
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
            SignOf::Waiting => later(self.waiting_signs(history).all),
            SignOf::WaitingFromFirst => later(self.waiting_signs(history).from_first),
        }
    }
}
