//! Carries out what the inspector wants done: looks at records, searches, marks.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::RwLockReadGuard;
use std::sync::mpsc::TryRecvError;
use std::time::{Duration, Instant};

use super::drafts::{DraftKeeper, Restored};
use super::exporting::Exporter;
use super::gathering::Gathering;
use super::marks::MarksDesk;
use super::sifting::checks;
use crate::app::filter::BytesTerm;
use crate::app::views::gather::Question;
use crate::app::{Backend, Banner, Command, Draft, Message, Progress};
use crate::capture::{Change, Files, Stamp};
use crate::history::History;
use crate::model::{RecordNo, StepNo};
use crate::session::{Reader, Run, Search, Sieve, Wanted, bad_fit_notice, beside};
use crate::text::Zone;

/// How often the capture's file is looked at for changes.
const LOOK_EVERY: Duration = Duration::from_millis(900);

/// The inspector's other side.
pub(super) struct Desk {
    run: &'static Run,
    reader: Reader<'static>,
    marks: MarksDesk,
    search: Option<Under>,
    gathering: Option<Gathering>,
    sieves: BTreeMap<u64, Sieve>,
    drafts: DraftKeeper,
    exporter: Exporter,
    /// What is to be told once at the start.
    first: Vec<Message>,
    zone: Zone,
    is_loaded: bool,
    is_identified: bool,
    looked_at: Instant,
    change: Option<(usize, Change)>,
    /// What the file looked like when what is shown was read, where it was touched since it was opened.
    doubts: Vec<(usize, Stamp)>,
}

/// A search under way, and who asked for it.
enum Under {
    Text { number: u64, search: Search },
    Time { search: Search },
}

impl Desk {
    /// `capture` is the capture's paths, or what it is called where it is no file; `case` where its
    /// marks are saved.
    pub(super) fn new(
        run: &'static Run,
        (marks, drafts): (MarksDesk, DraftKeeper),
        zone: Zone,
        capture: Vec<PathBuf>,
        case: Option<PathBuf>,
    ) -> Self {
        Self {
            sieves: BTreeMap::new(),
            first: Vec::new(),
            drafts,
            exporter: Exporter::new(run, capture, case),
            run,
            reader: Reader::new(run),
            marks,
            search: None,
            gathering: None,
            zone,
            is_loaded: false,
            is_identified: false,
            looked_at: Instant::now(),
            change: None,
            doubts: Vec::new(),
        }
    }

    /// What an earlier session left half written. What cannot be taken in is said.
    pub(super) fn restored(&mut self) -> Vec<Draft> {
        match self.drafts.restored() {
            Some(Restored::Drafts(drafts)) => drafts,
            Some(Restored::Elsewhere(path)) => {
                let path = path.display();
                let words = format!("half-written marks on other bytes are left in {path}");
                self.first.push(Message::Said(words));
                Vec::new()
            }
            None => Vec::new(),
        }
    }

    /// Waits until what was asked for is saved.
    pub(super) fn finish(mut self, was_asked: bool) {
        self.drafts.flush();
        if !was_asked {
            self.marks.rescue();
        }
        self.marks.finish();
    }

    fn rows(&self, records: Vec<RecordNo>) -> Message {
        let history = self.run.history();
        let rows = records
            .into_iter()
            .map(|record| (record, self.reader.row(&history, record)));
        Message::Rows(rows.collect())
    }

    fn find_time(&mut self, time: crate::text::time::TypedTime, near: RecordNo) -> Vec<Message> {
        let day = self.reader.day_near(&self.run.history(), near);
        if day.is_none() && !time.has_date() {
            let words = "no record near here has a time: say the day too, :2026-03-01T09:00";
            return vec![Message::Failed(words.to_owned())];
        }
        let Some((seconds, nanoseconds)) = time.moment(day.unwrap_or(0), &self.zone) else {
            return vec![Message::Time(None)];
        };
        let moment = crate::model::Instant {
            seconds,
            nanoseconds,
        };
        let search = Search::start(self.run, Wanted::From(moment), RecordNo(0), true);
        self.search = Some(Under::Time { search });
        Vec::new()
    }

    fn search_news(&mut self) -> Option<Message> {
        use crate::app::SearchNews as Shown;
        use crate::session::SearchNews as News;
        let news = match self.search.as_ref()? {
            Under::Text { search, .. } | Under::Time { search } => search.news()?,
        };
        let message = match (self.search.as_ref()?, news) {
            (Under::Text { number, .. }, news) => Message::Search {
                number: *number,
                news: match news {
                    News::At(record) => Shown::At(record),
                    News::Found(record) => Shown::Found(record),
                    News::Nothing => Shown::Nothing,
                },
            },
            (Under::Time { .. }, News::At(_)) => return None,
            (Under::Time { .. }, News::Found(record)) => Message::Time(Some(record)),
            (Under::Time { .. }, News::Nothing) => Message::Time(None),
        };
        if !matches!(news, News::At(_)) {
            self.search = None;
        }
        Some(message)
    }

    fn gathered(&mut self) -> Option<Message> {
        match self.gathering.as_ref()?.answer() {
            Err(TryRecvError::Empty) => None,
            answer => {
                self.gathering = None;
                answer.ok()
            }
        }
    }

    fn look(&self, step: StepNo) -> Option<Message> {
        panic_if_asked(step);
        let look = self.reader.look(&self.run.history(), step)?;
        Some(Message::Looked(Box::new(look)))
    }

    fn gather(&mut self, question: Question) -> Option<Message> {
        let gathering = Gathering::start(self.run, question);
        let made = gathering.at_once();
        self.gathering = made.is_none().then_some(gathering);
        made
    }

    fn sift(&mut self, number: u64, terms: Vec<BytesTerm>, records: Vec<RecordNo>) {
        let (run, zone) = (self.run, &self.zone);
        let sieve = self
            .sieves
            .entry(number)
            .or_insert_with(|| Sieve::start(run, checks(terms, zone)));
        sieve.ask(records);
    }

    fn sifted(&mut self, messages: &mut Vec<Message>) {
        for (number, sieve) in &mut self.sieves {
            let passes = sieve.answers();
            if !passes.is_empty() {
                messages.push(Message::Sifted {
                    number: *number,
                    passes,
                });
            }
        }
    }

    fn loading_news(&mut self, messages: &mut Vec<Message>) {
        if self.is_loaded {
            return;
        }
        let progress = self.run.progress();
        self.is_loaded = progress.is_finished;
        messages.push(Message::Progress(Progress {
            bytes_done: progress.bytes_done,
            bytes_total: progress.bytes_total,
            is_finished: progress.is_finished,
            is_stream: progress.is_stream,
            noise_lines: self.run.tally().noise_lines,
        }));
        let fit = bad_fit_notice(&self.run.history(), &self.run.loaded().name);
        messages.push(Message::Banner(Banner::Fit, fit));
        if progress.is_finished {
            self.identify();
            let advice = || self.run.order_advice();
            let told = self.run.failure().or_else(advice);
            if told.is_some() {
                messages.push(Message::Banner(Banner::Capture, told));
            }
        }
    }

    /// Once everything is read, marks can be saved.
    fn identify(&mut self) {
        if !self.is_identified && self.run.progress().is_finished {
            self.is_identified = true;
            self.marks.identify();
        }
    }

    /// A file that changes under the reader is said at once, in a banner that stays.
    fn change_news(&mut self, messages: &mut Vec<Message>) {
        if self.looked_at.elapsed() < LOOK_EVERY {
            return;
        }
        self.looked_at = Instant::now();
        let doubts = self.run.input().doubts();
        if doubts != self.doubts {
            self.doubts = doubts;
            messages.push(Message::Reread);
        }
        let change = self.run.input().change().ok().flatten();
        if change == self.change {
            return;
        }
        self.change = change;
        let text = change.map(|(index, change)| change_words(self.run.input(), index, change));
        messages.push(Message::Banner(Banner::Capture, text));
    }
}

impl Backend for Desk {
    type Guard<'a> = RwLockReadGuard<'a, History>;

    fn history(&self) -> Self::Guard<'_> {
        self.run.history()
    }

    fn carry_out(&mut self, command: Command) -> Vec<Message> {
        match command {
            Command::Look(step) => self.look(step).into_iter().collect(),
            Command::Rows(records) => vec![self.rows(records)],
            Command::Mark {
                target,
                disposition,
                note,
                operator,
            } => {
                // A mark that is made before the first tick is saved like any other.
                self.identify();
                self.marks.mark(target, disposition, note, operator);
                Vec::new()
            }
            Command::Undo { operator } => {
                self.marks.undo(operator);
                Vec::new()
            }
            Command::Search {
                number,
                needle,
                from,
                forward,
            } => {
                let search = Search::start(self.run, Wanted::Text(needle), from, forward);
                self.search = Some(Under::Text { number, search });
                Vec::new()
            }
            Command::StopSearch => {
                self.search = None;
                Vec::new()
            }
            Command::FindTime { time, near } => self.find_time(time, near),
            Command::Write(path) => {
                self.marks.write(PathBuf::from(path));
                Vec::new()
            }
            Command::Gather(question) => self.gather(question).into_iter().collect(),
            Command::Sift {
                number,
                terms,
                records,
            } => {
                self.sift(number, terms, records);
                Vec::new()
            }
            Command::StopSift(number) => {
                self.sieves.remove(&number);
                Vec::new()
            }
            Command::KeepDrafts(drafts) => {
                self.drafts.keep(drafts);
                Vec::new()
            }
            Command::TellBeside => vec![Message::Beside(Box::new(beside(self.run, usize::MAX)))],
            Command::Export(path) => {
                self.exporter.start(path);
                Vec::new()
            }
            // The terminal's own, carried out where the terminal is.
            Command::Copy(_)
            | Command::Mouse(_)
            | Command::Redraw
            | Command::Suspend
            | Command::Quit => Vec::new(),
        }
    }

    fn poll(&mut self) -> Vec<Message> {
        let mut messages = std::mem::take(&mut self.first);
        self.drafts.tick();
        self.loading_news(&mut messages);
        self.sifted(&mut messages);
        messages.extend(self.exporter.answers());
        messages.extend(self.search_news());
        messages.extend(self.gathered());
        messages.extend(self.marks.answers());
        self.change_news(&mut messages);
        messages
    }

    fn watches(&self) -> bool {
        !self.run.input().is_pipe()
    }

    fn is_busy(&self) -> bool {
        !self.is_loaded
            || self.search.is_some()
            || self.gathering.is_some()
            || self.sieves.values().any(Sieve::is_busy)
            || self.marks.is_busy()
            || self.drafts.is_busy()
            || self.exporter.is_busy()
    }
}

/// What to say where a file of the capture is no longer what it was.
fn change_words(files: &Files, index: usize, change: Change) -> String {
    let file = files.get(index);
    // Of a compressed file there is a copy of its text.
    let is_kept = file.is_some_and(|file| file.compression().is_some());
    let words = match change {
        Change::Rewritten | Change::Truncated(_) if is_kept => {
            "was written to while it is open: what is shown is what it held when it was read".to_owned()
        }
        Change::Rewritten => {
            "was written to while it is open: where its bytes changed, nothing more is said of its records".to_owned()
        }
        Change::Replaced => {
            return match file.filter(|_| files.count() > 1) {
                Some(file) => format!("another file is called {} now: what is shown is the one that was opened; open it again for the new one", file.name()),
                None => "another file has the capture's name now: what is shown is the one that was opened; open it again for the new one".to_owned(),
            };
        }
        Change::Removed => {
            "was removed or renamed: what is shown is the file that was opened".to_owned()
        }
        Change::Grown(bytes) => {
            format!("has grown by {bytes} bytes since it was opened; they are not shown: open it again")
        }
        Change::Truncated(bytes) => {
            format!("lost {bytes} bytes while it is open: what they held cannot be shown any more")
        }
    };
    match file.filter(|_| files.count() > 1) {
        Some(file) => format!("{} {words}", file.name()),
        None => format!("the capture {words}"),
    }
}

/// A debug build panics at the step that `REPLAYSCOPE_PANIC_AT_STEP` names, so that a test can see
/// that the terminal is given back even then.
fn panic_if_asked(step: StepNo) {
    if cfg!(debug_assertions)
        && std::env::var("REPLAYSCOPE_PANIC_AT_STEP").is_ok_and(|asked| asked == step.to_string())
    {
        panic!("asked to panic at step {step}");
    }
}
