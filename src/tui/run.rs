//! The loop: draw, wait for what happens, let the model take it in, carry out what it wants. Drawn
//! only after something happened; between inputs nothing runs but a look at the file a second.

use std::io;
use std::time::{Duration, Instant};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

use super::events::{Ending, Events, Input};
use super::keys::{Context, Keymap, Outcome};
use super::terminal::{Screen, Unavailable};
use super::theme::Theme;
use super::view::{Look, draw, help_lines};
use crate::app::{Backend, Command, Edit, Message, Model, View};

/// How often loading is looked at, and how often what goes on by itself is drawn.
const TICK: Duration = Duration::from_millis(50);
/// How often what a person waits for is looked at.
const TURN: Duration = Duration::from_millis(2);
/// So long after an input what comes of it is drawn more often, or a first answer would be late.
const FRESH: Duration = Duration::from_millis(150);
/// How often that is.
const SOON: Duration = Duration::from_millis(8);
/// How often the backend is asked while nothing is under way; nothing is drawn for that.
const PULSE: Duration = Duration::from_secs(1);
/// Inputs that are handled before a frame is drawn.
const BATCH: usize = 64;

/// Why the inspector cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// It could not open.
    #[error(transparent)]
    Unavailable(#[from] Unavailable),
    /// The terminal failed.
    #[error("the terminal cannot be used: {0}")]
    Terminal(#[from] io::Error),
}

/// How the inspector ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Somebody quit.
    Quit,
    /// Something from outside ended it.
    By(Ending),
}

/// Runs the inspector until it ends. The terminal is given back whatever happens.
pub fn run(
    mut model: Model,
    backend: &mut impl Backend,
    theme: Theme,
    mouse: bool,
) -> Result<Ended, RunError> {
    let screen = Screen::open(mouse)?;
    let events = Events::start()?;
    model.set_help_lines(help_lines().len());
    let mut runner = Runner {
        model,
        backend,
        screen,
        events,
        keymap: Keymap::default(),
        theme,
        is_stale: true,
        ticked_at: Instant::now(),
        drawn_at: Instant::now(),
        touched_at: Instant::now(),
        has_steps: false,
        is_behind: false,
        ended: None,
    };
    runner.run()
}

struct Runner<'b, B> {
    model: Model,
    backend: &'b mut B,
    screen: Screen,
    events: Events,
    keymap: Keymap,
    theme: Theme,
    /// Whether the screen shows something else than the model.
    is_stale: bool,
    /// When loading and searching were looked at last.
    ticked_at: Instant,
    /// When the last frame was drawn.
    drawn_at: Instant,
    /// When somebody did something last.
    touched_at: Instant,
    /// Whether there was anything to see when it was drawn last.
    has_steps: bool,
    /// Whether something went on that is not worth a frame of its own.
    is_behind: bool,
    ended: Option<Ended>,
}

impl<B: Backend> Runner<'_, B> {
    fn run(&mut self) -> Result<Ended, RunError> {
        let size = crossterm::terminal::size()?;
        let (columns, rows) = size;
        self.tell(Message::Resize { columns, rows })?;
        loop {
            if let Some(ended) = self.ended {
                return Ok(ended);
            }
            let pace = self.pace();
            let is_late = pace.is_none() || self.is_frame_due();
            if std::mem::take(&mut self.is_stale) || (self.is_behind && is_late) {
                self.draw()?;
            }
            let pulse = self.backend.watches().then_some(PULSE);
            let input = self.events.next(pace.or(pulse));
            self.take(input)?;
            for _ in 1..BATCH {
                match self.events.try_next() {
                    Some(input) if self.ended.is_none() => self.take(input)?,
                    Some(_) | None => break,
                }
            }
            // A key that is held down must not keep what goes on by itself out of sight.
            if pace.is_some_and(|pace| self.ticked_at.elapsed() >= pace) && self.ended.is_none() {
                self.tick()?;
            }
        }
    }

    /// How often what goes on by itself is looked at now, if anything does.
    fn pace(&self) -> Option<Duration> {
        if !(self.backend.is_busy() || self.model.wants_ticks()) {
            return None;
        }
        let is_awaited = self.model.is_looking() || !self.has_steps && self.is_fresh();
        Some(if is_awaited { TURN } else { TICK })
    }

    /// Whether what goes on by itself is drawn now.
    fn is_frame_due(&self) -> bool {
        self.drawn_at.elapsed() >= if self.is_fresh() { SOON } else { TICK }
    }

    fn is_fresh(&self) -> bool {
        self.touched_at.elapsed() < FRESH
    }

    fn draw(&mut self) -> io::Result<()> {
        self.drawn_at = Instant::now();
        self.is_behind = false;
        let history = self.backend.history();
        self.has_steps = history.last_step().0 > 0;
        let view = View::new(&self.model, &history);
        let look = Look {
            theme: &self.theme,
            context: self.model.context(),
            begun: self.keymap.begun(),
        };
        self.screen.draw(|frame| draw(frame, &view, &look))
    }

    fn take(&mut self, input: Input) -> io::Result<()> {
        if input != Input::Tick {
            self.touched_at = Instant::now();
        }
        match input {
            Input::Key(event) => self.key(event),
            Input::Paste(text) => {
                self.keymap.forget();
                self.tell(Message::Paste(text))
            }
            Input::Resize { columns, rows } => self.tell(Message::Resize { columns, rows }),
            Input::Mouse(event) => match mouse(event) {
                Some(message) => self.tell(message),
                None => Ok(()),
            },
            Input::Tick => self.tick(),
            Input::Suspend => self.suspend(),
            Input::Continue => {
                self.screen.resume()?;
                let (columns, rows) = crossterm::terminal::size()?;
                self.tell(Message::Resize { columns, rows })
            }
            Input::Quit(ending) => {
                self.ended = Some(Ended::By(ending));
                Ok(())
            }
        }
    }

    /// What came of earlier commands, and of what goes on by itself.
    fn tick(&mut self) -> io::Result<()> {
        self.ticked_at = Instant::now();
        let was_stale = self.is_stale;
        let messages = self.backend.poll();
        let wants_tick = self.model.wants_ticks();
        let is_routine = messages.iter().all(Message::is_routine);
        for message in messages {
            self.tell(message)?;
        }
        if wants_tick {
            self.tell(Message::Tick)?;
        }
        if is_routine && self.is_stale && !self.is_frame_due() {
            self.is_stale = was_stale;
            self.is_behind = true;
        }
        Ok(())
    }

    fn key(&mut self, event: KeyEvent) -> io::Result<()> {
        let context = self.model.context();
        match self.keymap.press(event, context) {
            Outcome::Act(action) => self.tell(Message::Act(action)),
            Outcome::Begun => {
                self.is_stale = true;
                Ok(())
            }
            Outcome::Nothing => {
                // The footer no longer shows what can follow a key.
                self.is_stale = true;
                match not_an_action(event, context) {
                    Some(message) => self.tell(message),
                    None => Ok(()),
                }
            }
        }
    }

    /// Lets the model take in a message, and carries out what it wants until nothing is left.
    fn tell(&mut self, message: Message) -> io::Result<()> {
        self.is_stale = true;
        let mut messages = std::collections::VecDeque::from([message]);
        while let Some(message) = messages.pop_front() {
            let commands = {
                let history = self.backend.history();
                self.model.update(&history, message)
            };
            for command in commands {
                match command {
                    Command::Quit => self.ended = Some(Ended::Quit),
                    Command::Suspend => self.suspend()?,
                    Command::Redraw => self.screen.redraw()?,
                    Command::Mouse(mouse) => self.screen.set_mouse(mouse)?,
                    Command::Copy(text) => self.screen.copy(&text)?,
                    command @ (Command::Look(_)
                    | Command::Rows(_)
                    | Command::Mark { .. }
                    | Command::Undo { .. }
                    | Command::Search { .. }
                    | Command::StopSearch
                    | Command::FindTime { .. }
                    | Command::Gather(_)
                    | Command::Sift { .. }
                    | Command::StopSift(_)
                    | Command::KeepDrafts(_)
                    | Command::TellBeside
                    | Command::Export(_)
                    | Command::Write(_)) => messages.extend(self.backend.carry_out(command)),
                }
            }
        }
        Ok(())
    }

    fn suspend(&mut self) -> io::Result<()> {
        self.is_stale = true;
        self.screen.suspend().map(drop)
    }
}

fn mouse(event: MouseEvent) -> Option<Message> {
    let (column, row) = (event.column, event.row);
    match event.kind {
        MouseEventKind::Down(MouseButton::Left) => Some(Message::Click { column, row }),
        MouseEventKind::ScrollDown => Some(Message::Wheel {
            column,
            row,
            down: true,
        }),
        MouseEventKind::ScrollUp => Some(Message::Wheel {
            column,
            row,
            down: false,
        }),
        MouseEventKind::Down(_)
        | MouseEventKind::Up(_)
        | MouseEventKind::Drag(_)
        | MouseEventKind::Moved
        | MouseEventKind::ScrollLeft
        | MouseEventKind::ScrollRight => None,
    }
}

/// What a key means that asks for no action: text where text is typed; elsewhere that is said.
pub fn not_an_action(event: KeyEvent, context: Context) -> Option<Message> {
    match edit(event) {
        Some(edit) if context == Context::Typing => Some(Message::Type(edit)),
        Some(_) if context != Context::Typing => Some(Message::NoSuchKey),
        Some(_) | None => None,
    }
}

/// What a key means while text is typed.
fn edit(event: KeyEvent) -> Option<Edit> {
    let has = |modifier| event.modifiers.contains(modifier);
    let is_plain = !has(KeyModifiers::ALT);
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "most keys of a keyboard mean nothing here"
    )]
    match event.code {
        KeyCode::Char(letter) if has(KeyModifiers::CONTROL) => match letter.to_ascii_lowercase() {
            'w' => Some(Edit::DeleteWord),
            'u' => Some(Edit::DeleteLine),
            'a' => Some(Edit::Home),
            'e' => Some(Edit::End),
            'h' => Some(Edit::Backspace),
            _ => None,
        },
        KeyCode::Char(letter) if is_plain => Some(Edit::Insert(letter)),
        KeyCode::Backspace => Some(Edit::Backspace),
        KeyCode::Delete => Some(Edit::Delete),
        KeyCode::Left => Some(Edit::Left),
        KeyCode::Right => Some(Edit::Right),
        KeyCode::Home => Some(Edit::Home),
        KeyCode::End => Some(Edit::End),
        KeyCode::Up => Some(Edit::Up),
        KeyCode::Down => Some(Edit::Down),
        KeyCode::Tab => Some(Edit::NextField),
        KeyCode::BackTab => Some(Edit::PreviousField),
        _ => None,
    }
}
