//! What the figures were measured on.

use std::fs;
use std::process::Command;
use std::thread;

/// Cores that this process may use.
pub(crate) fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// One sentence for beside the tables.
pub(crate) fn description(runs: usize) -> String {
    let cpu = line_of("/proc/cpuinfo", "model name").unwrap_or_else(|| "an unknown CPU".to_owned());
    let memory = line_of("/proc/meminfo", "MemTotal").and_then(|text| {
        let kilobytes: u64 = text.strip_suffix(" kB")?.trim().parse().ok()?;
        Some(format!("{} GB", (kilobytes + 500_000) / 1_000_000))
    });
    let memory = memory.unwrap_or_else(|| "unknown memory".to_owned());
    let kernel = output("uname", &["-sr"]);
    let rustc = output("rustc", &["--version"]);
    let date = output("date", &["-u", "+%Y-%m-%d"]);
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().unwrap_or("?");
    format!(
        "Measured {date} on {cpu}, {} cores, {memory}, {kernel}, {rustc}; load before it {load}; \
         medians of {runs} alternating runs, page cache warm.",
        cores()
    )
}

fn line_of(path: &str, name: &str) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn output(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output();
    let text = output.map(|output| output.stdout).unwrap_or_default();
    String::from_utf8_lossy(&text).trim().to_owned()
}
