//! What there is to see, as lines ready to be painted. Everything here is a question to `&Model` and
//! `&History`; nothing is changed, and nothing costs more than what is in sight.
//!
//! - `chrome`: header, banners, overview bar, what was just said, the evidence by reason.
//! - `row`: one line of the list; `words`: states, reasons and gates in words.
//! - `stages`, `event`, `ledger`, `projection`: the other panes.
//! - `offers`: what the footer says of a key where one is now.
//! - `over`: what lies over the panes; `pages`, `compare`: lines to read about the step.
//! - `filtered`: what a filter, a search and a selection add to the list; `bar`: the overview bar.
//! - `page`: the other views, with `aggregates`, `evidence`, `owner`, `guide`, `contract`.

mod aggregates;
mod bar;
mod beside;
mod chrome;
mod compare;
mod contract;
mod event;
mod evidence;
mod filtered;
mod guide;
mod ledger;
mod offers;
mod over;
mod owner;
mod page;
mod pages;
mod projection;
mod row;
mod stages;
mod words;
mod wrappers;

use crate::history::History;
use crate::model::{AggregateId, OrderId, RecordNo, StepNo, Subject};
use crate::text::number::grouped;

use super::layout::{Area, Layout, Pane};
use super::line::Line;
use super::list::the_only_one;
use super::model::Model;
use super::role::Role;

pub use bar::BarCell;
pub(super) use contract::contract_lines;
pub use offers::KeyOffer;
pub use over::{Field, Over};
pub use page::Page;

/// The inspector as it is to be drawn.
#[derive(Clone, Copy)]
pub struct View<'a> {
    pub(super) model: &'a Model,
    pub(super) history: &'a History,
}

/// A line in a pane.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// The line.
    pub line: Line,
    /// Whether the pane's cursor is on it.
    pub is_cursor: bool,
}

/// What a step is about, on both sides.
#[derive(Clone, Copy, Debug, Default)]
struct Sides {
    aggregate: Option<AggregateId>,
    order: Option<OrderId>,
}

impl<'a> View<'a> {
    /// The inspector over a history.
    pub fn new(model: &'a Model, history: &'a History) -> Self {
        Self { model, history }
    }

    /// Where everything stands; `None` where the screen is too small.
    pub fn layout(&self) -> Option<Layout> {
        self.model.layout()
    }

    /// The pane that has the keys.
    pub fn focused(&self) -> Pane {
        self.model.pane
    }

    /// The title of a pane.
    pub fn title(&self, pane: Pane) -> Line {
        match pane {
            Pane::Steps => self.list_title(),
            Pane::Stages if self.model.has_summary => self.summary_title(),
            Pane::Stages => self.stages_title(),
            Pane::Event => self.event_title(),
            Pane::Ledger => self.ledger_title(),
            Pane::Projection => self.projection_title(),
        }
    }

    /// The lines of a pane that fit into its area, its title not among them.
    pub fn rows(&self, pane: Pane) -> Vec<Row> {
        let body = self.body(pane);
        let height = usize::from(body.height);
        match pane {
            Pane::Steps => self.list_rows(height, usize::from(body.width)),
            Pane::Event => self.event_rows(height),
            Pane::Stages if self.model.has_summary => plain(self.summary_lines(height)),
            Pane::Stages => self.stages_rows(height),
            Pane::Ledger | Pane::Projection => {
                let at = self.pane_cursor(pane);
                let length = self.pane_length(pane);
                let has_keys = self.model.pane == pane;
                let top = self.pane_top(pane, length, height);
                let lines = self.pane_lines(pane, top, height);
                let rows = lines.into_iter().zip(top..);
                rows.map(|(line, index)| Row {
                    line,
                    is_cursor: has_keys && index == at,
                })
                .collect()
            }
        }
    }

    /// How many lines of a pane are out of sight, above and below. Behind the curtain nothing is said
    /// of the list: the number would tell of replays to come.
    pub fn hidden(&self, pane: Pane) -> (usize, usize) {
        let height = usize::from(self.body(pane).height);
        match pane {
            Pane::Steps if self.model.has_curtain => (0, 0),
            Pane::Steps => self.list_hidden(height),
            Pane::Stages if self.model.has_summary => (0, 0),
            Pane::Stages => self.stages_hidden(height),
            Pane::Event => self.event_hidden(height),
            Pane::Ledger | Pane::Projection => {
                let length = self.pane_length(pane);
                let top = self.pane_top(pane, length, height);
                (top, length.saturating_sub(top + height))
            }
        }
    }

    /// The same in words, for the end of a title: ` +3 above +5 below `.
    pub fn hidden_words(&self, pane: Pane) -> Line {
        hidden_words(self.hidden(pane))
    }

    /// The first of some titles that fits; else the last.
    fn fitting<const N: usize>(&self, pane: Pane, titles: [Line; N]) -> Line {
        let layout = self.model.layout().unwrap_or_default();
        let width = layout.pane(pane).unwrap_or_default().width;
        // Beside the title stand a piece of the frame and a space on either side.
        let room = usize::from(width).saturating_sub(4 + self.hidden_words(pane).cells());
        let mut chosen = Line::default();
        for title in titles {
            let fits = title.cells() <= room;
            chosen = title;
            if fits {
                break;
            }
        }
        chosen
    }

    /// The first line of the ledger or the projection that is in sight.
    fn pane_top(&self, pane: Pane, length: usize, height: usize) -> usize {
        if self.model.scroll(pane).line.is_none() && pane == Pane::Projection {
            0
        } else {
            window_top(self.pane_cursor(pane), length, height)
        }
    }

    /// How many lines a pane has.
    pub(super) fn pane_length(&self, pane: Pane) -> usize {
        match pane {
            Pane::Steps | Pane::Event => 0,
            Pane::Stages => self.stages_lines().lines.len(),
            Pane::Ledger => self.ledger_length(),
            Pane::Projection => self.projection_lines().len(),
        }
    }

    /// The line that a pane's cursor is on.
    pub(super) fn pane_cursor(&self, pane: Pane) -> usize {
        let length = self.pane_length(pane);
        let line = self.model.scroll(pane).line.unwrap_or_else(|| match pane {
            Pane::Ledger => self.ledger_focus(),
            Pane::Steps | Pane::Event | Pane::Projection => 0,
            Pane::Stages => self.stages_lines().block.start,
        });
        line.min(length.saturating_sub(1))
    }

    /// Some lines of a pane.
    pub(super) fn pane_lines(&self, pane: Pane, from: usize, count: usize) -> Vec<Line> {
        match pane {
            Pane::Steps | Pane::Event => Vec::new(),
            Pane::Stages => skip(self.stages_lines().lines, from, count),
            Pane::Ledger => self.ledger_lines(from, count),
            Pane::Projection => skip(self.projection_lines(), from, count),
        }
    }

    /// The records whose text is shown and so has to be known.
    pub(super) fn records_in_sight(&self) -> Vec<RecordNo> {
        if let Some(records) = self.page_records() {
            return records;
        }
        let height = usize::from(self.body(Pane::Steps).height);
        let listed = self.model.shown(self.history);
        let steps = listed.from(self.model.top, height);
        let steps = steps.into_iter().chain(self.receipts_in_sight());
        let mut records: Vec<RecordNo> = steps
            .filter_map(|step| self.history.step(step))
            .map(|step| step.record)
            .collect();
        // Their days tell whether the capture goes over several.
        records.extend(
            [RecordNo(1)]
                .iter()
                .filter(|first| **first <= self.history.last_record()),
        );
        if self.model.progress.is_finished && self.history.last_record().0 > 0 {
            records.push(self.history.last_record());
        }
        records.extend(self.held_in_sight().iter().map(|held| held.record));
        records
    }

    fn body(&self, pane: Pane) -> Area {
        let layout = self.model.layout().unwrap_or_default();
        layout.pane(pane).unwrap_or_default().body()
    }

    fn width(&self, pane: Pane) -> usize {
        usize::from(self.body(pane).width)
    }

    /// The aggregate and the order that the step under the cursor is about.
    fn sides(&self) -> Sides {
        let Some(step) = self.history.step(self.model.cursor) else {
            return Sides::default();
        };
        match step.subject {
            Subject::Unknown => Sides::default(),
            Subject::Aggregate(id) => Sides {
                aggregate: Some(id),
                order: self.history.find_order(self.history.name_of(id)),
            },
            Subject::Order(id) => Sides {
                aggregate: the_only_one(
                    self.history,
                    self.history.order_name(id),
                    self.model.horizon(self.history),
                ),
                order: Some(id),
            },
        }
    }

    /// The id that the step under the cursor is about.
    fn subject_name(&self) -> Option<&'a str> {
        let step = self.history.step(self.model.cursor)?;
        self.history.subject_name(step.subject)
    }

    /// The clock time of a record: received, or its own with `~`.
    fn clock(&self, record: RecordNo) -> Option<String> {
        let text = self.model.rows.get(record)?;
        let time = text.time?;
        let clock = crate::text::time::clock(time.seconds, &self.model.settings.zone);
        Some(if text.is_own_time {
            format!("~{clock}")
        } else {
            clock
        })
    }

    /// The step whose receipt, version or entry the step under the cursor consulted.
    fn consulted(&self) -> Option<StepNo> {
        use crate::model::State;
        let step = self.history.step(self.model.cursor)?;
        let looks_back = matches!(
            step.state,
            State::DuplicateSuppressed
                | State::SameVersionRejected
                | State::StaleIgnored
                | State::CompensationAlreadyRecorded
                | State::Deferred
        );
        let first = step
            .first
            .filter(|_| looks_back && self.model.is_decided())?;
        self.history
            .latest_step_of_record(first, step.number.before())
    }
}

/// How much is out of sight: ` +3 above +5 below `.
pub(super) fn hidden_words((above, below): (usize, usize)) -> Line {
    let mut line = Line::default();
    for (count, place) in [(above, "above"), (below, "below")] {
        if count > 0 {
            let words = format!(" +{} {place}", grouped(count as u64));
            line = line.with(Role::Changed, words);
        }
    }
    if line.spans.is_empty() {
        line
    } else {
        line.with(Role::Frame, " ")
    }
}

fn skip(lines: Vec<Line>, from: usize, count: usize) -> Vec<Line> {
    lines.into_iter().skip(from).take(count).collect()
}

fn plain(lines: Vec<Line>) -> Vec<Row> {
    let row = |line| Row {
        line,
        is_cursor: false,
    };
    lines.into_iter().map(row).collect()
}

/// Where a window begins that has the cursor in the middle, as far as the ends allow.
fn window_top(at: usize, length: usize, height: usize) -> usize {
    at.saturating_sub(height / 2)
        .min(length.saturating_sub(height))
}

/// A label and what stands beside it.
fn labelled(label: &str) -> Line {
    Line::own(Role::Dim, format!("{label:<10}")).hanging(10)
}
