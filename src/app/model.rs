//! Everything that the inspector knows between two inputs, beside the history. Pure data: drawn from
//! `&Model` and `&History`, changed only by [`Model::update`].

use std::collections::{BTreeMap, BTreeSet};

use crate::history::History;
use crate::model::{Beside, Look, StepNo, Verdict};
use crate::review::{CaseBook, EntryNo};
use crate::text::Zone;

use super::action::Context;
use super::cache::RowCache;
use super::causes::Walk;
use super::curtain::Curtain;
use super::filter::live::Filtering;
use super::form::{Drafts, MarkForm};
use super::guide::ContractFacts;
use super::inputs::Inputs;
use super::jumps::Jumps;
use super::layout::{Layout, Pane, Wish};
use super::line::Line;
use super::list::{Focus, Shown};
use super::message::{Banner, Draft, Progress};
use super::prompt::Prompt;
use super::role::Role;
use super::search::Search;
use super::selection::Selection;
use super::tally::Tally;
use super::views::Views;

/// What is said about the capture and how to show it; fixed for as long as the inspector runs.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The capture's name.
    pub capture: String,
    /// The consumer's id.
    pub consumer: String,
    /// Where the contract comes from: `sidecar`, `built-in`, a file's name.
    pub contract: String,
    /// Whether baselines are assumed.
    pub has_assumed_baselines: bool,
    /// Where the clock hangs.
    pub zone: Zone,
    /// Where to begin.
    pub start: Start,
    /// Whether the curtain is drawn from the start.
    pub curtain: bool,
    /// The case file's name, where marks are saved without being told where.
    pub case: Option<String>,
    /// Who marks, where that is known.
    pub operator: String,
    /// Whether the mouse is taken from the start.
    pub mouse: bool,
    /// Whether half-written marks are kept for the next session.
    pub keeps_drafts: bool,
    /// What is known of the contract in force.
    pub facts: ContractFacts,
}

/// Where the inspector begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// At the last step, with what is to review in sight: for a capture.
    Last,
    /// At the first step: for the walk-through.
    First,
}

/// How much of the step under the cursor has been stepped through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// All of it.
    Whole,
    /// That many stages.
    Stages(usize),
}

/// Where the cursor stands in a pane of lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Scroll {
    /// The line under the cursor; `None` until someone moves it, and the pane shows what matters.
    pub(super) line: Option<usize>,
}

/// What lies over the panes.
#[derive(Clone, Debug)]
pub(super) enum Overlay {
    Help { top: usize },
    Raw { top: usize },
    Prompt(Prompt),
    Mark(Box<MarkForm>),
    Pages(Pages),
}

/// Lines to read that are made from where the cursor is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pages {
    pub(super) subject: PageSubject,
    pub(super) top: usize,
}

/// What the lines are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PageSubject {
    /// Before and after the step.
    Compare,
    /// The rule behind what came of it.
    Rule,
    /// Not the step, but what of the capture is no record.
    Beside,
}

/// Something said once, in the status line.
#[derive(Clone, Debug)]
pub(super) struct Notice {
    pub(super) line: Line,
}

/// What the key before asked, for the same key to answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    Nothing,
    /// Whether to leave although something is lost by it.
    Quit,
    /// Whether to take this mark of an earlier session back.
    Undo(EntryNo),
}

/// The inspector.
#[derive(Debug)]
pub struct Model {
    pub(super) settings: Settings,
    pub(super) size: (u16, u16),
    pub(super) cursor: StepNo,
    pub(super) reach: Reach,
    pub(super) has_curtain: bool,
    /// Steps that were stepped through since the curtain was drawn.
    pub(super) seen: BTreeSet<StepNo>,
    pub(super) focus: Option<Focus>,
    /// First row of the list.
    pub(super) top: StepNo,
    pub(super) pane: Pane,
    pub(super) is_maximised: bool,
    /// The list's first row before a pane filled the screen.
    pub(super) top_before: Option<StepNo>,
    pub(super) overlay: Option<Overlay>,
    pub(super) scrolls: BTreeMap<Pane, Scroll>,
    /// Folded nodes of the event's tree.
    pub(super) folded: BTreeSet<usize>,
    /// First line of the event's tree that is shown.
    pub(super) tree_top: usize,
    pub(super) has_all_receipts: bool,
    pub(super) look: Option<Box<Look>>,
    /// The same without what tells the outcome, while the curtain is drawn.
    pub(super) covered_look: Option<Box<Look>>,
    pub(super) asked_look: Option<StepNo>,
    pub(super) rows: RowCache,
    pub(super) jumps: Jumps,
    pub(super) walk: Option<Walk>,
    pub(super) notice: Option<Notice>,
    pub(super) banners: BTreeMap<Banner, String>,
    pub(super) tally: Tally,
    /// Whether the evidence by reason is shown in place of the stages, until a key is pressed.
    pub(super) has_summary: bool,
    /// Whether the cursor follows the last step while the capture loads.
    pub(super) follows: bool,
    pub(super) progress: Progress,
    /// What of the capture is no record, once that was asked for.
    pub(super) beside: Box<Beside>,
    pub(super) search: Search,
    pub(super) filter: Filtering,
    pub(super) selection: Option<Selection>,
    pub(super) inputs: Inputs,
    /// Where the marks stand, in order, as of the step beside it.
    pub(super) marked: Vec<StepNo>,
    pub(super) marked_at: StepNo,
    /// Whether a scan has more to look at, so that time has to pass.
    pub(super) is_scanning: bool,
    /// Whether the case file cannot be believed, so that no mark closes anything.
    pub(super) is_doubtful: bool,
    /// Entries that are in memory only.
    pub(super) unsaved: usize,
    pub(super) asked: Asked,
    /// What was asked when the key came that is acted on now.
    pub(super) answered: Asked,
    pub(super) book: CaseBook,
    pub(super) operator: String,
    /// Whether it was said where marks are saved.
    pub(super) has_named_case: bool,
    pub(super) drafts: Drafts,
    pub(super) mouse: bool,
    /// The time that was asked for and not found yet.
    pub(super) awaits_time: Option<String>,
    pub(super) views: Views,
    /// Lines of the help screen, which is made where the keys are.
    pub(super) help_lines: usize,
}

impl Model {
    /// The inspector as it opens; nothing has been read yet.
    pub fn new(settings: Settings) -> Self {
        let follows = settings.start == Start::Last && !settings.curtain;
        Self {
            size: (0, 0),
            cursor: StepNo(0),
            reach: Reach::Whole,
            has_curtain: settings.curtain,
            seen: BTreeSet::new(),
            focus: None,
            top: StepNo(0),
            pane: Pane::Steps,
            is_maximised: false,
            top_before: None,
            overlay: None,
            scrolls: BTreeMap::new(),
            folded: BTreeSet::new(),
            tree_top: 0,
            has_all_receipts: false,
            look: None,
            covered_look: None,
            asked_look: None,
            rows: RowCache::default(),
            jumps: Jumps::default(),
            walk: None,
            notice: first_words(&settings),
            banners: BTreeMap::new(),
            tally: Tally::default(),
            has_summary: follows,
            follows,
            progress: Progress::default(),
            beside: Box::default(),
            search: Search::default(),
            filter: Filtering::default(),
            selection: None,
            inputs: Inputs::default(),
            marked: Vec::new(),
            marked_at: StepNo(0),
            is_scanning: false,
            is_doubtful: false,
            unsaved: 0,
            asked: Asked::Nothing,
            answered: Asked::Nothing,
            book: CaseBook::default(),
            operator: settings.operator.clone(),
            has_named_case: false,
            drafts: Drafts::default(),
            mouse: settings.mouse,
            awaits_time: None,
            views: Views::default(),
            help_lines: 0,
            settings,
        }
    }

    /// Takes in half-written marks that an earlier session left.
    pub fn restore_drafts(&mut self, drafts: Vec<Draft>) {
        self.drafts.restore(drafts);
    }

    /// Tells how long the help screen is; whoever has the keys knows.
    pub fn set_help_lines(&mut self, lines: usize) {
        self.help_lines = lines;
    }

    /// What has the keys.
    pub fn context(&self) -> Context {
        match &self.overlay {
            Some(Overlay::Help { .. } | Overlay::Raw { .. } | Overlay::Pages(_)) => {
                Context::Reading
            }
            Some(Overlay::Prompt(_) | Overlay::Mark(_)) => Context::Typing,
            None if self.views.page().is_some() => Context::View,
            None if self.pane == Pane::Steps => Context::Steps,
            None => Context::Pane,
        }
    }

    /// Whether something goes on by itself, so that time has to pass.
    pub fn wants_ticks(&self) -> bool {
        self.search.is_running()
            || self.views.is_gathering()
            || self.is_scanning
            || self.is_counting()
            || !self.progress.is_finished
    }

    /// Whether something is looked for that a person waits for, so that its portions follow each other
    /// without a pause.
    pub fn is_looking(&self) -> bool {
        self.search.is_running() || self.views.is_gathering() || self.is_scanning
    }

    pub(super) fn is_counting(&self) -> bool {
        self.has_summary && self.progress.is_finished && !self.tally.is_done()
    }

    /// Where everything stands; `None` where the screen is too small.
    pub fn layout(&self) -> Option<Layout> {
        let wish = Wish {
            banner_rows: u16::try_from(self.banners.len()).unwrap_or(3).min(3),
            maximised: self.is_maximised.then_some(self.pane),
        };
        Layout::of(self.size.0, self.size.1, wish)
    }

    /// Rows of a pane below its title.
    pub(super) fn pane_rows(&self, pane: Pane) -> usize {
        let layout = self.layout().unwrap_or_default();
        let area = layout.pane(pane).unwrap_or_default();
        usize::from(area.body().height)
    }

    /// What may be shown of the step under the cursor, once it was looked at.
    pub(super) fn look(&self) -> Option<&Look> {
        let look = self.true_look()?;
        if self.is_covered() {
            return self.covered_look.as_deref();
        }
        Some(look)
    }

    /// The look at the step under the cursor, whatever it tells.
    pub(super) fn true_look(&self) -> Option<&Look> {
        self.look.as_deref().filter(|look| look.step == self.cursor)
    }

    /// How many of the step's stages ran; `None` until it was looked at.
    pub(super) fn stages_run(&self) -> Option<usize> {
        let stages = &self.true_look()?.stages;
        let last = stages
            .iter()
            .rposition(|stage| stage.verdict != Verdict::NotReached);
        Some(last.map_or(0, |last| last + 1))
    }

    /// The stage that decided, by its index.
    pub(super) fn deciding_stage(&self) -> Option<usize> {
        let stages = &self.true_look()?.stages;
        let decided = |verdict| matches!(verdict, Verdict::Decided | Verdict::Stopped);
        let first = stages.iter().position(|stage| decided(stage.verdict));
        first.or_else(|| self.stages_run()?.checked_sub(1))
    }

    /// How many stages show their verdict.
    pub(super) fn stages_shown(&self) -> usize {
        match self.reach {
            Reach::Whole => self.stages_run().unwrap_or(0),
            Reach::Stages(count) => count,
        }
    }

    /// The step under the cursor.
    pub fn cursor_step(&self) -> StepNo {
        self.cursor
    }

    /// Whether all stages of the step under the cursor were stepped through.
    pub fn is_whole(&self) -> bool {
        self.reach == Reach::Whole
    }

    /// Whether the step's effect is shown.
    pub fn is_decided(&self) -> bool {
        match self.reach {
            Reach::Whole => true,
            Reach::Stages(count) => self
                .deciding_stage()
                .is_some_and(|deciding| count > deciding),
        }
    }

    /// As of which step ledger and projection are shown.
    pub(super) fn shown_at(&self) -> StepNo {
        if self.is_decided() {
            self.cursor
        } else {
            self.cursor.before()
        }
    }

    /// As of which step everything else is shown: the end of what is read, or the curtain.
    pub(super) fn horizon(&self, history: &History) -> StepNo {
        if self.has_curtain {
            self.shown_at()
        } else {
            history.last_step()
        }
    }

    /// Which steps the list shows.
    pub(super) fn shown<'a>(&'a self, history: &'a History) -> Shown<'a> {
        Shown {
            history,
            focus: self.focus_beside_hits(),
            hits: self.filter.hits(),
            curtain: self.has_curtain.then_some(Curtain {
                seen: &self.seen,
                cursor: self.cursor,
            }),
        }
    }

    /// Where a step enters: whole, or behind the curtain at its first stage until it was stepped
    /// through.
    pub(super) fn entry(&self, step: StepNo) -> Reach {
        if self.has_curtain && !self.seen.contains(&step) {
            Reach::Stages(0)
        } else {
            Reach::Whole
        }
    }

    pub(super) fn scroll(&self, pane: Pane) -> Scroll {
        self.scrolls.get(&pane).copied().unwrap_or_default()
    }

    /// Whether a person's mark closes a step.
    pub(super) fn is_closed(&self, history: &History, step: StepNo) -> bool {
        // What cannot be believed closes nothing, as for `trace` and `check`.
        if self.is_doubtful {
            return false;
        }
        history.step(step).is_some_and(|step| {
            let is_replay = step.kind == crate::model::Kind::Replay;
            let reason = step.reason.map(|reason| history.reason_name(reason));
            self.book.closes(step.record, is_replay, step.state, reason)
        })
    }
}

/// The one line that a person needs who sees this for the first time.
fn first_words(settings: &Settings) -> Option<Notice> {
    let words = match (settings.curtain, settings.start) {
        (true, _) => "curtain: what will happen? > steps on",
        (false, Start::First) => ". next step   > its stages   ? all keys",
        (false, Start::Last) => return None,
    };
    Some(Notice {
        line: Line::own(Role::Changed, words),
    })
}
