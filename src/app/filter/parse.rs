//! Text to tests. Whatever is typed is either read whole, or the first place that cannot be read is
//! named with what was expected there.

use crate::model::reason::Vocabulary;
use crate::model::{FindingCode, Instant, ReasonId, State};
use crate::text::time::TimeOfDay;

use super::super::class::Class;
use super::{BytesTest, Filter, Mistake, Pattern, Term, Test, When};

/// What stands before a colon.
pub(super) const KEYS: [&str; 9] = [
    "state",
    "reason",
    "aggregate",
    "id",
    "source",
    "type",
    "finding",
    "after",
    "before",
];

/// What stands alone.
pub(super) const FLAGS: [&str; 3] = ["marked", "open", "waiting"];

/// A character with where it stands, and whether quotes make it plain text.
#[derive(Clone, Copy)]
struct Letter {
    character: char,
    at: usize,
    is_quoted: bool,
}

/// Letters up to the next space, with where they begin and end.
struct Token {
    letters: Vec<Letter>,
    start: usize,
    end: usize,
}

/// Reads what was typed. Nothing but spaces is a filter that shows everything.
pub(in crate::app) fn parse(text: &str, reasons: &Vocabulary) -> Result<Filter, Mistake> {
    let mut terms = Vec::new();
    for token in tokens(text)? {
        terms.push(term(&token, reasons)?);
    }
    Ok(Filter { terms })
}

fn tokens(text: &str) -> Result<Vec<Token>, Mistake> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut open: Option<Token> = None;
    let mut quote: Option<usize> = None;
    for (at, character) in text.chars().enumerate() {
        if quote.is_none() && character.is_whitespace() {
            tokens.extend(open.take());
            continue;
        }
        let token = open.get_or_insert_with(|| Token {
            letters: Vec::new(),
            start: at,
            end: at,
        });
        token.end = at + 1;
        if character == '"' {
            quote = match quote {
                Some(_) => None,
                None => Some(at),
            };
        } else {
            token.letters.push(Letter {
                character,
                at,
                is_quoted: quote.is_some(),
            });
        }
    }
    if let Some(at) = quote {
        return Err(expected(at, "a closing \" after this one"));
    }
    tokens.extend(open);
    Ok(tokens)
}

fn expected(at: usize, what: impl Into<String>) -> Mistake {
    Mistake {
        at,
        expected: what.into(),
    }
}

fn term(token: &Token, reasons: &Vocabulary) -> Result<Term, Mistake> {
    let is_sign = |letter: &Letter, sign: char| letter.character == sign && !letter.is_quoted;
    let (is_negated, letters) = match token.letters.split_first() {
        Some((first, rest)) if is_sign(first, '-') => (true, rest),
        _ => (false, token.letters.as_slice()),
    };
    if letters.is_empty() {
        let what = if is_negated {
            "what must not be there, after -"
        } else {
            "a word between the quotes"
        };
        return Err(expected(token.start, what));
    }
    let colon = letters.iter().position(|letter| is_sign(letter, ':'));
    let test = match colon {
        Some(colon) => {
            let (key, value) = letters.split_at(colon);
            keyed(key, value.get(1..).unwrap_or_default(), token, reasons)?
        }
        None => word(letters),
    };
    Ok(Term { is_negated, test })
}

fn text_of(letters: &[Letter]) -> String {
    letters.iter().map(|letter| letter.character).collect()
}

fn word(letters: &[Letter]) -> Test {
    let text = text_of(letters);
    let is_quoted = letters.iter().any(|letter| letter.is_quoted);
    match text.as_str() {
        "marked" if !is_quoted => Test::Marked,
        "open" if !is_quoted => Test::Open,
        "waiting" if !is_quoted => Test::Waiting,
        _ => Test::Bytes(BytesTest::Word(text)),
    }
}

fn keyed(
    key: &[Letter],
    value: &[Letter],
    token: &Token,
    reasons: &Vocabulary,
) -> Result<Test, Mistake> {
    let start = key.first().map_or(token.start, |letter| letter.at);
    let value_at = value.first().map_or(token.end, |letter| letter.at);
    let one_of = |what: &str| names(value, value_at, what);
    Ok(match text_of(key).as_str() {
        "state" => Test::State(known(&one_of("a state")?, STATES, states)?),
        "reason" => {
            let found = |name: &[Letter]| reasons_named(name, reasons);
            Test::Reason(known(&one_of("a reason")?, REASONS, found)?)
        }
        "finding" => Test::Finding(known(&one_of("a finding")?, FINDINGS, findings)?),
        "aggregate" => Test::Aggregate(patterns(&one_of("an aggregate's or order's id")?)),
        "id" => Test::Bytes(BytesTest::Id(patterns(&one_of("an event's id")?))),
        "source" => Test::Bytes(BytesTest::Source(patterns(&one_of("a source")?))),
        "type" => Test::Bytes(BytesTest::Type(patterns(&one_of("an event type")?))),
        "after" => Test::Bytes(BytesTest::After(when(value, value_at)?)),
        "before" => Test::Bytes(BytesTest::Before(when(value, value_at)?)),
        other => return Err(expected(start, unknown_key(other))),
    })
}

/// What to type in place of an unknown key: the one that is likely meant comes first.
fn unknown_key(key: &str) -> String {
    let meant = match key {
        "status" | "outcome" | "result" | "is" => Some("state"),
        "order" | "orderId" | "order-id" | "subject" => Some("aggregate"),
        "code" | "conflict" => Some("finding"),
        "why" | "error" | "cause" => Some("reason"),
        "event" | "kind" => Some("type"),
        "time" | "since" | "from" => Some("after"),
        "until" | "to" => Some("before"),
        _ => None,
    };
    let known = KEYS.join(", ");
    match meant {
        Some(meant) => format!("{meant}: here, or quotes around it for plain text"),
        None => format!("one of {known} before the colon; \"quotes\" make it plain text"),
    }
}

const STATES: &str = "a state: deferred, applied, ... (Tab)";
const REASONS: &str = "a reason of this contract (Tab)";
const FINDINGS: &str = "a finding's code (Tab)";

/// What commas separate; each must be there.
fn names(value: &[Letter], at: usize, what: &str) -> Result<Vec<Vec<Letter>>, Mistake> {
    let mut names = Vec::new();
    let mut at = at;
    for name in value.split(|letter| letter.character == ',' && !letter.is_quoted) {
        match name.last() {
            // Behind it stands a comma, or the end.
            Some(last) => at = last.at + 2,
            None => return Err(expected(at, format!("{what} here"))),
        }
        names.push(name.to_vec());
    }
    Ok(names)
}

fn pattern(name: &[Letter]) -> Pattern {
    let letters: Vec<(char, bool)> = name
        .iter()
        .map(|letter| (letter.character, letter.is_quoted))
        .collect();
    Pattern::of(&letters)
}

fn patterns(names: &[Vec<Letter>]) -> Vec<Pattern> {
    names.iter().map(|name| pattern(name)).collect()
}

/// All that the names stand for; a name that stands for nothing is a mistake.
fn known<T: PartialEq>(
    names: &[Vec<Letter>],
    what: &str,
    find: impl Fn(&[Letter]) -> Vec<T>,
) -> Result<Vec<T>, Mistake> {
    let mut all = Vec::new();
    for name in names {
        let found = find(name);
        if found.is_empty() {
            let at = name.first().map_or(0, |letter| letter.at);
            return Err(expected(at, what));
        }
        for one in found {
            if !all.contains(&one) {
                all.push(one);
            }
        }
    }
    Ok(all)
}

/// Whether a name is meant: by its full name, the beginning of it, or a pattern.
fn is_meant(typed: &[Letter], name: &str) -> bool {
    let pattern = pattern(typed);
    match pattern.exact() {
        Some(start) => name.starts_with(start),
        None => pattern.fits(name),
    }
}

fn states(typed: &[Letter]) -> Vec<State> {
    let text = text_of(typed);
    let exact: Vec<State> = State::ALL
        .into_iter()
        .filter(|state| state.name() == text)
        .collect();
    if !exact.is_empty() {
        return exact;
    }
    let is_meant = |state: &State| {
        is_meant(typed, state.name()) || Class::of(*state).word().starts_with(&text)
    };
    State::ALL.into_iter().filter(is_meant).collect()
}

fn reasons_named(typed: &[Letter], reasons: &Vocabulary) -> Vec<ReasonId> {
    let exact = reasons.find(&text_of(typed));
    let by_start = || {
        let meant = reasons.names().filter(|(_, name)| is_meant(typed, name));
        meant.map(|(id, _)| id).collect()
    };
    exact.map_or_else(by_start, |id| vec![id])
}

fn findings(typed: &[Letter]) -> Vec<FindingCode> {
    let codes = FindingCode::ALL.iter().copied();
    codes.filter(|code| is_meant(typed, code.name())).collect()
}

fn when(value: &[Letter], at: usize) -> Result<When, Mistake> {
    let text = text_of(value);
    let of_day = TimeOfDay::parse(&text).map(When::OfDay);
    let moment = || Instant::parse(&text).map(When::At);
    of_day.or_else(moment).ok_or_else(|| {
        expected(
            at,
            "a time as 09:00 or 09:00:05, or a moment as 2026-03-02T09:00:05Z",
        )
    })
}
