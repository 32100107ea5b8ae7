//! Runs over bytes that are not in a file, everything that they print, and what may stand on a
//! terminal.

use std::io::Cursor;

use replayscope::capture::Input;
use replayscope::contract::{LoadedContract, load};
use replayscope::engine::BaselinePolicy;
use replayscope::export::{self, Prefix, Table};
use replayscope::model::{RecordNo, StepNo};
use replayscope::session::{Facts, Reader, Run};
use serde_json::Value;

use crate::support::hostile::naughty_strings;

/// A built-in contract.
pub(crate) fn built_in(name: &str) -> LoadedContract {
    load(Some(name), None).unwrap()
}

/// A contract by its JSON.
pub(crate) fn contract(value: &Value) -> LoadedContract {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), value.to_string()).unwrap();
    let loaded = load(file.path().to_str(), None);
    loaded.unwrap_or_else(|error| panic!("{error}\n{value}"))
}

/// A finished run over these bytes. Bytes can be refused as a whole, which is told by the run.
pub(crate) fn run(bytes: &[u8], contract: &LoadedContract) -> Run {
    let input = Input::stream("capture", Box::new(Cursor::new(bytes.to_vec()))).unwrap();
    let run = Run::new(input, contract.clone(), BaselinePolicy::None);
    run.load(1);
    run
}

/// What a run prints.
pub(crate) struct Printed {
    /// The table with its end.
    pub(crate) table: String,
    /// The trace document as printed.
    pub(crate) json: String,
    /// The same, read.
    pub(crate) document: Value,
}

pub(crate) fn print(run: &Run) -> Printed {
    print_as_of(run, run.history().last_step())
}

pub(crate) fn print_as_of(run: &Run, at: StepNo) -> Printed {
    let history = run.history();
    let reader = Reader::new(run);
    let prefix = Prefix {
        history: &history,
        reader: &reader,
        at,
        closed: &|_| false,
    };
    let mut json = Vec::new();
    let facts = Facts::of(run, "capture").unwrap();
    prefix.write_trace(&facts, &mut json).unwrap();
    Printed {
        table: table(&prefix),
        document: serde_json::from_slice(&json).unwrap(),
        json: String::from_utf8(json).unwrap(),
    }
}

/// The table of a run, which need not have read its capture to the end.
pub(crate) fn print_table(run: &Run) -> String {
    let history = run.history();
    let reader = Reader::new(run);
    table(&Prefix {
        history: &history,
        reader: &reader,
        at: history.last_step(),
        closed: &|_| false,
    })
}

fn table(prefix: &Prefix<'_>) -> String {
    let paint = |_, words: &str| words.to_owned();
    let mut table = Table::new(&paint);
    let mut text = Vec::new();
    table.write_head(&mut text).unwrap();
    for step in (1..=prefix.at.0).map(StepNo) {
        table.write_row(prefix, step, &mut text).unwrap();
    }
    table.write_foot(&mut text).unwrap();
    export::write_summary(prefix, &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

/// The bytes of every record, in order.
pub(crate) fn records(run: &Run) -> Vec<Vec<u8>> {
    let history = run.history();
    let reader = Reader::new(run);
    (1..=history.last_record().0)
        .map(|number| {
            let place = history.place(RecordNo(number)).unwrap();
            reader.bytes(place).unwrap()
        })
        .collect()
}

/// Fails if a text could steer a terminal, or hides or reorders something.
pub(crate) fn assert_harmless(text: &str, about: &str) {
    let harmful = |character: &char| {
        let code = u32::from(*character);
        let bidi = matches!(code, 0x61c | 0x200e | 0x200f | 0x202a..=0x202e | 0x2066..=0x2069);
        let invisible = matches!(
            code,
            0xad | 0x34f | 0x115f | 0x1160 | 0x17b4 | 0x17b5 | 0x180b..=0x180f | 0x200b..=0x200d
                | 0x2028 | 0x2029 | 0x2060..=0x206f | 0x2800 | 0x3164 | 0xfe00..=0xfe0f | 0xfeff
                | 0xffa0 | 0xfff9..=0xfffb | 0xe0000..=0xe0fff
        );
        // White space other than a space cannot be told from it.
        let blank = character.is_whitespace() && *character != ' ';
        *character != '\n' && (character.is_control() || bidi || invisible || blank)
    };
    if let Some(found) = text.chars().find(harmful) {
        panic!("{about}: {found:?} in {text:?}");
    }
}

/// The naughty strings, with some that try to look like others or like this program's own words.
pub(crate) fn strings() -> Vec<String> {
    let own = [
        "a",
        "a ",
        " a",
        "a\u{a0}",
        "a\u{3000}",
        "\u{1b}[2J",
        "\\u{1b}[2J",
        "\\\\u{1b}[2J",
        "a\tb",
        "a\\tb",
        "a\nb",
        "a\\nb",
        "a\r\nb",
        "\u{e9}",
        "e\u{301}",
        "\u{212b}",
        "\u{c5}",
        "A\u{30a}",
        "\u{202e}txet",
        "txet",
        "a\u{200b}b",
        "ab",
        "\u{feff}ab",
        "\u{9b}31m",
        "evt, first r1",
        "evt  [no-baseline]",
        "[no-baseline]",
        "?",
        "\"",
        "\"\"",
        "a\" b",
        "a b",
        "x: y -> z",
        "x -> y",
        "r1",
        "\u{0}",
        "\\0",
        "\u{7f}",
        "\u{fffd}",
        "\u{1f1e6}\u{1f1e7}",
        "\u{ac00}",
        "\u{1100}\u{1161}",
        "\u{ff21}",
        "A",
        "null",
        "1",
        "a\u{308}\u{323}",
        "a\u{323}\u{308}",
        "-- waits: 9 aggregates --",
        "\u{e000}",
        "\u{10ffff}",
    ];
    let mut strings: Vec<String> = own.iter().map(|text| (*text).to_owned()).collect();
    strings.extend(naughty_strings().unwrap_or_default());
    strings.sort();
    strings.dedup();
    strings
}

/// Notes what a text was shown as, and fails if another text was shown as the same.
#[derive(Default)]
pub(crate) struct Shown(std::collections::BTreeMap<String, String>);

impl Shown {
    pub(crate) fn note(&mut self, text: &str, shown: String) {
        if let Some(other) = self.0.get(&shown) {
            assert_eq!(other, text, "both are shown as:\n{shown}");
        }
        self.0.insert(shown, text.to_owned());
    }
}
