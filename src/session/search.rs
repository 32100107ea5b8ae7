//! Searching the records of a run, on a thread of its own: it tells how far it is, and can be
//! cancelled at any record.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use memchr::memmem::Finder;

use super::reader::Reader;
use super::run::Run;
use crate::capture::tape::{Doc, NodeKind};
use crate::capture::{json, tape};
use crate::model::{Instant, Place, RecordNo};

/// Records that are looked at between two looks at the history.
const BATCH_RECORDS: u32 = 1_024;

/// What is looked for.
#[derive(Clone, Debug)]
pub enum Wanted {
    /// A text, in the record's source or in one of its strings once decoded. Without capital letters
    /// it is found whatever the case of ASCII letters.
    Text(String),
    /// A record received (or else dated) at this moment or later.
    From(Instant),
}

/// What a search came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchNews {
    /// It has looked at everything up to this record.
    At(RecordNo),
    /// The next record that has it.
    Found(RecordNo),
    /// There is none in this direction.
    Nothing,
}

/// A search under way; dropping it cancels it.
#[derive(Debug)]
pub struct Search {
    stop: Arc<AtomicBool>,
    news: Receiver<SearchNews>,
}

impl Search {
    /// Starts to search behind (or before) a record.
    pub fn start(run: &'static Run, wanted: Wanted, from: RecordNo, forward: bool) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let (sender, news) = channel();
        let seeker = Seeker {
            run,
            matcher: Matcher::new(wanted),
            stop: stop.clone(),
            sender,
        };
        std::thread::spawn(move || seeker.seek(from, forward));
        Self { stop, news }
    }

    /// What has come of it since the last question; the last piece only while it is under way.
    pub fn news(&self) -> Option<SearchNews> {
        let mut last = None;
        for news in self.news.try_iter() {
            last = Some(news);
        }
        last
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Release);
    }
}

struct Seeker {
    run: &'static Run,
    matcher: Matcher,
    stop: Arc<AtomicBool>,
    sender: Sender<SearchNews>,
}

impl Seeker {
    fn seek(mut self, from: RecordNo, forward: bool) {
        let reader = Reader::new(self.run);
        let mut at = from;
        while !self.stop.load(Ordering::Acquire) {
            let places = self.places(at, forward);
            let Some((last, _)) = places.last().copied() else {
                if forward && !self.run.progress().is_finished {
                    let seen = self.run.history().last_step();
                    self.run.wait(seen, Duration::from_millis(100));
                    continue;
                }
                self.tell(SearchNews::Nothing);
                return;
            };
            for (record, place) in places {
                if self.stop.load(Ordering::Acquire) {
                    return;
                }
                let bytes = reader.bytes(place).unwrap_or_default();
                if self.matcher.is_in(&bytes, &reader) {
                    self.tell(SearchNews::Found(record));
                    return;
                }
            }
            at = last;
            self.tell(SearchNews::At(at));
        }
    }

    /// The next records in this direction, and where they lie.
    fn places(&self, at: RecordNo, forward: bool) -> Vec<(RecordNo, Place)> {
        let history = self.run.history();
        let last = history.last_record().0;
        let numbers: Vec<u32> = if forward {
            let end = at.0.saturating_add(BATCH_RECORDS).min(last);
            (at.0.saturating_add(1)..=end).collect()
        } else {
            let start = at.0.saturating_sub(BATCH_RECORDS).max(1);
            (start..at.0).rev().collect()
        };
        let place = |number| Some((RecordNo(number), history.place(RecordNo(number))?));
        numbers.into_iter().filter_map(place).collect()
    }

    /// Nobody listens any more once the search is dropped, and that is all right.
    fn tell(&self, news: SearchNews) {
        let _ = self.sender.send(news);
    }
}

pub(super) struct Matcher {
    wanted: Wanted,
    finder: Finder<'static>,
    folds: bool,
    folded: Vec<u8>,
    nodes: Vec<tape::Node>,
}

impl Matcher {
    fn new(wanted: Wanted) -> Self {
        let needle = match &wanted {
            Wanted::Text(text) => text.clone(),
            Wanted::From(_) => String::new(),
        };
        Self {
            folds: !needle.bytes().any(|byte| byte.is_ascii_uppercase()),
            finder: Finder::new(&needle).into_owned(),
            wanted,
            folded: Vec::new(),
            nodes: Vec::new(),
        }
    }

    /// A matcher of a text.
    pub(super) fn text(text: String) -> Self {
        Self::new(Wanted::Text(text))
    }

    fn is_in(&mut self, bytes: &[u8], reader: &Reader<'_>) -> bool {
        if let Wanted::From(moment) = self.wanted {
            return reader.time_of(bytes).is_some_and(|time| time >= moment);
        }
        self.is_in_bytes(bytes)
    }

    /// Whether the text stands in these bytes, or in one of their strings once decoded.
    pub(super) fn is_in_bytes(&mut self, bytes: &[u8]) -> bool {
        self.contains(bytes) || (bytes.contains(&b'\\') && self.is_in_a_string(bytes))
    }

    fn contains(&mut self, bytes: &[u8]) -> bool {
        if !self.folds {
            return self.finder.find(bytes).is_some();
        }
        self.folded.clear();
        self.folded.extend(bytes.iter().map(u8::to_ascii_lowercase));
        self.finder.find(&self.folded).is_some()
    }

    /// Strings with escapes are compared decoded.
    fn is_in_a_string(&mut self, bytes: &[u8]) -> bool {
        let Ok(text) = std::str::from_utf8(bytes) else {
            return false;
        };
        let mut nodes = std::mem::take(&mut self.nodes);
        nodes.clear();
        let mut found = false;
        if json::read(text, json::MAX_DEPTH, &mut nodes).is_ok() {
            let doc = Doc::new(text, &nodes);
            found = nodes
                .iter()
                .filter(|node| node.kind == NodeKind::String && node.escaped)
                .any(|node| self.contains(doc.decoded(node).as_bytes()));
        }
        self.nodes = nodes;
        found
    }
}
