//! Everything that happens to the inspector, from one place and in order: keys, pasted text, sizes,
//! signals, and ticks while something loads. Between inputs nothing runs.

use std::collections::VecDeque;
use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use crossterm::event::{Event, KeyEvent, KeyEventKind, MouseEvent, MouseEventKind};

use super::signals;

/// Inputs that wait at most; after that the terminal keeps them.
const QUEUE: usize = 256;
/// How often a silent terminal is asked whether it still exists. A hung-up terminal keeps crossterm
/// busy for as long, once.
const PULSE: Duration = Duration::from_millis(500);

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A key was pressed or repeats.
    Key(KeyEvent),
    /// Text was pasted; it never acts as keys.
    Paste(String),
    /// The terminal has a new size, in cells; only the last of a series is reported.
    Resize {
        /// Cells in a row.
        columns: u16,
        /// Rows.
        rows: u16,
    },
    /// The mouse, while it is ours.
    Mouse(MouseEvent),
    /// Time to look at what loads.
    Tick,
    /// Asked from outside to stop for a while.
    Suspend,
    /// Continued after a stop: the terminal may be in any mode and show anything.
    Continue,
    /// The inspector has to end.
    Quit(Ending),
}

/// Why the inspector has to end although nobody pressed `q`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// A signal, by number.
    Signal(i32),
    /// The terminal is gone.
    TerminalGone,
    /// A thread panicked; its report is printed and the terminal given back.
    Panicked,
}

/// The inputs of this process's terminal.
pub struct Events {
    receiver: Receiver<Input>,
    ready: VecDeque<Input>,
    last_tick: Instant,
}

impl Events {
    /// Starts to read keys and signals, once in a process.
    ///
    /// # Errors
    ///
    /// Signal handlers or threads could not be set up.
    pub fn start() -> io::Result<Self> {
        let (sender, receiver) = sync_channel(QUEUE);
        signals::watch(sender.clone())?;
        std::thread::Builder::new()
            .name("keys".to_owned())
            .spawn(move || read_terminal(&sender))?;
        Ok(Self::over(receiver))
    }

    fn over(receiver: Receiver<Input>) -> Self {
        Self {
            receiver,
            ready: VecDeque::new(),
            last_tick: Instant::now(),
        }
    }

    /// Waits for the next input. With `tick` it waits no longer than that, and a [`Input::Tick`]
    /// comes at this pace even while keys pour in.
    pub fn next(&mut self, tick: Option<Duration>) -> Input {
        if tick.is_some_and(|pace| self.last_tick.elapsed() >= pace) {
            self.last_tick = Instant::now();
            return Input::Tick;
        }
        if let Some(input) = self.try_next() {
            return input;
        }
        let received = match tick {
            None => self
                .receiver
                .recv()
                .map_err(|_| RecvTimeoutError::Disconnected),
            Some(pace) => {
                let left = pace.saturating_sub(self.last_tick.elapsed());
                self.receiver.recv_timeout(left)
            }
        };
        match received {
            Ok(input) => {
                coalesce(&mut self.ready, input);
                // What came with it may make it obsolete.
                self.absorb();
                self.ready.pop_front().unwrap_or(Input::Tick)
            }
            Err(RecvTimeoutError::Timeout) => {
                self.last_tick = Instant::now();
                Input::Tick
            }
            Err(RecvTimeoutError::Disconnected) => Input::Quit(Ending::TerminalGone),
        }
    }

    /// The next input, if one waits: several are handled before a frame is drawn.
    pub fn try_next(&mut self) -> Option<Input> {
        self.absorb();
        self.ready.pop_front()
    }

    fn absorb(&mut self) {
        while self.ready.len() < QUEUE {
            match self.receiver.try_recv() {
                Ok(input) => coalesce(&mut self.ready, input),
                Err(_) => return,
            }
        }
    }
}

/// Adds an input and drops what it makes obsolete: an earlier size, an earlier position of the
/// mouse.
fn coalesce(queue: &mut VecDeque<Input>, input: Input) {
    match &input {
        Input::Resize { .. } => queue.retain(|earlier| !matches!(earlier, Input::Resize { .. })),
        Input::Mouse(mouse) if is_motion(mouse.kind) => {
            let repeats = |earlier: &mut Input| matches!(earlier, Input::Mouse(before) if before.kind == mouse.kind);
            queue.pop_back_if(repeats);
        }
        Input::Key(_)
        | Input::Paste(_)
        | Input::Mouse(_)
        | Input::Tick
        | Input::Suspend
        | Input::Continue
        | Input::Quit(_) => {}
    }
    queue.push_back(input);
}

fn is_motion(kind: MouseEventKind) -> bool {
    matches!(kind, MouseEventKind::Moved | MouseEventKind::Drag(_))
}

fn read_terminal(sender: &SyncSender<Input>) {
    loop {
        let input = match crossterm::event::poll(PULSE) {
            Ok(true) => match crossterm::event::read() {
                Ok(event) => translate(event),
                Err(error) => gone(&error),
            },
            // Reading a hung-up terminal returns nothing rather than an error.
            Ok(false) => crossterm::terminal::window_size()
                .err()
                .and_then(|error| gone(&error)),
            Err(error) => gone(&error),
        };
        let Some(input) = input else { continue };
        let last = matches!(input, Input::Quit(_));
        if sender.send(input).is_err() || last {
            return;
        }
    }
}

fn gone(error: &io::Error) -> Option<Input> {
    (error.kind() != io::ErrorKind::Interrupted).then_some(Input::Quit(Ending::TerminalGone))
}

fn translate(event: Event) -> Option<Input> {
    match event {
        Event::Key(key) => (key.kind != KeyEventKind::Release).then_some(Input::Key(key)),
        Event::Paste(text) => Some(Input::Paste(text)),
        Event::Resize(columns, rows) => Some(Input::Resize { columns, rows }),
        Event::Mouse(mouse) => Some(Input::Mouse(mouse)),
        Event::FocusGained | Event::FocusLost => None,
    }
}

#[cfg(test)]
mod tests {
    use crossterm::event::{KeyCode, KeyModifiers, MouseButton};

    use super::*;

    fn key(code: char) -> Input {
        Input::Key(KeyEvent::new(KeyCode::Char(code), KeyModifiers::NONE))
    }

    fn resize(columns: u16) -> Input {
        Input::Resize { columns, rows: 24 }
    }

    fn mouse(kind: MouseEventKind, column: u16) -> Input {
        Input::Mouse(MouseEvent {
            kind,
            column,
            row: 0,
            modifiers: KeyModifiers::NONE,
        })
    }

    fn events(inputs: &[Input]) -> (Events, SyncSender<Input>) {
        let (sender, receiver) = sync_channel(QUEUE);
        for input in inputs {
            assert_eq!(sender.try_send(input.clone()), Ok(()));
        }
        (Events::over(receiver), sender)
    }

    fn drain(events: &mut Events) -> Vec<Input> {
        std::iter::from_fn(|| events.try_next()).collect()
    }

    #[test]
    fn of_a_storm_of_sizes_the_last_counts() {
        let inputs = [resize(80), key('a'), resize(81), resize(82), key('b')];
        let (mut events, _sender) = events(&inputs);
        assert_eq!(events.next(None), key('a'));
        assert_eq!(drain(&mut events), [resize(82), key('b')]);
    }

    #[test]
    fn of_a_moving_mouse_the_last_place_counts() {
        let drag = MouseEventKind::Drag(MouseButton::Left);
        let down = MouseEventKind::Down(MouseButton::Left);
        let inputs = [
            mouse(down, 1),
            mouse(drag, 2),
            mouse(drag, 3),
            mouse(down, 4),
            mouse(down, 4),
        ];
        let (mut events, _sender) = events(&inputs);
        let expected = [
            mouse(down, 1),
            mouse(drag, 3),
            mouse(down, 4),
            mouse(down, 4),
        ];
        assert_eq!(drain(&mut events), expected);
    }

    #[test]
    fn ticks_come_while_keys_pour_in() {
        let (mut events, _sender) = events(&[key('a'), key('b')]);
        assert_eq!(events.next(Some(Duration::ZERO)), Input::Tick);
        assert_eq!(events.next(None), key('a'));
        assert_eq!(events.next(Some(Duration::from_hours(1))), key('b'));
        events.last_tick = Instant::now();
        assert_eq!(events.next(Some(Duration::from_millis(1))), Input::Tick);
    }

    #[test]
    fn without_a_reader_the_inspector_ends() {
        let (mut events, sender) = events(&[key('a')]);
        drop(sender);
        assert_eq!(events.next(None), key('a'));
        assert_eq!(events.next(None), Input::Quit(Ending::TerminalGone));
    }

    #[test]
    fn a_released_key_is_nothing() {
        let mut released = KeyEvent::new(KeyCode::Char('a'), KeyModifiers::NONE);
        released.kind = KeyEventKind::Release;
        assert_eq!(translate(Event::Key(released)), None);
        assert_eq!(
            translate(Event::Paste("q".to_owned())),
            Some(Input::Paste("q".to_owned()))
        );
    }
}
