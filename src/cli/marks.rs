//! Marks are made on a thread of their own: each one waits for the disk, the screen does not.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use super::{output, safe_path};
use crate::app::{MarkAnswer, MarkNews, MarkTarget, Message};
use crate::model::StepNo;
use crate::review::{
    Anchor, Case, CasePlace, Disk, Disposition, EntryError, EntryNo, Identity, Outcome, RunBytes,
    Signature, Stale, operator, operator_path, stale_words, state_place,
};
use crate::session::{Facts, Reader, Run};

/// What is asked of the case.
enum Request {
    /// Everything is read: say what the marks are about.
    Identify,
    Mark {
        target: MarkTarget,
        disposition: Disposition,
        note: String,
        operator: String,
    },
    Undo {
        operator: String,
    },
    Write(PathBuf),
    /// The end comes from outside: what is not saved goes where it can be found again.
    Rescue,
}

/// The way to the thread that keeps the case.
pub(super) struct MarksDesk {
    requests: Sender<Request>,
    answers: Receiver<Message>,
    waiting: usize,
    keeper: JoinHandle<()>,
}

impl MarksDesk {
    /// Opens the case of a run and starts its thread.
    pub(super) fn open(
        run: &'static Run,
        capture: String,
        place: Option<CasePlace>,
        operator: &str,
    ) -> Self {
        let (requests, receiver) = channel();
        let (sender, answers) = channel();
        let operator = operator.to_owned();
        let keeper = std::thread::spawn(move || {
            let case = Case::open(Arc::new(Disk), place, None, &operator);
            let reader = Reader::new(run);
            let mut keeper = Keeper {
                run,
                reader,
                capture,
                case,
                remembered: operator,
                batch: Vec::new(),
                answers: sender,
            };
            keeper.tell(None);
            for request in receiver {
                keeper.serve(request);
            }
        });
        Self {
            requests,
            answers,
            waiting: 1,
            keeper,
        }
    }

    /// Everything is read: marks can be saved from now on.
    pub(super) fn identify(&mut self) {
        self.ask(Request::Identify);
    }

    /// Marks evidence.
    pub(super) fn mark(
        &mut self,
        target: MarkTarget,
        disposition: Disposition,
        note: String,
        operator: String,
    ) {
        self.ask(Request::Mark {
            target,
            disposition,
            note,
            operator,
        });
    }

    /// Takes the last mark back.
    pub(super) fn undo(&mut self, operator: String) {
        self.ask(Request::Undo { operator });
    }

    /// Saves the marks to a file.
    pub(super) fn write(&mut self, path: PathBuf) {
        self.ask(Request::Write(path));
    }

    /// What has been answered since the last question.
    pub(super) fn answers(&mut self) -> Vec<Message> {
        let answers: Vec<Message> = self.answers.try_iter().collect();
        let settled = answers
            .iter()
            .filter(|message| matches!(message, Message::Marks(_)))
            .count();
        self.waiting = self.waiting.saturating_sub(settled);
        answers
    }

    /// Whether an answer is still to come.
    pub(super) fn is_busy(&self) -> bool {
        self.waiting > 0
    }

    /// Keeps what is not saved in the folder of the user's state: nobody was asked.
    pub(super) fn rescue(&mut self) {
        self.ask(Request::Rescue);
    }

    /// Lets the thread do what it was asked for, and ends it.
    pub(super) fn finish(self) {
        drop(self.requests);
        // A panic of that thread has been reported when it happened.
        drop(self.keeper.join());
    }

    fn ask(&mut self, request: Request) {
        // The thread lives as long as this end does.
        if self.requests.send(request).is_ok() {
            self.waiting += 1;
        }
    }
}

struct Keeper {
    run: &'static Run,
    reader: Reader<'static>,
    capture: String,
    case: Case,
    remembered: String,
    /// The marks that were made last, together.
    batch: Vec<EntryNo>,
    answers: Sender<Message>,
}

impl Keeper {
    fn serve(&mut self, request: Request) {
        match request {
            Request::Identify => {
                self.identify();
                self.tell(None);
            }
            Request::Mark {
                target,
                disposition,
                note,
                operator,
            } => {
                let answer = self.mark(&target, disposition, &note, &operator);
                self.compare_again();
                self.tell(Some(answer));
            }
            Request::Undo { operator } => {
                let answer = self.undo(&operator);
                self.compare_again();
                self.tell(Some(answer));
            }
            Request::Rescue => self.rescue(),
            Request::Write(path) => {
                let said = match self.case.save_as(&path) {
                    Ok(()) => Message::Said(format!("marks saved to {}", path.display())),
                    Err(error) => Message::Failed(error.to_string()),
                };
                self.send(said);
                self.tell(None);
            }
        }
    }

    fn rescue(&mut self) {
        if self.case.unsaved() == 0 {
            return;
        }
        let name = format!("{}-unsaved-{}", self.capture, std::process::id());
        let Some(place) = state_place(&name) else {
            return;
        };
        let folder = place.path.parent().map(std::fs::create_dir_all);
        if folder.is_some_and(|made| made.is_ok()) && self.case.save_as(&place.path).is_ok() {
            let path = safe_path(&place.path);
            output::complain(&format!(
                "marks that were not saved are in {path}; --case opens them"
            ));
        }
    }

    fn identify(&mut self) {
        if !self.run.is_whole() {
            let words =
                "the capture changed while it was read: marks stay in memory, :w FILE saves them";
            return self.send(Message::Failed(words.to_owned()));
        }
        let Ok(facts) = Facts::of(self.run, &self.capture) else {
            return;
        };
        let Some(identity) = Identity::of_run(self.run, &facts) else {
            return;
        };
        self.case.identify(identity);
        self.compare();
        for notice in self.case.notices() {
            self.send(Message::Said(notice.to_string()));
        }
    }

    /// A case file that another window began meanwhile may have brought more of them.
    fn compare_again(&mut self) {
        let is_open = |stale: Stale| stale.capture_differs && stale.bytes_differ.is_none();
        if self.case.book().marks().any(|mark| is_open(mark.stale)) {
            self.compare();
        }
    }

    /// Looks up the bytes of marks that were made on another capture, as `trace` and `check` do.
    fn compare(&mut self) {
        let history = self.run.history();
        self.case.compare(&mut RunBytes {
            history: &history,
            reader: &self.reader,
        });
    }

    fn mark(
        &mut self,
        target: &MarkTarget,
        disposition: Disposition,
        note: &str,
        operator: &str,
    ) -> MarkAnswer {
        let Some(anchors) = self.anchors(target) else {
            let why = "the record's bytes are no longer those that were decided on";
            return MarkAnswer::Refused(why.to_owned());
        };
        let time = now();
        let signature = Signature {
            operator,
            time: &time,
        };
        let made = self.case.mark_all(anchors, disposition, note, signature);
        match made {
            Ok(outcomes) => {
                self.batch = outcomes.iter().map(|outcome| outcome.entry()).collect();
                let last = outcomes.last().copied().ok_or(EntryError::NothingToUndo);
                // A slip in the name's field must not follow the person into every capture.
                if matches!(last, Ok(Outcome::Saved(_))) {
                    self.remember(operator);
                }
                answer(last, MarkAnswer::Saved)
            }
            Err(error) => MarkAnswer::Refused(error.to_string()),
        }
    }

    /// Takes back the last mark, or all that were made with it.
    fn undo(&mut self, operator: &str) -> MarkAnswer {
        let time = now();
        let signature = Signature {
            operator,
            time: &time,
        };
        let target = self.case.book().undo_target(operator);
        let target = target.map(|mark| (mark.entry, mark.to_string()));
        let (outcome, words) = match target {
            Some((entry, words)) if self.batch.len() > 1 && self.batch.contains(&entry) => {
                let batch = std::mem::take(&mut self.batch);
                let words = format!("{words}, and {} more", batch.len() - 1);
                (self.case.unmark_all(&batch, signature), words)
            }
            Some((_, words)) => (self.case.undo(signature), words),
            None => (self.case.undo(signature), String::new()),
        };
        match outcome {
            Ok(Outcome::Saved(_)) => MarkAnswer::Undone(words),
            Ok(Outcome::Kept(_)) => MarkAnswer::Undone(format!("{words} (only in memory)")),
            Err(error) => MarkAnswer::Refused(error.to_string()),
        }
    }

    fn anchors(&self, target: &MarkTarget) -> Option<Vec<Anchor>> {
        match target {
            MarkTarget::Missing(missing) => Some(vec![Anchor::Missing(missing.clone())]),
            MarkTarget::Step(step) => Some(vec![self.anchor_of(*step)?]),
            MarkTarget::Steps(steps) => steps.iter().map(|step| self.anchor_of(*step)).collect(),
        }
    }

    fn anchor_of(&self, step: StepNo) -> Option<Anchor> {
        let history = self.run.history();
        let step = history.step(step)?;
        // A mark says which bytes it was made on: those that were decided on, and no others.
        let place = history.place(step.record)?;
        if !self.run.is_verified(place) {
            return None;
        }
        Anchor::of_step(&history, &self.reader, &step)
    }

    /// The next session starts with this name. Where it cannot be kept, the person types it again.
    fn remember(&mut self, name: &str) {
        if name == self.remembered {
            return;
        }
        if let Some(path) = operator_path()
            && operator::remember(&Disk, &path, name).is_ok()
        {
            name.clone_into(&mut self.remembered);
        }
    }

    fn tell(&self, answer: Option<MarkAnswer>) {
        self.send(Message::Marks(Box::new(MarkNews {
            book: self.case.book().clone(),
            banner: self.banner(),
            is_doubtful: self.case.is_doubtful(),
            unsaved: self.case.unsaved(),
            answer,
        })));
    }

    fn banner(&self) -> Option<String> {
        let doubt = "no mark of it closes any evidence (see replayscope verify)";
        let doubt = self.case.is_doubtful().then(|| doubt.to_owned());
        let parts = [self.case.banner(), doubt, stale_words(self.case.book())];
        let said: Vec<String> = parts.into_iter().flatten().collect();
        (!said.is_empty()).then(|| said.join("; "))
    }

    /// Nobody listens any more once the inspector has ended.
    fn send(&self, message: Message) {
        let _ = self.answers.send(message);
    }
}

fn answer(result: Result<Outcome, EntryError>, saved: MarkAnswer) -> MarkAnswer {
    match result {
        Ok(Outcome::Saved(_)) => saved,
        Ok(Outcome::Kept(_)) => MarkAnswer::Kept,
        Err(error) => MarkAnswer::Refused(error.to_string()),
    }
}

/// UTC now, to the second.
pub(super) fn now() -> String {
    let now = jiff::Timestamp::now();
    let whole = jiff::Timestamp::from_second(now.as_second()).unwrap_or(now);
    whole.to_string()
}

/// The operator's name that a form starts with.
pub(super) fn known_operator() -> String {
    let remembered =
        operator_path().and_then(|path: PathBuf| operator::remembered(&Disk, Path::new(&path)));
    operator::operator(|name| std::env::var(name).ok(), remembered).unwrap_or_default()
}
