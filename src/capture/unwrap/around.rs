//! What the wrappers around an event say of its delivery.

use std::borrow::Cow;

use super::{MOST_WRAPPERS, decode};
use crate::model::Instant;

/// What the wrappers said. Where several say the same, the one nearest to the event counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Around<'a> {
    /// The wrappers that were taken off, outermost first.
    pub path: Path,
    received_at: Option<Instant>,
    received_as: Option<(&'a str, Clock)>,
    /// Which delivery of the same message it was, as the wrapper spells it.
    pub attempt: Option<&'a str>,
    /// Topic, queue, stream or subscription.
    pub channel: Option<Cow<'a, str>>,
    /// Partition or shard.
    pub partition: Option<Cow<'a, str>>,
    /// Offset or sequence number, in its own spelling: some have 56 digits.
    pub offset: Option<Cow<'a, str>>,
    /// The message's key.
    pub key: Option<Cow<'a, str>>,
    /// Headers in their order, names as they are spelled.
    pub headers: Vec<Header<'a>>,
    /// What a person should know of the wrappers, in words.
    pub remarks: Vec<&'static str>,
}

/// How a text says when something was received.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Clock {
    /// Milliseconds since 1970.
    Millis,
    /// RFC 3339.
    Timestamp,
}

/// The moment that a text means.
pub(super) fn read_clock((text, clock): (&str, Clock)) -> Option<Instant> {
    match clock {
        Clock::Millis => decode::millis(text),
        Clock::Timestamp => Instant::parse(text),
    }
}

/// One header; a value may be null.
pub type Header<'a> = (Cow<'a, str>, Option<Cow<'a, str>>);

/// Names of wrappers, outermost first, and of what was inside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Path {
    names: [&'static str; MOST_WRAPPERS + 1],
    length: usize,
}

impl Path {
    pub(super) fn push(&mut self, name: &'static str) {
        if let Some(place) = self.names.get_mut(self.length) {
            *place = name;
            self.length += 1;
        }
    }

    /// How many were taken off.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether none was.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The names, outermost first.
    pub fn names(&self) -> &[&'static str] {
        self.names.get(..self.length).unwrap_or_default()
    }
}

impl<'a> Around<'a> {
    /// When the delivery was received, or as near to that as a wrapper knows.
    pub fn received_at(&self) -> Option<Instant> {
        self.received_as.and_then(read_clock).or(self.received_at)
    }

    /// Notes when it was received; a wrapper further out is nearer to the log than to the event, so
    /// the innermost one that knows it counts.
    pub(super) fn received(&mut self, at: Option<Instant>) {
        self.received_at = at.or_else(|| self.received_at());
        self.received_as = None;
    }

    /// The same in the wrapper's own words, which are only read where the event has none.
    pub(super) fn received_as(&mut self, text: &'a str, clock: Clock) {
        self.received_at = self.received_at();
        self.received_as = Some((text, clock));
    }
}
