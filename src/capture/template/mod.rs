//! The template that was given to `kcat -f`: what a record of its output is made of (kcat's
//! `format.c`, `fmt_parse` and `fmt_add`).
//!
//! ```text
//! %t [%p] @ %o %T|%h|%K:%k|%S:%s\n     tokens, texts between them, \n \r \t \xNN \NNN, %% for %
//! ```
//!
//! kcat escapes nothing, so a template only tells records apart where something stands behind every
//! token: a text, or a length before it (`%S` and `%R` of the payload, `%K` of the key). Whoever gives
//! one that cannot be used is told before anything is read, with the column.

mod escapes;
mod fit;

use std::fmt;

pub(in crate::capture) use fit::{Fit, Value};

/// kcat takes no more parts (`KC_FMT_MAX_SIZE`).
const MOST_PARTS: usize = 128;

/// A template that can be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    parts: Vec<Part>,
}

/// Why a template cannot be used, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateError {
    /// Characters before that place, plus one.
    pub column: usize,
    /// What is wrong, in words.
    pub why: String,
}

impl std::error::Error for TemplateError {}

impl fmt::Display for TemplateError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "column {}: {}", self.column, self.why)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Part {
    what: What,
    column: usize,
    /// What to say of a record in which it is not found.
    missed: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum What {
    Text(Vec<u8>),
    Token(Token),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    Topic,
    Partition,
    Offset,
    Time,
    Key,
    KeyLength,
    Headers,
    Payload,
    PayloadLength,
    BinaryLength,
}

impl Token {
    fn of(letter: char) -> Option<Self> {
        Some(match letter {
            't' => Self::Topic,
            'p' => Self::Partition,
            'o' => Self::Offset,
            'T' => Self::Time,
            'k' => Self::Key,
            'K' => Self::KeyLength,
            'h' => Self::Headers,
            's' => Self::Payload,
            'S' => Self::PayloadLength,
            'R' => Self::BinaryLength,
            _ => return None,
        })
    }

    fn name(self) -> &'static str {
        match self {
            Self::Topic => "%t",
            Self::Partition => "%p",
            Self::Offset => "%o",
            Self::Time => "%T",
            Self::Key => "%k",
            Self::KeyLength => "%K",
            Self::Headers => "%h",
            Self::Payload => "%s",
            Self::PayloadLength => "%S",
            Self::BinaryLength => "%R",
        }
    }

    /// What stands there, in words.
    fn words(self) -> &'static str {
        match self {
            Self::Topic => "a topic",
            Self::Partition | Self::Offset | Self::Time => "a number",
            Self::Key => "a key",
            Self::Headers => "headers",
            Self::Payload => "a payload",
            Self::KeyLength | Self::PayloadLength => "a length",
            Self::BinaryLength => "a length of four bytes",
        }
    }

    fn is_number(self) -> bool {
        matches!(
            self,
            Self::Partition | Self::Offset | Self::Time | Self::KeyLength | Self::PayloadLength
        )
    }
}

impl Template {
    /// Reads a template as kcat does. Errors: kcat would refuse it, or its records could not be told
    /// apart again.
    pub fn parse(text: &str) -> Result<Self, TemplateError> {
        let mut template = Self {
            parts: parts(text)?,
        };
        template.turn();
        template.check(text)?;
        template.note_what_is_missed();
        Ok(template)
    }

    /// Line ends at the template's beginning stand behind the record before as well: there they end it.
    fn turn(&mut self) {
        let Some(Part {
            what: What::Text(first),
            ..
        }) = self.parts.first_mut()
        else {
            return;
        };
        let ends = first.iter().take_while(|byte| b"\r\n".contains(byte));
        let ends = ends.count();
        if ends == 0 {
            return;
        }
        first.drain(..ends);
        if first.is_empty() {
            self.parts.remove(0);
        }
        let is_ended = matches!(
            self.parts.last(),
            Some(Part {
                what: What::Text(_),
                ..
            })
        );
        if !is_ended {
            self.parts.push(Part::new(What::Text(b"\n".to_vec()), 1));
        }
    }

    fn check(&self, text: &str) -> Result<(), TemplateError> {
        let behind = text.chars().count() + 1;
        let is_payload = |part: &&Part| part.what == What::Token(Token::Payload);
        let mut payloads = self.parts.iter().filter(is_payload);
        if payloads.next().is_none() {
            return refused(behind, "there is no %s, so no payload is in the capture");
        }
        if let Some(second) = payloads.next() {
            return refused(second.column, "%s stands twice");
        }
        for (index, part) in self.parts.iter().enumerate() {
            if let What::Token(token) = part.what {
                self.check_what_follows(index, token, behind)?;
            }
        }
        let ends_lines = |part: &Part| match &part.what {
            What::Text(text) => text.contains(&b'\n'),
            What::Token(_) => false,
        };
        let at = self.payload_at();
        let is_ended = self.parts.iter().skip(at).any(ends_lines);
        if self.is_sized(at, Token::Payload) || is_ended {
            return Ok(());
        }
        refused(
            behind,
            "no line end follows %s, and neither %S nor %R stands before it: nothing tells where a \
             record ends. Give kcat \\n at the end of its template",
        )
    }

    /// Whether a token's end can be seen.
    fn check_what_follows(
        &self,
        index: usize,
        token: Token,
        behind: usize,
    ) -> Result<(), TemplateError> {
        let ends_itself = token == Token::BinaryLength || self.is_sized(index, token);
        let Some(next) = self.parts.get(index + 1) else {
            if ends_itself {
                return Ok(());
            }
            return Err(TemplateError {
                column: behind,
                why: format!(
                    "nothing follows {}: where it ends could not be seen. Give kcat \\n at the end of \
                     its template",
                    token.name()
                ),
            });
        };
        match &next.what {
            What::Token(other) if !ends_itself => Err(TemplateError {
                column: next.column,
                why: format!(
                    "{} follows {} with nothing between: where one ends and the other begins could \
                     not be seen",
                    other.name(),
                    token.name()
                ),
            }),
            What::Text(text)
                if token.is_number() && text.first().is_some_and(u8::is_ascii_digit) =>
            {
                Err(TemplateError {
                    column: next.column,
                    why: format!(
                        "a digit follows {}, which is a number: where that ends could not be seen",
                        token.name()
                    ),
                })
            }
            What::Token(_) | What::Text(_) => Ok(()),
        }
    }

    fn payload_at(&self) -> usize {
        let is_payload = |part: &Part| part.what == What::Token(Token::Payload);
        let at = self.parts.iter().position(is_payload);
        at.unwrap_or(self.parts.len())
    }

    /// Whether a length of this token stands before it.
    fn is_sized(&self, index: usize, token: Token) -> bool {
        let lengths: &[Token] = if token == Token::Key {
            &[Token::KeyLength]
        } else if token == Token::Payload {
            &[Token::PayloadLength, Token::BinaryLength]
        } else {
            &[]
        };
        let tells = |part: &Part| match part.what {
            What::Token(length) => lengths.contains(&length),
            What::Text(_) => false,
        };
        self.parts.iter().take(index).any(tells)
    }

    /// A record in which a part is not found is told in words that are put together once.
    fn note_what_is_missed(&mut self) {
        let is_sized = |(index, part): (usize, &Part)| match part.what {
            What::Token(token) => self.is_sized(index, token),
            What::Text(_) => false,
        };
        let sized: Vec<bool> = self.parts.iter().enumerate().map(is_sized).collect();
        let mut before: Option<Token> = None;
        for (part, is_sized) in self.parts.iter_mut().zip(sized) {
            let place = match before {
                Some(token) => format!("behind {}", token.name()),
                None => "at its beginning".to_owned(),
            };
            let (wanted, length) = match &part.what {
                What::Text(text) => (escapes::shown(text), ""),
                What::Token(token) => {
                    let length = if is_sized { " as long as is said" } else { "" };
                    before = Some(*token);
                    (format!("{} ({})", token.words(), token.name()), length)
                }
            };
            part.missed = format!(
                "the record does not fit the template: {place}, {wanted}{length} is expected \
                 (column {} of the template)",
                part.column
            );
        }
    }

    /// How a record begins, where that is a text.
    pub(in crate::capture) fn beginning(&self) -> Option<&[u8]> {
        match &self.parts.first()?.what {
            What::Text(text) => Some(text),
            What::Token(_) => None,
        }
    }

    /// Whether a record has line ends of the template's own before its last one.
    pub(in crate::capture) fn is_of_several_lines(&self) -> bool {
        let ends = self.parts.iter().map(|part| match &part.what {
            What::Text(text) => memchr::memchr_iter(b'\n', text).count(),
            What::Token(_) => 0,
        });
        ends.sum::<usize>() > 1
    }

    /// What to say of a record that fits as far as this part.
    pub(in crate::capture) fn missed(&self, part: usize) -> &str {
        self.parts.get(part).map_or(
            "the record does not fit the template: something follows its end",
            |part| &part.missed,
        )
    }
}

impl Part {
    fn new(what: What, column: usize) -> Self {
        Self {
            what,
            column,
            missed: String::new(),
        }
    }
}

fn refused<T>(column: usize, why: &str) -> Result<T, TemplateError> {
    let why = why.to_owned();
    Err(TemplateError { column, why })
}

/// A template's parts, texts that follow each other as one.
fn parts(text: &str) -> Result<Vec<Part>, TemplateError> {
    let mut parts: Vec<Part> = Vec::new();
    let mut rest = text;
    let mut column = 1;
    while !rest.is_empty() {
        let (plain, behind) = rest.split_once('%').unwrap_or((rest, ""));
        let is_token = plain.len() < rest.len();
        add_text(&mut parts, escapes::decoded(plain, column)?, column);
        column += plain.chars().count();
        rest = behind;
        if !is_token {
            break;
        }
        let mut letters = rest.chars();
        match letters.next() {
            None => return refused(column, "a % stands alone at the end; %% is one of the text"),
            Some('%') => add_text(&mut parts, b"%".to_vec(), column),
            Some(letter) => {
                let Some(token) = Token::of(letter) else {
                    let why = format!(
                        "kcat knows no %{letter}; it knows %t %p %o %T %k %K %h %s %S %R and %%"
                    );
                    return Err(TemplateError { column, why });
                };
                parts.push(Part::new(What::Token(token), column));
            }
        }
        column += 2;
        rest = letters.as_str();
    }
    if parts.len() > MOST_PARTS {
        return refused(
            column,
            "kcat takes 128 tokens and texts, and these are more",
        );
    }
    Ok(parts)
}

fn add_text(parts: &mut Vec<Part>, text: Vec<u8>, column: usize) {
    if text.is_empty() {
        return;
    }
    match parts.last_mut() {
        Some(Part {
            what: What::Text(before),
            ..
        }) => before.extend(text),
        _ => parts.push(Part::new(What::Text(text), column)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_used_is_told_with_its_column() {
        for (text, column, word) in [
            ("", 1, "no %s"),
            ("%k\\n", 5, "no %s"),
            ("%s", 3, "nothing follows %s"),
            ("%s;", 4, "no line end"),
            ("%t%s\\n", 3, "nothing between"),
            ("é%o%p %s\\n", 4, "nothing between"),
            ("%S%s\\n", 3, "nothing between"),
            ("%S %s%k", 8, "nothing follows %k"),
            ("%o0 %s\\n", 3, "a digit"),
            ("%o%%0%s\\n%s\\n", 10, "twice"),
            ("%x %s\\n", 1, "knows no %x"),
            ("%s\\n%", 5, "alone"),
            ("%s\\x\\n", 3, "hexadecimal"),
            ("%s\\0\\n", 3, "NUL"),
        ] {
            let error = Template::parse(text).err();
            let found = error.as_ref().map(|error| error.column);
            assert_eq!(found, Some(column), "{text}: {error:?}");
            let why = error.map(|error| error.why).unwrap_or_default();
            assert!(why.contains(word), "{text}: {why}");
        }
        assert!(Template::parse(&"%o ".repeat(64)).is_err());
        assert!(Template::parse(&("%o ".repeat(64) + "%s\\n")).is_err());
    }

    #[test]
    fn what_can_be_used() {
        for text in [
            "%s\\n",
            "Topic %t [%p] at offset %o: key %k: %s\\n",
            "\\nKey (%K bytes): %k\\t\\nValue (%S bytes): %s\\n\\Timestamp: %T\\n--\\n",
            "%S %s",
            "%R%s",
            "%S %s%o\\n",
            "\\n%s",
            "%s|%k\\n",
            "%s\n",
            "100%% %k=%s\\r\\n",
        ] {
            assert_eq!(Template::parse(text).err(), None, "{text}");
        }
    }

    #[test]
    fn what_is_missed_names_its_place() {
        let template = Template::parse("%t [%p] %s\\n").unwrap_or(Template { parts: vec![] });
        let words: Vec<_> = (0..7).map(|part| template.missed(part)).collect();
        let begin = "the record does not fit the template: ";
        assert_eq!(
            words,
            [
                "at its beginning, a topic (%t) is expected (column 1 of the template)",
                "behind %t, ` [` is expected (column 3 of the template)",
                "behind %t, a number (%p) is expected (column 5 of the template)",
                "behind %p, `] ` is expected (column 7 of the template)",
                "behind %p, a payload (%s) is expected (column 9 of the template)",
                "behind %s, `\\n` is expected (column 11 of the template)",
                "something follows its end",
            ]
            .map(|words| format!("{begin}{words}"))
        );
    }
}
