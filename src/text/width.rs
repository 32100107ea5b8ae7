//! Fitting safe text into cells: clipped with a sign that something is missing, padded, or wrapped
//! without losing anything. A grapheme or an escape is never cut in two where a line can hold it.

use super::safe::{Safe, Unit};

/// The text where it fits into `cells`, else its beginning and `ellipsis` (which counts). Where not
/// even the ellipsis fits, as much of that as does.
pub fn clip(text: &Safe, cells: usize, ellipsis: &Safe) -> Safe {
    if text.cells() <= cells {
        return text.clone();
    }
    let Some(room) = cells.checked_sub(ellipsis.cells()) else {
        return beginning(ellipsis, cells);
    };
    let mut clipped = beginning(text, room);
    clipped.push(ellipsis);
    clipped
}

/// The text where it fits into `cells`, else its beginning and its end around `ellipsis`: ids often
/// differ at the end.
pub fn clip_middle(text: &Safe, cells: usize, ellipsis: &Safe) -> Safe {
    if text.cells() <= cells {
        return text.clone();
    }
    let Some(room) = cells.checked_sub(ellipsis.cells()) else {
        return beginning(ellipsis, cells);
    };
    let tail_cells = room / 2;
    let mut clipped = beginning(text, room - tail_cells);
    clipped.push(ellipsis);
    let units: Vec<Unit<'_>> = text.units().collect();
    let mut used = 0;
    let fitting = units.iter().rev().take_while(|unit| {
        used += unit.cells;
        used <= tail_cells
    });
    let skipped = units.len() - fitting.count();
    for unit in units.into_iter().skip(skipped) {
        clipped.push_unit(unit);
    }
    clipped
}

/// The text and spaces up to `cells`; longer text stays as it is.
pub fn pad(text: &Safe, cells: usize) -> Safe {
    let mut padded = text.clone();
    padded.push(&spaces(cells.saturating_sub(text.cells())));
    padded
}

/// Spaces up to `cells` and the text, so that numbers end in one column.
pub fn pad_start(text: &Safe, cells: usize) -> Safe {
    let mut padded = spaces(cells.saturating_sub(text.cells()));
    padded.push(text);
    padded
}

/// Exactly `cells` cells: clipped or padded.
pub fn fit(text: &Safe, cells: usize, ellipsis: &Safe) -> Safe {
    pad(&clip(text, cells, ellipsis), cells)
}

/// Lines of at most `cells` cells, broken after spaces where that is possible. Joined, the lines are
/// the text again. A wide character in a single cell, and anything where `cells` is 0, overflows:
/// whoever draws clips. No text is one empty line.
pub fn wrap(text: &Safe, cells: usize) -> Vec<Safe> {
    if text.cells() <= cells || cells == 0 {
        return vec![text.clone()];
    }
    let mut wrapper = Wrapper {
        cells,
        lines: Vec::new(),
        line: Safe::default(),
    };
    let units: Vec<Unit<'_>> = text.units().collect();
    for word in units.split_inclusive(|unit| unit.text == " ") {
        wrapper.word(word);
    }
    wrapper.lines.push(wrapper.line);
    wrapper.lines
}

struct Wrapper {
    cells: usize,
    lines: Vec<Safe>,
    line: Safe,
}

impl Wrapper {
    /// A word and the space that follows it; the space may hang over to the next line.
    fn word(&mut self, word: &[Unit<'_>]) {
        let visible = word.iter().filter(|unit| unit.text != " ");
        let needed: usize = visible.map(|unit| unit.cells).sum();
        if self.line.cells() + needed > self.cells && needed <= self.cells {
            self.end_line();
        }
        for unit in word {
            self.unit(*unit);
        }
    }

    fn unit(&mut self, unit: Unit<'_>) {
        if self.line.cells() + unit.cells > self.cells {
            self.end_line();
        }
        if unit.escaped && unit.cells > self.cells {
            // An escape is longer than the line: its characters are all one cell wide.
            for (start, character) in unit.text.char_indices() {
                let text = unit.text.get(start..start + character.len_utf8());
                self.unit(Unit {
                    text: text.unwrap_or_default(),
                    cells: 1,
                    escaped: true,
                });
            }
        } else {
            self.line.push_unit(unit);
        }
    }

    fn end_line(&mut self) {
        if !self.line.is_empty() {
            self.lines.push(std::mem::take(&mut self.line));
        }
    }
}

fn beginning(text: &Safe, cells: usize) -> Safe {
    let mut beginning = Safe::default();
    for unit in text.units() {
        if beginning.cells() + unit.cells > cells {
            break;
        }
        beginning.push_unit(unit);
    }
    beginning
}

fn spaces(cells: usize) -> Safe {
    Safe::own(" ".repeat(cells))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn value(text: &str) -> Safe {
        Safe::value(text)
    }

    fn dots() -> Safe {
        Safe::own("…")
    }

    fn wrapped(text: &str, cells: usize) -> Vec<String> {
        let lines = wrap(&value(text), cells);
        lines.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn clipping_says_that_something_is_missing() {
        assert_eq!(clip(&value("evt-417-2"), 9, &dots()).as_str(), "evt-417-2");
        assert_eq!(clip(&value("evt-417-2"), 6, &dots()).as_str(), "evt-4…");
        assert_eq!(clip(&value("注文注文"), 6, &dots()).as_str(), "注文…");
        assert_eq!(clip(&value("a\tbc"), 3, &dots()).as_str(), "a…");
        assert_eq!(clip(&value("abc"), 1, &dots()).as_str(), "…");
        assert_eq!(clip(&value("abc"), 0, &dots()).as_str(), "");
        assert_eq!(clip(&value("abc"), 1, &Safe::own("..")).as_str(), ".");
    }

    #[test]
    fn an_id_keeps_its_end() {
        let id = value("urn:checkout:orders:evt-417-2");
        assert_eq!(clip_middle(&id, 12, &dots()).as_str(), "urn:ch…417-2");
        assert_eq!(clip_middle(&id, 1, &dots()).as_str(), "…");
        assert_eq!(
            clip_middle(&value("注文注文"), 5, &dots()).as_str(),
            "注…文"
        );
    }

    #[test]
    fn padding_counts_cells() {
        assert_eq!(pad(&value("注"), 4).as_str(), "注  ");
        assert_eq!(pad_start(&value("12"), 4).as_str(), "  12");
        assert_eq!(pad(&value("long"), 2).as_str(), "long");
        assert_eq!(fit(&value("注文"), 2, &dots()).as_str(), "… ");
    }

    #[test]
    fn lines_break_after_spaces() {
        assert_eq!(
            wrapped("owner-status version-mismatch", 16),
            ["owner-status ", "version-mismatch"]
        );
        assert_eq!(wrapped("aaaa bb", 4), ["aaaa", " bb"]);
        assert_eq!(wrapped("aaaaaa", 4), ["aaaa", "aa"]);
        assert_eq!(wrapped("", 4), [""]);
        assert_eq!(wrapped("ab", 0), ["ab"]);
        assert_eq!(wrapped("a\u{200b}b", 8), ["a", "\\u{200b}", "b"]);
        assert_eq!(wrapped("\u{200b}", 5), ["\\u{20", "0b}"]);
        assert_eq!(wrapped("a注b", 1), ["a", "注", "b"]);
    }

    proptest! {
        #[test]
        fn wrapping_loses_nothing(text in "[a-c 注\t\u{200b}]{0,40}", cells in 1usize..12) {
            let safe = Safe::value(&text);
            let lines = wrap(&safe, cells);
            let mut joined = String::new();
            for line in &lines {
                joined.push_str(line.as_str());
                prop_assert!(line.cells() <= cells.max(2), "{:?}", line);
                let measured: usize = line.units().map(|unit| unit.cells).sum();
                prop_assert_eq!(line.cells(), measured);
            }
            prop_assert_eq!(joined.as_str(), safe.as_str());
        }

        #[test]
        fn clipping_fits(text in any::<String>(), cells in 0usize..12) {
            let safe = Safe::value(&text);
            prop_assert!(clip(&safe, cells, &dots()).cells() <= cells);
            prop_assert!(clip_middle(&safe, cells, &dots()).cells() <= cells);
            prop_assert_eq!(fit(&safe, cells, &dots()).cells(), cells);
        }
    }
}
