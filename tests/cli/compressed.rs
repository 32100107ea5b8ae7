//! gzip and zstd: the same steps as from the plain capture, from files and pipes, and what is said
//! where the data end too early.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use flate2::write::GzEncoder;

use super::common::{Ran, event, first_of, folder_with, lines, replayscope, run_on, sample};

fn gzipped(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn zstded(text: &[u8]) -> Vec<u8> {
    zstd::encode_all(text, 3).unwrap()
}

fn piped(command: &str, bytes: &[u8]) -> Ran {
    let mut process = replayscope();
    process.args(command.split(' ')).arg("-").write_stdin(bytes);
    Ran::of(&process.output().unwrap())
}

#[test]
fn a_compressed_capture_gives_what_the_plain_one_gives() {
    let text = std::fs::read(sample("walkthrough.jsonl")).unwrap();
    let (_folder, plain) = folder_with("orders.jsonl", &text);
    for (bytes, how) in [(gzipped(&text), "gzip"), (zstded(&text), "zstd")] {
        // Told by the first bytes: the name says something else, or nothing.
        let (_folder, path) = folder_with("orders.jsonl", &bytes);
        let told = format!(", read from {how}\n");
        for command in ["trace", "trace --format jsonl", "check"] {
            let wanted = run_on(command, &plain, &[]);
            let shown = |ran: Ran, name: &Path| {
                assert_eq!(ran.code, wanted.code, "{}", ran.err);
                assert_eq!(ran.out.contains(&told), !command.ends_with("jsonl"));
                let name = name.display().to_string();
                ran.out
                    .replace(&told, "\n")
                    .replace(&format!("{name}: "), "")
            };
            let plain_name = format!("{}: ", plain.display());
            let wanted_out = wanted.out.replace(&plain_name, "");
            assert_eq!(shown(run_on(command, &path, &[]), &path), wanted_out);
            assert_eq!(shown(piped(command, &bytes), Path::new("-")), wanted_out);
        }
        for command in ["trace --format json", "check --format json"] {
            let mut wanted = run_on(command, &plain, &[]).json();
            let mut filed = run_on(command, &path, &[]).json();
            let mut streamed = piped(command, &bytes).json();
            for document in [&filed, &streamed] {
                let capture = &document["capture"];
                assert_eq!(capture["compression"], how);
                assert_eq!(capture["bytes"], bytes.len());
                assert_eq!(capture["decompressedBytes"], text.len());
                assert_eq!(capture["format"], "jsonl");
                assert_eq!(capture["records"], wanted["capture"]["records"]);
            }
            assert_eq!(filed["capture"]["sha256"], streamed["capture"]["sha256"]);
            assert_ne!(filed["capture"]["sha256"], wanted["capture"]["sha256"]);
            assert_eq!(wanted["capture"].get("compression"), None);
            for document in [&mut wanted, &mut filed, &mut streamed] {
                document["capture"].take();
            }
            assert_eq!(filed, wanted);
            assert_eq!(streamed, wanted);
        }
    }
}

#[test]
fn a_report_says_how_much_text_was_in_it() {
    let text = std::fs::read(sample("walkthrough.jsonl")).unwrap();
    let (_folder, path) = folder_with("orders.jsonl.gz", &gzipped(&text));
    let report = run_on("report", &path, &[]).expect(0).out;
    let told = format!("jsonl, {} bytes in gzip", text.len());
    assert!(report.contains(&told), "{report}");
}

#[test]
fn a_contract_lies_beside_a_compressed_capture_too() {
    let text = lines(&[event("a", 1, "accepted")]);
    let (folder, path) = folder_with("orders.jsonl.gz", &gzipped(text.as_bytes()));
    let contract = sample("contracts/consistency.json");
    std::fs::copy(contract, folder.path().join("orders.contract.json")).unwrap();
    let document = run_on("trace --format json", &path, &[]).expect(0).json();
    assert_ne!(document["contract"]["origin"], "built in");
    assert_eq!(document["counts"]["event-applied"], 1);
}

#[test]
fn what_comes_before_damage_is_shown_and_the_rest_is_told() {
    let text = lines(&(0..2000).map(first_of).collect::<Vec<_>>());
    for (bytes, how) in [
        (gzipped(text.as_bytes()), "gzip"),
        (zstded(text.as_bytes()), "zstd"),
    ] {
        let half = &bytes[..bytes.len() / 2];
        let (_folder, path) = folder_with("orders.jsonl.gz", half);
        let place = format!(
            "the {how} data are cut off (byte {} of the file)",
            half.len()
        );
        let filed = run_on("trace --format jsonl", &path, &[]).expect(2);
        assert!(filed.err.contains(&place), "{}", filed.err);
        let steps: Vec<&str> = filed.out.lines().collect();
        // zstd is read block by block.
        assert!(how == "zstd" || steps.len() > 500, "{}", steps.len());
        let line = steps.len();
        assert!(
            filed.err.contains(&format!("on line {line}")),
            "{}",
            filed.err
        );
        for step in steps.split_last().map_or(&[][..], |(_, whole)| whole) {
            assert!(step.contains("\"state\":\"event-applied\""), "{step}");
        }
        let streamed = piped("trace --format jsonl", half).expect(2);
        assert!(streamed.err.contains(&place), "{}", streamed.err);
        // A part of a capture does not pass for the whole.
        for command in ["check --format json", "trace --format json", "report"] {
            let ran = run_on(command, &path, &[]).expect(2);
            assert!(ran.err.contains(&place), "{}", ran.err);
            let way = "trace and check, both as text, and the inspector show what was read";
            assert!(ran.err.contains(way), "{}", ran.err);
            assert_eq!(ran.out, "", "{command}");
        }
        // A person is told what there is.
        let ran = run_on("check", &path, &[]).expect(2);
        assert!(ran.err.contains(&place), "{}", ran.err);
        assert!(
            ran.out.contains("the capture ends early here"),
            "{}",
            ran.out
        );
        let records = format!(": {line} records, {line} steps\n");
        assert!(ran.out.contains(&records), "{}", ran.out);
        assert!(ran.out.contains("-- evidence: 1 open"), "{}", ran.out);
    }
}

#[test]
fn whole_records_with_damage_behind_them_are_summed_up_and_are_no_success() {
    let text = lines(&(0..3).map(first_of).collect::<Vec<_>>());
    let mut bytes = gzipped(text.as_bytes());
    bytes.extend_from_slice(b"what is no gzip");
    let (_folder, path) = folder_with("orders.jsonl.gz", &bytes);
    let ran = run_on("check", &path, &[]).expect(2);
    assert!(ran.out.contains(": 3 records, 3 steps\n"), "{}", ran.out);
    assert!(
        ran.out.contains("the capture ends early here"),
        "{}",
        ran.out
    );
    // Nothing was read: there is nothing to sum up.
    let (_folder, path) = folder_with("orders.jsonl.gz", &bytes[..12]);
    let ran = run_on("check", &path, &[]).expect(2);
    assert_eq!(ran.out, "");
    let way = "show what was read";
    assert!(!ran.err.contains(way), "{}", ran.err);
}

#[test]
fn a_bomb_names_the_way_to_read_it_all_the_same() {
    let spaces = vec![b' '; 70 << 20];
    let (_folder, path) = folder_with("my orders.gz", &zstded(&spaces));
    let ran = run_on("check", &path, &[]).expect(2);
    assert!(ran.err.contains("expansion ratio"), "{}", ran.err);
    let way_out = format!("zstd -dc --long=31 < '{}' | replayscope -", path.display());
    assert!(ran.err.contains(&way_out), "{}", ran.err);
}

#[test]
fn a_full_disk_keeps_what_was_read_and_says_where_it_is_full() {
    let text = lines(&(0..2000).map(first_of).collect::<Vec<_>>());
    let (folder, path) = folder_with("orders.jsonl.gz", &gzipped(text.as_bytes()));
    // A limit on the size of files stands for the end of the disk.
    let script = "trap '' XFSZ; ulimit -f 512; exec \"$0\" trace --format jsonl \"$1\"";
    let limited = |capture: &Path, stdin: Stdio| {
        let output = Command::new("sh")
            .args(["-c", script, env!("CARGO_BIN_EXE_replayscope")])
            .arg(capture)
            .env("TMPDIR", folder.path())
            .stdin(stdin)
            .output()
            .unwrap();
        let ran = Ran::of(&output).expect(2);
        let room = format!("no more can be kept in {}", folder.path().display());
        assert!(ran.err.contains(&room), "{}", ran.err);
        assert!(ran.err.contains("set TMPDIR"), "{}", ran.err);
        assert!(ran.out.lines().count() > 100, "{}", ran.out);
    };
    limited(&path, Stdio::null());
    let plain = folder.path().join("orders.jsonl");
    std::fs::write(&plain, &text).unwrap();
    limited(Path::new("-"), std::fs::File::open(&plain).unwrap().into());
    limited(Path::new("-"), std::fs::File::open(&path).unwrap().into());
}

#[test]
fn steps_come_while_a_compressed_pipe_is_silent() {
    use std::io::{BufRead as _, BufReader};
    let mut process = Command::new(env!("CARGO_BIN_EXE_replayscope"))
        .args(["trace", "-", "--format", "jsonl"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut encoder = zstd::Encoder::new(process.stdin.take().unwrap(), 1).unwrap();
    let mut output = BufReader::new(process.stdout.take().unwrap());
    for version in 1..=3 {
        let id = format!("evt-{version}");
        let line = lines(&[event(&id, version, "accepted")]);
        encoder.write_all(line.as_bytes()).unwrap();
        encoder.flush().unwrap();
        let mut step = String::new();
        // Would wait for ever if the program waited for the end.
        output.read_line(&mut step).unwrap();
        assert!(step.contains(&id), "{step}");
    }
    drop(encoder.finish().unwrap());
    assert!(process.wait().unwrap().success());
}
