//! Where a report is written to: a new file, whole or not at all, for its owner only.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use super::common::{Bench, conflict_and_gap};

#[test]
fn a_report_file_is_new_and_for_its_owner_only() {
    let bench = Bench::new(&conflict_and_gap());
    let path = bench.path("incident.md");
    let write = |more: &[&str]| {
        let mut options = vec!["--output", "incident.md"];
        options.extend(more);
        bench.run("report", &options)
    };
    let ran = write(&[]);
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "", ""));
    let mode = fs::metadata(&path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let first = fs::read_to_string(&path).unwrap();
    assert!(first.starts_with("# Incident report"), "{first}");

    let again = write(&["--format", "json"]);
    assert_eq!(again.code, 2);
    assert!(again.err.contains("--force replaces it"), "{}", again.err);
    assert_eq!(fs::read_to_string(&path).unwrap(), first);

    assert_eq!(write(&["--format", "json", "--force"]).code, 0);
    assert!(fs::read_to_string(&path).unwrap().starts_with('{'));
    assert_eq!(bench.names(), ["incident.md", "orders.jsonl"]);
}

#[test]
fn what_was_read_is_never_replaced() {
    let bench = Bench::new(&conflict_and_gap());
    bench.mark(3, replayscope::review::Disposition::Explained, "");
    symlink("orders.jsonl", bench.path("link")).unwrap();
    for name in [
        "orders.jsonl",
        "./orders.jsonl",
        "orders.jsonl.case.jsonl",
        "link",
        "/dev/null",
        ".",
    ] {
        let before = fs::read(bench.capture()).unwrap();
        let ran = bench.run("report", &["--force", "--output", name]);
        assert_eq!(ran.code, 2, "{name}");
        assert!(ran.err.contains("is not replaced"), "{name}: {}", ran.err);
        assert_eq!(fs::read(bench.capture()).unwrap(), before);
    }
    let nowhere = bench.run("report", &["--output", "no/such/folder/x.md"]);
    assert_eq!(nowhere.code, 2);
    assert!(
        nowhere.err.contains("no/such/folder/x.md"),
        "{}",
        nowhere.err
    );
    assert_eq!(
        bench.run("report", &["--force"]).code,
        2,
        "--force needs --output"
    );
}
