//! The table of keys: every action once.

use super::Context;
use super::chord::Chord::{
    self, Char, Ctrl, Down, End, Enter, Esc, F, Home, Left, PageDown, PageUp, Right, ShiftTab, Tab,
    Up,
};
use crate::app::{Action, ViewName};

/// What asks for an action: a key, or two in turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Keys {
    /// One key.
    One(Chord),
    /// Two keys, one after the other.
    Two(Chord, Chord),
}

/// Under which heading an action is explained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// Through the steps and their stages.
    Stepping,
    /// To what matters, and back.
    Jumping,
    /// To the views.
    Views,
    /// Within and between panes.
    Panes,
    /// Finding and looking closer.
    Finding,
    /// Everything else.
    Inspector,
}

impl Section {
    /// Every section, in order.
    pub const ALL: [Self; 6] = [
        Self::Stepping,
        Self::Jumping,
        Self::Views,
        Self::Panes,
        Self::Finding,
        Self::Inspector,
    ];

    /// The heading.
    pub fn title(self) -> &'static str {
        match self {
            Self::Stepping => "Steps and stages",
            Self::Jumping => "Where it matters",
            Self::Views => "Views",
            Self::Panes => "Panes",
            Self::Finding => "Find and look closer",
            Self::Inspector => "The inspector",
        }
    }
}

/// One action with its keys and words.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Where it is explained.
    pub section: Section,
    /// The keys; the first is the one that is shown in the footer.
    pub keys: &'static [Keys],
    /// What they ask for.
    pub action: Action,
    /// One or two words for the footer, where the action belongs there.
    pub label: Option<&'static str>,
    /// What it does, in a few words.
    pub help: &'static str,
    /// Where the keys count.
    pub contexts: &'static [Context],
}

const fn key(character: char) -> Keys {
    Keys::One(Char(character))
}

const fn pair(first: char, second: char) -> Keys {
    Keys::Two(Char(first), Char(second))
}

const fn row(
    section: Section,
    action: Action,
    keys: &'static [Keys],
    label: Option<&'static str>,
    help: &'static str,
    contexts: &'static [Context],
) -> Row {
    Row {
        section,
        keys,
        action,
        label,
        help,
        contexts,
    }
}

const STEPS: &[Context] = &[Context::Steps];
const PANES: &[Context] = &[Context::Steps, Context::Pane];
const VIEW: &[Context] = &[Context::View];
const PAGES: &[Context] = &[Context::Steps, Context::Pane, Context::View];
const SCROLLED: &[Context] = &[
    Context::Steps,
    Context::Pane,
    Context::View,
    Context::Reading,
];
const PAGED: &[Context] = &[Context::Pane, Context::View, Context::Reading];
const TYPING: &[Context] = &[Context::Typing];
const ALL: &[Context] = &[
    Context::Steps,
    Context::Pane,
    Context::View,
    Context::Reading,
    Context::Typing,
];

use Section::{Finding, Inspector, Jumping, Panes, Stepping, Views};

/// Every action, in the order of help and footer.
#[rustfmt::skip]
pub static ROWS: &[Row] = &[
    row(Stepping, Action::NextStep, &[key('.'), key(']')], Some("next"), "next step, from any pane", PANES),
    row(Stepping, Action::PreviousStep, &[key(','), key('[')], None, "previous step, from any pane", PANES),
    row(Stepping, Action::NextStage, &[key('>'), key('}')], Some("stage"), "next stage of the step", PANES),
    row(Stepping, Action::PreviousStage, &[key('<'), key('{')], None, "previous stage of the step", PANES),
    row(Stepping, Action::Forward, &[key(' '), Keys::One(PageDown)], None, "in the list: one stage on, then the next step", STEPS),
    row(Stepping, Action::Back, &[Keys::One(PageUp)], None, "in the list: one stage back, then the previous step", STEPS),

    row(Jumping, Action::NextReview, &[key('e')], Some("next to review"), "next step to review", PANES),
    row(Jumping, Action::PreviousReview, &[key('E')], None, "previous step to review", PANES),
    row(Jumping, Action::NextRoutine, &[key('w')], None, "next routine step: duplicate, deferral, stale", PANES),
    row(Jumping, Action::PreviousRoutine, &[key('W')], None, "previous routine step", PANES),
    row(Jumping, Action::NextOfAggregate, &[key('o')], None, "next step of the same aggregate", PANES),
    row(Jumping, Action::PreviousOfAggregate, &[key('O')], None, "previous step of the same aggregate", PANES),
    row(Jumping, Action::Focus, &[key('a')], Some("this aggregate"), "show this aggregate alone, and everything again", PANES),
    row(Jumping, Action::Mark, &[key('m')], Some("mark"), "mark evidence: what was decided, and why", PAGES),
    row(Jumping, Action::Undo, &[key('u')], None, "take the last mark back", PAGES),
    row(Jumping, Action::Select, &[key('v')], None, "select up to the cursor; again: keep it; m marks all", PAGES),
    row(Jumping, Action::NextMark, &[key('\'')], None, "next mark", PANES),
    row(Jumping, Action::PreviousMark, &[key('"')], None, "previous mark", PANES),
    row(Jumping, Action::OnlyMarked, &[key('M')], None, "only what is marked, and everything again", PANES),
    row(Jumping, Action::GoToCause, &[pair('g', 'd')], None, "to the cause; again: to the next cause", PANES),
    row(Jumping, Action::GoToReleased, &[pair('g', 'r')], None, "to what this step released", PANES),
    row(Jumping, Action::HistoryBack, &[key('('), Keys::One(Ctrl('o'))], None, "back in where you were", PAGES),
    row(Jumping, Action::HistoryForward, &[key(')')], None, "forward in where you were", PAGES),

    row(Views, Action::Show(ViewName::Steps), &[key('1')], None, "the steps: what each decided", PAGES),
    row(Views, Action::Show(ViewName::Aggregates), &[key('2')], None, "aggregates: what waits and since when; Enter: one's timeline", PAGES),
    row(Views, Action::Show(ViewName::Evidence), &[key('3')], None, "evidence: open, marked and resolved, in groups", PAGES),
    row(Views, Action::Show(ViewName::Owner), &[key('4')], None, "owner: orders with their gates, compensations, reviews", PAGES),
    row(Views, Action::Show(ViewName::Guide), &[key('5')], None, "guide: symptom, cause, check, action; readiness", PAGES),
    row(Views, Action::Show(ViewName::Contract), &[key('6')], None, "contract: what is in force, in words and as its text", PAGES),
    row(Views, Action::NextPart, &[Keys::One(Tab)], Some("next part"), "in a view: its next section, or its other page", VIEW),
    row(Views, Action::PreviousPart, &[Keys::One(ShiftTab)], None, "in a view: the section before", VIEW),
    row(Views, Action::Sort, &[key('s')], Some("order"), "in the list of aggregates: another order", VIEW),

    row(Panes, Action::Down, &[key('j'), Keys::One(Down)], None, "down", SCROLLED),
    row(Panes, Action::Up, &[key('k'), Keys::One(Up)], None, "up", SCROLLED),
    row(Panes, Action::HalfPageDown, &[Keys::One(Ctrl('d'))], None, "half a page down", SCROLLED),
    row(Panes, Action::HalfPageUp, &[Keys::One(Ctrl('u'))], None, "half a page up", SCROLLED),
    row(Panes, Action::PageDown, &[Keys::One(PageDown), key(' ')], None, "a page down, in panes other than the list", PAGED),
    row(Panes, Action::PageUp, &[Keys::One(PageUp)], None, "a page up, in panes other than the list", PAGED),
    row(Panes, Action::Top, &[pair('g', 'g'), Keys::One(Home)], None, "to the top", SCROLLED),
    row(Panes, Action::Bottom, &[key('G'), Keys::One(End)], None, "to the bottom", SCROLLED),
    row(Panes, Action::NextPane, &[Keys::One(Tab)], Some("pane"), "next pane", PANES),
    row(Panes, Action::PreviousPane, &[Keys::One(ShiftTab)], None, "previous pane", PANES),
    row(Panes, Action::Maximise, &[key('z')], None, "the pane fills the screen, and back", PANES),
    row(Panes, Action::AllReceipts, &[key('A')], None, "receipts of every aggregate, or of this one alone", PANES),
    row(Panes, Action::Open, &[Keys::One(Enter), key('l'), Keys::One(Right)], Some("open"), "open, unfold, or go there", PAGES),
    row(Panes, Action::Fold, &[key('h'), Keys::One(Left)], None, "fold, or leave", PAGES),

    row(Finding, Action::Search, &[key('/')], Some("search"), "search", PAGES),
    row(Finding, Action::NextMatch, &[key('n')], None, "next match", PAGES),
    row(Finding, Action::PreviousMatch, &[key('N')], None, "previous match", PANES),
    row(Finding, Action::SearchValue, &[key('*')], None, "search for the value under the cursor; in the list: the id", PANES),
    row(Finding, Action::Filter, &[key('&')], None, "filter what is shown; Tab completes", PANES),
    row(Finding, Action::SuspendFilter, &[key('F')], None, "everything, and again what the filter shows", PANES),
    row(Finding, Action::Compare, &[key('d')], None, "before and after this step, side by side", PANES),
    row(Finding, Action::Rule, &[key('K')], None, "the rule behind what came of it", PANES),
    row(Finding, Action::CopyValue, &[pair('y', 'y')], None, "copy the value under the cursor", PAGES),
    row(Finding, Action::CopyPointer, &[pair('y', 'p')], None, "copy the JSON pointer of the value under the cursor", PAGES),
    row(Finding, Action::CopyIdentity, &[pair('y', 'i')], None, "copy the event's source and id", PAGES),
    row(Finding, Action::RawBytes, &[key('R')], None, "the record's bytes as they are", PANES),
    row(Finding, Action::Command, &[key(':')], None, ":120 record, :s120 step, :09:00:05 time, :order ID, :filter TEXT, :search TEXT, :export FILE, :w FILE, :noise, :curtain, :q", PAGES),

    row(Inspector, Action::Accept, &[Keys::One(Enter)], Some("accept"), "accept what was typed", TYPING),
    row(Inspector, Action::Help, &[key('?'), Keys::One(F(1))], Some("help"), "these keys", SCROLLED),
    row(Inspector, Action::Mouse, &[Keys::One(F(2))], None, "take the mouse, or leave it to the terminal", SCROLLED),
    row(Inspector, Action::Redraw, &[Keys::One(Ctrl('l'))], None, "draw everything again", ALL),
    row(Inspector, Action::Suspend, &[Keys::One(Ctrl('z'))], None, "suspend; fg comes back", ALL),
    row(Inspector, Action::Cancel, &[Keys::One(Esc)], Some("cancel"), "cancel; never quits", ALL),
    row(Inspector, Action::Interrupt, &[Keys::One(Ctrl('c'))], None, "cancel what is under way, else quit", ALL),
    row(Inspector, Action::Quit, &[key('q')], Some("quit"), "back, then quit", SCROLLED),
];
