//! A person at a terminal that is only memory: keys in, text out.

use std::io::Cursor;
use std::path::Path;
use std::sync::RwLockReadGuard;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use replayscope::app::message::Backend;
use replayscope::app::views::gather::gather;
use replayscope::app::{
    Command, Draft, MarkAnswer, MarkNews, MarkTarget, Message, Model, Progress, SearchNews,
    Settings, Start, View,
};
use replayscope::capture::{Files, Input};
use replayscope::cli::facts::facts;
use replayscope::contract::load;
use replayscope::engine::BaselinePolicy;
use replayscope::history::History;
use replayscope::model::{Kind, RecordNo, StepNo};
use replayscope::review::{
    Act, Anchor, CaseBook, Digest, Entry, EntryError, EntryNo, RecordAnchor, Signature,
};
use replayscope::session::{Reader, Run, WALKTHROUGH, beside};
use replayscope::text::Zone;
use replayscope::tui::keys::{Keymap, Outcome};
use replayscope::tui::run::not_an_action;
use replayscope::tui::theme::{Palette, Theme};
use replayscope::tui::view::{Look, draw, help_lines};

use super::sift::sift;

/// What carries commands out in a test: at once, and marks only in memory.
struct Desk {
    run: &'static Run,
    reader: Reader<'static>,
    book: CaseBook,
    copied: Vec<String>,
    drafts: Vec<Draft>,
}

impl Backend for Desk {
    type Guard<'a> = RwLockReadGuard<'a, History>;

    fn history(&self) -> Self::Guard<'_> {
        self.run.history()
    }

    fn carry_out(&mut self, command: Command) -> Vec<Message> {
        let history = self.run.history();
        match command {
            Command::Look(step) => {
                let look = self.reader.look(&history, step).map(Box::new);
                look.map(Message::Looked).into_iter().collect()
            }
            Command::Rows(records) => {
                let row = |record| (record, self.reader.row(&history, record));
                vec![Message::Rows(records.into_iter().map(row).collect())]
            }
            Command::Mark {
                target,
                disposition,
                note,
                operator,
            } => {
                let anchors = anchors(&history, target);
                drop(history);
                self.marks(anchors, &Act::Mark { disposition, note }, &operator)
            }
            Command::Undo { operator } => {
                drop(history);
                self.undoes(&operator)
            }
            Command::Sift {
                number,
                terms,
                records,
            } => {
                let passes = sift(&history, &self.reader, &terms, &records);
                vec![Message::Sifted { number, passes }]
            }
            Command::Copy(text) => self.takes_text(text),
            Command::KeepDrafts(drafts) => {
                self.drafts = drafts;
                Vec::new()
            }
            Command::TellBeside => vec![Message::Beside(Box::new(beside(self.run, usize::MAX)))],
            Command::Export(path) => vec![Message::Said(format!("{path} is written"))],
            Command::Search {
                number,
                needle,
                from,
                forward,
            } => {
                let news = self.search(&history, &needle, from, forward);
                vec![Message::Search { number, news }]
            }
            Command::Gather(question) => {
                drop(history);
                let answer = gather(|| self.run.history(), &question, || true);
                let number = question.number;
                let made = answer.map(|answer| Message::Gathered { number, answer });
                made.into_iter().collect()
            }
            Command::FindTime { time, near } => {
                let day = self.reader.day_near(&history, near).unwrap();
                let moment = time.moment(day, &Zone::utc()).unwrap();
                vec![Message::Time(self.first_from(&history, moment.0))]
            }
            Command::StopSearch
            | Command::StopSift(_)
            | Command::Write(_)
            | Command::Mouse(_)
            | Command::Redraw
            | Command::Suspend
            | Command::Quit => Vec::new(),
        }
    }

    fn poll(&mut self) -> Vec<Message> {
        Vec::new()
    }

    fn is_busy(&self) -> bool {
        false
    }
}

impl Desk {
    fn first_from(&self, history: &History, seconds: i64) -> Option<RecordNo> {
        let is_late = |record: &RecordNo| {
            let time = self.reader.row(history, *record).time;
            time.is_some_and(|time| time.seconds >= seconds)
        };
        let mut all = (1..=history.last_record().0).map(RecordNo);
        all.find(is_late)
    }

    fn takes_text(&mut self, text: String) -> Vec<Message> {
        self.copied.push(text);
        Vec::new()
    }

    fn undoes(&mut self, operator: &str) -> Vec<Message> {
        let target = self.book.undo_target(operator).map(ToString::to_string);
        let entry = self.book.draft_undo(signature(operator));
        self.takes(vec![entry], MarkAnswer::Undone(target.unwrap_or_default()))
    }

    fn marks(&mut self, anchors: Vec<Anchor>, act: &Act, operator: &str) -> Vec<Message> {
        let draft = |anchor| self.book.draft(anchor, act.clone(), signature(operator));
        let entries = anchors.into_iter().map(draft).collect();
        self.takes(entries, MarkAnswer::Saved)
    }

    fn takes(&mut self, entries: Vec<Result<Entry, EntryError>>, done: MarkAnswer) -> Vec<Message> {
        let mut answer = done;
        for (entry, number) in entries.into_iter().zip(self.book.last().0 + 1..) {
            match entry {
                Ok(mut entry) => {
                    entry.number = EntryNo(number);
                    self.book.apply(entry);
                }
                Err(error) => answer = MarkAnswer::Refused(error.to_string()),
            }
        }
        vec![Message::Marks(Box::new(MarkNews {
            book: self.book.clone(),
            banner: None,
            is_doubtful: false,
            unsaved: 0,
            answer: Some(answer),
        }))]
    }

    fn search(&self, history: &History, needle: &str, from: RecordNo, forward: bool) -> SearchNews {
        let all = 1..=history.last_record().0;
        let has = |record: &u32| {
            let place = history.place(RecordNo(*record)).unwrap();
            let bytes = self.reader.bytes(place).unwrap();
            String::from_utf8_lossy(&bytes).contains(needle)
        };
        let found = if forward {
            all.skip(from.0 as usize).find(has)
        } else {
            all.rev().filter(|record| *record < from.0).find(has)
        };
        found.map_or(SearchNews::Nothing, |record| {
            SearchNews::Found(RecordNo(record))
        })
    }
}

fn signature(operator: &str) -> Signature<'_> {
    Signature {
        operator,
        time: "2026-03-02T10:00:00Z",
    }
}

fn anchors(history: &History, target: MarkTarget) -> Vec<Anchor> {
    match target {
        MarkTarget::Missing(missing) => vec![Anchor::Missing(missing)],
        MarkTarget::Step(number) => vec![anchor(history, number)],
        MarkTarget::Steps(numbers) => {
            let numbers = numbers.into_iter();
            numbers.map(|number| anchor(history, number)).collect()
        }
    }
}

fn anchor(history: &History, number: StepNo) -> Anchor {
    let step = history.step(number).unwrap();
    let place = history.place(step.record).unwrap();
    let reason = step
        .reason
        .map(|reason| history.reason_name(reason).to_owned());
    Anchor::Record(RecordAnchor {
        record: step.record,
        offset_bytes: place.offset_bytes,
        length_bytes: place.length_bytes,
        sha256: Digest::of(b""),
        kind: step.kind,
        step: number,
        state: step.state,
        reason,
    })
}

/// A person at the screen.
pub(crate) struct Person {
    desk: Desk,
    pub(crate) model: Model,
    keymap: Keymap,
    size: (u16, u16),
    theme: Theme,
    /// Commands that reached the terminal or the end.
    pub(crate) ended: bool,
}

/// How the inspector is opened.
pub(crate) struct Opening {
    pub(crate) start: Start,
    pub(crate) curtain: bool,
    pub(crate) contract: Option<&'static str>,
    pub(crate) size: (u16, u16),
}

impl Opening {
    pub(crate) fn walkthrough(columns: u16, rows: u16) -> Self {
        Self {
            start: Start::First,
            curtain: false,
            contract: None,
            size: (columns, rows),
        }
    }

    pub(crate) fn capture(columns: u16, rows: u16) -> Self {
        Self {
            start: Start::Last,
            ..Self::walkthrough(columns, rows)
        }
    }
}

impl Person {
    /// Opens the built-in incident.
    pub(crate) fn opens(opening: &Opening) -> Self {
        Self::opens_bytes(WALKTHROUGH, "orders.jsonl", opening)
    }

    /// Opens any bytes as a capture.
    pub(crate) fn opens_bytes(bytes: &[u8], name: &str, opening: &Opening) -> Self {
        let mut person = Self::sits_down(bytes, name, opening);
        person.reads_all();
        person
    }

    /// Everything is read and decided.
    pub(crate) fn reads_all(&mut self) {
        self.desk.run.load(1);
        self.learns(Message::Progress(Progress {
            bytes_done: 1,
            bytes_total: 1,
            is_finished: true,
            is_stream: false,
            noise_lines: self.desk.run.tally().noise_lines,
        }));
    }

    /// Everything is decided that has come through a pipe, whose end has not.
    pub(crate) fn reads_all_but_the_end(&mut self) {
        self.desk.run.load(1);
        self.learns(Message::Progress(Progress {
            bytes_done: 1,
            bytes_total: 1,
            is_finished: false,
            is_stream: true,
            noise_lines: 0,
        }));
    }

    /// As long as nothing is read yet.
    pub(crate) fn sits_down(bytes: &[u8], name: &str, opening: &Opening) -> Self {
        let input = Input::stream(name, Box::new(Cursor::new(bytes.to_vec()))).unwrap();
        Self::sits_before(input, name, opening)
    }

    /// A capture that lies in a file, read whole.
    pub(crate) fn opens_file(path: &Path, opening: &Opening) -> Self {
        let mut person = Self::sits_before(Input::open(path).unwrap(), "o.jsonl", opening);
        person.reads_all();
        person
    }

    pub(crate) fn sits_before(input: impl Into<Files>, name: &str, opening: &Opening) -> Self {
        let loaded = load(opening.contract, None).unwrap();
        let run: &'static Run = Box::leak(Box::new(Run::new(input, loaded, BaselinePolicy::None)));
        let settings = Settings {
            case: Some(format!("{name}.case.jsonl")),
            capture: name.to_owned(),
            consumer: run.loaded().contract.consumer.clone(),
            contract: "built in".to_owned(),
            has_assumed_baselines: false,
            zone: Zone::utc(),
            start: opening.start,
            curtain: opening.curtain,
            operator: String::new(),
            mouse: false,
            keeps_drafts: true,
            facts: facts(run.loaded(), BaselinePolicy::None),
        };
        let mut model = Model::new(settings);
        model.set_help_lines(help_lines().len());
        let desk = Desk {
            run,
            reader: Reader::new(run),
            book: CaseBook::default(),
            copied: Vec::new(),
            drafts: Vec::new(),
        };
        let mut person = Self {
            desk,
            model,
            keymap: Keymap::default(),
            size: opening.size,
            theme: Theme::new(Palette::Mono, false),
            ended: false,
        };
        person.resizes(opening.size.0, opening.size.1);
        person
    }

    pub(crate) fn resizes(&mut self, columns: u16, rows: u16) {
        self.size = (columns, rows);
        self.learns(Message::Resize { columns, rows });
    }

    /// Something happens; what the inspector wants done is done.
    pub(crate) fn learns(&mut self, message: Message) {
        let mut messages = std::collections::VecDeque::from([message]);
        while let Some(message) = messages.pop_front() {
            let commands = self.model.update(&self.desk.run.history(), message);
            for command in commands {
                self.ended |= command == Command::Quit;
                messages.extend(self.desk.carry_out(command));
            }
        }
    }

    pub(crate) fn key(&mut self, code: KeyCode, modifiers: KeyModifiers) {
        let event = KeyEvent::new(code, modifiers);
        let context = self.model.context();
        match self.keymap.press(event, context) {
            Outcome::Act(action) => self.learns(Message::Act(action)),
            Outcome::Begun => {}
            Outcome::Nothing => {
                if let Some(message) = not_an_action(event, context) {
                    self.learns(message);
                }
            }
        }
    }

    /// Presses keys; a newline is Enter, `\t` Tab, `⇤` Shift-Tab, arrows themselves, `\u{1b}` Esc, `\u{3}` Ctrl-C.
    pub(crate) fn presses(&mut self, keys: &str) -> &mut Self {
        for key in keys.chars() {
            let (code, modifiers) = match key {
                '\n' => (KeyCode::Enter, KeyModifiers::NONE),
                '\t' => (KeyCode::Tab, KeyModifiers::NONE),
                '\u{1b}' => (KeyCode::Esc, KeyModifiers::NONE),
                '↑' => (KeyCode::Up, KeyModifiers::NONE),
                '↓' => (KeyCode::Down, KeyModifiers::NONE),
                '⇤' => (KeyCode::BackTab, KeyModifiers::SHIFT),
                '\u{3}' => (KeyCode::Char('c'), KeyModifiers::CONTROL),
                letter => (KeyCode::Char(letter), KeyModifiers::NONE),
            };
            self.key(code, modifiers);
        }
        self
    }

    pub(crate) fn pastes(&mut self, text: &str) {
        self.learns(Message::Paste(text.to_owned()));
    }

    /// The screen as text, trailing spaces cut.
    pub(crate) fn sees(&self) -> String {
        let mut terminal = Terminal::new(TestBackend::new(self.size.0, self.size.1)).unwrap();
        let history = self.desk.run.history();
        let view = View::new(&self.model, &history);
        let look = Look {
            theme: &self.theme,
            context: self.model.context(),
            begun: self.keymap.begun(),
        };
        terminal.draw(|frame| draw(frame, &view, &look)).unwrap();
        let buffer = terminal.backend().buffer();
        let mut text = String::new();
        for y in 0..self.size.1 {
            let mut row = String::new();
            let mut x = 0;
            while x < self.size.0 {
                let symbol = buffer[(x, y)].symbol();
                row.push_str(symbol);
                x += u16::try_from(unicode_width::UnicodeWidthStr::width(symbol))
                    .unwrap()
                    .max(1);
            }
            text.push_str(row.trim_end());
            text.push('\n');
        }
        text
    }

    /// What was handed to the clipboard last.
    pub(crate) fn copied(&self) -> Option<&str> {
        self.desk.copied.last().map(String::as_str)
    }

    /// Half-written marks, as they would be kept for the next session.
    pub(crate) fn drafts(&self) -> &[Draft] {
        &self.desk.drafts
    }

    /// The marks as the inspector was told them last.
    pub(crate) fn book(&self) -> &CaseBook {
        &self.desk.book
    }

    /// Whether some line of the screen holds a text.
    pub(crate) fn sees_line(&self, text: &str) -> bool {
        self.sees().lines().any(|line| line.contains(text))
    }

    /// Everything that was decided.
    pub(crate) fn history(&self) -> RwLockReadGuard<'_, History> {
        self.desk.run.history()
    }

    /// The note of the record under the cursor.
    pub(crate) fn note(&self) -> Option<String> {
        let step = self.model.cursor_step();
        let look = self.desk.reader.look(&self.history(), step)?;
        look.event.note
    }

    /// The kinds of the steps, to find one's way in a test.
    pub(crate) fn kind_of(&self, step: u32) -> Option<Kind> {
        let history = self.desk.run.history();
        history
            .step(replayscope::model::StepNo(step))
            .map(|step| step.kind)
    }
}
