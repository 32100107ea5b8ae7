//! One step, and getting about among them.

use super::append::COUNT_EVERY;
use super::pasts::earlier;
use super::{History, unpack, unpack_subject};
use crate::model::{
    AggregateId, Finding, FindingCode, Kind, OrderId, Place, ReasonId, RecordNo, State, StepNo,
    Subject, WordId,
};

/// A step as it was appended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step<'a> {
    /// Its number.
    pub number: StepNo,
    /// The record it decided on; a replay's is the one that waited.
    pub record: RecordNo,
    /// What was decided on.
    pub kind: Kind,
    /// What it came to.
    pub state: State,
    /// Why, where the state has a reason.
    pub reason: Option<ReasonId>,
    /// What it is about.
    pub subject: Subject,
    /// The version it carries, where that can be read.
    pub version: Option<u64>,
    /// The record that holds the receipt, the version, the waiting entry or the compensation.
    pub first: Option<RecordNo>,
    /// Deliveries of a waiting event so far, or occurrences of a review so far.
    pub count: Option<u32>,
    /// The step that began the cascade, for a replay.
    pub released_by: Option<StepNo>,
    /// What was found, sorted by code, then record.
    pub findings: &'a [Finding],
}

impl Step<'_> {
    /// The finding that weighs most, where one needs a person: what the step is called by as evidence.
    pub fn heaviest_finding(&self) -> Option<FindingCode> {
        let codes = self.findings.iter().map(|finding| finding.code);
        codes
            .filter(|code| code.severity().needs_person())
            .max_by_key(|code| (code.severity(), std::cmp::Reverse(*code)))
    }

    /// What the step is called as evidence, the same everywhere: `same-fact-new-id
    /// (same-version-event-rejected)`, or the state alone.
    pub fn evidence_name(&self) -> String {
        evidence_name(self.state, self.heaviest_finding())
    }
}

/// What evidence of a state is called, with its heaviest finding where it has one.
pub fn evidence_name(state: State, heaviest: Option<FindingCode>) -> String {
    match heaviest {
        Some(code) => format!("{} ({})", code.name(), state.name()),
        None => state.name().to_owned(),
    }
}

impl History {
    /// A step by its number.
    pub fn step(&self, number: StepNo) -> Option<Step<'_>> {
        let index = number.0.checked_sub(1)? as usize;
        let steps = &self.steps;
        let (kind, state) = unpack(steps.kinds_and_states.get(index)?);
        Some(Step {
            number,
            record: self.record_of(number)?,
            kind,
            state,
            reason: steps.reasons.get(number.0),
            subject: unpack_subject(steps.subjects.get(index)?),
            version: steps.versions.get(number.0),
            first: steps.firsts.get(number.0),
            count: steps.counts.get(number.0),
            released_by: steps.replays.get(number.0).map(|replay| replay.released_by),
            findings: self.findings(number),
        })
    }

    /// What was decided on at a step.
    pub(super) fn kind_of(&self, number: StepNo) -> Option<Kind> {
        let index = number.0.checked_sub(1)? as usize;
        Some(unpack(self.steps.kinds_and_states.get(index)?).0)
    }

    /// The record that a step decided on: it follows from the number of replays before.
    pub(super) fn record_of(&self, number: StepNo) -> Option<RecordNo> {
        let replays = &self.steps.replays;
        let before = replays.steps().partition_point(|step| step < number.0);
        if replays.steps().get(before) == Some(number.0) {
            return replays.value(before).map(|replay| replay.record);
        }
        let record = number.0.checked_sub(super::length(before))?;
        (number <= self.last_step() && record > 0).then_some(RecordNo(record))
    }

    /// Of a step its record, its kind and its state alone, which costs a fraction of the whole.
    pub fn outline(&self, number: StepNo) -> Option<(RecordNo, Kind, State)> {
        let index = number.0.checked_sub(1)? as usize;
        let (kind, state) = unpack(self.steps.kinds_and_states.get(index)?);
        Some((self.record_of(number)?, kind, state))
    }

    /// What was found at a step.
    pub fn findings(&self, number: StepNo) -> &[Finding] {
        let starts = &self.steps.finding_starts;
        if starts.steps().last().is_none_or(|last| last < number.0) {
            return &[];
        }
        let Some(index) = starts.steps().binary_search(number.0) else {
            return &[];
        };
        let found = &self.steps.findings;
        let start = starts.value(index).unwrap_or(0) as usize;
        let end = starts
            .value(index + 1)
            .map_or(found.len(), |end| end as usize);
        found.get(start..end).unwrap_or(&[])
    }

    /// Where a record lies.
    pub fn place(&self, record: RecordNo) -> Option<Place> {
        self.records.place(record)
    }

    /// The step at which a record was delivered; a replay of it comes later.
    pub fn step_of_record(&self, record: RecordNo) -> Option<StepNo> {
        if record.0 == 0 || record > self.last_record() {
            return None;
        }
        // A record's delivery comes after all records before it and the replays among them. The
        // n-th replay (from 0) at step p counts where p - n <= record.
        let replays = self.steps.replays.steps();
        let (mut low, mut high) = (0, replays.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            let step = replays.get(middle).unwrap_or(u32::MAX) as usize;
            if step - middle <= record.0 as usize {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let step = StepNo(record.0 + super::length(low));
        (step <= self.last_step()).then_some(step)
    }

    /// The step at which a record that waited was replayed, if it was.
    pub fn replay_of_record(&self, record: RecordNo) -> Option<StepNo> {
        let delivered = self.step(self.step_of_record(record)?)?;
        let Subject::Aggregate(id) = delivered.subject else {
            return None;
        };
        self.troubles.get(id)?.held.ended(delivered.number)
    }

    /// The steps that a step released: itself the first of the cascade, all that follow it.
    pub fn released_by(&self, number: StepNo) -> impl Iterator<Item = StepNo> + use<> {
        // Cascades follow each other, so the replays of one lie together right after its root.
        let replays = &self.steps.replays;
        let first = replays.steps().partition_point(|step| step <= number.0);
        let until = replays.values_until(|replay| replay.released_by <= number);
        let released = super::length(until.saturating_sub(first));
        (1..=released).map(move |offset| StepNo(number.0 + offset))
    }

    /// The record's step that a record number stands for as of step `at`: its replay once that has
    /// happened, else its delivery.
    pub fn latest_step_of_record(&self, record: RecordNo, at: StepNo) -> Option<StepNo> {
        self.replay_of_record(record)
            .filter(|step| *step <= at)
            .or_else(|| self.step_of_record(record).filter(|step| *step <= at))
    }

    /// How many steps came to each state by the end of step `at`, in the order of [`State::ALL`].
    pub fn state_counts(&self, at: StepNo) -> [u32; State::ALL.len()] {
        let at = at.min(self.last_step()).0;
        let blocks = &self.steps.state_counts;
        // A count stands before its step, so a full last block may not have one yet.
        let block = (at / COUNT_EVERY).min(super::length(blocks.len()).saturating_sub(1));
        let mut counts = blocks.get(block as usize).unwrap_or_default();
        let start = (block * COUNT_EVERY) as usize;
        for packed in self.steps.kinds_and_states.stretch(start, at as usize) {
            if let Some(count) = counts.get_mut(unpack(*packed).1 as usize) {
                *count += 1;
            }
        }
        counts
    }

    /// The step that is the `index`-th from 0 in a state.
    pub(super) fn nth_in_state(&self, wanted: State, index: usize) -> Option<StepNo> {
        let count = |counts: [u32; State::ALL.len()]| {
            counts
                .get(wanted as usize)
                .map_or(0, |count| *count as usize)
        };
        let blocks = &self.steps.state_counts;
        let block = blocks
            .partition_point(|counts| count(counts) <= index)
            .checked_sub(1)?;
        let passed = blocks.get(block).map_or(0, count);
        let start = block * COUNT_EVERY as usize;
        let rest = self.steps.kinds_and_states.iter_from(start);
        let steps = rest.zip(start..).take(2 * COUNT_EVERY as usize);
        let mut found = steps.filter(|(packed, _)| unpack(*packed).1 == wanted);
        let (_, before) = found.nth(index - passed)?;
        Some(StepNo(super::length(before + 1)))
    }

    /// The next step after `from` (or before it) in one of these states, passing over whole blocks
    /// without any.
    pub fn find_state(&self, from: StepNo, forward: bool, wanted: &[State]) -> Option<StepNo> {
        let is_wanted = |step: StepNo| {
            self.outline(step)
                .is_some_and(|(_, _, state)| wanted.contains(&state))
        };
        let total = |counts: [u32; State::ALL.len()]| {
            wanted
                .iter()
                .filter_map(|state| counts.get(*state as usize))
                .sum::<u32>()
        };
        let last = self.last_step();
        let mut step = from;
        loop {
            step = if forward { step.after() } else { step.before() };
            if step.0 == 0 || step > last {
                return None;
            }
            if is_wanted(step) {
                return Some(step);
            }
            let (edge, start, end) = if forward {
                let end = StepNo(step.0.saturating_add(COUNT_EVERY));
                (step.0.is_multiple_of(COUNT_EVERY) && end <= last, step, end)
            } else {
                let start = StepNo(step.0.saturating_sub(COUNT_EVERY));
                (
                    step.0.is_multiple_of(COUNT_EVERY) && start.0 > 0,
                    start,
                    step,
                )
            };
            if edge && total(self.state_counts(start)) == total(self.state_counts(end)) {
                // Between these two there is none of them.
                step = if forward { end } else { start.after() };
            }
        }
    }

    /// The next (or previous) step about the same thing: an aggregate with the owner's records of
    /// that id and the refused envelopes whose source could not be read.
    pub fn neighbour(
        &self,
        name: &str,
        id: Option<AggregateId>,
        from: StepNo,
        forward: bool,
    ) -> Option<StepNo> {
        let nameless = self.find_aggregate("", name);
        let order = self
            .find_order(name)
            .and_then(|order| self.owner.pasts.get(order.0, &self.steps.links));
        let of_order = order.and_then(|past| {
            if forward {
                past.next(from)
            } else {
                past.previous(from)
            }
        });
        let mut found = of_order;
        for id in [id, nameless.filter(|nameless| Some(*nameless) != id)]
            .into_iter()
            .flatten()
        {
            let Some(past) = self.aggregates.get(id.0, &self.steps.links) else {
                continue;
            };
            found = if forward {
                earlier(found, past.next(from))
            } else {
                found.max(past.previous(from))
            };
        }
        found
    }

    /// How many steps about the same thing there were by the end of step `at`.
    pub fn neighbours_until(&self, name: &str, id: Option<AggregateId>, at: StepNo) -> usize {
        let nameless = self
            .find_aggregate("", name)
            .filter(|nameless| Some(*nameless) != id);
        let order = self
            .find_order(name)
            .and_then(|order| self.owner.pasts.get(order.0, &self.steps.links));
        let of_order = order.map_or(0, |past| past.steps_until(at));
        let of_aggregates = [id, nameless]
            .into_iter()
            .flatten()
            .filter_map(|id| self.aggregates.get(id.0, &self.steps.links))
            .map(|past| past.steps_until(at));
        of_order + of_aggregates.sum::<usize>()
    }
}

/// Names.
impl History {
    /// The reason's name in the trace document.
    pub fn reason_name(&self, reason: ReasonId) -> &str {
        self.terms.vocabulary.name(reason)
    }

    /// A state, a status or an outside reason.
    pub fn word(&self, word: WordId) -> &str {
        self.names.words.get(word.0)
    }

    /// An aggregate's source; empty where no source could be read.
    pub fn source_of(&self, id: AggregateId) -> &str {
        self.names.sources.get(self.names.aggregates.source(id).0)
    }

    /// An aggregate's id within its source.
    pub fn name_of(&self, id: AggregateId) -> &str {
        self.names.aggregates.name(id)
    }

    /// An order's id.
    pub fn order_name(&self, id: OrderId) -> &str {
        self.names.orders.get(id.0)
    }

    /// What a step is about, as a name.
    pub fn subject_name(&self, subject: Subject) -> Option<&str> {
        match subject {
            Subject::Unknown => None,
            Subject::Aggregate(id) => Some(self.name_of(id)),
            Subject::Order(id) => Some(self.order_name(id)),
        }
    }

    /// The aggregate with this source and id.
    pub fn find_aggregate(&self, source: &str, name: &str) -> Option<AggregateId> {
        let source = self.names.sources.find(source)?;
        self.names
            .aggregates
            .find(crate::model::SourceId(source), name)
    }

    /// Every aggregate with this id, under whatever source.
    pub fn aggregates_named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = AggregateId> + 'a {
        self.names.aggregates.named(name)
    }

    /// The order with this id on the owner's side.
    pub fn find_order(&self, name: &str) -> Option<OrderId> {
        self.names.orders.find(name).map(OrderId)
    }

    /// How many aggregates have a name so far.
    pub fn aggregate_count(&self) -> u32 {
        self.names.aggregates.len()
    }

    /// How many orders have a name so far.
    pub fn order_count(&self) -> u32 {
        self.names.orders.len()
    }
}
