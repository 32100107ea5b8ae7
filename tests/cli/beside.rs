//! Lines that tools print beside their records are no records, and that is said.

use super::common::{first_of, folder_with, lines, run_on};

#[test]
fn lines_beside_the_records_are_counted_and_told() {
    let records = lines(&[first_of(1), first_of(2)]);
    let text = format!("% Auto-selecting Consumer mode (use -P or -C to override)\n{records}^C\n");
    let (_folder, path) = folder_with("orders.jsonl", text.as_bytes());
    for (command, format) in [
        ("trace", "table"),
        ("trace", "jsonl"),
        ("trace", "json"),
        ("check", "text"),
        ("check", "json"),
    ] {
        let ran = run_on(command, &path, &["--format", format]);
        assert_eq!(ran.code, 0, "{command} {format}: {}", ran.err);
        assert!(
            ran.err.contains("2 lines are what a tool prints"),
            "{command} {format}: {}",
            ran.err
        );
        if format == "json" {
            let capture = &ran.json()["capture"];
            assert_eq!(
                (&capture["records"], &capture["noiseLines"]),
                (&2.into(), &2.into())
            );
        }
    }
}

#[test]
fn without_any_nothing_is_said() {
    let (_folder, path) = folder_with("orders.jsonl", lines(&[first_of(1)]).as_bytes());
    let ran = run_on("trace", &path, &["--format", "json"]).expect(0);
    assert_eq!(ran.json()["capture"].get("noiseLines"), None);
}

#[test]
fn a_line_that_reports_an_error_is_told_apart() {
    let records = lines(&[first_of(1), first_of(2)]);
    let error = "% ERROR: Topic orders [0] error: Broker: \u{1b}[2J or partition";
    let text =
        format!("% Auto-selecting Consumer mode (use -P or -C to override)\n{records}{error}\n");
    let (_folder, path) = folder_with("orders.jsonl", text.as_bytes());
    let shown = error.replace('\u{1b}', "\\u{1b}");
    let told = format!("1 of them reports an error, line 4: {shown}");
    let ran = run_on("check", &path, &[]);
    assert!(ran.err.contains(&told), "{}", ran.err);
    let ran = run_on("trace", &path, &["--explain-format"]);
    assert!(ran.out.contains(&told), "{}", ran.out);
}
