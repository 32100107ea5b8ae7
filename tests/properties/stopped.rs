//! A plain re-execution of a log that stops at a step: the engine over an in-memory log, with a
//! history that takes nothing any more once the step is reached.

use replayscope::capture::{Comparison, Identity, Scratch, take_apart};
use replayscope::contract::LoadedContract;
use replayscope::engine::{BaselinePolicy, Engine, Recall};
use replayscope::history::{History, Terms};
use replayscope::model::{
    AggregateId, Body, Instant, OrderId, Outcome, Place, RecordNo, StepNo, WordId,
};

struct Stopping<'a> {
    history: History,
    lines: &'a [String],
    loaded: &'a LoadedContract,
    comparison: Comparison,
    last: StepNo,
    ignored: u32,
}

impl Stopping<'_> {
    fn line(&self, record: RecordNo) -> &[u8] {
        self.lines[record.0 as usize - 1].as_bytes()
    }
}

impl Recall for Stopping<'_> {
    fn aggregate(&mut self, source: &str, name: &str) -> AggregateId {
        self.history.intern_aggregate(source, name)
    }

    fn order(&mut self, name: &str) -> OrderId {
        self.history.intern_order(name)
    }

    fn find_order(&self, name: &str) -> Option<OrderId> {
        self.history.find_order(name)
    }

    fn word(&mut self, word: &str) -> WordId {
        self.history.intern_word(word)
    }

    fn word_text(&self, word: WordId) -> &str {
        self.history.word(word)
    }

    fn name_of(&self, id: AggregateId) -> &str {
        self.history.name_of(id)
    }

    fn find_aggregate(&self, source: &str, name: &str) -> Option<AggregateId> {
        self.history.find_aggregate(source, name)
    }

    fn holder(&self, id: AggregateId, version: u64) -> Option<RecordNo> {
        self.history.holder(id, version)
    }

    fn last_applied(&self, id: AggregateId) -> Option<RecordNo> {
        self.history.last_applied(id)
    }

    fn event_time(&mut self, record: RecordNo) -> Option<Instant> {
        let line = self.lines[record.0 as usize - 1].as_bytes();
        self.comparison.event_time(line, &self.loaded.contract)
    }

    fn same_key(&mut self, one: RecordNo, other: RecordNo) -> bool {
        let (one, other) = (self.line(one).to_vec(), self.line(other).to_vec());
        let identity = self
            .comparison
            .same_key(&one, &other, &self.loaded.contract);
        identity != Identity::Other
    }

    fn same_content(&mut self, one: RecordNo, other: RecordNo) -> bool {
        let (one, other) = (self.line(one).to_vec(), self.line(other).to_vec());
        self.comparison
            .same_content(&one, &other, &self.loaded.contract)
    }

    fn content_hash(&mut self, record: RecordNo) -> u64 {
        // Taking a record apart hashes its content only where there are no versions.
        let contract = replayscope::contract::Contract {
            version: None,
            ..self.loaded.contract.as_ref().clone()
        };
        let mut scratch = Scratch::new(&contract);
        match take_apart(self.line(record), &contract, &mut scratch).body {
            Body::Delivery(delivery) => delivery.content_hash,
            Body::Statement(_) | Body::Unreadable(_) => 0,
        }
    }

    fn refused(&self, id: AggregateId, version: u64, tell: &mut dyn FnMut(StepNo)) {
        self.history.refused(id, version).for_each(tell);
    }

    fn append(&mut self, outcome: &Outcome<'_>) -> StepNo {
        if self.history.last_step() < self.last {
            return self.history.append(outcome);
        }
        // The engine goes on to the end of its cascade, but nobody listens any more.
        self.ignored += 1;
        StepNo(self.last.0 + self.ignored)
    }
}

/// The history of a log, stopped after step `last`, however much of its record's cascade is left.
pub fn history_until(
    lines: &[String],
    loaded: &LoadedContract,
    policy: BaselinePolicy,
    last: StepNo,
) -> History {
    let contract = &loaded.contract;
    let mut world = Stopping {
        history: History::new(terms(loaded).into()),
        lines,
        loaded,
        comparison: Comparison::new(contract),
        last,
        ignored: 0,
    };
    let mut engine = Engine::new(contract.clone(), policy);
    let mut scratch = Scratch::new(contract);
    let mut offset_bytes = 0;
    for (line, number) in lines.iter().zip(1u64..) {
        if world.history.last_step() >= last {
            break;
        }
        let length_bytes = u32::try_from(line.len()).unwrap();
        let place = Place {
            offset_bytes,
            length_bytes,
            line: number,
        };
        offset_bytes += line.len() as u64 + 1;
        let record = world.history.append_record(place);
        engine.take(
            record,
            &take_apart(line.as_bytes(), contract, &mut scratch),
            &mut world,
        );
    }
    world.history
}

/// What a history knows of its contract.
pub fn terms(loaded: &LoadedContract) -> Terms {
    let contract = &loaded.contract;
    Terms {
        vocabulary: contract.vocabulary.clone(),
        has_schema_version: contract.schema_version.is_some(),
        has_versions: contract.version.is_some(),
        first_version: contract.version.as_ref().map_or(0, |version| version.first),
        gate: contract.gate.clone(),
    }
}
