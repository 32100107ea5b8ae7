//! The owner's side: `order`, `refusal` and `baseline` (contract.md, "The owner's side").

use super::take::{filled, unsigned};
use super::tape::Doc;
use crate::model::{Kind, ReasonId, Statement, reason};

/// The members of one kind of statement, and what is said where they are missing.
struct Members {
    source: Option<ReasonId>,
    aggregate: (&'static str, ReasonId),
    version: (&'static str, ReasonId),
    word: (&'static str, ReasonId),
}

fn members(kind: Kind) -> Members {
    match kind {
        Kind::Refusal => Members {
            source: None,
            aggregate: ("orderId", reason::MISSING_ORDER_ID),
            version: ("orderVersion", reason::MISSING_ORDER_VERSION),
            word: ("reason", reason::MISSING_REASON),
        },
        Kind::Baseline => Members {
            source: Some(reason::MISSING_SOURCE),
            aggregate: ("aggregate", reason::MISSING_AGGREGATE),
            version: ("version", reason::MISSING_VERSION),
            word: ("state", reason::MISSING_STATE),
        },
        Kind::Order | Kind::Delivery | Kind::Replay | Kind::Unreadable => Members {
            source: None,
            aggregate: ("id", reason::MISSING_ID),
            version: ("version", reason::MISSING_VERSION),
            word: ("status", reason::MISSING_STATUS),
        },
    }
}

/// Takes a statement apart. Only missing, empty and mistyped members are refused here, the first in
/// the order of the contract's page: an order's status stands before its version, a refusal's reason
/// and a baseline's state behind it.
pub(super) fn statement<'a>(doc: Doc<'a, '_>, kind: Kind, body: usize) -> Statement<'a> {
    let members = members(kind);
    let source = members.source.and_then(|_| filled(doc, body, "source"));
    let aggregate = filled(doc, body, members.aggregate.0);
    let version = unsigned(doc, body, members.version.0);
    let word = filled(doc, body, members.word.0);
    let no_source = members.source.filter(|_| source.is_none());
    let no_aggregate = aggregate.is_none().then_some(members.aggregate.1);
    let no_version = version.is_none().then_some(members.version.1);
    let no_word = word.is_none().then_some(members.word.1);
    let refused = no_source.or(no_aggregate).or(if kind == Kind::Order {
        no_word.or(no_version)
    } else {
        no_version.or(no_word)
    });
    Statement {
        kind,
        source,
        aggregate,
        version,
        word,
        refused,
    }
}
