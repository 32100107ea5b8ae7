//! The owner's side: orders with their gates, compensations, reviews.

use crate::model::{OrderId, StepNo};
use crate::text::number::grouped;

use super::super::class::Class;
use super::super::line::Line;
use super::super::role::Role;
use super::super::views::ViewName;
use super::super::views::owner::{Item, Section};
use super::{View, labelled};

/// A line that ends in reasons, with as many words as there is room for; all of them stand below the
/// list.
fn shortened(line: Line, room: usize) -> Line {
    if line.cells() <= room {
        return line;
    }
    let mut parts = line.wrap(room.saturating_sub(MORE.len())).into_iter();
    parts.next().unwrap_or_default().with(Role::Dim, MORE)
}

/// Said where not all reasons fit.
const MORE: &str = "...";

/// Cells of the column of ids at most.
const NAME: usize = 24;

impl View<'_> {
    pub(super) fn owner_title(&self, line: Line) -> Line {
        let needle = &self.model.views.owner_needle;
        let line = if needle.is_empty() {
            line
        } else {
            line.with(Role::Frame, ", ids with ")
                .value(Role::Match, needle)
        };
        let line = self.as_of(line, ViewName::Owner);
        line.with(Role::Frame, "; ")
            .with(Role::Key, "Enter")
            .with(Role::Frame, " goes to the step that brought it")
    }

    fn owner_at(&self) -> StepNo {
        let lists = self.model.owner_lists(self.history);
        lists.map_or(StepNo(0), |(at, _)| at)
    }

    pub(super) fn owner_lines(&self, from: usize, count: usize) -> Vec<Line> {
        let rows = from..from.saturating_add(count);
        let items = rows.map_while(|row| self.model.owner_item(self.history, row));
        items
            .map(|item| self.with_mark(self.owner_line(item)))
            .collect()
    }

    /// Says so where the step that a row leads to is marked.
    fn with_mark(&self, line: Line) -> Line {
        let step = line.target.and_then(|step| self.history.step(step));
        if step.is_some_and(|step| self.model.is_marked(self.history, &step)) {
            let tail = Line::default().ending(Line::own(Role::Mark, " [marked]"));
            return line.join(tail);
        }
        line
    }

    fn owner_line(&self, item: Item) -> Line {
        match item {
            Item::Section(section) => self.owner_section(section),
            Item::Order(id) => self.order_line(id),
            Item::Compensation(index) => self.compensation_line(index),
            Item::Review(id, index) => self.review_line(id, index),
            Item::Nothing(section) => Line::own(
                Role::Dim,
                match section {
                    Section::Orders => "    the owner has not spoken of any order",
                    Section::Compensations => "    no compensation was decided",
                    Section::Reviews => "    no review is open",
                },
            ),
        }
    }

    fn owner_section(&self, section: Section) -> Line {
        let sign = if self.model.views.folded_owner.contains(&section) {
            "+"
        } else {
            "-"
        };
        let count = self.model.owner_count(self.history, section);
        let (title, words) = match section {
            Section::Orders => ("Orders", "where the owner stands, and the gate"),
            Section::Compensations => ("Compensations", "decided once for each key"),
            Section::Reviews => ("Reviews", "a person has to decide; open until then"),
        };
        Line::own(Role::Frame, format!("{sign} "))
            .with(
                Role::FocusedFrame,
                format!("{title}: {}", grouped(count as u64)),
            )
            .with(Role::Dim, format!("  {words}"))
    }

    /// An id, padded to its column; a longer one takes the room it needs.
    fn order_name(&self, id: OrderId) -> Line {
        let cells = NAME.min(self.page_width() / 5);
        Line::own(Role::Text, "    ")
            .value(Role::Text, self.history.order_name(id))
            .to(4 + cells)
            .with(Role::Text, " ")
    }

    fn order_line(&self, id: OrderId) -> Line {
        let at = self.owner_at();
        let line = self.order_name(id);
        let Some(now) = self.history.owner_order(id, at) else {
            return line;
        };
        let line = line
            .with(Role::Text, format!("v{} ", now.version))
            .value(Role::Text, self.history.word(now.status));
        let line = if self.history.owner_conflict(id, at).is_some() {
            line.with(Role::Class(Class::Conflict), " X contradicts itself")
        } else {
            line
        };
        let record = self.history.step(now.step).map(|step| step.record);
        let record = record.map_or_else(String::new, |record| format!("  {record}"));
        let marked = " [marked]".len();
        let room = self.page_width().saturating_sub(record.len() + marked);
        let line = match self.gate_line(id, at) {
            Some(gate) => shortened(line.with(Role::Text, "  ").join(gate), room),
            None => line,
        };
        line.ending(Line::own(Role::Dim, record))
            .leads_to(Some(now.step))
    }

    fn compensation_line(&self, index: usize) -> Line {
        let made = self.history.compensations(self.owner_at()).get(index);
        let Some(made) = made else {
            return Line::default();
        };
        self.order_name(made.order)
            .with(Role::Text, format!("v{} ", made.key_version))
            .value(Role::Text, self.history.word(made.reason))
            .with(Role::Dim, " -> ")
            .with(Role::Text, format!("v{} ", made.version))
            .value(Role::Text, self.history.word(made.status))
            .ending(Line::own(Role::Dim, format!("  {}", made.record)))
            .leads_to(Some(made.step))
    }

    fn review_line(&self, id: OrderId, index: usize) -> Line {
        let reviews = self.history.reviews_of(id, self.owner_at());
        let Some(review) = reviews.get(index) else {
            return Line::default();
        };
        let first = self.history.step(review.first_step).map(|step| step.record);
        let first = first.map_or_else(String::new, |record| format!("  {record}"));
        let times = if review.occurrences > 1 {
            format!(", {} times", grouped(review.occurrences as u64))
        } else {
            String::new()
        };
        self.order_name(id)
            .with(Role::Text, format!("v{} ", review.key_version))
            .with(
                Role::Class(Class::Review),
                self.history.reason_name(review.why),
            )
            .with(Role::Text, ": ")
            .value(Role::Text, self.history.word(review.reason))
            .with(Role::Text, times)
            .ending(Line::own(Role::Dim, first))
            .leads_to(Some(review.first_step))
    }

    pub(super) fn owner_detail(&self) -> (Line, Vec<Line>) {
        let at = self.owner_at();
        let row = self
            .model
            .views
            .place(super::super::views::PageName::Owner)
            .at;
        let item = self.model.owner_item(self.history, row);
        let title = |id: OrderId| {
            let name = self.history.order_name(id);
            Line::default().value(Role::FocusedFrame, name)
        };
        match item {
            Some(Item::Order(id)) => (title(id), self.order_detail(id, at)),
            Some(Item::Compensation(index)) => {
                let Some(made) = self.history.compensations(at).get(index) else {
                    return (Line::default(), Vec::new());
                };
                let step = &self.model.settings.facts.compensation_step;
                let name = self.history.order_name(made.order);
                let key = labelled("key").value(
                    Role::Text,
                    &format!("compensation:{name}:{step}:v{}", made.key_version),
                );
                let why = labelled("refusal")
                    .with(Role::Text, format!("{}: ", made.record))
                    .value(Role::Text, self.history.word(made.reason));
                (title(made.order), vec![key, why])
            }
            Some(Item::Review(id, index)) => {
                let reviews = self.history.reviews_of(id, at);
                let lines = reviews.get(index).map(|review| {
                    let words = super::words::review_meaning(review.why);
                    labelled("why").with(Role::Text, words)
                });
                (title(id), lines.into_iter().collect())
            }
            Some(Item::Section(_) | Item::Nothing(_)) | None => (Line::default(), Vec::new()),
        }
    }

    fn order_detail(&self, id: OrderId, at: StepNo) -> Vec<Line> {
        let mut lines: Vec<Line> = self.gate_line(id, at).into_iter().collect();
        if lines.is_empty() {
            lines.push(Line::own(Role::Dim, "the contract has no gate"));
        }
        if let Some(since) = self.history.owner_conflict(id, at) {
            let words = format!("two statuses for one version, step {since}");
            lines.push(labelled("conflict").with(Role::Class(Class::Conflict), words));
        }
        let candidate = self.history.gate(id, at).and_then(|gate| gate.candidate);
        if let Some(aggregate) = candidate {
            let projection = self.history.projection(aggregate, at);
            let version = projection
                .version
                .map_or_else(String::new, |version| format!("v{version} "));
            let state = projection.state.map(|state| self.history.word(state));
            lines.push(
                labelled("proj.")
                    .with(Role::Text, version)
                    .value(Role::Text, state.unwrap_or("nothing applied")),
            );
        }
        lines
    }
}
