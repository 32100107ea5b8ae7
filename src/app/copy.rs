//! What is copied: the value under the cursor, where it stands, or whose event it is. Never a control
//! character, so that pasting into a shell runs nothing; where there was one, its escape is copied
//! and that is said.

use std::fmt::Write as _;

use crate::history::History;
use crate::model::{Look, TreeKind, TreeNode};
use crate::text::Safe;
use crate::text::number::grouped;

use super::layout::Pane;
use super::line::Line;
use super::message::Command;
use super::model::Model;
use super::role::Role;
use super::view::View;

/// Bytes that are copied at most: more than a terminal takes in one go.
const MOST_BYTES: usize = 64 << 10;

/// Cells of the status line that the overview bar may take.
const BAR: usize = 40;

/// Characters of the copied text that are shown.
const SHOWN: usize = 400;

impl Model {
    /// `yy`: the value under the cursor, or the line.
    pub(super) fn copy_value(&mut self, history: &History, commands: &mut Vec<Command>) {
        let view = View::new(self, history);
        if self.views.page().is_some() {
            return match view.page_value().filter(|text| !text.is_empty()) {
                Some(text) => self.copy("", &text, commands),
                None => self.say_own("there is no value under the cursor"),
            };
        }
        let text = match self.pane {
            Pane::Event => self.look().and_then(|look| value(look, self.node_at())),
            Pane::Ledger => self.value_under_cursor(history),
            Pane::Steps | Pane::Stages | Pane::Projection => None,
        };
        let line = || {
            let rows = view.rows(self.pane);
            let at = view.pane_cursor(self.pane);
            let own = rows.into_iter().find(|row| row.is_cursor);
            own.map(|row| row.line)
                .or_else(|| view.pane_lines(self.pane, at, 1).pop())
                .map(|line| line.text().trim().to_owned())
        };
        match text.or_else(line).filter(|text| !text.is_empty()) {
            Some(text) => self.copy("", &text, commands),
            None => self.say_own("there is no value under the cursor"),
        }
    }

    /// `yp`: where in the event the cursor is (RFC 6901).
    pub(super) fn copy_pointer(&mut self, commands: &mut Vec<Command>) {
        if self.views.page().is_some() {
            return self.say_own("yp copies a pointer into an event: 1 shows the steps");
        }
        if self.pane != Pane::Event {
            return self.say_own("a pointer is one into the event: Enter opens it");
        }
        let pointer = self.look().map(|look| pointer(&look.tree, self.node_at()));
        match pointer {
            // The pointer to the record as a whole is empty.
            Some(pointer) if pointer.is_empty() => {
                self.say_own("the record as a whole: its pointer is empty");
            }
            Some(pointer) => self.copy("pointer ", &pointer, commands),
            None => self.say_own("the record is still being read"),
        }
    }

    /// `yi`: the event's source and id.
    pub(super) fn copy_identity(&mut self, commands: &mut Vec<Command>) {
        if self.views.page().is_some() {
            let words = "yi copies a step's source and id: Enter goes to the step";
            return self.say_own(words);
        }
        let Some(look) = self.look() else {
            return self.say_own("the record is still being read");
        };
        match (&look.event.source, &look.event.id) {
            (Some(source), Some(id)) => {
                let text = format!("{source} {id}");
                self.copy("source and id ", &text, commands);
            }
            _ => self.say_own("this record has no source and id"),
        }
    }

    fn copy(&mut self, what: &str, text: &str, commands: &mut Vec<Command>) {
        if text.len() > MOST_BYTES {
            let bytes = grouped(text.len() as u64);
            return self.say_own(format!(
                "not copied: {bytes} bytes are more than a terminal takes; R shows them"
            ));
        }
        let harmless = !text.chars().any(acts_on_terminal);
        let copied = if harmless {
            text.to_owned()
        } else {
            Safe::value(text).as_str().to_owned()
        };
        let how = if harmless { "" } else { ", escaped" };
        let shown: String = text.chars().take(SHOWN).collect();
        let said = |words: String| Line::own(Role::Dim, words).value(Role::Changed, &shown);
        let long = said(format!(
            "sent to the terminal's clipboard (your terminal may not take it){how}: {what}"
        ));
        // The value has to be seen, since it may have to be selected by hand.
        let line = if long.cells() + BAR <= usize::from(self.size.0) {
            long
        } else {
            said(format!("to clipboard, if taken{how}: "))
        };
        commands.push(Command::Copy(copied));
        self.say(line);
    }
}

/// Whether a character could do something where it is pasted, or hide something: controls, and what
/// turns or hides text. What the screen would have to escape is escaped here too.
fn acts_on_terminal(character: char) -> bool {
    character.is_control() || (character != '\\' && Safe::own(character.to_string()).has_escapes())
}

/// The value of a node: a string decoded, anything else as JSON.
fn value(look: &Look, at: usize) -> Option<String> {
    let node = look.tree.get(at)?;
    if node.kind == TreeKind::String {
        return Some(decoded(&node.text));
    }
    let mut json = String::new();
    write_json(&look.tree, at, &mut json);
    Some(json)
}

/// A node and all below it as compact JSON, in their own spelling. Gives up what no terminal takes.
fn write_json(tree: &[TreeNode], at: usize, json: &mut String) {
    let Some(node) = tree.get(at).filter(|_| json.len() <= MOST_BYTES) else {
        return;
    };
    let (open, close) = match node.kind {
        TreeKind::Object => ('{', '}'),
        TreeKind::Array => ('[', ']'),
        TreeKind::String | TreeKind::Number | TreeKind::Literal => {
            json.push_str(&node.text);
            return;
        }
    };
    json.push(open);
    let mut child = at + 1;
    while child < node.next {
        let Some(found) = tree.get(child) else { break };
        if child > at + 1 {
            json.push(',');
        }
        if node.kind == TreeKind::Object {
            write_key(found.key.as_deref().unwrap_or_default(), json);
        }
        write_json(tree, child, json);
        child = found.next.max(child + 1);
    }
    json.push(close);
}

fn write_key(key: &str, json: &mut String) {
    json.push('"');
    for character in key.chars() {
        match character {
            '"' | '\\' => json.extend(['\\', character]),
            control if control.is_control() => {
                // Writing to a String cannot fail.
                let _ = write!(json, "\\u{:04x}", u32::from(control));
            }
            plain => json.push(plain),
        }
    }
    json.push_str("\":");
}

/// A JSON string without its quotes, escapes resolved. The text was read as JSON before.
pub(super) fn decoded(source: &str) -> String {
    let inner = source
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'))
        .unwrap_or(source);
    let mut text = String::with_capacity(inner.len());
    let mut letters = inner.chars();
    let mut high: Option<u32> = None;
    while let Some(letter) = letters.next() {
        if letter != '\\' {
            text.push(letter);
            continue;
        }
        let escaped = letters.next().unwrap_or('\\');
        let plain = match escaped {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'u' => {
                let digits: String = letters.by_ref().take(4).collect();
                let unit = u32::from_str_radix(&digits, 16).unwrap_or(0xfffd);
                match (high.take(), unit) {
                    (_, 0xd800..=0xdbff) => {
                        high = Some(unit);
                        continue;
                    }
                    (Some(high), 0xdc00..=0xdfff) => {
                        let whole = 0x10000 + ((high - 0xd800) << 10) + (unit - 0xdc00);
                        char::from_u32(whole).unwrap_or('\u{fffd}')
                    }
                    _ => char::from_u32(unit).unwrap_or('\u{fffd}'),
                }
            }
            other => other,
        };
        text.push(plain);
    }
    text
}

/// The JSON pointer of a node.
fn pointer(tree: &[TreeNode], at: usize) -> String {
    let mut parts: Vec<&str> = Vec::new();
    let mut depth = tree.get(at).map_or(0, |node| node.depth);
    let before = tree.get(..=at).unwrap_or_default();
    for node in before.iter().rev() {
        if depth == 0 {
            break;
        }
        if node.depth == depth {
            parts.push(node.key.as_deref().unwrap_or_default());
            depth -= 1;
        }
    }
    parts.iter().rev().fold(String::new(), |mut path, part| {
        path.push('/');
        path.push_str(&part.replace('~', "~0").replace('/', "~1"));
        path
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_decoded() {
        assert_eq!(decoded(r#""a\"b\\c\n\u00fc\ud83d\ude00""#), "a\"b\\c\nü😀");
    }

    #[test]
    fn what_would_act_is_told_from_what_would_not() {
        assert!(!"evt-417\\ü漢 x".chars().any(acts_on_terminal));
        for acting in ['\n', '\u{1b}', '\u{202e}', '\u{200b}', '\u{7f}', '\u{9b}'] {
            assert!(acts_on_terminal(acting), "{acting:?}");
        }
    }

    #[test]
    fn keys_are_spelled_as_json_and_in_pointers() {
        let node = |depth, key: &str, kind, text: &str, next| TreeNode {
            depth,
            key: (depth > 0).then(|| key.to_owned()),
            kind,
            text: text.to_owned(),
            children: 0,
            next,
        };
        let tree = [
            node(0, "", TreeKind::Object, "", 5),
            node(1, "a/b~\"", TreeKind::Array, "", 4),
            node(2, "0", TreeKind::Number, "1.0", 3),
            node(2, "1", TreeKind::String, "\"x\"", 4),
            node(1, "c", TreeKind::Literal, "null", 5),
        ];
        let mut json = String::new();
        write_json(&tree, 0, &mut json);
        assert_eq!(json, r#"{"a/b~\"":[1.0,"x"],"c":null}"#);
        assert_eq!(pointer(&tree, 3), "/a~1b~0\"/1");
        assert_eq!(pointer(&tree, 4), "/c");
        assert_eq!(pointer(&tree, 0), "");
    }
}
