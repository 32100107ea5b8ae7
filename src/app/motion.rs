//! From step to step and stage to stage, and jumps to what matters.

use crate::history::{EvidenceStatus, History};
use crate::model::{Kind, State, StepNo, Subject};

use super::causes::{Target, Walk, Way, causes, released};
use super::line::Line;
use super::list::Focus;
use super::model::{Model, Notice, Reach};
use super::role::Role;
use super::views::ViewName;

/// States that nobody has to look at, and that a person still may want to see.
pub(super) const ROUTINE: [State; 5] = [
    State::DuplicateSuppressed,
    State::Deferred,
    State::StaleIgnored,
    State::EventTypeIgnored,
    State::OtherConsumer,
];

impl Model {
    /// Says something in the status line.
    pub(super) fn say(&mut self, line: Line) {
        self.notice = Some(Notice { line });
    }

    pub(super) fn say_own(&mut self, words: impl AsRef<str>) {
        self.say(Line::own(Role::Text, words));
    }

    /// Puts the cursor on a step.
    pub(super) fn go(&mut self, step: StepNo, reach: Reach) {
        if step != self.cursor {
            self.scrolls.clear();
            self.folded.clear();
            self.tree_top = 0;
            self.walk = None;
        }
        self.cursor = step;
        self.reach = reach;
        self.follows = false;
    }

    /// Goes somewhere else, and says where one came from.
    pub(super) fn jump(&mut self, history: &History, step: StepNo, why: Line) {
        let step = step.min(history.last_step());
        self.views.shown = ViewName::Steps;
        if step == self.cursor || step.0 == 0 {
            self.say(why.with(Role::Text, "; you are there"));
            return;
        }
        let from = self.cursor;
        self.jumps.leave(from);
        self.go(step, self.entry(step));
        let mut line = why;
        if let Some(focus) = self.focus.take() {
            if focus.holds(history, step) {
                self.focus = Some(focus);
            } else {
                line = line.with(Role::Text, ", outside of the focus, which is left");
            }
        }
        if let Some(words) = self.leave_filter_for(step) {
            line = line.with(Role::Text, words);
        }
        self.say(came_from(history, from, line));
    }

    pub(super) fn next_step(&mut self, history: &History) {
        match self.shown(history).after(self.cursor) {
            Some(step) => self.go(step, self.entry(step)),
            None if self.is_scanning || !self.progress.is_finished => {
                self.say_own("the last step so far; more is being read");
            }
            None => self.say_own("this is the last step"),
        }
    }

    pub(super) fn previous_step(&mut self, history: &History) {
        match self.shown(history).before(self.cursor) {
            Some(step) => self.go(step, self.entry(step)),
            None => self.say_own("this is the first step"),
        }
    }

    /// Some steps on or back; stops at the end.
    pub(super) fn steps(&mut self, history: &History, count: usize, forward: bool) {
        let shown = self.shown(history);
        let mut step = self.cursor;
        for _ in 0..count {
            let next = if forward {
                shown.after(step)
            } else {
                shown.before(step)
            };
            let Some(next) = next else { break };
            step = next;
        }
        self.go(step, self.entry(step));
    }

    pub(super) fn go_to_end(&mut self, history: &History, forward: bool) {
        let shown = self.shown(history);
        let end = if forward { shown.last() } else { shown.first() };
        if let Some(end) = end {
            if end != self.cursor {
                self.jumps.leave(self.cursor);
            }
            self.go(end, self.entry(end));
        }
    }

    /// One stage on; from the last one to the next step's first.
    pub(super) fn next_stage(&mut self, history: &History) {
        let Some(run) = self.stages_run() else {
            self.say_own("the record is still being read");
            return;
        };
        match self.reach {
            Reach::Stages(count) if count + 1 < run => self.reach = Reach::Stages(count + 1),
            Reach::Stages(_) => self.reach = Reach::Whole,
            Reach::Whole => {
                let from = self.cursor;
                self.next_step(history);
                if self.cursor != from {
                    self.reach = Reach::Stages(self.first_reach());
                }
            }
        }
    }

    /// One stage back; from the first one to the previous step's last.
    pub(super) fn previous_stage(&mut self, history: &History) {
        let first = self.first_reach();
        let count = match self.reach {
            Reach::Whole => match self.stages_run() {
                Some(run) => run,
                None => return self.say_own("the record is still being read"),
            },
            Reach::Stages(count) => count,
        };
        if count > first {
            self.reach = Reach::Stages(count - 1);
        } else {
            let from = self.cursor;
            self.previous_step(history);
            // What was jumped over is not told on the way back either.
            if self.cursor != from {
                self.reach = self.entry(self.cursor);
            }
        }
    }

    /// Behind the curtain even the first stage keeps its verdict until it is stepped through.
    fn first_reach(&self) -> usize {
        usize::from(!self.has_curtain)
    }

    /// Whether a jump by outcome would look behind the curtain; if so, says it.
    fn is_curtained(&mut self) -> bool {
        if self.has_curtain {
            self.say_own(
                "the curtain is drawn and hides what comes: > shows the next stage, :curtain opens it",
            );
        }
        self.has_curtain
    }

    pub(super) fn go_to_review(&mut self, history: &History, forward: bool) {
        if forward && self.is_curtained() {
            return;
        }
        let at = self.horizon(history);
        let wanted = |model: &Self, step| {
            let status = history.evidence_status(step, at);
            matches!(status, EvidenceStatus::Open { .. })
                && !model.is_closed(history, step)
                && model.is_told(step)
        };
        let found = self.find(history, self.cursor, forward, wanted);
        let what = if forward { "next" } else { "previous" };
        if let Some(step) = found {
            return self.jump(
                history,
                step,
                Line::own(Role::Text, format!("{what} to review")),
            );
        }
        // Around the end: a capture opens at its last step.
        let (start, what) = if forward {
            (StepNo(0), "wrapped: first")
        } else {
            (history.last_step().after(), "wrapped: last")
        };
        match self.find(history, start, forward, wanted) {
            Some(step) if step != self.cursor => {
                self.jump(
                    history,
                    step,
                    Line::own(Role::Text, format!("{what} to review")),
                );
            }
            Some(_) => self.say_own("this is the only one to review"),
            None if self.is_curtained() => {}
            None if self.filter.is_on() => {
                self.say_own("nothing to review among what the filter shows");
            }
            None if self.focus.is_some() => {
                self.say_own("nothing to review of this order; a shows all orders");
            }
            None => self.say_own("nothing is left to review"),
        }
    }

    /// The next step that has something, among all or those of the focus.
    fn find(
        &self,
        history: &History,
        from: StepNo,
        forward: bool,
        wanted: impl Fn(&Self, StepNo) -> bool,
    ) -> Option<StepNo> {
        let at = self.horizon(history);
        let shown = self.shown(history);
        let mut step = from;
        loop {
            step = shown.leap(step, forward, |step| match (&self.focus, forward) {
                (Some(focus), _) => history.neighbour(&focus.name, focus.id, step, forward),
                (None, true) => history.next_open_evidence(step, at),
                (None, false) => history.previous_open_evidence(step, at),
            })?;
            if wanted(self, step) {
                return Some(step);
            }
        }
    }

    pub(super) fn go_to_routine(&mut self, history: &History, forward: bool) {
        if forward && self.is_curtained() {
            return;
        }
        if let Some(step) = self.find_routine(history, self.cursor, forward) {
            return self.jump(history, step, Line::own(Role::Text, "routine"));
        }
        let start = if forward {
            StepNo(0)
        } else {
            history.last_step().after()
        };
        match self.find_routine(history, start, forward) {
            Some(step) if step != self.cursor => {
                self.jump(history, step, Line::own(Role::Text, "wrapped: routine"));
            }
            Some(_) => self.say_own("this is the only routine step"),
            None if self.is_curtained() => {}
            None => self.say_own("no duplicate, deferral or other routine step"),
        }
    }

    fn find_routine(&self, history: &History, from: StepNo, forward: bool) -> Option<StepNo> {
        let is_routine = |step: StepNo| {
            history
                .step(step)
                .is_some_and(|step| ROUTINE.contains(&step.state))
        };
        if self.focus.is_some() {
            return self.find(history, from, forward, |model, step| {
                is_routine(step) && model.is_told(step)
            });
        }
        let shown = self.shown(history);
        let next = |step| history.find_state(step, forward, &ROUTINE);
        let mut step = from;
        loop {
            step = shown.leap(step, forward, next)?;
            if self.is_told(step) {
                return Some(step);
            }
        }
    }

    pub(super) fn go_to_same_aggregate(&mut self, history: &History, forward: bool) {
        let Some(own) = Focus::on(history, self.cursor) else {
            return self.say_own("nothing can be read of whom this step is about");
        };
        let mut shown = self.shown(history);
        shown.focus = Some(&own);
        let found = if forward {
            shown.after(self.cursor)
        } else {
            shown.before(self.cursor)
        };
        match found {
            Some(step) => {
                let line = Line::own(Role::Text, "same aggregate, ").value(Role::Text, &own.name);
                self.jump(history, step, line);
            }
            None if forward => self.say_own("no later step of the same aggregate; O goes back"),
            None => self.say_own("no earlier step of the same aggregate; o goes on"),
        }
    }

    pub(super) fn toggle_focus(&mut self, history: &History) {
        if self.focus.take().is_some() {
            self.say_own("everything again");
            return;
        }
        match Focus::on(history, self.cursor) {
            Some(focus) => {
                let line = Line::own(Role::Text, "only ")
                    .value(Role::Changed, &focus.name)
                    .with(Role::Text, "; a shows everything again");
                self.focus = Some(focus);
                self.say(line);
            }
            None => self.say_own("nothing can be read of whom this step is about"),
        }
    }

    /// `gd` and `gr`: to the first target, and with the same key again to the next.
    pub(super) fn follow(&mut self, history: &History, way: Way) {
        if let Some(walk) = self.walk_on(way) {
            return self.show_target(history, walk);
        }
        let Some(step) = history.step(self.cursor) else {
            return;
        };
        // What caused a step tells what it came to.
        if !self.is_decided() && self.is_curtained() {
            return;
        }
        let (targets, nothing) = match way {
            Way::Causes => (
                causes(history, &step, history.last_step()),
                nothing_caused(history, step.kind, step.state, step.subject),
            ),
            Way::Released => (
                released(history, &step, history.last_step()),
                "this step released nothing",
            ),
        };
        let horizon = self.horizon(history);
        if self.has_curtain && targets.first().is_some_and(|target| target.step > horizon) {
            self.is_curtained();
            return;
        }
        let targets: Vec<Target> = targets
            .into_iter()
            .filter(|target| target.step <= horizon)
            .collect();
        if targets.is_empty() {
            return self.say_own(nothing);
        }
        self.show_target(
            history,
            Walk {
                way,
                targets,
                at: 0,
            },
        );
    }

    /// The walk that is under way, one target on.
    fn walk_on(&self, way: Way) -> Option<Walk> {
        let walk = self.walk.as_ref().filter(|walk| walk.way == way)?;
        let here = walk.targets.get(walk.at)?.step == self.cursor;
        (here && walk.targets.len() > 1).then(|| Walk {
            at: (walk.at + 1) % walk.targets.len(),
            ..walk.clone()
        })
    }

    fn show_target(&mut self, history: &History, walk: Walk) {
        let Some(target) = walk.targets.get(walk.at).copied() else {
            return;
        };
        let record = history.step(target.step).map(|step| step.record);
        let mut line = Line::own(
            Role::Text,
            format!(
                "{} {}",
                record.map_or(String::new(), |record| record.to_string()),
                target.why
            ),
        );
        if walk.targets.len() > 1 {
            let count = format!(" ({} of {})", walk.at + 1, walk.targets.len());
            line = line.with(Role::Text, count);
        }
        self.jump(history, target.step, line);
        self.walk = Some(walk);
    }

    pub(super) fn in_history(&mut self, history: &History, forward: bool) {
        let from = self.cursor;
        let place = if forward {
            self.jumps.forward(from)
        } else {
            self.jumps.back(from)
        };
        let Some(step) = place else {
            return self.say_own(if forward {
                "there is no place to go forward to"
            } else {
                "there is no place to go back to"
            });
        };
        if self
            .focus
            .as_ref()
            .is_some_and(|focus| !focus.holds(history, step))
        {
            self.focus = None;
        }
        let outside = self.leave_filter_for(step).unwrap_or_default();
        self.go(step, self.entry(step));
        let other = if forward {
            "( goes back"
        } else {
            ") goes forward"
        };
        self.say_own(format!("back at step {step}{outside}; {other}"));
    }
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "most states have nothing more to say"
)]
fn nothing_caused(history: &History, kind: Kind, state: State, subject: Subject) -> &'static str {
    let waits = matches!(subject, Subject::Aggregate(id)
        if history.waiting_for(id, history.last_step()).is_some());
    match state {
        State::Deferred | State::DeferralLimitReached if waits => {
            "no delivery that was read carries the missing version"
        }
        _ if kind == Kind::Unreadable => "no other step caused this: these bytes could not be read",
        State::Applied => "nothing else caused this: it was next",
        State::Rejected | State::ContractUpdateRequired | State::ManualReview => {
            "no other step caused this: see the stage that decided"
        }
        _ => "no other step caused this",
    }
}

fn came_from(history: &History, from: StepNo, line: Line) -> Line {
    let Some(step) = history.step(from) else {
        return line;
    };
    line.with(
        Role::Dim,
        format!("; from step {from} ({}), ( goes back", step.record),
    )
}
