//! Runs programs in turn on one capture and compares their medians.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::machine;

/// The program that is measured.
pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_replayscope");

/// How often memory is looked at.
const GLANCE: Duration = Duration::from_millis(1);

/// One program in the comparison.
pub(crate) struct Runner {
    pub(crate) name: String,
    command: Vec<String>,
    ends_with_capture: bool,
    times: Vec<Duration>,
}

impl Runner {
    pub(crate) fn new(name: &str, command: &[&str]) -> Self {
        Self {
            name: name.to_owned(),
            command: command.iter().map(|word| (*word).to_owned()).collect(),
            ends_with_capture: false,
            times: Vec::new(),
        }
    }

    /// The capture's path is the last argument; it stands in `$CAPTURE` in any case.
    pub(crate) fn on_capture(self) -> Self {
        Self {
            ends_with_capture: true,
            ..self
        }
    }

    /// The command, with nothing on the screen.
    pub(crate) fn command(&self, capture: &Path) -> Command {
        let (program, arguments) = self.command.split_first().expect("a program");
        let mut command = Command::new(program);
        command.args(arguments).env("CAPTURE", capture);
        if self.ends_with_capture {
            command.arg(capture);
        }
        command.stdin(Stdio::null()).stdout(Stdio::null());
        command
    }

    pub(crate) fn run(&self, capture: &Path) -> Duration {
        let begun = Instant::now();
        let status = self.command(capture).status();
        let elapsed = begun.elapsed();
        let code = status.expect("the program starts").code();
        // 1 is a verdict: there is open evidence.
        assert!(
            matches!(code, Some(0 | 1)),
            "{} ended with {code:?}",
            self.name
        );
        elapsed
    }

    /// Whether it can do that at all.
    pub(crate) fn works(&self, capture: &Path) -> bool {
        let output = self.command(capture).stdout(Stdio::piped()).output();
        output.is_ok_and(|output| {
            let text = String::from_utf8_lossy(&output.stdout);
            matches!(output.status.code(), Some(0 | 1)) && text.contains("1000000 records")
        })
    }

    pub(crate) fn median(&self) -> f64 {
        let mut times = self.times.clone();
        times.sort_unstable();
        let middle = times.get(times.len() / 2);
        middle.expect("at least one run").as_secs_f64()
    }
}

/// Warms the page cache with one run of each, then runs them in turn, so that a change of the
/// machine's speed meets all alike.
pub(crate) fn in_turn(runners: &mut [Runner], capture: &Path, runs: usize) {
    for runner in runners.iter() {
        runner.run(capture);
    }
    for _ in 0..runs.max(1) {
        for runner in runners.iter_mut() {
            let time = runner.run(capture);
            runner.times.push(time);
        }
    }
}

/// Measures and prints.
pub(crate) fn report(capture: &Path, runs: usize, peer: Option<&str>) {
    let mut runners = vec![
        Runner::new("wc -l", &["wc", "-l"]).on_capture(),
        Runner::new("check", &[BINARY, "check"]).on_capture(),
    ];
    if finds("taskset") {
        let command = ["taskset", "-c", "0", BINARY, "check"];
        runners.push(Runner::new("check, one core", &command).on_capture());
    }
    if let Some(peer) = peer {
        runners.push(Runner::new("peer", &["sh", "-c", peer]));
    }
    in_turn(&mut runners, capture, runs);
    let (path, cores) = (capture.display(), machine::cores());
    println!("{path}: medians of {runs} alternating runs, {cores} cores");
    let base = runners.first().map_or(1.0, Runner::median);
    for runner in &runners {
        let (seconds, name) = (runner.median(), &runner.name);
        println!("{seconds:>10.3} s  {:>7.2} x wc -l  {name}", seconds / base);
    }
    let median = |name| {
        let mut named = runners.iter().filter(|runner| runner.name == name);
        named.next().map(Runner::median)
    };
    if let (Some(all), Some(one)) = (median("check"), median("check, one core")) {
        println!("{:>10.2} x  faster than on one core", one / all);
    }
    if let (Some(check), Some(peer)) = (median("check"), median("peer")) {
        println!("{:>10.2} x  faster than the peer", peer / check);
    }
    let check = runners.iter().find(|runner| runner.name == "check");
    if let Some(bytes) = check.and_then(|check| anonymous_peak(check, capture)) {
        println!("{:>10} MB peak of RssAnon", bytes / 1_000_000);
    }
}

/// The most anonymous memory that a run of its own was seen with.
pub(crate) fn anonymous_peak(runner: &Runner, capture: &Path) -> Option<u64> {
    let mut child = runner.command(capture).spawn().ok()?;
    let status = format!("/proc/{}/status", child.id());
    let mut peak = None;
    while child.try_wait().ok()?.is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("RssAnon:"));
        let kilobytes = line.and_then(|rest| rest.trim().strip_suffix(" kB")?.parse::<u64>().ok());
        peak = peak.max(kilobytes.map(|kilobytes| 1024 * kilobytes));
        thread::sleep(GLANCE);
    }
    peak
}

/// The capture with another ending behind its own.
pub(crate) fn with(capture: &Path, ending: &str) -> PathBuf {
    let mut path = capture.as_os_str().to_owned();
    path.push(".");
    path.push(ending);
    path.into()
}

/// Whether a program is here.
pub(crate) fn finds(program: &str) -> bool {
    let mut command = Command::new(program);
    let output = command.arg("--version").output();
    output.is_ok_and(|output| output.status.success())
}
