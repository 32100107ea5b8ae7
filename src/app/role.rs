//! What a piece of the screen is for. How a role looks stands in `tui::theme`; here it only has a
//! name, so that the inspector can be described without a terminal.

use super::class::Class;

/// What a piece of the screen is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Plain text.
    Text,
    /// Text that can be passed over: labels, what was not reached.
    Dim,
    /// Titles and lines of a pane.
    Frame,
    /// Title and lines of the pane that has the keys.
    FocusedFrame,
    /// The line that the cursor is on.
    Selection,
    /// The line that the cursor is on, in a pane without the keys.
    SelectionElsewhere,
    /// What this step added or changed.
    Changed,
    /// What it was before.
    Previous,
    /// What this step consulted without changing it.
    Consulted,
    /// Stands for characters that cannot be shown.
    Escape,
    /// A caption of the capture's author.
    Caption,
    /// A banner over everything: the capture changed, the contract fits badly.
    Banner,
    /// A key in the footer or in help.
    Key,
    /// What was searched for.
    Match,
    /// A person's mark on evidence.
    Mark,
    /// The stage that decided.
    Deciding,
    /// A stage that was passed.
    Passed,
    /// A line that reports a mistake in what was typed.
    Mistake,
    /// The class of a step's state.
    Class(Class),
}

impl Role {
    /// Every role that is not a class.
    pub const PLAIN: [Self; 18] = [
        Self::Text,
        Self::Dim,
        Self::Frame,
        Self::FocusedFrame,
        Self::Selection,
        Self::SelectionElsewhere,
        Self::Changed,
        Self::Previous,
        Self::Consulted,
        Self::Escape,
        Self::Caption,
        Self::Banner,
        Self::Key,
        Self::Match,
        Self::Mark,
        Self::Deciding,
        Self::Passed,
        Self::Mistake,
    ];
}
