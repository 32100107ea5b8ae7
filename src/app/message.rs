//! What can happen to the inspector, and what it wants done. Nothing else goes in or out.

use crate::model::{Look, RecordNo, RowText, StepNo};
use crate::review::{CaseBook, Disposition, MissingAnchor};
use crate::text::time::TimeOfDay;

use super::action::Action;
use super::views::gather::{Answer, Question};

/// Something that happened.
#[derive(Clone, Debug)]
pub enum Message {
    /// A key, or a pair of keys, asks for this.
    Act(Action),
    /// A key while text is typed.
    Type(Edit),
    /// Text was pasted.
    Paste(String),
    /// The screen has this size in cells.
    Resize {
        /// Cells in a row.
        columns: u16,
        /// Rows.
        rows: u16,
    },
    /// The mouse was pressed on a cell.
    Click {
        /// The cell's column.
        column: u16,
        /// The cell's row.
        row: u16,
    },
    /// The wheel was turned over a cell.
    Wheel {
        /// The cell's column.
        column: u16,
        /// The cell's row.
        row: u16,
        /// Towards the end.
        down: bool,
    },
    /// Time passed while something is under way.
    Tick,
    /// How far the loading is.
    Progress(Progress),
    /// The step that was asked for, looked at closely.
    Looked(Box<Look>),
    /// What the list shows of the records that were asked for.
    Rows(Vec<(RecordNo, RowText)>),
    /// The marks as they are now.
    Marks(Box<MarkNews>),
    /// Of a search that was asked for.
    Search {
        /// Which search: an answer to an older one counts for nothing.
        number: u64,
        /// What came of it so far.
        news: SearchNews,
    },
    /// The first record received at or after a time that was asked for; `None` where all are before.
    Time(Option<RecordNo>),
    /// A list that was asked for.
    Gathered {
        /// Which question it answers.
        number: u64,
        /// The list.
        answer: Answer,
    },
    /// A warning over everything that stays: the capture fits the contract badly, or has changed.
    /// `None` takes it away.
    Banner(Banner, Option<String>),
    /// Something to say once.
    Said(String),
    /// Something that did not work.
    Failed(String),
}

/// Which of the warnings that stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Banner {
    /// The capture changed, or cannot be read to its end.
    Capture,
    /// Nearly everything is refused for one reason.
    Fit,
    /// Marks are not saved.
    Case,
}

/// A change of the text that is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edit {
    /// A character.
    Insert(char),
    /// The character before the cursor goes.
    Backspace,
    /// The character under the cursor goes.
    Delete,
    /// The word before the cursor goes.
    DeleteWord,
    /// Everything before the cursor goes.
    DeleteLine,
    /// One character back.
    Left,
    /// One character on.
    Right,
    /// To the start.
    Home,
    /// To the end.
    End,
    /// The line above: an earlier input, or the choice before.
    Up,
    /// The line below.
    Down,
    /// The next field of a form.
    NextField,
    /// The previous field of a form.
    PreviousField,
}

/// How far the loading is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Bytes decided on.
    pub bytes_done: u64,
    /// Bytes of the capture; of a stream, as many as have come.
    pub bytes_total: u64,
    /// Whether no more will come.
    pub is_finished: bool,
    /// Whether the total can still grow.
    pub is_stream: bool,
}

/// What a search came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchNews {
    /// It has looked at everything up to this record.
    At(RecordNo),
    /// The next record that has it.
    Found(RecordNo),
    /// There is none in this direction.
    Nothing,
}

/// What a mark is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MarkTarget {
    /// A step: its record as a delivery or as a replay.
    Step(StepNo),
    /// The version that an aggregate waits for.
    Missing(MissingAnchor),
}

/// The marks after something changed them.
#[derive(Clone, Debug, Default)]
pub struct MarkNews {
    /// All of them.
    pub book: CaseBook,
    /// Why marks are not saved, in words.
    pub banner: Option<String>,
    /// What came of the command that changed them, if one did.
    pub answer: Option<MarkAnswer>,
}

/// What came of a mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MarkAnswer {
    /// It is on the disk.
    Saved,
    /// It is in memory only.
    Kept,
    /// The last mark was taken back.
    Undone,
    /// It was not made, and why.
    Refused(String),
}

/// Something to be done outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Look at a step closely; answered by [`Message::Looked`].
    Look(StepNo),
    /// Read what the list shows of these records; answered by [`Message::Rows`].
    Rows(Vec<RecordNo>),
    /// Mark evidence; answered by [`Message::Marks`].
    Mark {
        /// What it is about.
        target: MarkTarget,
        /// What was decided.
        disposition: Disposition,
        /// Why.
        note: String,
        /// Who.
        operator: String,
    },
    /// Take the operator's last mark back; answered by [`Message::Marks`].
    Undo {
        /// Who.
        operator: String,
    },
    /// Search the records' text; answered in pieces by [`Message::Search`].
    Search {
        /// Which search.
        number: u64,
        /// The text, byte for byte as in the capture's decoded values or its source.
        needle: String,
        /// The record to start behind (or before).
        from: RecordNo,
        /// Towards the end.
        forward: bool,
    },
    /// Give up the search.
    StopSearch,
    /// Find the first record received at or after a time of day, on the day of `near`; answered by
    /// [`Message::Time`].
    FindTime {
        /// The time.
        time: TimeOfDay,
        /// A record of that day.
        near: RecordNo,
    },
    /// Make a list that takes a walk over the whole run; answered by [`Message::Gathered`]. A new
    /// question takes the place of one that is under way.
    Gather(Question),
    /// Save the marks to a file; answered by [`Message::Said`] or [`Message::Failed`], and
    /// [`Message::Marks`].
    Write(String),
    /// Take the mouse, or leave it to the terminal.
    Mouse(bool),
    /// Draw everything again.
    Redraw,
    /// Give the terminal back until continued.
    Suspend,
    /// End.
    Quit,
}

/// Whoever carries commands out: the only way from the inspector to files, threads and clocks.
pub trait Backend {
    /// The history, for as long as it is looked at; a loading engine may wait for it.
    type Guard<'a>: std::ops::Deref<Target = crate::history::History>
    where
        Self: 'a;

    /// The history so far.
    fn history(&self) -> Self::Guard<'_>;

    /// Carries out a command; what comes of it at once is returned, the rest comes with
    /// [`Backend::poll`]. Never blocks for long.
    fn carry_out(&mut self, command: Command) -> Vec<Message>;

    /// What came of earlier commands since, and of what goes on by itself: loading, the capture
    /// changing. Called at every tick.
    fn poll(&mut self) -> Vec<Message>;

    /// Whether something is under way that [`Backend::poll`] will tell of.
    fn is_busy(&self) -> bool;
}
