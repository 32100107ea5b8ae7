//! Reports read again: a spreadsheet's CSV, a Markdown renderer's events, a browser's tokens.

use html5gum::{Token, Tokenizer};
use pulldown_cmark::{Event, Options, Parser, Tag};

/// Every row of an RFC 4180 file; panics where it is none.
pub(crate) fn csv(text: &str) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    let mut row = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        rest = rest.strip_prefix('"').expect("every cell is quoted");
        let mut cell = String::new();
        loop {
            let end = rest.find('"').expect("a cell ends");
            cell.push_str(&rest[..end]);
            rest = &rest[end + 1..];
            let Some(after) = rest.strip_prefix('"') else {
                break;
            };
            cell.push('"');
            rest = after;
        }
        row.push(cell);
        if let Some(after) = rest.strip_prefix(',') {
            rest = after;
        } else {
            rest = rest.strip_prefix("\r\n").expect("a row ends with CR LF");
            rows.push(std::mem::take(&mut row));
        }
    }
    rows
}

/// Whether a spreadsheet would calculate a cell.
pub(crate) fn is_formula(cell: &str) -> bool {
    let begins = cell.trim_start_matches([' ', '"']).chars().next();
    begins.is_some_and(|first| "=+-@\t\r\n＝＋－＠".contains(first))
}

/// The cells of a report, none a formula, also for a program that splits at semicolons and sees no
/// quotes.
pub(crate) fn checked_csv(text: &str) -> Vec<Vec<String>> {
    let rows = csv(text);
    for row in &rows {
        assert_eq!(row.len(), rows[0].len(), "{row:?}");
        for cell in row {
            let parts = std::iter::once(cell.as_str()).chain(cell.split(';'));
            for part in parts {
                assert!(!is_formula(part), "{cell}");
            }
        }
    }
    rows
}

/// The code spans of a Markdown report, with every extension switched on; panics on a link, a tag,
/// an image, a footnote, mathematics or anything else that is not ours.
pub(crate) fn checked_markdown(text: &str) -> Vec<String> {
    let mut codes = Vec::new();
    for event in Parser::new_ext(text, Options::all()) {
        match event {
            Event::Code(code) => codes.push(code.into_string()),
            Event::Text(_)
            | Event::End(_)
            | Event::SoftBreak
            | Event::Start(
                Tag::Heading { .. }
                | Tag::Paragraph
                | Tag::List(None)
                | Tag::Item
                | Tag::Table(_)
                | Tag::TableHead
                | Tag::TableRow
                | Tag::TableCell,
            ) => {}
            other => panic!("not ours: {other:?}"),
        }
    }
    codes
}

const TAGS: [&str; 22] = [
    "html",
    "head",
    "meta",
    "title",
    "style",
    "body",
    "h1",
    "h2",
    "h3",
    "p",
    "ul",
    "li",
    "code",
    "table",
    "tr",
    "th",
    "td",
    "figure",
    "figcaption",
    "svg",
    "rect",
    "text",
];

const ATTRIBUTES: [&str; 14] = [
    "lang",
    "charset",
    "http-equiv",
    "content",
    "name",
    "class",
    "viewBox",
    "role",
    "aria-label",
    "x",
    "y",
    "width",
    "height",
    "text-anchor",
];

/// The code elements of an HTML report; panics on a tag or attribute that is not ours, a comment, or
/// anything that a parser calls an error.
pub(crate) fn checked_html(text: &str) -> Vec<String> {
    let mut codes = Vec::new();
    let mut code: Option<String> = None;
    for Ok(token) in Tokenizer::new(text) {
        match token {
            Token::StartTag(tag) => {
                let name = String::from_utf8_lossy(&tag.name).into_owned();
                assert!(TAGS.contains(&name.as_str()), "<{name}>");
                for attribute in tag.attributes.keys() {
                    let attribute = String::from_utf8_lossy(attribute).into_owned();
                    let ours = |name: &&str| name.eq_ignore_ascii_case(&attribute);
                    assert!(ATTRIBUTES.iter().any(ours), "{attribute}");
                }
                if name == "code" {
                    assert_eq!(code.replace(String::new()), None);
                }
            }
            Token::EndTag(tag) => {
                if tag.name.as_slice() == b"code" {
                    codes.push(code.take().unwrap());
                } else {
                    assert_eq!(code, None, "a code element holds text only");
                }
            }
            Token::String(text) => {
                if let Some(code) = &mut code {
                    code.push_str(&String::from_utf8_lossy(&text));
                }
            }
            Token::Doctype(_) => {}
            other @ (Token::Comment(_) | Token::Error(_)) => panic!("not ours: {other:?}"),
        }
    }
    codes
}

/// Nothing in a printed text acts on a terminal or reorders it.
pub(crate) fn assert_printable(text: &str) {
    for line in text.split('\n') {
        let line = line.strip_suffix('\r').unwrap_or(line);
        let safe = replayscope::text::Safe::own(line);
        assert!(!safe.has_escapes(), "{safe}");
    }
}
