//! What to tell a person of the order in which the records were read, the way out first: a narrow
//! screen shows the beginning.

use super::order::Order;
use super::reader::Reader;
use super::run::Run;
use crate::capture::pieces::Piece;
use crate::model::{RecordNo, State, StepNo};

/// What is known of the order, once everything is read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seen {
    /// The times go back over the whole run.
    pub(super) goes_back: bool,
    /// The events' own times tell it, none of receipt.
    pub(super) by_own_times: bool,
    /// How often the times of receipt start again, and where first.
    pub(super) starts_again: Option<(u64, RecordNo)>,
    /// There are pieces of lines that were not joined.
    pub(super) has_pieces: bool,
    /// Records with a position, where they were asked for theirs.
    pub(super) positioned: Option<u32>,
}

/// What to say where the order is not the one in which the records were received, or not the one that
/// was asked for.
pub(super) fn advice(run: &Run, seen: Seen) -> Option<String> {
    let times = if seen.by_own_times {
        "the events' own times"
    } else {
        "the times of receipt"
    };
    match (run.order(), seen.goes_back) {
        (Order::ByPosition, _) => is_unsorted(run, seen).then(|| {
            "nothing was sorted: no record has a position, a channel or partition with an offset in \
             it; they are read as they stand"
                .to_owned()
        }),
        (Order::Forwards, true) if seen.has_pieces => Some(format!(
            "turn it around with tac, and open what that writes: it looks newest first ({times} go \
             back from record to record), and pieces of a line are joined only in the order in which \
             they were written, which --reverse does not change"
        )),
        (Order::Forwards, true) => Some(format!(
            "open it with --reverse: it looks newest first, {times} go back from record to record"
        )),
        (Order::FromTheEnd, true) => Some(format!(
            "open it without --reverse: read from its end, {times} go back from record to record"
        )),
        (Order::FromTheEnd, false) if seen.has_pieces => Some(
            "turn it around with tac, and open what that writes without --reverse: pieces of a line \
             are joined only in the order in which they were written"
                .to_owned(),
        ),
        (Order::Forwards | Order::FromTheEnd, false) => again(run, seen),
    }
}

fn again(run: &Run, seen: Seen) -> Option<String> {
    let (count, record) = seen.starts_again?;
    let place = run.history().place(record)?;
    let of_file = run.input().name_at(place.offset_bytes);
    let of_file = of_file.map_or_else(String::new, |name| format!(" of {name}"));
    let times = if count == 1 {
        "once".to_owned()
    } else {
        format!("{count} times, first")
    };
    Some(format!(
        "sort it by time, or export one stream at a time: the times of receipt start again {times} at \
         {record} (line {}{of_file}); several streams or files probably stand one behind the other, \
         and their order is not that of receipt",
        place.line
    ))
}

/// Whether the records were to be sorted by their positions, and none has one.
pub(super) fn is_unsorted(run: &Run, seen: Seen) -> bool {
    seen.positioned == Some(0) && run.history().last_record().0 > 0
}

/// Unreadable records that are looked at.
const LOOKS_MAX: usize = 1_000;

/// A longer record is not looked at.
const LENGTH_MAX: u32 = 1 << 20;

/// Whether a record could not be read because it is a piece of a line, and the others do not follow it.
/// Of a run that has read everything.
pub(super) fn has_pieces(run: &Run) -> bool {
    let history = run.history();
    let reader = Reader::new(run);
    let steps = (1..=history.last_step().0).filter_map(|number| history.step(StepNo(number)));
    let unreadable = steps.filter(|step| step.state == State::Unreadable);
    unreadable.take(LOOKS_MAX).any(|step| {
        let place = history.place(step.record);
        let place = place.filter(|place| place.length_bytes <= LENGTH_MAX);
        let bytes = place.and_then(|place| reader.bytes(place).ok());
        let bytes = bytes.unwrap_or_default();
        let mut lines = bytes.split(|byte| *byte == b'\n');
        lines.any(|line| Piece::of(line).is_some_and(|piece| !piece.is_last))
    })
}
