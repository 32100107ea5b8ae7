//! The nearest match is found, in either direction, whatever thread finds another first.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::*;
use crate::session::sweep::tests::run_over;

/// Ten thousand records, of which each hundredth has the word.
fn capture() -> &'static Run {
    let record = |number: u32| {
        let word = if number.is_multiple_of(100) {
            "here"
        } else {
            "-"
        };
        let second = number / 200;
        let (minute, second) = (second / 60, second % 60);
        format!(
            "{{\"receivedAt\":\"2026-03-02T09:{minute:02}:{second:02}Z\",\"event\":{{\"id\":\"{word}\"}}}}\n"
        )
    };
    run_over(&(1..=10_000).map(record).collect::<String>())
}

fn found(run: &'static Run, wanted: Wanted, from: u32, forward: bool) -> SearchNews {
    let search = Search::start(run, wanted, RecordNo(from), forward);
    loop {
        match search.news.recv().unwrap() {
            SearchNews::At(_) => {}
            news @ (SearchNews::Found(_) | SearchNews::Nothing) => return news,
        }
    }
}

#[test]
fn the_nearest_match_is_found() {
    let run = capture();
    let text = |text: &str| Wanted::Text(text.to_owned());
    for (from, after, before) in [
        (0, 100, None),
        (100, 200, None),
        (4_999, 5_000, Some(4_900)),
    ] {
        let news = found(run, text("here"), from, true);
        assert_eq!(news, SearchNews::Found(RecordNo(after)));
        let news = found(run, text("here"), from, false);
        let nearest = before.map_or(SearchNews::Nothing, |record| {
            SearchNews::Found(RecordNo(record))
        });
        assert_eq!(news, nearest);
    }
    let last = found(run, text("HERE"), 0, true);
    assert_eq!(last, SearchNews::Nothing);
    let last = found(run, text("here"), 10_001, false);
    assert_eq!(last, SearchNews::Found(RecordNo(10_000)));
    let last = found(run, text("here"), 10_000, true);
    assert_eq!(last, SearchNews::Nothing);
}

#[test]
fn the_first_record_of_a_time_is_found() {
    let run = capture();
    let at = |text: &str| Wanted::From(Instant::parse(text).unwrap());
    let ten_seconds = found(run, at("2026-03-02T09:00:10Z"), 0, true);
    assert_eq!(ten_seconds, SearchNews::Found(RecordNo(2_000)));
    let later = found(run, at("2026-03-02T10:00:00Z"), 0, true);
    assert_eq!(later, SearchNews::Nothing);
    let first = found(run, at("2026-03-01T00:00:00Z"), 0, true);
    assert_eq!(first, SearchNews::Found(RecordNo(1)));
}
