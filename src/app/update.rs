//! What each message changes, and what it makes the inspector want done.

use crate::history::History;
use crate::model::StepNo;

use super::action::Action;
use super::causes::Way;
use super::layout::Pane;
use super::line::Line;
use super::list::Focus;
use super::message::{Banner, Command, Message};
use super::model::{Asked, Model, Overlay, Reach, Start};
use super::panes::Motion;
use super::prompt::{Order, Prompt, Purpose, first_line};
use super::role::Role;
use super::view::View;

impl Model {
    /// Takes in what happened; what is wanted done comes back. The history may have grown since the
    /// last time, and never shrinks.
    pub fn update(&mut self, history: &History, message: Message) -> Vec<Command> {
        let mut commands = Vec::new();
        match message {
            Message::Act(action) => {
                self.notice = None;
                self.search.is_at_match = false;
                self.has_summary = false;
                self.follows = false;
                self.awaits_time = None;
                self.answered = std::mem::replace(&mut self.asked, Asked::Nothing);
                self.act(history, action, &mut commands);
            }
            Message::Type(edit) => match &mut self.overlay {
                Some(Overlay::Prompt(_)) => self.type_into_prompt(history, edit),
                Some(Overlay::Mark(form)) => {
                    form.edit(edit);
                    self.drafts.keep(form);
                }
                Some(Overlay::Help { .. } | Overlay::Raw { .. } | Overlay::Pages(_)) | None => {}
            },
            Message::NoSuchKey => self.say_own("no such key; ? lists them"),
            Message::Paste(text) => self.paste(&text),
            Message::Resize { columns, rows } => self.size = (columns, rows),
            Message::Click { column, row } => self.click(history, column, row),
            Message::Wheel { column, row, down } => self.wheel(history, column, row, down),
            Message::Tick => self.filter.is_due(),
            Message::Progress(progress) => self.progress = progress,
            Message::Looked(look) => {
                if self.asked_look == Some(look.step) {
                    self.asked_look = None;
                    self.tree_top = body_of(&look);
                    self.look = Some(look);
                    self.cover_look();
                }
            }
            Message::Rows(rows) => self.rows.take(rows),
            Message::Marks(news) => {
                self.take_marks(*news);
                self.note_closed(history);
            }
            Message::Search { number, news } => {
                self.search_news(history, number, news, &mut commands);
            }
            Message::Sifted { number, passes } => self.take_sifted(number, &passes),
            Message::Reread => self.reread(),
            // Whoever went on meanwhile is not taken away from where they are.
            Message::Time(found) => self.take_time(history, found),
            Message::Gathered { number, answer } => self.take_list(history, number, answer),
            Message::Beside(beside) => self.show_beside(beside),
            Message::Banner(banner, words) => self.set_banner(banner, words),
            Message::Said(words) => self.say_own(words),
            Message::Failed(words) => self.say(Line::own(Role::Mistake, words)),
        }
        self.settle(history, &mut commands);
        commands
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "all other actions are for whatever has the keys"
    )]
    fn act(&mut self, history: &History, action: Action, commands: &mut Vec<Command>) {
        match action {
            Action::Redraw => commands.push(Command::Redraw),
            Action::Suspend => commands.push(Command::Suspend),
            Action::Mouse => {
                self.mouse = !self.mouse;
                commands.push(Command::Mouse(self.mouse));
                let words = if self.mouse {
                    "the mouse is taken; Shift selects text, F2 gives it back"
                } else {
                    "the mouse is the terminal's again"
                };
                self.say_own(words);
            }
            Action::Interrupt => self.interrupt(history, commands),
            _ if self.overlay.is_some() => self.act_over(history, action, commands),
            _ => self.act_on_panes(history, action, commands),
        }
    }

    /// Cancels what is under way, else ends.
    fn interrupt(&mut self, history: &History, commands: &mut Vec<Command>) {
        if self.overlay.is_some() {
            self.close_overlay();
        } else if self.search.is_running() {
            self.stop_search(commands);
        } else if self.stop_scanning(history) || self.stop_selecting() {
            // Something was under way, and is not any more.
        } else {
            self.leave("Ctrl-C again", commands);
        }
    }

    fn stop_search(&mut self, commands: &mut Vec<Command>) {
        self.search.running = None;
        self.search.awaits = None;
        commands.push(Command::StopSearch);
        self.say_own("the search was stopped");
    }

    fn close_overlay(&mut self) {
        if let Some(Overlay::Mark(form)) = self.overlay.take() {
            self.drafts.keep(&form);
            if !form.note.value().is_empty() {
                self.say_own("not marked; the note is kept, m goes on with it");
            }
        }
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "under something that lies over them the panes hear no other action"
    )]
    fn act_over(&mut self, history: &History, action: Action, commands: &mut Vec<Command>) {
        if let Some(motion) = motion_of(action, self.overlay_rows()) {
            return self.scroll_overlay(history, motion);
        }
        match action {
            Action::Cancel | Action::Quit | Action::Help => self.close_overlay(),
            Action::Accept => match self.overlay.take() {
                Some(Overlay::Prompt(prompt)) => self.accept(history, prompt, commands),
                Some(Overlay::Mark(form)) => self.save_mark(form, commands),
                other => self.overlay = other,
            },
            _ => {}
        }
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "motions were taken out above, and the rest is handled where there is no pane"
    )]
    fn act_on_panes(&mut self, history: &History, action: Action, commands: &mut Vec<Command>) {
        if self.act_in_view(history, action) {
            return;
        }
        if self.views.page().is_some() {
            if let Some(motion) = motion_of(action, self.page_rows()) {
                return self.move_in_page(history, motion);
            }
        } else if let Some(motion) = motion_of(action, self.pane_rows(self.pane)) {
            return self.move_in_pane(history, motion);
        }
        match action {
            Action::NextPane => self.change_pane(true),
            Action::PreviousPane => self.change_pane(false),
            Action::Maximise => self.maximise(),
            Action::Open => self.open(history),
            Action::Fold => self.fold(),
            Action::AllReceipts => {
                self.has_all_receipts = !self.has_all_receipts;
                self.scrolls.remove(&Pane::Ledger);
            }
            Action::Search => self.ask(Purpose::Search),
            Action::Command => self.ask(Purpose::Command),
            Action::Filter => self.ask(Purpose::Filter),
            Action::SuspendFilter => self.suspend_filter(),
            Action::OnlyMarked => self.toggle_marked(),
            Action::Select => self.select(history),
            Action::Compare => self.compare(history),
            Action::Rule => self.explain_rule(history),
            Action::CopyValue => self.copy_value(history, commands),
            Action::CopyPointer => self.copy_pointer(commands),
            Action::CopyIdentity => self.copy_identity(commands),
            Action::NextMatch => self.search_on(history, true, commands),
            Action::PreviousMatch => self.search_on(history, false, commands),
            Action::SearchValue => self.search_value(history, commands),
            Action::RawBytes => self.overlay = Some(Overlay::Raw { top: 0 }),
            Action::Help => self.overlay = Some(Overlay::Help { top: 0 }),
            Action::Mark => self.open_mark(history),
            Action::Undo => self.undo(commands),
            Action::Quit => {
                if !self.leave_maximised() {
                    self.leave("q again", commands);
                }
            }
            Action::Cancel if self.search.is_running() => self.stop_search(commands),
            Action::Cancel if self.stop_scanning(history) || self.stop_selecting() => {}
            Action::Cancel => drop(self.leave_maximised()),
            _ => self.travel(history, action),
        }
    }

    /// Actions that take the cursor to another step or stage, from any pane.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "whatever is no journey was handled before"
    )]
    fn travel(&mut self, history: &History, action: Action) {
        match action {
            Action::NextStep => self.next_step(history),
            Action::PreviousStep => self.previous_step(history),
            Action::NextStage | Action::Forward => self.next_stage(history),
            Action::PreviousStage | Action::Back => self.previous_stage(history),
            Action::NextReview => self.go_to_review(history, true),
            Action::PreviousReview => self.go_to_review(history, false),
            Action::NextRoutine => self.go_to_routine(history, true),
            Action::PreviousRoutine => self.go_to_routine(history, false),
            Action::NextOfAggregate => self.go_to_same_aggregate(history, true),
            Action::PreviousOfAggregate => self.go_to_same_aggregate(history, false),
            Action::Focus => self.toggle_focus(history),
            Action::NextMark => self.go_to_mark(history, true),
            Action::PreviousMark => self.go_to_mark(history, false),
            Action::GoToCause => self.follow(history, Way::Causes),
            Action::GoToReleased => self.follow(history, Way::Released),
            Action::HistoryBack => self.in_history(history, false),
            Action::HistoryForward => self.in_history(history, true),
            _ => {}
        }
    }

    /// Pasted text goes where text is typed; elsewhere it opens `:order `, and never acts as keys.
    fn paste(&mut self, text: &str) {
        match &mut self.overlay {
            Some(Overlay::Prompt(prompt)) => prompt.paste(text),
            Some(Overlay::Mark(form)) => {
                form.paste(text);
                self.drafts.keep(form);
            }
            Some(Overlay::Help { .. } | Overlay::Raw { .. } | Overlay::Pages(_)) | None => {
                if first_line(text).is_empty() {
                    return;
                }
                self.has_summary = false;
                let mut prompt = Prompt::new(Purpose::Command, "order ");
                prompt.paste(text);
                self.overlay = Some(Overlay::Prompt(prompt));
            }
        }
    }

    pub(super) fn obey(
        &mut self,
        history: &History,
        order: Order,
        commands: &mut Vec<Command>,
    ) -> Result<(), String> {
        match order {
            Order::Record(number) => self.go_to_record(history, crate::model::RecordNo(number)),
            Order::Step(number) => self.go_to_step(history, number),
            Order::Time(time) => {
                let near = history.step(self.cursor).map(|step| step.record);
                let near = near.unwrap_or(crate::model::RecordNo(1));
                self.awaits_time = Some(time.to_string());
                self.say_own("looking for that time ...");
                commands.push(Command::FindTime { time, near });
            }
            Order::Aggregate(name) => return self.go_to_order(history, &name),
            Order::Curtain => self.toggle_curtain(),
            Order::Filter(text) => {
                let set = self.set_filter(history, &text);
                return set.map_err(|mistake| format!("expected {}", mistake.expected));
            }
            Order::Search(text) => self.search_for(history, &text, commands),
            Order::Export(_) if self.has_curtain => {
                return Err(
                    "the curtain is drawn, and a report tells all: :curtain lifts it".to_owned(),
                );
            }
            Order::Export(path) => {
                self.say_own("writing the report ...");
                commands.push(Command::Export(path));
            }
            Order::Noise => commands.push(Command::TellBeside),
            Order::Write(path) => commands.push(Command::Write(path)),
            Order::Quit => self.leave("q", commands),
        }
        Ok(())
    }

    fn go_to_order(&mut self, history: &History, name: &str) -> Result<(), String> {
        let Some(focus) = Focus::named(history, name) else {
            let so_far = if self.progress.is_finished {
                "this capture"
            } else {
                "what is read so far"
            };
            return Err(format!("no aggregate or order of that id in {so_far}"));
        };
        let mut shown = self.shown(history);
        shown.hits = None;
        shown.focus = Some(&focus);
        let found = if self.has_curtain {
            shown.first()
        } else {
            shown.last()
        };
        let line = Line::own(Role::Text, "only ").value(Role::Changed, name);
        self.focus = Some(focus);
        if let Some(step) = found {
            self.jump(history, step, line);
        }
        Ok(())
    }

    fn toggle_curtain(&mut self) {
        self.has_curtain = !self.has_curtain;
        self.has_summary = false;
        self.seen.clear();
        self.reach = self.entry(self.cursor);
        self.cover_look();
        self.say_own(if self.has_curtain {
            "the curtain is drawn: > shows the next stage, :curtain opens it"
        } else {
            "the curtain is open"
        });
    }

    /// After every message: the cursor is on a step, the window holds it, and what is in sight and
    /// not known is asked for.
    fn settle(&mut self, history: &History, commands: &mut Vec<Command>) {
        let last = history.last_step();
        if self.follows && self.cursor != last {
            self.go(last, Reach::Whole);
            self.follows = true;
        }
        if self.cursor.0 == 0 && last.0 > 0 {
            let is_first = self.settings.start == Start::First || self.has_curtain;
            let step = if is_first { StepNo(1) } else { last };
            self.go(step, self.entry(step));
        }
        if self.is_counting() || (self.has_summary && self.progress.is_finished) {
            let mut tally = std::mem::take(&mut self.tally);
            tally.count(history, |step| self.is_closed(history, step));
            self.tally = tally;
        }
        if self.progress.is_finished {
            self.follows = false;
        }
        if self.marked_at != last {
            self.place_marks(history);
        }
        self.note_seen();
        self.settle_scans(history, commands);
        self.settle_top(history);
        let drafts = self.drafts.changed();
        commands.extend(drafts.map(Command::KeepDrafts));
        if self.cursor.0 > 0 && self.look().is_none() && self.asked_look != Some(self.cursor) {
            self.asked_look = Some(self.cursor);
            commands.push(Command::Look(self.cursor));
        }
        self.ask_for_list(history, commands);
        self.settle_page(history);
        let wanted = View::new(self, history).records_in_sight();
        let missing = self.rows.ask(wanted);
        if !missing.is_empty() {
            commands.push(Command::Rows(missing));
        }
    }

    /// The window holds the cursor, or what is shown nearest to it.
    fn settle_top(&mut self, history: &History) {
        let height = self.pane_rows(Pane::Steps);
        if height == 0 && self.is_maximised {
            // Another pane fills the screen; the list comes back as it was.
            return;
        }
        let shown = self.shown(history);
        // Without a filter the cursor is always among the rows.
        let at = if self.filter.is_on() {
            shown.nearest(self.cursor)
        } else {
            Some(self.cursor)
        };
        self.top = at.map_or(StepNo(0), |at| shown.top(self.top, at, height));
    }

    /// What was read of the capture's bytes may not hold any more: it is asked for again.
    fn reread(&mut self) {
        self.look = None;
        self.covered_look = None;
        self.asked_look = None;
        self.rows = super::cache::RowCache::default();
    }

    pub(super) fn set_banner(&mut self, banner: Banner, words: Option<String>) {
        if self.banners.get(&banner) == words.as_ref() {
            return;
        }
        match words {
            Some(words) => drop(self.banners.insert(banner, words)),
            None => drop(self.banners.remove(&banner)),
        }
        // The view of the contract shows them whole.
        self.views.contract.0 = 0;
    }
}

/// How an action moves in what has `rows` rows, if it is a motion.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "only these few actions are motions"
)]
fn motion_of(action: Action, rows: usize) -> Option<Motion> {
    let page = isize::try_from(rows).unwrap_or(1).max(2);
    Some(match action {
        Action::Down => Motion::By(1),
        Action::Up => Motion::By(-1),
        Action::HalfPageDown => Motion::By(page / 2),
        Action::HalfPageUp => Motion::By(-page / 2),
        Action::PageDown => Motion::By(page),
        Action::PageUp => Motion::By(-page),
        Action::Top => Motion::Top,
        Action::Bottom => Motion::Bottom,
        _ => return None,
    })
}

/// Where the tree begins where it does not fit: the event or the statement, past what is around it.
fn body_of(look: &crate::model::Look) -> usize {
    let is_body = |key: &str| matches!(key, "event" | "order" | "refusal" | "baseline");
    let mut nodes = look.tree.iter();
    let found = nodes.position(|node| node.depth == 1 && node.key.as_deref().is_some_and(is_body));
    found.unwrap_or(0)
}
