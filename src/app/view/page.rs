//! A view other than the steps, as it is to be drawn: title, rows in sight, and the selected row in
//! full below them. Each costs as much as what is in sight.

use crate::model::{RecordNo, StepNo};
use crate::text::number::grouped;

use super::super::line::Line;
use super::super::model::Model;
use super::super::role::Role;
use super::super::views::{PageName, ViewName};
use super::{Row, View};

/// Rows from which on the selected row is shown in full below the list.
const ROWS_FOR_DETAIL: usize = 9;

/// A page, ready to be painted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// Its title.
    pub title: Line,
    /// What stands above its columns, where it has columns.
    pub head: Option<Line>,
    /// The rows in sight.
    pub rows: Vec<Row>,
    /// Rows that the list has for itself.
    pub height: usize,
    /// How many rows are out of sight, in words: ` +3 above +5 below `.
    pub hidden: Line,
    /// What stands between the list and the selected row in full.
    pub detail_title: Line,
    /// The selected row in full; empty where there is no room.
    pub detail: Vec<Line>,
    /// Rows for it.
    pub detail_height: usize,
}

/// How the rows of a page are shared out.
#[derive(Clone, Copy, Debug)]
struct Split {
    head: usize,
    list: usize,
    detail: usize,
}

impl Model {
    fn page_split(&self) -> Option<Split> {
        let page = self.views.page()?;
        let layout = self.layout().unwrap_or_default();
        let height = usize::from(layout.middle.height).saturating_sub(1);
        let wanted = match page {
            PageName::Aggregates | PageName::Evidence => 4,
            PageName::Timeline => 3,
            PageName::Owner => 5,
            PageName::Symptoms => 8,
            PageName::Checklist | PageName::Contract => 0,
        };
        let head = usize::from(page == PageName::Aggregates).min(height);
        let height = height - head;
        let detail = if height < ROWS_FOR_DETAIL {
            0
        } else {
            wanted.min(height / 2)
        };
        let frame = usize::from(detail > 0);
        Some(Split {
            head,
            list: height - detail - frame,
            detail,
        })
    }

    /// Rows that the list of the page has.
    pub(in crate::app) fn page_rows(&self) -> usize {
        self.page_split().map_or(0, |split| split.list)
    }
}

impl View<'_> {
    /// The page that is shown in place of the panes; none on the main screen.
    pub fn page(&self) -> Option<Page> {
        let name = self.model.views.page()?;
        let split = self.model.page_split()?;
        let place = self.model.views.place(name);
        let (rows, hidden) = match name {
            PageName::Timeline => self.timeline_rows(split.list),
            PageName::Aggregates
            | PageName::Evidence
            | PageName::Owner
            | PageName::Symptoms
            | PageName::Checklist
            | PageName::Contract => {
                let lines = self.page_lines(name, place.top, split.list);
                let row = |(line, index)| Row {
                    line,
                    is_cursor: index == place.at,
                };
                let rows: Vec<Row> = lines.into_iter().zip(place.top..).map(row).collect();
                let below = self.page_length().saturating_sub(place.top + split.list);
                (rows, (place.top, below))
            }
        };
        let width = self.page_width();
        let (detail_title, detail) = if split.detail == 0 {
            (Line::default(), Vec::new())
        } else {
            self.detail(name)
        };
        let detail = detail.iter().flat_map(|line| line.wrap(width));
        Some(Page {
            title: self.page_title(name),
            head: (split.head > 0).then(|| self.aggregate_head()),
            rows,
            height: split.list,
            hidden: super::hidden_words(hidden),
            detail_title,
            detail: detail.take(split.detail).collect(),
            detail_height: split.detail,
        })
    }

    /// Cells of a row, without the cursor's own.
    pub(super) fn page_width(&self) -> usize {
        usize::from(self.model.size.0).saturating_sub(1)
    }

    /// The screen's row that the first row of the list stands on.
    pub(in crate::app) fn page_first_row(&self) -> u16 {
        let layout = self.model.layout().unwrap_or_default();
        let head = self.model.page_split().map_or(0, |split| split.head);
        layout.middle.y + 1 + u16::from(head > 0)
    }

    fn page_title(&self, name: PageName) -> Line {
        let view = self.model.views.shown;
        let line = Line::own(Role::FocusedFrame, view.title());
        match name {
            PageName::Aggregates => self.aggregates_title(line),
            PageName::Timeline => self.timeline_title(),
            PageName::Evidence => self.evidence_title(line),
            PageName::Owner => self.owner_title(line),
            PageName::Symptoms | PageName::Checklist => self.guide_title(name),
            PageName::Contract => self.contract_title(line),
        }
    }

    /// Adds as of when a list is, and that it is being made.
    pub(super) fn as_of(&self, line: Line, view: ViewName) -> Line {
        let Some(made) = self.model.made(self.history, view) else {
            return line.with(Role::Frame, ", being listed ...");
        };
        let last = self.history.last_step();
        let words = if self.model.has_curtain {
            let record = self.history.step(made.at).map(|step| step.record);
            record.map_or_else(
                || ", as of the start (curtain drawn)".to_owned(),
                |record| format!(", as of {record} (curtain drawn)"),
            )
        } else if made.at == last && self.model.progress.is_finished {
            ", as of the last step".to_owned()
        } else {
            format!(
                ", as of step {}, still reading",
                grouped(u64::from(made.at.0))
            )
        };
        line.with(Role::Frame, words)
    }

    /// Rows of the page, in sight or not; of a timeline none, since those are walked.
    pub(in crate::app) fn page_length(&self) -> usize {
        let model = self.model;
        match model.views.page() {
            Some(PageName::Aggregates) => model
                .aggregate_list(self.history)
                .map_or(0, |(_, list)| list.ids.len().max(1)),
            Some(PageName::Evidence) => model.evidence_length(self.history).max(1),
            Some(PageName::Owner) => model.owner_length(self.history).max(1),
            Some(PageName::Symptoms) => super::super::guide::SYMPTOMS.len(),
            Some(PageName::Checklist) => self.checklist_lines().len(),
            Some(PageName::Contract) => model.views.contract.1.len(),
            Some(PageName::Timeline) | None => 0,
        }
    }

    fn page_lines(&self, name: PageName, from: usize, count: usize) -> Vec<Line> {
        match name {
            PageName::Aggregates => self.aggregate_lines(from, count),
            PageName::Evidence => self.evidence_lines(from, count),
            PageName::Owner => self.owner_lines(from, count),
            PageName::Symptoms => self.symptom_lines(from, count),
            PageName::Checklist => super::skip(self.checklist_lines(), from, count),
            PageName::Contract => {
                let lines = self.model.views.contract.1.iter();
                lines.skip(from).take(count).cloned().collect()
            }
            PageName::Timeline => Vec::new(),
        }
    }

    /// The selected row as text: what it stands for where that is an id, else the line.
    pub(in crate::app) fn page_value(&self) -> Option<String> {
        let model = self.model;
        let name = model.views.page()?;
        if let Some(id) = model.selected_aggregate(self.history)
            && name == PageName::Aggregates
        {
            return Some(self.history.name_of(id).to_owned());
        }
        let line = match name {
            PageName::Timeline => {
                let (rows, _) = self.timeline_rows(model.page_rows());
                rows.into_iter().find(|row| row.is_cursor)?.line
            }
            PageName::Aggregates
            | PageName::Evidence
            | PageName::Owner
            | PageName::Symptoms
            | PageName::Checklist
            | PageName::Contract => {
                let at = model.views.place(name).at;
                self.page_lines(name, at, 1).pop()?
            }
        };
        let text = line.text();
        let words: Vec<&str> = text.split_whitespace().collect();
        Some(words.join(" "))
    }

    /// The step that the selected row leads to.
    pub(in crate::app) fn page_target(&self) -> Option<StepNo> {
        let name = self.model.views.page()?;
        let at = self.model.views.place(name).at;
        self.page_lines(name, at, 1).pop()?.target
    }

    fn detail(&self, name: PageName) -> (Line, Vec<Line>) {
        match name {
            PageName::Aggregates => self.aggregate_detail(),
            PageName::Timeline => self.timeline_detail(),
            PageName::Evidence => self.evidence_detail(),
            PageName::Owner => self.owner_detail(),
            PageName::Symptoms => self.symptom_detail(),
            PageName::Checklist | PageName::Contract => (Line::default(), Vec::new()),
        }
    }

    /// The records whose text a page shows; none on the main screen.
    pub(super) fn page_records(&self) -> Option<Vec<RecordNo>> {
        let name = self.model.views.page()?;
        let count = self.model.page_rows();
        let top = self.model.views.place(name).top;
        let steps = match name {
            PageName::Aggregates => self.since_in_sight(top, count),
            PageName::Timeline => self.timeline_steps(count),
            PageName::Evidence => self.evidence_in_sight(top, count),
            PageName::Owner | PageName::Symptoms | PageName::Checklist | PageName::Contract => {
                Vec::new()
            }
        };
        let steps = steps.into_iter();
        Some(
            steps
                .filter_map(|step| self.history.step(step))
                .map(|step| step.record)
                .collect(),
        )
    }
}
