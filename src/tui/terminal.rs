//! The terminal while it is ours, and giving it back exactly once however the program ends.
//!
//! ```text
//!            open                suspend
//!   Closed ────────▶ Ours ◀──────────────▶ Suspended
//!     ▲                │       resume
//!     └────────────────┘ restore: drop, error, panic on any thread, a signal, a lost terminal
//! ```
//!
//! Frames are composed in memory and written in one piece, past the standard library's buffer and
//! lock: whoever restores must never wait for a writer that hangs, and a frame that comes too late
//! must not reach the shell.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::os::fd::AsFd;
use std::panic::PanicHookInfo;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Mutex, TryLockError};
use std::time::Duration;

use crossterm::cursor::{Hide, Show};
use crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use crossterm::queue;
use crossterm::style::ResetColor;
use crossterm::terminal::{
    BeginSynchronizedUpdate, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen,
    disable_raw_mode, enable_raw_mode,
};
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;
use ratatui::{Frame, Terminal};

use super::events::{Ending, Input};
use super::signals;

const CLOSED: u8 = 0;
const OURS: u8 = 1;
const SUSPENDED: u8 = 2;

/// Whose the terminal is: a process has only one, and a panic hook knows no `self`.
static STATE: AtomicU8 = AtomicU8::new(CLOSED);
static MOUSE: AtomicBool = AtomicBool::new(false);
/// Held while bytes go out, so that the restoring bytes come last.
static PEN: Mutex<()> = Mutex::new(());

/// How long restoring waits for a frame that is being written.
const PEN_TRIES: u32 = 20;
const PEN_WAIT: Duration = Duration::from_millis(5);

/// Why the inspector cannot open here.
#[derive(Debug, thiserror::Error)]
pub enum Unavailable {
    /// Standard output goes to a file or a pipe.
    #[error(
        "standard output is not a terminal, so the inspector has nothing to draw on; \
         `replayscope trace CAPTURE` prints the same steps as text"
    )]
    OutputNotTerminal,
    /// `TERM=dumb` says that text cannot be placed.
    #[error(
        "this terminal cannot place text on its screen (TERM=dumb); \
         `replayscope trace CAPTURE` prints the same steps as text"
    )]
    DumbTerminal,
    /// Data comes through standard input, and there is no terminal to take keys from.
    #[error(
        "keys are read from the terminal, but this process has none (/dev/tty: {0}); \
         `replayscope trace CAPTURE` prints the same steps as text"
    )]
    NoKeyboard(#[source] io::Error),
    /// The terminal refused.
    #[error("the terminal cannot be used: {0}")]
    Terminal(#[from] io::Error),
}

/// Whether the inspector can open here; `term` is the variable `TERM`. Asked before a capture is
/// read, so that the answer comes at once.
pub fn check(term: Option<&str>) -> Result<(), Unavailable> {
    if !io::stdout().is_terminal() {
        return Err(Unavailable::OutputNotTerminal);
    }
    if term == Some("dumb") {
        return Err(Unavailable::DumbTerminal);
    }
    if !io::stdin().is_terminal() {
        let tty = File::options().read(true).write(true).open("/dev/tty");
        tty.map_err(Unavailable::NoKeyboard)?;
    }
    Ok(())
}

/// The terminal in our mode: raw, alternate screen, pasted text marked as such, no cursor. Dropping
/// it gives the terminal back.
pub struct Screen {
    terminal: Terminal<CrosstermBackend<Composed>>,
    composed: Composed,
}

impl Screen {
    /// Takes the terminal. Call [`check`] first.
    pub fn open(mouse: bool) -> Result<Self, Unavailable> {
        MOUSE.store(mouse, Ordering::SeqCst);
        let composed = Composed::default();
        enter()?;
        // From here on an error must give the terminal back.
        match Terminal::new(CrosstermBackend::new(composed.clone())) {
            Ok(terminal) => Ok(Self { terminal, composed }),
            Err(error) => {
                restore();
                Err(error.into())
            }
        }
    }

    /// Draws a frame, as one write that the terminal shows at once where it can. Nothing happens
    /// while the terminal is not ours.
    ///
    /// # Errors
    ///
    /// The terminal is gone.
    pub fn draw(&mut self, paint: impl FnOnce(&mut Frame<'_>)) -> io::Result<()> {
        if STATE.load(Ordering::SeqCst) != OURS {
            return Ok(());
        }
        queue!(self.composed, BeginSynchronizedUpdate)?;
        self.terminal.draw(paint)?;
        queue!(self.composed, EndSynchronizedUpdate)?;
        self.send()
    }

    /// Forgets what the terminal shows, so that the next frame is drawn in full.
    ///
    /// # Errors
    ///
    /// The terminal is gone.
    pub fn redraw(&mut self) -> io::Result<()> {
        // `Terminal::clear` would ask the terminal where its cursor is and wait for the answer.
        let size = self.terminal.size()?;
        self.terminal
            .resize(Rect::from((ratatui::layout::Position::ORIGIN, size)))
    }

    /// Gives the terminal back and stops the job, as Ctrl-Z does elsewhere; the whole job, since a
    /// shell takes over only once every program of a pipeline has stopped. Says whether it did: a
    /// program that no shell can continue must not stop. [`Screen::resume`] comes with the next
    /// [`Input::Continue`].
    pub fn suspend(&mut self) -> io::Result<bool> {
        use rustix::process::{Signal, getpgrp, getsid, kill_current_process_group};
        // A shell with job control gives every job a group of its own.
        if getsid(None).is_ok_and(|session| session == getpgrp()) {
            return Ok(false);
        }
        leave(SUSPENDED);
        if kill_current_process_group(Signal::STOP).is_err() {
            self.resume()?;
            return Ok(false);
        }
        Ok(true)
    }

    /// Takes the terminal again after the job was continued, whatever the shell left it in.
    ///
    /// # Errors
    ///
    /// The terminal is gone.
    pub fn resume(&mut self) -> io::Result<()> {
        // Stopped from outside, the mode is not ours any more although crossterm believes it.
        let _ = disable_raw_mode();
        enter()?;
        self.redraw()
    }

    /// Whether clicks and the wheel are reported to us; the terminal's own selection then needs
    /// Shift.
    pub fn mouse(&self) -> bool {
        MOUSE.load(Ordering::SeqCst)
    }

    /// Takes or returns the mouse.
    ///
    /// # Errors
    ///
    /// The terminal is gone.
    pub fn set_mouse(&mut self, mouse: bool) -> io::Result<()> {
        MOUSE.store(mouse, Ordering::SeqCst);
        if mouse {
            queue!(self.composed, EnableMouseCapture)?;
        } else {
            queue!(self.composed, DisableMouseCapture)?;
        }
        self.send()
    }

    /// Hands a text to the clipboard of whoever sits at the terminal (OSC 52); not every terminal
    /// takes it, and none answers.
    ///
    /// # Errors
    ///
    /// The terminal is gone.
    pub fn copy(&mut self, text: &str) -> io::Result<()> {
        self.composed.write_all(&super::clipboard::sequence(text))?;
        self.send()
    }

    fn send(&mut self) -> io::Result<()> {
        let bytes = self.composed.take();
        let _pen = PEN
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        if STATE.load(Ordering::SeqCst) != OURS {
            return Ok(());
        }
        write_out(&bytes)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

/// Gives the terminal back, if it is ours. May be called any number of times, from any thread.
pub fn restore() {
    leave(CLOSED);
}

/// Whether something would have to be given back or finished before the program can end.
pub(super) fn in_use() -> bool {
    STATE.load(Ordering::SeqCst) != CLOSED
}

/// Makes a panic on any thread give the terminal back before its report is printed, and end the
/// inspector. `report` makes the text; it goes to standard error, which may be as dead as the
/// terminal, so nothing here may panic.
pub fn install_panic_hook(report: impl Fn(&PanicHookInfo<'_>) -> String + Send + Sync + 'static) {
    std::panic::set_hook(Box::new(move |info| {
        restore();
        let _ = writeln!(io::stderr(), "{}", report(info));
        signals::tell(Input::Quit(Ending::Panicked));
    }));
}

fn enter() -> io::Result<()> {
    // In the background this stops the process until it is in the foreground again; so it comes
    // before anything is written.
    enable_raw_mode()?;
    STATE.store(OURS, Ordering::SeqCst);
    let mut bytes = Vec::new();
    queue!(bytes, EnterAlternateScreen, EnableBracketedPaste, Hide)?;
    if MOUSE.load(Ordering::SeqCst) {
        queue!(bytes, EnableMouseCapture)?;
    }
    write_out(&bytes).inspect_err(|_| restore())
}

fn leave(next: u8) {
    let before = STATE.swap(next, Ordering::SeqCst);
    if before != OURS {
        return;
    }
    // The mode first: it cannot hang, while writing can.
    let _ = disable_raw_mode();
    let mut bytes = Vec::new();
    let _ = queue!(
        bytes,
        EndSynchronizedUpdate,
        DisableMouseCapture,
        DisableBracketedPaste,
        ResetColor,
        Show,
        LeaveAlternateScreen
    );
    let _pen = patient_pen();
    let _ = write_out(&bytes);
}

/// The pen, or none where its holder hangs.
fn patient_pen() -> Option<std::sync::MutexGuard<'static, ()>> {
    for _ in 0..PEN_TRIES {
        match PEN.try_lock() {
            Ok(pen) => return Some(pen),
            Err(TryLockError::Poisoned(pen)) => return Some(pen.into_inner()),
            Err(TryLockError::WouldBlock) => std::thread::sleep(PEN_WAIT),
        }
    }
    None
}

fn write_out(mut bytes: &[u8]) -> io::Result<()> {
    let mut output = File::from(io::stdout().as_fd().try_clone_to_owned()?);
    while !bytes.is_empty() {
        match output.write(bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => bytes = bytes.get(written..).unwrap_or_default(),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            // Another program made the shared terminal non-blocking.
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => std::thread::sleep(PEN_WAIT),
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Where the backend writes: memory. Its flushes mean nothing; a frame goes out when it is whole.
/// It never fails, which matters: ratatui's `Terminal` prints an error while it is dropped.
#[derive(Clone, Default)]
struct Composed(Rc<RefCell<Vec<u8>>>);

impl Composed {
    fn take(&self) -> Vec<u8> {
        self.0.take()
    }
}

impl Write for Composed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
