//! Signals become inputs like any other, so that a note that is being written is kept and the
//! terminal given back by the same code that `q` runs. Where that takes too long, or nothing has to
//! be given back, the signal does what it does to any program.

use std::io;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::SyncSender;
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGWINCH};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

use super::events::{Ending, Input};
use super::terminal;

/// How long the inspector has to end in an orderly way.
const GRACE: Duration = Duration::from_secs(2);
/// How long a terminal that takes no bytes can delay the end after that.
const LAST_WORDS: Duration = Duration::from_millis(300);

static SENDER: OnceLock<SyncSender<Input>> = OnceLock::new();
static ENDING: AtomicBool = AtomicBool::new(false);

/// Turns signals into inputs on `sender` from now on, for as long as the process lives.
pub(super) fn watch(sender: SyncSender<Input>) -> io::Result<()> {
    let mut signals = Signals::new([SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGCONT, SIGWINCH])?;
    if SENDER.set(sender.clone()).is_err() {
        return Err(io::Error::other("signals are watched already"));
    }
    std::thread::Builder::new()
        .name("signals".to_owned())
        .spawn(move || {
            // In one batch the ending signals come before SIGCONT, which a shell sends along: a
            // job that is killed in the background must not reach for the terminal again.
            for signal in signals.forever() {
                handle(signal, &sender);
            }
        })?;
    Ok(())
}

/// Ends this process as `signal` would have without us, so that a shell sees why; gives the terminal
/// back first if that has not been done.
pub fn die_by(signal: i32) {
    // On a thread of its own, since a terminal that takes no bytes must not keep us.
    let restoring = std::thread::spawn(terminal::restore);
    let start = Instant::now();
    while !restoring.is_finished() && start.elapsed() < LAST_WORDS {
        std::thread::sleep(Duration::from_millis(1));
    }
    let _ = emulate_default_handler(signal);
}

/// Hands an input to the loop, if there is one.
pub(super) fn tell(input: Input) {
    if let Some(sender) = SENDER.get() {
        // Where the queue is full the loop is awake, and sees that the terminal was given back.
        let _ = sender.try_send(input);
    }
}

fn handle(signal: i32, sender: &SyncSender<Input>) {
    let input = match signal {
        SIGCONT => Input::Continue,
        SIGTSTP => Input::Suspend,
        SIGWINCH => match crossterm::terminal::window_size() {
            Ok(size) => Input::Resize {
                columns: size.columns,
                rows: size.rows,
            },
            Err(_) => return,
        },
        _ => {
            if ENDING.swap(true, Ordering::SeqCst) || !terminal::in_use() {
                die_by(signal);
            }
            std::thread::spawn(move || insist(signal));
            Input::Quit(Ending::Signal(signal))
        }
    };
    // A full queue is emptied by the loop; a loop that hangs is ended by `insist`.
    let _ = sender.send(input);
}

/// Ends the process if the loop does not: it may hang on a terminal that takes no bytes.
fn insist(signal: i32) {
    std::thread::sleep(GRACE);
    if terminal::in_use() {
        die_by(signal);
    }
}
