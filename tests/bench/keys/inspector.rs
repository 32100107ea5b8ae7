//! The release binary in a pseudo-terminal, with the time at which each frame was whole.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use tempfile::TempDir;

const ROWS: u16 = 36;
const COLUMNS: u16 = 120;

/// What every frame ends with.
const FRAME_END: &[u8] = b"\x1b[?2026l";
/// A terminal is settled when nothing came for so long.
const QUIET: Duration = Duration::from_millis(40);
/// How long something may take before it counts as never.
const PATIENCE: Duration = Duration::from_mins(1);

/// A running inspector.
pub(super) struct Inspector {
    writer: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    shared: Arc<Shared>,
    _master: Box<dyn MasterPty + Send>,
    _home: TempDir,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    parser: vt100::Parser,
    /// The last bytes, so that a frame's end is found across two pieces.
    tail: Vec<u8>,
    frames: u64,
    frame_at: Instant,
    read_at: Instant,
    has_ended: bool,
}

impl Default for State {
    fn default() -> Self {
        Self {
            parser: vt100::Parser::new(ROWS, COLUMNS, 0),
            tail: Vec::new(),
            frames: 0,
            frame_at: Instant::now(),
            read_at: Instant::now(),
            has_ended: false,
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn follow(&self, mut output: impl Read) {
        let mut buffer = vec![0; 1 << 16];
        loop {
            // Linux reports the end of a terminal as an input/output error.
            let count = output.read(&mut buffer).unwrap_or(0);
            let read_at = Instant::now();
            let bytes = buffer.get(..count).unwrap_or_default();
            let mut state = self.lock();
            state.parser.process(bytes);
            state.read_at = read_at;
            state.tail.extend_from_slice(bytes);
            let mut ends = state.tail.windows(FRAME_END.len());
            if ends.any(|window| window == FRAME_END) {
                state.frames += 1;
                state.frame_at = read_at;
                state.tail.clear();
            }
            let keep = state.tail.len().saturating_sub(FRAME_END.len());
            state.tail.drain(..keep);
            state.has_ended = count == 0;
            drop(state);
            self.changed.notify_all();
            if count == 0 {
                return;
            }
        }
    }
}

impl Inspector {
    /// Starts it on a capture.
    pub(super) fn start(capture: &Path) -> Self {
        let size = PtySize {
            rows: ROWS,
            cols: COLUMNS,
            ..PtySize::default()
        };
        let pair = native_pty_system().openpty(size).expect("a pty");
        let home = tempfile::tempdir().expect("a home");
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_replayscope"));
        command.arg(capture);
        command.env("TERM", "xterm-256color");
        command.env("LANG", "C.UTF-8");
        command.env("HOME", home.path());
        for name in [
            "NO_COLOR",
            "XDG_CONFIG_HOME",
            "XDG_DATA_HOME",
            "XDG_STATE_HOME",
        ] {
            command.env_remove(name);
        }
        let shared = Arc::new(Shared::default());
        let output = pair.master.try_clone_reader().expect("a reader");
        let reader = Arc::clone(&shared);
        thread::spawn(move || reader.follow(output));
        let child = pair.slave.spawn_command(command).expect("it starts");
        Self {
            writer: pair.master.take_writer().expect("a writer"),
            child,
            shared,
            _master: pair.master,
            _home: home,
        }
    }

    /// The screen's text, a line a row.
    pub(super) fn text(&self) -> String {
        self.shared.lock().parser.screen().contents()
    }

    /// When the last frame was whole.
    pub(super) fn frame_at(&self) -> Instant {
        self.shared.lock().frame_at
    }

    /// Sends keys and waits for the first frame after them that shows what they asked for.
    pub(super) fn time(&mut self, keys: &str, shows: impl Fn(&str) -> bool) -> Option<Duration> {
        let before = self.shared.lock().frames;
        let sent = Instant::now();
        self.send(keys);
        let state = self.shared.lock();
        let waits = |state: &mut State| {
            !(state.has_ended || state.frames > before && shows(&state.parser.screen().contents()))
        };
        let waited = self
            .shared
            .changed
            .wait_timeout_while(state, PATIENCE, waits);
        let (state, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
        let screen = || state.parser.screen().contents();
        assert!(!state.has_ended, "the inspector has ended:\n{}", screen());
        if timeout.timed_out() {
            println!("no frame answers {keys:?}:\n{}", screen());
            return None;
        }
        Some(state.frame_at.saturating_duration_since(sent))
    }

    /// Waits for something that no key asked for.
    pub(super) fn wait(&self, what: &str, at_most: Duration, shows: impl Fn(&str) -> bool) {
        let state = self.shared.lock();
        let waits =
            |state: &mut State| !state.has_ended && !shows(&state.parser.screen().contents());
        let waited = self
            .shared
            .changed
            .wait_timeout_while(state, at_most, waits);
        let (state, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
        let screen = || state.parser.screen().contents();
        assert!(
            !timeout.timed_out() && !state.has_ended,
            "waited for {what}:\n{}",
            screen()
        );
    }

    /// Sends keys and waits until nothing more comes of them.
    pub(super) fn send_and_settle(&mut self, keys: &str) {
        let sent = Instant::now();
        self.send(keys);
        let deadline = sent + QUIET * 10;
        loop {
            let state = self.shared.lock();
            let quiet = state.read_at.max(sent).elapsed();
            if quiet >= QUIET || Instant::now() >= deadline {
                return;
            }
            drop(
                self.shared
                    .changed
                    .wait_timeout(state, QUIET.saturating_sub(quiet)),
            );
        }
    }

    /// Memory that is no page cache.
    pub(super) fn anonymous_bytes(&self) -> Option<u64> {
        let pid = self.child.process_id()?;
        let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("RssAnon:"))?;
        let kilobytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
        Some(1024 * kilobytes)
    }

    /// Ends it.
    pub(super) fn quit(mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    fn send(&mut self, keys: &str) {
        let keys = keys.as_bytes();
        self.writer
            .write_all(keys)
            .expect("the terminal takes keys");
        self.writer.flush().expect("the terminal takes keys");
    }
}
