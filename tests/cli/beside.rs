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

#[test]
fn what_collects_logs_prints_lines_that_are_no_records() {
    let records: Vec<String> = (1..=2).map(|number| first_of(number).to_string()).collect();
    let wrap = |before: &str| {
        let lines = records.iter().map(|record| format!("{before}{record}\n"));
        lines.collect::<String>()
    };
    let lambda = wrap("2026-03-02T09:00:00.000Z\ta-b\tINFO\t");
    for (text, told) in [
        (
            format!(
                "Attaching to shop_orders_1\n{}shop_orders_1 exited with code 0\n\u{1b}[0m",
                wrap("\u{1b}[36morders_1  |\u{1b}[0m ")
            ),
            "3 lines are what a tool prints beside its records, and no records\n",
        ),
        (
            format!(
                "Attaching to orders-1\n{}orders-1 exited with code 137\n",
                wrap("orders-1  | ")
            ),
            "1 of them reports an error, line 4: orders-1 exited with code 137\n",
        ),
        (
            format!(
                "+ orders-6d9f-abcde › app\n{}- orders-6d9f-abcde › app\n",
                wrap("orders-6d9f-abcde app ")
            ),
            "2 lines are what a tool prints",
        ),
        (
            format!(
                "Defaulted container \"app\" out of: app, proxy\n{}unable to retrieve container logs for containerd://4f3a",
                wrap("2026-03-02T09:00:00.123456789Z ")
            ),
            "1 of them reports an error, line 4: unable to retrieve container logs",
        ),
        (
            format!(
                "START RequestId: a Version: $LATEST\n{lambda}END RequestId: a\nREPORT RequestId: a\tDuration: 2.1 ms\n"
            ),
            "3 lines are what a tool prints",
        ),
        (
            format!(
                "-- Logs begin at Mon 2026-03-02 09:00:00 UTC. --\n{}",
                wrap("")
            ),
            "1 line is what a tool prints",
        ),
    ] {
        let (_folder, path) = folder_with("orders.log", text.as_bytes());
        let ran = run_on("check", &path, &[]);
        assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
        assert!(ran.err.contains(told), "{text}: {}", ran.err);
        assert!(
            ran.out.contains(": 2 records, 2 steps"),
            "{text}: {}",
            ran.out
        );
    }
}
