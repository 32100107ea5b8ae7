//! The whole measurement: this program and its peers on the reference captures, whether they agree,
//! and every promise with what was measured, as tables for the README.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::keys;
use crate::machine;
use crate::measure::{BINARY, Runner, anonymous_peak, finds, in_turn, with};
use crate::wrapped;

const PEERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/bench/peers");
const CHECK: &str = "replayscope check";
const ONE: &str = "replayscope check, one core";
const WC: &str = "wc -l";
const SETS: &str = "DuckDB, whole job as sets";

/// What to measure.
pub(crate) struct Options {
    /// Where the captures are; those that are not there are made.
    pub(crate) folder: PathBuf,
    pub(crate) runs: usize,
    /// Ten million deliveries too.
    pub(crate) large: bool,
    /// The build from clean, too.
    pub(crate) build: bool,
}

/// One promise and what was measured.
struct Row {
    what: String,
    goal: &'static str,
    measured: String,
}

/// Measures everything and prints it as Markdown.
pub(crate) fn report(options: &Options, make: impl Fn(u64, &Path)) {
    fs::create_dir_all(&options.folder).expect("a folder for the captures");
    let mut sizes = vec![100_000, 1_000_000];
    if options.large {
        sizes.push(10_000_000);
    }
    let captures: BTreeMap<u64, PathBuf> = sizes
        .into_iter()
        .map(|deliveries| {
            let path = options.folder.join(format!("reference-{deliveries}.jsonl"));
            if !path.exists() || !truth_of(&path).exists() {
                make(deliveries, &path);
            }
            (deliveries, path)
        })
        .collect();
    println!("\n{}\n", machine::description(options.runs));
    for (deliveries, path) in &captures {
        agree(*deliveries, path);
    }
    let mut rows = Vec::new();
    if let Some(path) = captures.get(&1_000_000) {
        rows.extend(against_peers(path, options.runs));
    }
    rows.extend(memory(&captures));
    rows.extend(sizes_compared(&captures, options.runs));
    rows.extend(compressed(&captures, options));
    rows.extend(wrapped_lines(&captures, options.runs));
    if options.build {
        rows.push(build());
    }
    rows.push(binary());
    println!("\n| what | goal | measured |\n|---|---|---|");
    for row in rows {
        println!("| {} | {} | {} |", row.what, row.goal, row.measured);
    }
    if let Some((_, path)) = captures.last_key_value() {
        println!();
        keys::report(path);
    }
}

fn truth_of(path: &Path) -> PathBuf {
    let mut truth = path.as_os_str().to_owned();
    truth.push(".truth.tsv");
    truth.into()
}

/// How many steps came to each state.
type Counts = BTreeMap<String, u64>;

fn truth(path: &Path) -> Counts {
    let text = fs::read_to_string(truth_of(path)).expect("the truth");
    let mut counts = Counts::new();
    for line in text.lines() {
        let mut columns = line.split('\t').skip(1);
        let state = columns.next().expect("a state");
        let released = columns.nth(1).filter(|released| *released != "-");
        let replays = released
            .into_iter()
            .flat_map(|released| released.split(','));
        let replays = replays.filter_map(|replay| Some(replay.split_once(':')?.1));
        for state in replays.chain([state]) {
            if let Some(count) = counts.get_mut(state) {
                *count += 1;
            } else {
                counts.insert(state.to_owned(), 1);
            }
        }
    }
    counts
}

/// The counts that the program prints.
fn counted(path: &Path) -> Counts {
    let mut command = Command::new(BINARY);
    command.args(["check", "--format", "json"]).arg(path);
    let output = command.output().expect("check runs");
    let text = String::from_utf8(output.stdout).expect("check prints text");
    let summary: serde_json::Value = serde_json::from_str(&text).expect("check prints JSON");
    let counts = summary.get("counts").and_then(|counts| counts.as_object());
    let counts = counts.expect("the counts").iter();
    counts
        .map(|(state, count)| (state.clone(), count.as_u64().expect("a count")))
        .collect()
}

/// What a peer prints: a count, a tab and a state a line.
fn printed(runner: &Runner, path: &Path) -> Option<Counts> {
    let output = runner.command(path).stdout(Stdio::piped()).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let counts = text.lines().map(|line| {
        let (count, state) = line.split_once('\t')?;
        Some((state.to_owned(), count.parse().ok()?))
    });
    counts.collect()
}

/// Whoever does the whole job comes to the same counts as the truth.
fn agree(deliveries: u64, path: &Path) {
    let truth = truth(path);
    let check = counted(path);
    assert_eq!(check, truth, "{}: check against the truth", path.display());
    let mut agreeing = vec!["replayscope".to_owned()];
    // At ten million a peer of the whole job takes minutes, or more memory than there is.
    let peers = if deliveries > 1_000_000 {
        Vec::new()
    } else {
        whole_job_peers()
    };
    for peer in peers {
        let counts = printed(&peer, path);
        assert_eq!(
            counts.as_ref(),
            Some(&truth),
            "{}: {}",
            path.display(),
            peer.name
        );
        agreeing.push(peer.name.clone());
    }
    let (records, steps) = (deliveries, truth.values().sum::<u64>());
    println!(
        "{records} deliveries, {steps} steps: the counts by state are those of the truth for {}.",
        agreeing.join("; ")
    );
}

/// The peers that are here and do all of it: envelope, schema, dedup, order, deferral, replay.
fn whole_job_peers() -> Vec<Runner> {
    let mut peers = Vec::new();
    let job = format!("{PEERS}/whole_job.py");
    if let Ok(python) = env::var("BENCH_PYTHON") {
        let imports = |module: &str| {
            let module = format!("import {module}");
            let mut command = Command::new(&python);
            let status = command.args(["-c", &module]).stderr(Stdio::null()).status();
            status.is_ok_and(|status| status.success())
        };
        if imports("duckdb") {
            peers.push(Runner::new(SETS, &[&python, &job, "sets"]).on_capture());
        }
        if imports("orjson") {
            let name = "Python and orjson, whole job";
            peers.push(Runner::new(name, &[&python, &job, "loop"]).on_capture());
        }
    }
    if finds("jq") && finds_awk() {
        let pipeline = format!(
            "jq -r -f '{PEERS}/whole_job.jq' \"$CAPTURE\" | awk -f '{PEERS}/whole_job.awk'"
        );
        peers.push(Runner::new(
            "jq and awk, whole job",
            &["sh", "-c", &pipeline],
        ));
    }
    peers
}

fn finds_awk() -> bool {
    let mut awk = Command::new("awk");
    awk.arg("BEGIN { exit 0 }").status().is_ok()
}

fn against_peers(path: &Path, runs: usize) -> Vec<Row> {
    let mut runners = vec![
        Runner::new(WC, &["wc", "-l"]).on_capture(),
        Runner::new(CHECK, &[BINARY, "check"]).on_capture(),
        Runner::new(
            "replayscope check --contract event-contract",
            &[BINARY, "check", "--contract", "event-contract"],
        )
        .on_capture(),
    ];
    if finds("taskset") {
        let one = ["taskset", "-c", "0", BINARY, "check"];
        let two = ["taskset", "-c", "0,1", BINARY, "check"];
        runners.push(Runner::new(ONE, &one).on_capture());
        if machine::cores() > 2 {
            runners.push(Runner::new("replayscope check, two cores", &two).on_capture());
        }
    }
    runners.extend(whole_job_peers());
    if finds("lnav") {
        let lnav = ["lnav", "-n", "-q", "-c", ":quit"];
        runners.push(Runner::new("lnav, index only", &lnav).on_capture());
    }
    in_turn(&mut runners, path, runs);
    let median = |name: &str| {
        let mut named = runners.iter().filter(|runner| runner.name == name);
        named.next().map(Runner::median)
    };
    let wc = median(WC).unwrap_or(1.0);
    let check = median(CHECK).unwrap_or(1.0);
    println!("\n| 1,000,000 deliveries | seconds | x `wc -l` | x replayscope |\n|---|---|---|---|");
    for runner in &runners {
        let seconds = runner.median();
        let (name, of_wc, of_check) = (&runner.name, seconds / wc, seconds / check);
        println!("| {name} | {seconds:.3} | {of_wc:.1} | {of_check:.2} |");
    }
    let row = |what: &str, goal, measured| Row {
        what: what.to_owned(),
        goal,
        measured,
    };
    let mut rows = vec![row(
        "`check` against `wc -l`",
        "<= 8 x, then <= 5 x",
        format!("{:.1} x", check / wc),
    )];
    if let Some(sets) = median(SETS) {
        let measured = format!("{:.1} x", sets / check);
        rows.push(row(
            "`check` against DuckDB",
            ">= 4 x faster, then >= 6 x",
            measured,
        ));
    }
    let two = median("replayscope check, two cores").unwrap_or(check);
    if let (Some(one), true) = (median(ONE), machine::cores() > 1) {
        let measured = format!("{:.2} x", one / two);
        rows.push(row("two cores against one", ">= 1.7 x", measured));
    }
    if let Some(hashed) = median("replayscope check --contract event-contract") {
        let measured = format!("{:.2} x", hashed / check);
        rows.push(row(
            "`event-contract` against `consistency`",
            "<= 1.5 x",
            measured,
        ));
    }
    rows
}

/// Anonymous memory, which the page cache is no part of.
fn memory(captures: &BTreeMap<u64, PathBuf>) -> Vec<Row> {
    let large = captures
        .iter()
        .filter(|(deliveries, _)| **deliveries >= 1_000_000);
    let rows = large.filter_map(|(deliveries, path)| {
        let check = Runner::new(CHECK, &[BINARY, "check"]).on_capture();
        let peak = anonymous_peak(&check, path)?;
        Some(Row {
            what: format!("memory of `check` at {deliveries}: peak of RssAnon, seen each ms"),
            goal: "<= 120 bytes a record",
            measured: format!(
                "{} bytes a record, {} MB",
                peak / deliveries,
                peak / 1_000_000
            ),
        })
    });
    rows.collect()
}

#[expect(clippy::cast_precision_loss, reason = "a count of deliveries")]
fn sizes_compared(captures: &BTreeMap<u64, PathBuf>, runs: usize) -> Option<Row> {
    let costs: Vec<(u64, f64)> = captures
        .iter()
        .map(|(deliveries, path)| {
            let mut runners = [Runner::new(CHECK, &[BINARY, "check"]).on_capture()];
            in_turn(&mut runners, path, runs);
            let [check] = &runners;
            (*deliveries, 1e9 * check.median() / *deliveries as f64)
        })
        .collect();
    let each = costs
        .iter()
        .map(|(deliveries, cost)| format!("{cost:.0} ns at {deliveries}"));
    let each: Vec<String> = each.collect();
    let ratio = costs.last()?.1 / costs.first()?.1;
    Some(Row {
        what: "cost a record by size".to_owned(),
        goal: "<= 1.5 x from 100 thousand to 10 million",
        measured: format!("{}: {ratio:.2} x", each.join(", ")),
    })
}

/// Compressed captures against the tool that only decodes them.
fn compressed(captures: &BTreeMap<u64, PathBuf>, options: &Options) -> Vec<Row> {
    let Some(path) = captures.get(&1_000_000) else {
        return Vec::new();
    };
    let mut rows = Vec::new();
    for (tool, ending) in [("gzip", "gz"), ("zstd", "zst")] {
        if !finds(tool) {
            println!("{tool} is not here: captures compressed by it are left out.");
            continue;
        }
        let packed = with(path, ending);
        if !packed.exists() {
            let script = format!("{tool} -3 -c < \"$CAPTURE\" > '{}'", packed.display());
            Runner::new(tool, &["sh", "-c", &script]).run(path);
        }
        let check = Runner::new(CHECK, &[BINARY, "check"]).on_capture();
        if !check.works(&packed) {
            println!("This build does not open .{ending}: left out.");
            continue;
        }
        let decode = Runner::new(tool, &[tool, "-dc"]).on_capture();
        let mut runners = [check, decode];
        in_turn(&mut runners, &packed, options.runs);
        let [check, decode] = &runners;
        let (check, decode) = (check.median(), decode.median());
        rows.push(Row {
            what: format!("`check` of a .{ending}, against `{tool} -dc`"),
            goal: "<= 1.3 x of decoding alone",
            measured: format!("{:.2} x ({check:.3} s, {decode:.3} s)", check / decode),
        });
    }
    rows
}

/// Wrapped captures against the same deliveries bare, after a look at whether they come to the same.
fn wrapped_lines(captures: &BTreeMap<u64, PathBuf>, runs: usize) -> Vec<Row> {
    let Some(path) = captures.get(&1_000_000) else {
        return Vec::new();
    };
    for (tool, name) in wrapped::TOOLS {
        let counts = counted(&wrapped::make(path, tool));
        assert_eq!(counts, truth(path), "{name}: check against the truth");
    }
    let rows = wrapped::compared(path, runs).into_iter();
    rows.map(|(name, ratio, [seconds, bare])| Row {
        what: format!("`check` of {name} lines, against the same deliveries bare"),
        goal: "<= 1.5 x",
        measured: format!("{ratio:.2} x ({seconds:.3} s, {bare:.3} s)"),
    })
    .collect()
}

/// A release build from clean, in a folder of its own.
fn build() -> Row {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("clean-build");
    let _ = fs::remove_dir_all(&target);
    let mut cargo = Command::new("cargo");
    cargo
        .args(["build", "--release", "--locked", "--target-dir"])
        .arg(&target);
    cargo.current_dir(env!("CARGO_MANIFEST_DIR"));
    let begun = Instant::now();
    let status = cargo.status().expect("cargo runs");
    assert!(status.success(), "the build failed");
    let seconds = begun.elapsed().as_secs_f64();
    let _ = fs::remove_dir_all(&target);
    Row {
        what: "`cargo build --release` from clean".to_owned(),
        goal: "<= 180 s on 2 cores",
        measured: format!("{seconds:.0} s"),
    }
}

fn binary() -> Row {
    let bytes = fs::metadata(BINARY).map_or(0, |facts| facts.len());
    Row {
        what: "the binary".to_owned(),
        goal: "<= 12 MB",
        measured: format!("{}.{} MB", bytes / 1_000_000, bytes / 100_000 % 10),
    }
}
