//! Before and after a step, side by side: where the aggregate stood, what waited and why, the owner's
//! side and the gate. What the step changed is marked by a sign, not only by colour.

use crate::history::Standing;
use crate::model::{AggregateId, OrderId, StepNo};
use crate::text::Safe;
use crate::text::number::grouped;

use super::super::line::Line;
use super::super::role::Role;
use super::{View, words};

/// Cells of the labels.
const LABEL_CELLS: usize = 12;
/// Waiting events and decisions that are listed.
const LISTED: usize = 50;
/// Deferred events that are looked at for the lowest versions.
const LOOKED_AT: usize = 1_000;

/// One row: a label, and what it was and is. Text of the capture among our own words, not safe yet.
struct Compared {
    label: &'static str,
    before: String,
    after: String,
}

impl View<'_> {
    pub(super) fn compare_lines(&self, width: usize) -> Vec<Line> {
        let now = self.model.cursor;
        let side = width.saturating_sub(LABEL_CELLS + 2) / 2;
        let mut lines = vec![
            Line::own(Role::Dim, " ".repeat(LABEL_CELLS))
                .with(Role::Previous, format!("before (step {})", now.before()))
                .to(LABEL_CELLS + side + 2)
                .with(Role::Changed, format!("after (step {now})")),
        ];
        let rows = self.compared(now);
        let changed = rows.iter().filter(|row| row.before != row.after).count();
        for row in &rows {
            side_by_side(row, side, &mut lines);
        }
        lines.push(Line::default());
        lines.push(if changed == 0 {
            Line::own(Role::Text, "This step changed nothing here.")
        } else {
            Line::own(Role::Changed, "*").with(Role::Text, " this step changed it")
        });
        lines
    }

    fn compared(&self, now: StepNo) -> Vec<Compared> {
        let sides = self.sides();
        let both = |label, ask: &dyn Fn(StepNo) -> String| Compared {
            label,
            before: ask(now.before()),
            after: ask(now),
        };
        let mut rows = Vec::new();
        if let Some(id) = sides.aggregate {
            rows.push(both("projection", &|at| self.position_at(id, at)));
            rows.push(both("next", &|at| self.next_at(id, at)));
            rows.push(both("waits", &|at| self.waits_at(id, at)));
            rows.push(both("deferred", &|at| self.deferred_at(id, at)));
            rows.push(both("conflict", &|at| self.conflict_at(id, at)));
            rows.push(both("receipts", &|at| {
                let own = self.history.receipt_count_of(id, at);
                let all = self.history.receipt_count(at);
                format!("{} of {}", grouped(own as u64), grouped(all as u64))
            }));
        }
        if let Some(id) = sides.order {
            rows.push(both("owner", &|at| self.owner_words(id, at)));
            rows.push(both("comp.", &|at| self.compensations_at(id, at)));
            rows.push(both("reviews", &|at| self.reviews_at(id, at)));
            rows.push(both("gate", &|at| self.gate_at(id, at)));
        }
        if rows.is_empty() {
            let all = |at| grouped(self.history.receipt_count(at) as u64);
            rows.push(both("receipts", &all));
        }
        rows
    }

    fn position_at(&self, id: AggregateId, at: StepNo) -> String {
        let projection = self.history.projection(id, at);
        if projection.standing == Standing::Nothing {
            return "nothing applied".to_owned();
        }
        let version = projection
            .version
            .map_or_else(String::new, |version| format!("v{version} "));
        let state = projection
            .state
            .map_or("", |state| self.history.word(state));
        let how = match projection.standing {
            Standing::Stated => " (stated baseline)",
            Standing::Nothing | Standing::Applied => "",
        };
        format!("{version}{state}{how}")
    }

    fn next_at(&self, id: AggregateId, at: StepNo) -> String {
        let next = self.history.next_version(id, at);
        next.map_or_else(|| "any".to_owned(), |next| format!("v{next}"))
    }

    fn waits_at(&self, id: AggregateId, at: StepNo) -> String {
        let Some(version) = self.history.waiting_for(id, at) else {
            return "no".to_owned();
        };
        let causes = self.history.gap_causes(id, at);
        let causes = causes.iter().take(LISTED);
        let causes: Vec<String> = causes
            .map(|cause| {
                let line = words::gap_cause(self.history, cause, version, true);
                line.without(Role::Key).text()
            })
            .collect();
        causes.join("; ")
    }

    fn deferred_at(&self, id: AggregateId, at: StepNo) -> String {
        let (all, has_more) = self.history.deferred_first(id, at, LOOKED_AT);
        let more = if has_more { "more than " } else { "" };
        let listed = all.iter().take(LISTED);
        let listed: Vec<String> = listed
            .map(|held| format!("v{} ({})", held.version, held.record))
            .collect();
        match all.len() {
            0 => "none".to_owned(),
            count if count > LISTED => {
                format!("{}, and {more}{} more", listed.join(", "), count - LISTED)
            }
            _ => listed.join(", "),
        }
    }

    fn conflict_at(&self, id: AggregateId, at: StepNo) -> String {
        let since = self.history.version_conflict(id, at);
        since.map_or_else(|| "none".to_owned(), |since| format!("since step {since}"))
    }

    fn owner_words(&self, id: OrderId, at: StepNo) -> String {
        let Some(order) = self.history.owner_order(id, at) else {
            return "has not spoken of it".to_owned();
        };
        let conflict = self.history.owner_conflict(id, at);
        let conflict = conflict.map_or("", |_| ", contradicts itself");
        let status = self.history.word(order.status);
        format!("v{} {status}{conflict}", order.version)
    }

    fn compensations_at(&self, id: OrderId, at: StepNo) -> String {
        let made = self.history.compensations_of(id, at).take(LISTED);
        let made: Vec<String> = made
            .map(|made| format!("v{} by {}", made.key_version, made.record))
            .collect();
        if made.is_empty() {
            "none".to_owned()
        } else {
            made.join(", ")
        }
    }

    fn reviews_at(&self, id: OrderId, at: StepNo) -> String {
        let reviews = self.history.reviews_of(id, at);
        let listed = reviews.iter().take(LISTED);
        let listed: Vec<String> = listed
            .map(|review| {
                let why = self.history.reason_name(review.why);
                let times = match review.occurrences {
                    1 => String::new(),
                    times => format!(", {times} times"),
                };
                format!("v{} {why}{times}", review.key_version)
            })
            .collect();
        if listed.is_empty() {
            "none".to_owned()
        } else {
            listed.join("; ")
        }
    }

    fn gate_at(&self, id: OrderId, at: StepNo) -> String {
        let Some(gate) = self.history.gate(id, at) else {
            return "none".to_owned();
        };
        if gate.reasons.is_empty() {
            return "YES".to_owned();
        }
        let reasons = gate.reasons.iter();
        let reasons: Vec<String> = reasons
            .map(|reason| words::gate_reason(self.history, &gate, id, *reason, at))
            .collect();
        format!("NO: {}", reasons.join("; "))
    }
}

/// A row in as many lines as its longer side takes.
fn side_by_side(row: &Compared, side: usize, lines: &mut Vec<Line>) {
    let is_changed = row.before != row.after;
    let (old, new) = if is_changed {
        (Role::Previous, Role::Changed)
    } else {
        (Role::Text, Role::Text)
    };
    let wrapped = |text: &str, role| {
        Line::default()
            .push(role, Safe::value(text))
            .wrap(side.max(2))
    };
    let before = wrapped(&row.before, old);
    let after = wrapped(&row.after, new);
    for index in 0..before.len().max(after.len()) {
        let label = if index == 0 { row.label } else { "" };
        let sign = if is_changed && index == 0 { "*" } else { " " };
        let line = Line::own(Role::Changed, sign).with(
            Role::Dim,
            format!("{label:<width$}", width = LABEL_CELLS - 1),
        );
        let line = match before.get(index) {
            Some(text) => line.join(text.clone()),
            None => line,
        };
        lines.push(match after.get(index) {
            Some(text) => line.to(LABEL_CELLS + side + 2).join(text.clone()),
            None => line,
        });
    }
}
