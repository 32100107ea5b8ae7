//! Exit codes, help, and colour.

use super::common::{event, folder_with, lines, replayscope, run, run_on, sample};

/// Every command that `--help` lists, with those below it.
fn commands(path: &[String]) -> Vec<Vec<String>> {
    let mut arguments: Vec<&str> = path.iter().map(String::as_str).collect();
    arguments.push("--help");
    let help = run(&arguments).expect(0).out;
    let mut found = vec![path.to_vec()];
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    for line in listed.take_while(|line| !line.trim().is_empty()) {
        // A long description goes on further to the right.
        let Some(name) = line
            .strip_prefix("  ")
            .filter(|rest| !rest.starts_with(' '))
        else {
            continue;
        };
        let name = name.split(' ').next().unwrap();
        if name != "help" {
            let mut below = path.to_vec();
            below.push(name.to_owned());
            found.extend(commands(&below));
        }
    }
    found
}

#[test]
fn every_command_has_help_with_examples() {
    let commands = commands(&[]);
    assert!(commands.len() >= 7, "{commands:?}");
    for command in commands {
        let mut arguments: Vec<&str> = command.iter().map(String::as_str).collect();
        arguments.push("--help");
        let help = run(&arguments).expect(0).out;
        let name = ["replayscope", &command.join(" ")].join(" ");
        let examples = help.split("Examples:\n").nth(1);
        let examples = examples.unwrap_or_else(|| panic!("{name} has no examples:\n{help}"));
        assert!(
            examples.contains(&format!("  {}", name.trim_end())),
            "{name}: {examples}"
        );
        for line in help.lines() {
            assert!(line.chars().count() <= 100, "{name}: {line}");
        }
    }
}

#[test]
fn the_version_is_the_packages() {
    let out = run(&["--version"]).expect(0).out;
    assert_eq!(out, format!("replayscope {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn usage_errors_are_two_and_name_what_they_are_about() {
    for (arguments, named) in [
        (&["trace"][..], "<CAPTURE>"),
        (&["trace", "a", "b"], "a: no such file"),
        (&["trace", "a", "-"], "stands alone"),
        (&["contract", "check", "a", "b"], "'b'"),
        (&["trace", "a", "--order", "time"], "position"),
        (&["trace", "a", "--format", "xml"], "jsonl"),
        (&["trace", "a", "--at", "-1"], "-1"),
        (&["trace", "a", "--at", "x"], "x"),
        (&["check", "a", "--baseline", "guess"], "first-seen"),
        (&["check", "a", "--color", "blue"], "always"),
        (&["contract"], "Usage"),
        (&["--no-such-option"], "--no-such-option"),
    ] {
        let ran = run(arguments).expect(2);
        assert_eq!(ran.out, "", "{arguments:?}");
        assert!(ran.err.contains(named), "{arguments:?}: {}", ran.err);
    }
}

#[test]
fn check_says_one_while_evidence_is_open_and_zero_without() {
    let open = run_on("check", &sample("consistency.jsonl"), &[]).expect(1);
    assert!(
        open.out.contains("-- evidence: 2 open, 1 resolved --"),
        "{}",
        open.out
    );
    assert!(
        open.out
            .contains("action-against-gate (event-applied): step 16"),
        "{}",
        open.out
    );
    let json = run_on("check", &sample("consistency.jsonl"), &["--format", "json"]).expect(1);
    assert_eq!(
        json.json()["evidence"],
        serde_json::json!({"open": 2, "resolved": 1})
    );

    let quiet = lines(&[event("a", 1, "accepted"), event("b", 3, "reserved")]);
    let (_folder, path) = folder_with("orders.jsonl", quiet.as_bytes());
    run_on("check", &path, &[]).expect(1);
    let closed = lines(&[
        event("a", 1, "accepted"),
        event("b", 3, "reserved"),
        event("c", 2, "paid"),
        event("a", 1, "accepted"),
    ]);
    let (_folder, path) = folder_with("orders.jsonl", closed.as_bytes());
    let ran = run_on("check", &path, &[]).expect(0);
    assert!(
        ran.out.contains("-- evidence: 0 open, 1 resolved --"),
        "{}",
        ran.out
    );
    assert_eq!(
        run_on("check", &path, &["--format", "json"])
            .expect(0)
            .json()["evidence"]["open"],
        0
    );
}

#[test]
fn an_empty_capture_is_no_error() {
    for bytes in [&b""[..], b"\n\n", b"[]\n"] {
        let (_folder, path) = folder_with("orders.json", bytes);
        let ran = run_on("check", &path, &[]).expect(0);
        assert!(ran.out.contains("0 records, 0 steps"), "{}", ran.out);
        assert!(ran.out.contains("nothing was checked"), "{}", ran.out);
        let document = run_on("trace", &path, &["--format", "json"])
            .expect(0)
            .json();
        assert_eq!(document["steps"], serde_json::json!([]));
        assert_eq!(document["capture"]["records"], 0);
        run_on("trace", &path, &["--at", "0"]).expect(0);
    }
}

#[test]
fn colour_is_asked_for_or_not_there() {
    let path = sample("three-inputs.jsonl");
    let traced = |options: &[&str], variables: &[(&str, &str)]| {
        let mut command = replayscope();
        command.arg("trace").arg(&path).args(options);
        command.envs(variables.iter().copied());
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    };
    let plain = traced(&[], &[]);
    assert!(!plain.contains('\u{1b}'), "a pipe is no terminal: {plain}");
    assert_eq!(plain, traced(&["--color", "never"], &[]));
    assert_eq!(plain, traced(&[], &[("NO_COLOR", "1")]));
    let coloured = traced(&["--color", "always"], &[]);
    assert!(
        coloured.contains("\u{1b}[32mevent-applied\u{1b}[0m"),
        "{coloured}"
    );
    // What is asked for on the line itself comes before the surroundings.
    assert_eq!(
        coloured,
        traced(&["--color", "always"], &[("NO_COLOR", "1")])
    );
    // Colour adds nothing else.
    let bare: String = coloured
        .split('\u{1b}')
        .enumerate()
        .map(|(index, part)| {
            let part = if index == 0 {
                part
            } else {
                part.split_once('m').unwrap().1
            };
            part.to_owned()
        })
        .collect();
    assert_eq!(bare, plain);
}

#[test]
fn only_an_option_before_a_command_is_told_where_it_stands() {
    let told = "the options of a command stand behind it";
    for (arguments, expected) in [
        ("--strict check --strict orders.jsonl", true),
        ("--strict check orders.jsonl --format json", true),
        ("check orders.jsonl --reverse --order position", false),
        ("--reverse --order position orders.jsonl", false),
        ("orders.jsonl --formt json", false),
    ] {
        let ran = run(&arguments.split(' ').collect::<Vec<_>>());
        assert_eq!(ran.code, 2, "{arguments}: {}", ran.err);
        assert_eq!(ran.err.contains(told), expected, "{arguments}: {}", ran.err);
    }
}
