//! Memory in which one record's wrappers are taken off, and what is kept of the record.
//!
//! What was inside a wrapper is as long as the wrapper, and nearly all of it is never looked at again:
//! were it kept for as long as its chunk, it would drive the chunk out of the processor's caches.

use std::borrow::Cow;

use bumpalo::Bump;

use crate::model::{Body, Delivery, Record, Statement};

/// Memory for one record at a time.
#[derive(Debug, Default)]
pub(super) struct Desk {
    arena: Bump,
}

impl Clone for Desk {
    /// Another one: nothing on it outlives its record.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Desk {
    /// Ready for the next record.
    pub(super) fn cleared(&mut self) -> &Bump {
        self.arena.reset();
        &self.arena
    }
}

/// A record whose texts live in another arena.
#[inline]
pub(super) fn kept<'a>(record: Record<'_>, arena: &'a Bump) -> Record<'a> {
    let text = |text: Option<Cow<'_, str>>| {
        text.map(|text| match text {
            Cow::Borrowed(text) => Cow::Borrowed(&*arena.alloc_str(text)),
            Cow::Owned(text) => Cow::Owned(text),
        })
    };
    let body = match record.body {
        Body::Unreadable(why) => Body::Unreadable(why),
        Body::Delivery(delivery) => Body::Delivery(Delivery {
            aggregate_hash: delivery.aggregate_hash,
            source: text(delivery.source),
            id: text(delivery.id),
            aggregate: text(delivery.aggregate),
            version: delivery.version,
            key_hash: delivery.key_hash,
            content_hash: delivery.content_hash,
            passage: delivery.passage,
            state: text(delivery.state),
            findings: delivery.findings,
        }),
        Body::Statement(statement) => Body::Statement(Statement {
            source: text(statement.source),
            aggregate: text(statement.aggregate),
            word: text(statement.word),
            kind: statement.kind,
            version: statement.version,
            refused: statement.refused,
        }),
    };
    Record {
        received_at: record.received_at,
        body,
    }
}
