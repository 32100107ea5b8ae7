//! What a person can ask of the inspector. Which key asks for it, and the words that explain it, stand
//! in one table in `tui::keys`; an action exists only if that table offers it.

use super::views::ViewName;

/// One thing that a key asks for. Where the meaning depends on the pane in focus, the model decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// To the next step, from any pane.
    NextStep,
    /// To the previous step, from any pane.
    PreviousStep,
    /// One stage on within the step.
    NextStage,
    /// One stage back within the step.
    PreviousStage,
    /// One stage on, and from the last one to the next step.
    Forward,
    /// One stage back, and from the first one to the previous step.
    Back,
    /// One line down in the pane.
    Down,
    /// One line up in the pane.
    Up,
    /// Half a page down in the pane.
    HalfPageDown,
    /// Half a page up in the pane.
    HalfPageUp,
    /// A page down in the pane.
    PageDown,
    /// A page up in the pane.
    PageUp,
    /// To the first line of the pane.
    Top,
    /// To the last line of the pane.
    Bottom,
    /// To the next step that a person has to look at.
    NextReview,
    /// To the previous step that a person has to look at.
    PreviousReview,
    /// To the next routine step: a duplicate, a deferral, a stale event.
    NextRoutine,
    /// To the previous routine step.
    PreviousRoutine,
    /// To the next step of the same aggregate.
    NextOfAggregate,
    /// To the previous step of the same aggregate.
    PreviousOfAggregate,
    /// Shows this aggregate alone, or everything again.
    Focus,
    /// To what caused this step; again, to the next cause.
    GoToCause,
    /// To what this step released.
    GoToReleased,
    /// Back in where one was.
    HistoryBack,
    /// Forward in where one was.
    HistoryForward,
    /// The next pane gets the keys.
    NextPane,
    /// The previous pane gets the keys.
    PreviousPane,
    /// The pane fills the screen, or no longer does.
    Maximise,
    /// Opens what the cursor is on, unfolds it, or goes there.
    Open,
    /// Folds what the cursor is on, or leaves it.
    Fold,
    /// Asks for words to search for.
    Search,
    /// To the next step that was searched for.
    NextMatch,
    /// To the previous step that was searched for.
    PreviousMatch,
    /// Searches for the value under the cursor.
    SearchValue,
    /// Asks for a filter.
    Filter,
    /// Shows everything, or again what the filter shows.
    SuspendFilter,
    /// Only what is marked, or everything again.
    OnlyMarked,
    /// To the next mark.
    NextMark,
    /// To the previous mark.
    PreviousMark,
    /// Begins to select steps, or adds what was selected.
    Select,
    /// Before and after this step, side by side.
    Compare,
    /// The rule behind what came of the step.
    Rule,
    /// Copies the value under the cursor.
    CopyValue,
    /// Copies where in the event the cursor is.
    CopyPointer,
    /// Copies the event's source and id.
    CopyIdentity,
    /// The bytes of the record.
    RawBytes,
    /// Asks for a command or a place to go to.
    Command,
    /// Receipts of every aggregate, or of this one alone.
    AllReceipts,
    /// Marks the evidence under the cursor.
    Mark,
    /// Takes the last mark back.
    Undo,
    /// Opens one of the views.
    Show(ViewName),
    /// In a view: the next section, or its other page.
    NextPart,
    /// In a view: the section before.
    PreviousPart,
    /// In the list of aggregates: another order.
    Sort,
    /// The keys.
    Help,
    /// Takes the mouse, or leaves it to the terminal.
    Mouse,
    /// Draws everything again.
    Redraw,
    /// Gives the terminal back and stops until continued.
    Suspend,
    /// Leaves what is open; with nothing open, ends the inspector.
    Quit,
    /// Leaves what is open, and never ends the inspector.
    Cancel,
    /// Cancels what is under way; with nothing under way, ends the inspector.
    Interrupt,
    /// Accepts what was typed.
    Accept,
}

/// What has the keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Context {
    /// The list of steps.
    Steps,
    /// Any other pane.
    Pane,
    /// A view other than the steps.
    View,
    /// Something over the panes that is read and left: the help, raw bytes.
    Reading,
    /// A line or form that text is typed into; keys without an action are typing.
    Typing,
}
