//! What can happen to the inspector, and what it wants done. Nothing else goes in or out.

use crate::model::{Beside, Look, RecordNo, RowText, StepNo};
use crate::review::{CaseBook, Disposition, MissingAnchor};
use crate::text::time::TypedTime;

use super::action::Action;
use super::filter::BytesTerm;
use super::views::gather::{Answer, Question};

/// Something that happened.
#[derive(Clone, Debug)]
pub enum Message {
    /// A key, or a pair of keys, asks for this.
    Act(Action),
    /// A key while text is typed.
    Type(Edit),
    /// A key that means nothing here was pressed.
    NoSuchKey,
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
    /// Which of the records that were asked about pass, in the order of the questions.
    Sifted {
        /// Which scan: an answer to an older one counts for nothing.
        number: u64,
        /// Whether each passes.
        passes: Vec<bool>,
    },
    /// The capture's bytes may have changed: what was read of them is read again.
    Reread,
    /// The first record received at or after a time that was asked for; `None` where all are before.
    Time(Option<RecordNo>),
    /// A list that was asked for.
    Gathered {
        /// Which question it answers.
        number: u64,
        /// The list.
        answer: Answer,
    },
    /// What of the capture is no record, as it was asked for.
    Beside(Box<Beside>),
    /// A warning over everything that stays: the capture fits the contract badly, or has changed.
    /// `None` takes it away.
    Banner(Banner, Option<String>),
    /// Something to say once.
    Said(String),
    /// Something that did not work.
    Failed(String),
}

impl Message {
    /// Whether it tells only how far something is: a frame later is early enough to show that.
    pub fn is_routine(&self) -> bool {
        matches!(
            self,
            Self::Tick
                | Self::Progress(_)
                | Self::Sifted { .. }
                | Self::Banner(_, None)
                | Self::Search {
                    news: SearchNews::At(_),
                    ..
                }
        )
    }
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

impl Banner {
    /// The word that it begins with.
    pub fn name(self) -> &'static str {
        match self {
            Self::Capture => "CAPTURE",
            Self::Fit => "CONTRACT",
            Self::Case => "MARKS",
        }
    }
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
    /// Lines so far that tools printed beside their records.
    pub noise_lines: u64,
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
    /// Several steps alike.
    Steps(Vec<StepNo>),
    /// The version that an aggregate waits for.
    Missing(MissingAnchor),
}

/// A mark that is half written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    /// What it is about.
    pub target: MarkTarget,
    /// The disposition that is chosen.
    pub disposition: Disposition,
    /// What is written so far.
    pub note: String,
}

/// The marks after something changed them.
#[derive(Clone, Debug, Default)]
pub struct MarkNews {
    /// All of them.
    pub book: CaseBook,
    /// Why marks are not saved, in words.
    pub banner: Option<String>,
    /// Whether the case file cannot be believed, so that no mark of it closes anything.
    pub is_doubtful: bool,
    /// How many entries are in memory only: they are lost when the inspector ends.
    pub unsaved: usize,
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
    /// This was taken back, in words; they may hold text of the capture.
    Undone(String),
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
    /// Find the first record received at or after a time, without a date on the day of `near`;
    /// answered by [`Message::Time`].
    FindTime {
        /// The time.
        time: TypedTime,
        /// A record of that day; where it has no time, the nearest one that has.
        near: RecordNo,
    },
    /// Make a list that takes a walk over the whole run; answered by [`Message::Gathered`]. A new
    /// question takes the place of one that is under way.
    Gather(Question),
    /// Look which of these records pass; answered in pieces by [`Message::Sifted`].
    Sift {
        /// Which scan: questions of one scan are answered in the order they were asked.
        number: u64,
        /// What they have to pass.
        terms: Vec<BytesTerm>,
        /// The records.
        records: Vec<RecordNo>,
    },
    /// Give up a scan's questions.
    StopSift(u64),
    /// Hand a text to the terminal's clipboard. It holds no control characters.
    Copy(String),
    /// Keep half-written marks for the next session, in place of those that were kept before.
    KeepDrafts(Vec<Draft>),
    /// Tell what of the capture is no record; answered by [`Message::Beside`].
    TellBeside,
    /// Write a report to a new file, in the format that its name ends with; answered by
    /// [`Message::Said`] or [`Message::Failed`].
    Export(String),
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

    /// Whether something may happen by itself, rarely, that nothing under way tells of: a file that
    /// somebody else changes. Then [`Backend::poll`] is called about once a second.
    fn watches(&self) -> bool {
        false
    }
}
