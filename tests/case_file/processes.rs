//! Real processes on a real disk: killed while they save, racing for one case, running out of space.
//!
//! The processes are this test program again, told by a variable to be [`child`]. kill -9 keeps what
//! the system had in memory, so this proves that acknowledgements come after writes; that they come
//! after syncs is what the played disk proves.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher as _, Hasher as _};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use replayscope::review::{Anchor, Condition, Disk, Disposition, MissingAnchor, Store};

use super::common::{ANNA, Capture, is_saved, open};

const CHILD_CASE: &str = "REPLAYSCOPE_TEST_CHILD_CASE";
const CHILD_NAME: &str = "REPLAYSCOPE_TEST_CHILD_NAME";
const ROUNDS: &str = "REPLAYSCOPE_TEST_KILLS";

fn anchor(name: &str, version: u64) -> Anchor {
    Anchor::Missing(MissingAnchor {
        source: "urn:test".into(),
        aggregate: name.into(),
        version,
    })
}

/// Marks until it is killed or nothing can be saved any more, and prints what was acknowledged.
#[test]
fn child() {
    let Some(path) = std::env::var_os(CHILD_CASE) else {
        return;
    };
    let name = std::env::var(CHILD_NAME).unwrap();
    let store: Arc<dyn Store> = Arc::new(Disk);
    let mut case = open(&store, Path::new(&path), &Capture::of(1));
    let note = "a note of some length ".repeat(20);
    let mut out = std::io::stdout();
    for version in 1.. {
        let anchor = anchor(&name, version);
        let outcome = case.mark(anchor, Disposition::ManualReview, &note, ANNA);
        if !is_saved(outcome.unwrap()) {
            let banner = case.banner().unwrap();
            writeln!(out, "refused {banner}").unwrap();
            return;
        }
        writeln!(out, "saved {version}").unwrap();
        out.flush().unwrap();
    }
}

/// Makes a command into the child.
fn as_child<'a>(command: &'a mut Command, path: &Path, name: &str) -> &'a mut Command {
    command
        .args(["--exact", "processes::child", "--nocapture"])
        .env(CHILD_CASE, path)
        .env(CHILD_NAME, name)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
}

fn start(path: &Path, name: &str) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    as_child(&mut command, path, name).spawn().unwrap()
}

/// The highest version that a line says was saved.
fn saved(line: &str) -> Option<u64> {
    line.split("saved ").nth(1)?.trim().parse().ok()
}

fn random_below(limit: u64) -> u64 {
    RandomState::new().build_hasher().finish() % limit
}

#[test]
fn kill_9_while_saving_loses_no_acknowledged_mark() {
    let rounds = std::env::var(ROUNDS).ok();
    let rounds = rounds.map_or(50, |rounds| rounds.parse::<u32>().unwrap());
    let store: Arc<dyn Store> = Arc::new(Disk);
    let capture = Capture::of(1);
    let mut folder = tempfile::tempdir().unwrap();
    let mut acknowledged = Vec::new();
    for round in 0..rounds {
        if round % 20 == 0 {
            folder = tempfile::tempdir().unwrap();
            acknowledged.clear();
        }
        let path = folder.path().join("case");
        let name = format!("round {round}");
        let mut child = start(&path, &name);
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut last = 0;
        let mut line = String::new();
        let wanted = random_below(12);
        while last < wanted {
            line.clear();
            assert_ne!(out.read_line(&mut line).unwrap(), 0, "it ended by itself");
            last = saved(&line).unwrap_or(last);
        }
        let moment = Instant::now() + Duration::from_micros(random_below(2_000));
        while Instant::now() < moment {
            std::hint::spin_loop();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        for line in out.lines() {
            last = saved(&line.unwrap()).unwrap_or(last);
        }
        acknowledged.push((name, last));
        let case = open(&store, &path, &capture);
        assert_eq!(*case.condition(), Condition::Saving, "round {round}");
        for (name, last) in &acknowledged {
            for version in 1..=*last {
                let mark = case.book().current(&anchor(name, version).key());
                assert!(mark.is_some(), "{name}: {version} of {last} is lost");
            }
        }
    }
    let total: u64 = acknowledged.iter().map(|(_, last)| last).sum();
    assert!(total > 0, "something was acknowledged");
}

#[test]
fn processes_that_race_for_one_case_lose_nothing_of_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let store: Arc<dyn Store> = Arc::new(Disk);
    for round in 0..5 {
        let path = folder.path().join(format!("case {round}"));
        let (sender, lines) = std::sync::mpsc::channel();
        let mut children = Vec::new();
        for name in ["a", "b", "c", "d"] {
            let mut child = start(&path, name);
            let out = BufReader::new(child.stdout.take().unwrap());
            let sender = sender.clone();
            std::thread::spawn(move || {
                for line in out.lines() {
                    sender.send((name, line.unwrap())).unwrap();
                }
            });
            children.push(child);
        }
        drop(sender);
        // One of them becomes the writer; the others end, saying that they could not save.
        let mut refused = 0;
        let mut promises = Vec::new();
        for (name, line) in lines {
            refused += usize::from(line.contains("has this case open"));
            if let Some(version) = saved(&line) {
                promises.push(anchor(name, version).key());
            }
            if refused == 3 && !promises.is_empty() {
                for child in &mut children {
                    child.kill().unwrap();
                }
            }
        }
        for child in &mut children {
            child.wait().unwrap();
        }
        assert_eq!(refused, 3, "the others said who could");
        let case = open(&store, &path, &Capture::of(1));
        assert_eq!(*case.condition(), Condition::Saving);
        assert!(
            promises
                .iter()
                .all(|key| case.book().current(key).is_some())
        );
    }
}

#[cfg(unix)]
#[test]
fn a_full_disk_keeps_what_was_acknowledged_and_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("case");
    // A limit on the size of files stands in for the end of the disk.
    let script = "trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$@\"";
    let mut shell = Command::new("sh");
    shell
        .args(["-c", script])
        .arg(std::env::current_exe().unwrap());
    let output = as_child(&mut shell, &path, "full").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let last = text.lines().filter_map(saved).max().unwrap();
    assert!(last >= 2, "{text}");
    assert!(
        text.contains("refused not saved: the case file cannot be written (File too large"),
        "{text}"
    );

    let store: Arc<dyn Store> = Arc::new(Disk);
    let mut case = open(&store, &path, &Capture::of(1));
    assert_eq!(*case.condition(), Condition::Saving);
    assert_eq!(case.notices().len(), 1, "a torn line");
    for version in 1..=last {
        let key = anchor("full", version).key();
        assert!(case.book().current(&key).is_some());
    }
    let outcome = case.mark(anchor("full", 0), Disposition::Explained, "", ANNA);
    assert!(is_saved(outcome.unwrap()), "there is space again");
}
