//! A terminal to run a program in: a pseudo-terminal with an emulator behind it.
//!
//! ```text
//! test ── send, press, paste ──▶ pty ──▶ sh ──▶ program
//!   ▲                                    │        │
//!   └─ wait_for(screen) ── vt100 ◀─ reader thread ┘
//! ```
//!
//! A shell leads the session, as it does for a person, and the program is its child. The shell notes
//! `stty -a` before and after, the program's process id and its exit code in files of a private
//! folder, which is also the program's home. So a test can ask whether the terminal is as it was,
//! signal the program alone, or let the terminal vanish under it by killing the session's leader.
//!
//! Nothing here sleeps for a fixed time: whoever waits is woken by output or by the end of the
//! session, looks at the condition again, and gives up at a deadline with the screen in the message.

use std::ffi::OsString;
use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use tempfile::TempDir;

use super::given_back::{GivenBack, left_on};
use super::keys::Key;

/// How long a condition may take to come true before the test fails.
const DEADLINE: Duration = Duration::from_secs(10);

/// How often a condition outside the terminal (a file, a process) is looked at.
const GLANCE: Duration = Duration::from_millis(10);

/// The session's leader. `$1` is the private folder, the rest the command; `exec` keeps the process
/// id that was noted. With `set -m` the program has a process group of its own, in the foreground,
/// and can be suspended: then the leader says so and waits for a line, as a person's shell does.
/// (`kill -l CODE` names the signal behind a shell's exit code.)
const LEADER: &str = r#"
folder=$1; shift
set -m
stty -a > "$folder/before"
note='echo $$ > "$0/pid.new"; mv "$0/pid.new" "$0/pid"; exec "$@"'
if [ -f "$folder/input" ]; then
    cat "$folder/input" | sh -c "$note" "$folder" "$@"
else
    sh -c "$note" "$folder" "$@"
fi
code=$?
while kill -l "$code" 2>/dev/null | grep -q -x -e STOP -e TSTP; do
    stty -a > "$folder/after"
    echo 'suspended: fg?'
    read -r _
    fg > /dev/null
    code=$?
done
stty -a > "$folder/after"
echo "$code" > "$folder/code"
"#;

/// What to run, and in what terminal.
pub(crate) struct Setup {
    command: Vec<OsString>,
    rows: u16,
    columns: u16,
    variables: Vec<(String, String)>,
    input: Option<Vec<u8>>,
    folder: Option<PathBuf>,
}

impl Setup {
    /// Any command.
    pub(crate) fn command(command: &[&str]) -> Self {
        Self {
            command: command.iter().map(OsString::from).collect(),
            rows: 24,
            columns: 80,
            variables: Vec::new(),
            input: None,
            folder: None,
        }
    }

    /// The binary under test with these arguments.
    pub(crate) fn replayscope(arguments: &[&str]) -> Self {
        let mut command = vec![env!("CARGO_BIN_EXE_replayscope")];
        command.extend(arguments);
        Self::command(&command)
    }

    /// A terminal of this size instead of 80×24.
    pub(crate) fn size(mut self, columns: u16, rows: u16) -> Self {
        (self.columns, self.rows) = (columns, rows);
        self
    }

    /// With this environment variable.
    pub(crate) fn variable(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    /// With these bytes piped into standard input. The terminal stays the controlling one, so keys
    /// still come from it (`/dev/tty`).
    pub(crate) fn piped(mut self, bytes: &[u8]) -> Self {
        self.input = Some(bytes.to_vec());
        self
    }

    /// Started in this folder instead of the repository's root.
    pub(crate) fn folder(mut self, folder: &Path) -> Self {
        self.folder = Some(folder.to_owned());
        self
    }

    /// Starts it.
    pub(crate) fn start(self) -> Terminal {
        let private = TempDir::new().expect("a private folder");
        let size = PtySize {
            rows: self.rows,
            cols: self.columns,
            ..PtySize::default()
        };
        let pair = native_pty_system().openpty(size).expect("a pty");
        let child = pair
            .slave
            .spawn_command(self.leader(private.path()))
            .expect("sh starts");
        // Ours would keep the terminal open after the session has ended.
        drop(pair.slave);
        let shared = Arc::new(Shared::new(self.rows, self.columns));
        let output = pair.master.try_clone_reader().expect("a reader");
        let reader = Arc::clone(&shared);
        thread::spawn(move || reader.follow(output));
        Terminal {
            writer: pair.master.take_writer().expect("a writer"),
            master: pair.master,
            child,
            shared,
            private,
        }
    }

    fn leader(&self, private: &Path) -> CommandBuilder {
        let mut leader = CommandBuilder::new("sh");
        leader.args(["-c", LEADER, "terminal"]);
        leader.arg(private);
        if let Some(bytes) = &self.input {
            // The leader pipes it: a program may seek in a file, and not in a pipe.
            fs::write(private.join("input"), bytes).expect("the input is written");
        }
        leader.args(&self.command);
        leader.cwd(
            self.folder
                .as_deref()
                .unwrap_or(Path::new(env!("CARGO_MANIFEST_DIR"))),
        );
        for name in [
            "NO_COLOR",
            "COLORTERM",
            "TMUX",
            "LC_ALL",
            "XDG_CONFIG_HOME",
            "XDG_DATA_HOME",
            "XDG_STATE_HOME",
        ] {
            leader.env_remove(name);
        }
        leader.env("TERM", "xterm-256color");
        leader.env("LANG", "C.UTF-8");
        leader.env("HOME", private);
        for (name, value) in &self.variables {
            leader.env(name, value);
        }
        leader
    }
}

/// A running program and its terminal.
pub(crate) struct Terminal {
    master: Box<dyn MasterPty + Send>,
    writer: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    shared: Arc<Shared>,
    private: TempDir,
}

impl Terminal {
    /// Sends text as if typed.
    pub(crate) fn send(&mut self, text: &str) {
        self.writer
            .write_all(text.as_bytes())
            .expect("the terminal takes input");
        self.writer.flush().expect("the terminal takes input");
    }

    /// Presses one key.
    pub(crate) fn press(&mut self, key: Key) {
        self.send(&key.bytes());
    }

    /// Pastes text, in brackets where the program has asked for them.
    pub(crate) fn paste(&mut self, text: &str) {
        if self.screen().bracketed_paste() {
            self.send(&format!("\x1b[200~{text}\x1b[201~"));
        } else {
            self.send(text);
        }
    }

    /// Gives the terminal another size; the program hears SIGWINCH.
    pub(crate) fn resize(&mut self, columns: u16, rows: u16) {
        self.shared
            .lock()
            .parser
            .screen_mut()
            .set_size(rows, columns);
        let size = PtySize {
            rows,
            cols: columns,
            ..PtySize::default()
        };
        self.master
            .resize(size)
            .expect("the terminal takes its size");
    }

    /// Sends the program, and nothing else, a signal by its name without `SIG`.
    pub(crate) fn signal(&self, name: &str) {
        signal(self.pid(), name);
    }

    /// The program's process id.
    pub(crate) fn pid(&self) -> u32 {
        let path = self.private.path().join("pid");
        self.wait_until("the program's process id", || path.exists());
        let text = fs::read_to_string(path).unwrap();
        text.trim().parse().expect("a process id")
    }

    /// Lets the terminal vanish, as a lost connection does: its session's leader is killed, the
    /// kernel hangs the terminal up and tells the program by SIGHUP. Answers the program's process
    /// id, for `wait_gone`.
    pub(crate) fn vanish(&mut self) -> u32 {
        let program = self.pid();
        signal(self.child.process_id().expect("a leader"), "KILL");
        self.child.wait().expect("the leader is collected");
        program
    }

    /// The screen as it stands.
    pub(crate) fn screen(&self) -> vt100::Screen {
        self.shared.lock().parser.screen().clone()
    }

    /// The screen's text, a line a row.
    pub(crate) fn text(&self) -> String {
        self.screen().contents()
    }

    /// Every byte that came out so far.
    pub(crate) fn transcript(&self) -> Vec<u8> {
        self.shared.lock().transcript.clone()
    }

    /// The private folder, the program's home.
    pub(crate) fn home(&self) -> &Path {
        self.private.path()
    }

    /// Waits until the screen shows what the condition asks for, and answers that very screen.
    pub(crate) fn wait_for(
        &self,
        condition: impl Fn(&vt100::Screen) -> bool,
        what: &str,
    ) -> vt100::Screen {
        let state = self.wait(what, |state| condition(state.parser.screen()));
        state.parser.screen().clone()
    }

    /// Waits until a text stands anywhere on the screen.
    pub(crate) fn wait_for_text(&self, text: &str) -> vt100::Screen {
        self.wait_for(|screen| screen.contents().contains(text), text)
    }

    /// Waits for something beside the screen.
    pub(crate) fn wait_until(&self, what: &str, condition: impl Fn() -> bool) {
        let deadline = Instant::now() + DEADLINE;
        while !condition() {
            let state = self.shared.lock();
            assert!(Instant::now() < deadline, "{}", state.lacks(what));
            drop(self.shared.changed.wait_timeout(state, GLANCE).unwrap());
        }
    }

    /// Waits until the program's process has ended, whoever has to collect it.
    pub(crate) fn wait_gone(&self, pid: u32) {
        self.wait_until("the end of the program's process", || is_gone(pid));
    }

    /// Waits for the end of program and session.
    pub(crate) fn wait_exit(&mut self) -> Ended {
        drop(self.wait("the end of the program", |state| state.ended));
        self.child.wait().expect("the leader is collected");
        let code = self.note("code").trim().parse();
        Ended {
            code: code.expect("an exit code"),
            terminal: self.state_of_terminal(),
        }
    }

    /// The terminal before and after the program, or while it is suspended.
    pub(crate) fn state_of_terminal(&self) -> GivenBack {
        GivenBack {
            before: self.note("before"),
            after: self.note("after"),
            left_on: left_on(&self.screen(), &self.transcript()),
        }
    }

    /// What the leader wrote down.
    fn note(&self, name: &str) -> String {
        let path = self.private.path().join(name);
        fs::read_to_string(path).unwrap_or_else(|error| panic!("{name}: {error}\n{}", self.text()))
    }

    fn wait(&self, what: &str, condition: impl Fn(&State) -> bool) -> MutexGuard<'_, State> {
        let deadline = Instant::now() + DEADLINE;
        let mut state = self.shared.lock();
        while !condition(&state) {
            let left = deadline.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "{}", state.lacks(what));
            state = self.shared.changed.wait_timeout(state, left).unwrap().0;
        }
        state
    }
}

impl Drop for Terminal {
    /// A failed test leaves no process behind.
    fn drop(&mut self) {
        let note = |name: &str| fs::read_to_string(self.private.path().join(name)).ok();
        let program = note("pid").and_then(|text| text.trim().parse().ok());
        if let (Some(program), None) = (program, note("code"))
            && !is_gone(program)
        {
            signal(program, "KILL");
        }
        if let (Ok(None), Some(leader)) = (self.child.try_wait(), self.child.process_id()) {
            signal(leader, "KILL");
            let _ = self.child.wait();
        }
    }
}

/// How a program ended.
pub(crate) struct Ended {
    /// Its exit code, 128 and the signal's number where one ended it.
    pub(crate) code: i32,
    /// What it left behind.
    pub(crate) terminal: GivenBack,
}

impl Ended {
    /// Fails unless the program ended with this code and the terminal is as it was.
    pub(crate) fn assert_clean(&self, code: i32) {
        self.terminal.assert_unchanged();
        assert_eq!(self.code, code, "the exit code");
    }
}

/// What the reader thread and the test share.
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    parser: vt100::Parser,
    transcript: Vec<u8>,
    /// Nobody has the terminal open any more.
    ended: bool,
}

impl Shared {
    fn new(rows: u16, columns: u16) -> Self {
        Self {
            state: Mutex::new(State {
                parser: vt100::Parser::new(rows, columns, 0),
                transcript: Vec::new(),
                ended: false,
            }),
            changed: Condvar::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // A failed assertion poisons the lock; what is behind it is whole all the same.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Feeds the emulator until the terminal ends.
    fn follow(&self, mut output: impl Read) {
        let mut buffer = [0; 4096];
        loop {
            let count = match output.read(&mut buffer) {
                Ok(count) => count,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                // Linux reports the end of a terminal as an input/output error.
                Err(_) => 0,
            };
            let read = buffer.get(..count).unwrap_or_default();
            let mut state = self.lock();
            state.parser.process(read);
            state.transcript.extend_from_slice(read);
            state.ended = read.is_empty();
            let ended = state.ended;
            drop(state);
            self.changed.notify_all();
            if ended {
                return;
            }
        }
    }
}

impl State {
    /// The message of a test that waited in vain.
    fn lacks(&self, what: &str) -> String {
        let screen = self.parser.screen();
        let (rows, columns) = screen.size();
        let seconds = DEADLINE.as_secs();
        let text = screen.contents();
        let ended = if self.ended { ", which has ended" } else { "" };
        format!("waited {seconds} s for {what}; the terminal, {columns}x{rows}{ended}:\n{text}\n")
    }
}

fn signal(pid: u32, name: &str) {
    let status = Command::new("kill")
        .args(["-s", name, &pid.to_string()])
        .status();
    assert!(
        status.is_ok_and(|status| status.success()),
        "kill -s {name} {pid}"
    );
}

/// Whether a process has ended; one that nobody has collected yet has.
fn is_gone(pid: u32) -> bool {
    if Path::new("/proc/self/stat").exists() {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat"));
        // `PID (NAME) STATE …`, and the name may hold brackets of its own.
        return stat.map_or(true, |text| {
            text.rsplit_once(") ")
                .is_none_or(|(_, rest)| rest.starts_with(['Z', 'X']))
        });
    }
    let answer = Command::new("kill").args(["-0", &pid.to_string()]).output();
    !answer.is_ok_and(|output| output.status.success())
}
