//! Runs programs in turn on one capture and compares their medians.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_replayscope");

/// How often the peak of resident memory is looked at where `time` is not there to tell it.
const GLANCE: Duration = Duration::from_millis(1);

/// One program in the comparison.
pub(crate) struct Runner {
    pub(crate) name: &'static str,
    command: Vec<String>,
    times: Vec<Duration>,
}

impl Runner {
    pub(crate) fn new(name: &'static str, command: &[&str]) -> Self {
        Self {
            name,
            command: command.iter().map(|word| (*word).to_owned()).collect(),
            times: Vec::new(),
        }
    }

    /// The command, with the capture's path in the environment and nothing on the screen.
    fn command(&self, capture: &Path) -> Command {
        let (program, arguments) = self.command.split_first().expect("a program");
        let mut command = Command::new(program);
        command.args(arguments).env("CAPTURE", capture);
        command.stdin(Stdio::null()).stdout(Stdio::null());
        command
    }

    fn run(&self, capture: &Path) -> Duration {
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

    pub(crate) fn median(&self) -> f64 {
        let mut times = self.times.clone();
        times.sort_unstable();
        times
            .get(times.len() / 2)
            .expect("at least one run")
            .as_secs_f64()
    }
}

/// Runs each once for the page cache, and then so many times in turn.
pub(crate) fn alternate(capture: &Path, runners: &mut [Runner], runs: usize) {
    for runner in &*runners {
        runner.run(capture);
    }
    for _ in 0..runs.max(1) {
        for runner in &mut *runners {
            let time = runner.run(capture);
            runner.times.push(time);
        }
    }
}

/// Measures and prints.
pub(crate) fn report(capture: &Path, runs: usize, peer: Option<&str>) {
    let path = capture.to_str().expect("a path that can be shown");
    let mut runners = vec![
        Runner::new("wc -l", &["wc", "-l", path]),
        Runner::new("check", &[BINARY, "check", path]),
    ];
    if finds("taskset") {
        let command = ["taskset", "-c", "0", BINARY, "check", path];
        runners.push(Runner::new("check, one core", &command));
    }
    if let Some(peer) = peer {
        runners.push(Runner::new("peer", &["sh", "-c", peer]));
    }
    alternate(capture, &mut runners, runs);
    let cores = thread::available_parallelism().map_or(1, usize::from);
    println!("{path}: medians of {runs} alternating runs, {cores} cores");
    let base = runners.first().map_or(1.0, Runner::median);
    for runner in &runners {
        let (seconds, name) = (runner.median(), runner.name);
        println!("{seconds:>10.3} s  {:>7.2} x wc -l  {name}", seconds / base);
    }
    let median = |name| {
        runners
            .iter()
            .find(|runner| runner.name == name)
            .map(Runner::median)
    };
    if let (Some(all), Some(one)) = (median("check"), median("check, one core")) {
        println!("{:>10.2} x  faster than on one core", one / all);
    }
    if let (Some(check), Some(peer)) = (median("check"), median("peer")) {
        println!("{:>10.2} x  faster than the peer", peer / check);
    }
    memory(capture, &runners);
}

/// The peak of resident memory, whole and per line.
fn memory(capture: &Path, runners: &[Runner]) {
    let Some(check) = runners.iter().find(|runner| runner.name == "check") else {
        return;
    };
    let Some(bytes) = peak_bytes(check, capture) else {
        println!(
            "{:>10}    peak memory: neither GNU time nor /proc is here to tell",
            "?"
        );
        return;
    };
    let counted = Command::new("wc").arg("-l").arg(capture).output();
    let text = String::from_utf8(counted.expect("wc runs").stdout).expect("a count");
    let lines: u64 = text
        .split(' ')
        .next()
        .and_then(|word| word.parse().ok())
        .expect("a count");
    let megabytes = bytes / 1_000_000;
    println!(
        "{megabytes:>10} MB peak resident, {} bytes a record",
        bytes / lines.max(1)
    );
}

fn peak_bytes(runner: &Runner, capture: &Path) -> Option<u64> {
    let gnu_time = Path::new("/usr/bin/time");
    if gnu_time.exists() {
        let told = Path::new(env!("CARGO_TARGET_TMPDIR")).join("peak-kilobytes");
        let _ = fs::remove_file(&told);
        let mut command = Command::new(gnu_time);
        command.args([
            OsStr::new("-q"),
            OsStr::new("-f"),
            OsStr::new("%M"),
            OsStr::new("-o"),
        ]);
        command
            .arg(&told)
            .args(&runner.command)
            .stdout(Stdio::null());
        command.status().ok()?;
        let text = fs::read_to_string(told).unwrap_or_default();
        if let Ok(kilobytes) = text.trim().parse::<u64>() {
            return Some(1024 * kilobytes);
        }
    }
    // The kernel keeps the peak itself; the last look before the end is all but exact.
    let mut child = runner.command(capture).spawn().ok()?;
    let status = format!("/proc/{}/status", child.id());
    let mut peak = None;
    while child.try_wait().ok()?.is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|rest| rest.trim().strip_suffix(" kB")?.parse::<u64>().ok());
        peak = peak.max(kilobytes.map(|kilobytes| 1024 * kilobytes));
        thread::sleep(GLANCE);
    }
    peak
}

fn finds(program: &str) -> bool {
    Command::new(program)
        .arg("--version")
        .output()
        .is_ok_and(|output| output.status.success())
}
