//! Where the aggregate stands as of the cursor, what waits and why, the owner's side, and the gate.

use crate::history::{Held, Projection, Standing};
use crate::model::{AggregateId, OrderId, StepNo};

use super::super::class::Class;
use super::super::curtain::COVERED;
use super::super::layout::Pane;
use super::super::line::Line;
use super::super::role::Role;
use super::{Sides, View, labelled, words};

/// Waiting events that are listed; the rest is counted.
const HELD: usize = 4;
/// Events that are looked at for the lowest versions; a contract's usual limit is as large.
const LOOKED_AT: usize = 1_000;
/// The same where the pane fills the screen.
const HELD_MAXIMISED: usize = 1_000;
/// Indentation of lines with long names, which a narrow pane could not hold further to the right.
const NARROW_HANG: usize = 4;
/// Reviews and compensations that are listed.
const DECISIONS: usize = 50;

impl View<'_> {
    pub(super) fn projection_title(&self) -> Line {
        let line = Line::own(Role::Frame, "Projection");
        let Some(name) = self.subject_name() else {
            return line;
        };
        let named = line.with(Role::Frame, ", ").value(Role::Frame, name);
        self.fitting(
            Pane::Projection,
            [named, Line::default().value(Role::Frame, name)],
        )
    }

    /// All lines of the pane, wrapped.
    pub(super) fn projection_lines(&self) -> Vec<Line> {
        let sides = self.sides();
        let mut lines = Vec::new();
        if self.subject_name().is_none() {
            lines.push(self.nobody());
        }
        match sides.aggregate {
            Some(id) => self.of_aggregate(id, &mut lines),
            None if sides.order.is_some() => lines.push(self.no_aggregate()),
            None => {}
        }
        self.of_order(sides, &mut lines);
        let width = self.width(Pane::Projection);
        lines.iter().flat_map(|line| line.wrap(width)).collect()
    }

    /// A step of which nobody knows whom it is about.
    pub(super) fn nobody(&self) -> Line {
        let words = if self.history.last_step().0 == 0 {
            ""
        } else if self.model.is_covered() {
            COVERED
        } else {
            "nothing can be read of whom this is about"
        };
        Line::own(Role::Dim, words)
    }

    fn no_aggregate(&self) -> Line {
        let name = self.subject_name().unwrap_or_default();
        let sources = self.history.aggregates_named(name).take(3).count();
        if sources > 1 {
            Line::own(Role::Text, "several sources have this id")
        } else {
            Line::own(Role::Dim, "no event of this order was seen")
        }
    }

    fn of_aggregate(&self, id: AggregateId, lines: &mut Vec<Line>) {
        let at = self.model.shown_at();
        lines.push(self.position(id, at));
        if self.history.source_of(id).is_empty() {
            lines.push(Line::own(Role::Dim, "its source could not be read"));
        }
        if let Some(version) = self.history.waiting_for(id, at) {
            let causes = self.history.gap_causes(id, at);
            let horizon = self.model.horizon(self.history);
            let waits_on = self.history.waiting_for(id, horizon) == Some(version);
            let comes = !waits_on || self.model.has_curtain || !self.model.progress.is_finished;
            for (index, cause) in causes.iter().take(DECISIONS).enumerate() {
                let label = if index == 0 { "waits" } else { "" };
                let line = words::gap_cause(self.history, cause, version, comes);
                let target = line.target;
                lines.push(
                    labelled(label)
                        .hanging(NARROW_HANG)
                        .join(line)
                        .leads_to(target),
                );
            }
        }
        self.held(id, at, lines);
        if let Some(since) = self.history.version_conflict(id, at) {
            let role = Role::Class(Class::Conflict);
            let line = labelled("conflict").with(role, "two facts, one version");
            lines.push(
                line.with(Role::Text, format!(", step {since}"))
                    .leads_to(Some(since)),
            );
        }
    }

    /// `v1 accepted -> v2 paid`
    fn position(&self, id: AggregateId, at: StepNo) -> Line {
        let now = self.history.projection(id, at);
        let line = Line::default();
        let is_changed = at == self.model.cursor && now.step == Some(at);
        if is_changed {
            let before = self.history.projection(id, at.before());
            let line = self.standing_of(line, &before, Role::Previous);
            let line = line.with(Role::Changed, " -> ");
            return self.standing_of(line, &now, Role::Changed);
        }
        let line = self.standing_of(line, &now, Role::Text);
        match (now.standing, self.history.next_version(id, at)) {
            (Standing::Nothing, Some(next)) => line.with(Role::Dim, format!(", v{next} is next")),
            _ => line.leads_to(now.step),
        }
    }

    fn standing_of(&self, line: Line, projection: &Projection, role: Role) -> Line {
        if projection.standing == Standing::Nothing {
            return line.with(role, "nothing applied");
        }
        let line = match projection.version {
            Some(version) => line.with(role, format!("v{version} ")),
            None => line,
        };
        let line = match projection.state {
            Some(state) => line.value(role, self.history.word(state)),
            None => line,
        };
        let line = match projection.standing {
            Standing::Stated => line.with(Role::Dim, " (stated baseline)"),
            Standing::Nothing | Standing::Applied => line,
        };
        match projection.assumed {
            Some(version) => line.with(Role::Dim, format!(" (assumed baseline v{version})")),
            None => line,
        }
    }

    fn held(&self, id: AggregateId, at: StepNo, lines: &mut Vec<Line>) {
        let (all, has_more) = self.history.deferred_first(id, at, LOOKED_AT);
        let most = if self.model.is_maximised {
            HELD_MAXIMISED
        } else {
            HELD
        };
        for (index, held) in all.iter().take(most).enumerate() {
            let label = if index == 0 { "deferred" } else { "" };
            lines.push(self.held_line(labelled(label), held, at));
        }
        if all.len() > most {
            let count = all.len() - most;
            let words = if has_more {
                format!("and more than {count} more")
            } else {
                format!("and {count} more, z shows them")
            };
            lines.push(labelled("").with(Role::Dim, words));
        }
    }

    fn held_line(&self, line: Line, held: &Held, at: StepNo) -> Line {
        let is_new = held.step == self.model.cursor && at == self.model.cursor;
        let is_consulted = self.consulted() == Some(held.step);
        let role = match (is_new, is_consulted) {
            (true, _) => Role::Changed,
            (false, true) => Role::Consulted,
            (false, false) => Role::Text,
        };
        let sign = match (is_new, is_consulted) {
            (true, _) => "+",
            (false, true) => ">",
            (false, false) => "",
        };
        let since = self
            .clock(held.record)
            .map_or_else(String::new, |clock| format!(" since {clock}"));
        let line = line.with(
            role,
            format!("{sign}v{} ({}){since}", held.version, held.record),
        );
        let replay = self.history.replay_of_record(held.record);
        let horizon = self.model.horizon(self.history);
        // Later replays are said in the list, which has more room.
        let is_next = replay == Some(at.after()) && replay <= Some(horizon);
        let line = if is_next {
            line.with(Role::Dim, format!(", replayed next, step {}", at.after()))
        } else {
            line
        };
        line.leads_to(Some(held.step))
    }

    /// What waits and is listed.
    pub(super) fn held_in_sight(&self) -> Vec<Held> {
        let Some(id) = self.sides().aggregate else {
            return Vec::new();
        };
        let at = self.model.shown_at();
        let (mut held, _) = self.history.deferred_first(id, at, LOOKED_AT);
        held.truncate(if self.model.is_maximised {
            HELD_MAXIMISED
        } else {
            HELD
        });
        held
    }

    fn of_order(&self, sides: Sides, lines: &mut Vec<Line>) {
        let at = self.model.shown_at();
        let Some(order) = sides.order.filter(|order| self.is_known(*order, at)) else {
            if sides.aggregate.is_some() && self.history.terms().gate.is_some() {
                lines.push(labelled("owner").with(Role::Dim, "has not spoken of it: no gate"));
            }
            return;
        };
        lines.extend(self.gate(order, at));
        if let Some(now) = self.history.owner_order(order, at) {
            let line = labelled("owner");
            let is_changed = now.step == self.model.cursor && at == self.model.cursor;
            let line = if is_changed {
                let before = self.history.owner_order(order, at.before());
                let line = match before {
                    Some(before) => line
                        .with(Role::Previous, format!("v{} ", before.version))
                        .value(Role::Previous, self.history.word(before.status)),
                    None => line.with(Role::Previous, "nothing"),
                };
                line.with(Role::Changed, " -> ")
            } else {
                line
            };
            let role = if is_changed {
                Role::Changed
            } else {
                Role::Text
            };
            let line = line
                .with(role, format!("v{} ", now.version))
                .value(role, self.history.word(now.status));
            lines.push(line.leads_to(Some(now.step)));
        }
        if let Some(since) = self.history.owner_conflict(order, at) {
            let words = format!("two statuses for one version, step {since}");
            lines.push(
                labelled("")
                    .with(Role::Class(Class::Conflict), words)
                    .leads_to(Some(since)),
            );
        }
        self.decisions(order, at, lines);
    }

    fn is_known(&self, order: OrderId, at: StepNo) -> bool {
        self.history.owner_order(order, at).is_some()
            || !self.history.reviews_of(order, at).is_empty()
    }

    fn decisions(&self, order: OrderId, at: StepNo, lines: &mut Vec<Line>) {
        let consulted = self.consulted();
        let role_of = |step: StepNo| {
            if step == self.model.cursor {
                ("+", Role::Changed)
            } else if consulted == Some(step) {
                (">", Role::Consulted)
            } else {
                ("", Role::Text)
            }
        };
        for made in self.history.compensations_of(order, at).take(DECISIONS) {
            let (sign, role) = role_of(made.step);
            let words = format!("{sign}v{} by {}: ", made.key_version, made.record);
            lines.push(
                labelled("comp.")
                    .hanging(NARROW_HANG)
                    .with(role, words)
                    .value(role, self.history.word(made.reason))
                    .leads_to(Some(made.step)),
            );
        }
        for review in self.history.reviews_of(order, at).iter().take(DECISIONS) {
            let (sign, role) = role_of(review.first_step);
            let why = self.history.reason_name(review.why);
            let times = if review.occurrences > 1 {
                format!(", {} times", review.occurrences)
            } else {
                String::new()
            };
            lines.push(
                labelled("review")
                    .hanging(NARROW_HANG)
                    .with(role, format!("{sign}v{} {why}: ", review.key_version))
                    .value(role, self.history.word(review.reason))
                    .with(role, times)
                    .leads_to(Some(review.first_step)),
            );
        }
    }

    /// `SHIPPING? NO` with its reasons, all of them; whether it changed at the cursor.
    fn gate(&self, order: OrderId, at: StepNo) -> Option<Line> {
        let is_open = self.history.gate(order, at)?.reasons.is_empty();
        let was_open = self
            .history
            .gate(order, at.before())
            .map(|gate| gate.reasons.is_empty());
        let is_changed = at == self.model.cursor && was_open.is_some_and(|was| was != is_open);
        self.gate_said(order, at, is_changed)
    }

    /// A gate with its reasons.
    pub(super) fn gate_line(&self, order: OrderId, at: StepNo) -> Option<Line> {
        self.gate_said(order, at, false)
    }

    fn gate_said(&self, order: OrderId, at: StepNo, is_changed: bool) -> Option<Line> {
        let rule = self.history.terms().gate.as_ref()?;
        let gate = self.history.gate(order, at)?;
        let question = crate::text::Safe::own(format!("{}? ", rule.action.to_uppercase()));
        let line = Line::default().push(Role::Text, question).hanging(10);
        let is_open = gate.reasons.is_empty();
        let line = match (is_changed, is_open) {
            (true, true) => line.with(Role::Previous, "NO").with(Role::Changed, " -> "),
            (true, false) => line.with(Role::Previous, "YES").with(Role::Changed, " -> "),
            (false, _) => line,
        };
        if is_open {
            return Some(line.with(Role::Class(Class::Applied), "YES"));
        }
        let reasons: Vec<String> = gate
            .reasons
            .iter()
            .map(|reason| words::gate_reason(self.history, &gate, order, *reason, at))
            .collect();
        let reasons = reasons.join("; ");
        let line = line.with(Role::Class(Class::Refused), "NO ");
        Some(line.value(Role::Text, &reasons))
    }
}
