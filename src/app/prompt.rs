//! The line that is typed into: words to search for, or a place to go to.

use tui_input::{Input, InputRequest};

use crate::text::time::TypedTime;

use super::filter::complete::Completion;
use super::message::Edit;

/// Characters that a line takes.
const MOST: usize = 4_096;

/// What the line is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    Search,
    Command,
    /// An id that a list is narrowed to.
    Id,
    Filter,
}

/// Names that Tab goes through.
#[derive(Clone, Debug)]
struct Offer {
    completion: Completion,
    /// What stood there, in characters, and which name stands there now.
    length: usize,
    at: usize,
}

/// The line.
#[derive(Clone, Debug)]
pub(super) struct Prompt {
    pub(super) purpose: Purpose,
    pub(super) input: Input,
    pub(super) mistake: Option<String>,
    /// Whether what stands there was there before: what is typed replaces it.
    pub(super) is_preselected: bool,
    offer: Option<Offer>,
    /// Which earlier input is shown, from the latest, and what was typed before it.
    recalled: Option<(usize, String)>,
}

impl Prompt {
    pub(super) fn new(purpose: Purpose, text: &str) -> Self {
        Self {
            purpose,
            input: Input::new(text.to_owned()),
            mistake: None,
            is_preselected: false,
            offer: None,
            recalled: None,
        }
    }

    /// The same, its text to be replaced by what is typed or kept by any other key.
    pub(super) fn preselected(purpose: Purpose, text: &str) -> Self {
        Self {
            is_preselected: !text.is_empty(),
            ..Self::new(purpose, text)
        }
    }

    /// Lets go of what was there before, if it is still selected.
    fn replace_preselected(&mut self) {
        if std::mem::take(&mut self.is_preselected) {
            self.input = Input::default();
        }
    }

    /// The input before the one that is shown, or the one after it; after the last, what was typed.
    pub(super) fn recall(&mut self, inputs: &[String], earlier: bool) {
        self.mistake = None;
        self.is_preselected = false;
        self.offer = None;
        let (at, typed) = match self.recalled.take() {
            Some((at, typed)) if earlier => (at + 1, typed),
            Some((0, typed)) => {
                self.input = Input::new(typed);
                return;
            }
            Some((at, typed)) => (at - 1, typed),
            None if earlier => (0, self.input.value().to_owned()),
            None => return,
        };
        let at = at.min(inputs.len().saturating_sub(1));
        if let Some(text) = inputs.iter().rev().nth(at) {
            self.input = Input::new(text.clone());
            self.recalled = Some((at, typed));
        }
    }

    /// Puts the first name that could stand at the cursor there; again, the next.
    pub(super) fn complete(&mut self, forward: bool, names: impl Fn(&str, usize) -> Completion) {
        self.mistake = None;
        self.is_preselected = false;
        self.recalled = None;
        let offer = if let Some(offer) = self.offer.take() {
            let count = offer.completion.names.len().max(1);
            let by = if forward { 1 } else { count - 1 };
            Offer {
                at: (offer.at + by) % count,
                ..offer
            }
        } else {
            let completion = names(self.input.value(), self.input.cursor());
            let length = self.input.cursor().saturating_sub(completion.start);
            Offer {
                completion,
                length,
                at: 0,
            }
        };
        let Some(name) = offer.completion.names.get(offer.at) else {
            return;
        };
        let start = offer.completion.start;
        let characters = || self.input.value().chars();
        let before: String = characters().take(start).chain(name.chars()).collect();
        let behind: String = characters().skip(start + offer.length).collect();
        let cursor = before.chars().count();
        let length = cursor - start;
        let is_only = offer.completion.names.len() == 1;
        self.input = Input::new(before + &behind).with_cursor(cursor);
        // What is complete is gone on from: `state:` and then its names.
        self.offer = (!is_only).then_some(Offer { length, ..offer });
    }

    pub(super) fn edit(&mut self, edit: Edit) {
        let is_at_end = self.input.cursor() == self.input.value().chars().count();
        let begins_anew = self.purpose == Purpose::Command
            && self.mistake.take().is_some()
            && edit == Edit::Insert(':')
            && is_at_end;
        self.mistake = None;
        if begins_anew {
            // The key that asks for a command means a new one, not more of what was wrong.
            self.input = Input::default();
            return;
        }
        self.offer = None;
        self.recalled = None;
        if matches!(edit, Edit::Insert(_)) {
            self.replace_preselected();
        }
        self.is_preselected = false;
        type_into(&mut self.input, edit, MOST);
    }

    pub(super) fn paste(&mut self, text: &str) {
        self.mistake = None;
        self.offer = None;
        self.replace_preselected();
        paste_into(&mut self.input, text, MOST);
    }
}

/// Changes a text; what does not belong to one line of text changes nothing.
pub(super) fn type_into(input: &mut Input, edit: Edit, most: usize) {
    let request = match edit {
        Edit::Insert(character) => {
            if character.is_control() || input.value().len() + character.len_utf8() > most {
                return;
            }
            InputRequest::InsertChar(character)
        }
        Edit::Backspace => InputRequest::DeletePrevChar,
        Edit::Delete => InputRequest::DeleteNextChar,
        Edit::DeleteWord => InputRequest::DeletePrevWord,
        Edit::DeleteLine => InputRequest::DeleteFromStart,
        Edit::Left => InputRequest::GoToPrevChar,
        Edit::Right => InputRequest::GoToNextChar,
        Edit::Home => InputRequest::GoToStart,
        Edit::End => InputRequest::GoToEnd,
        Edit::Up | Edit::Down | Edit::NextField | Edit::PreviousField => return,
    };
    let _ = input.handle(request);
}

/// Puts pasted text into a line: its first line, without what would act on a terminal.
pub(super) fn paste_into(input: &mut Input, text: &str, most: usize) {
    for character in first_line(text).chars() {
        type_into(input, Edit::Insert(character), most);
    }
}

/// The first line that has anything on it, without the spaces around it.
pub(super) fn first_line(text: &str) -> &str {
    let mut lines = text.split(['\n', '\r']).map(str::trim);
    lines.find(|line| !line.is_empty()).unwrap_or_default()
}

/// What was typed after `:`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Record(u32),
    Step(u32),
    Time(TypedTime),
    Aggregate(String),
    Curtain,
    Filter(String),
    Search(String),
    Export(String),
    Noise,
    Write(String),
    Quit,
}

const EXPECTED: &str = "expected a record (120), a step (s120), a time (09:00:05), order ID, \
                        filter TEXT, search TEXT, export FILE, noise, curtain, w FILE or q";

/// Reads what was typed after `:`; the error says what was expected.
pub(super) fn parse(text: &str) -> Result<Order, String> {
    let text = text.trim();
    let (word, rest) = text
        .split_once(char::is_whitespace)
        .map_or((text, ""), |(word, rest)| (word, rest.trim()));
    match (word, rest) {
        ("order", "") => Err("expected an order's id after :order".to_owned()),
        ("order", id) => Ok(Order::Aggregate(id.to_owned())),
        ("filter", text) => Ok(Order::Filter(text.to_owned())),
        ("search", "") => Err("expected a text after :search".to_owned()),
        ("search", text) => Ok(Order::Search(text.to_owned())),
        ("export", path) => to_report(path),
        ("w", "") => Err("expected a file's name after :w".to_owned()),
        ("w", path) => Ok(Order::Write(path.to_owned())),
        ("noise", "") => Ok(Order::Noise),
        ("curtain", "") => Ok(Order::Curtain),
        ("q" | "quit", "") => Ok(Order::Quit),
        (place, "") => to_place(place),
        // A date and a time, as a log has them.
        (date, time) if date.contains('-') && time.contains(':') => to_place(text),
        _ => Err(EXPECTED.to_owned()),
    }
}

/// A report's file: its name says the format.
fn to_report(path: &str) -> Result<Order, String> {
    let known = [".md", ".html", ".csv", ".json"];
    let lower = path.to_ascii_lowercase();
    let is_known = known
        .iter()
        .any(|ending| lower.len() > ending.len() && lower.ends_with(ending));
    if is_known {
        Ok(Order::Export(path.to_owned()))
    } else {
        Err(
            "expected a new file's name after :export, ending in .md, .html, .csv or .json"
                .to_owned(),
        )
    }
}

fn to_place(text: &str) -> Result<Order, String> {
    let number = |digits: &str| {
        let all_digits = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        if !all_digits {
            return Err(EXPECTED.to_owned());
        }
        // A number that no capture reaches goes to the end, like any other that is too large.
        Ok(digits.parse().unwrap_or(u32::MAX))
    };
    if text.contains(':') {
        return TypedTime::parse(text)
            .map(Order::Time)
            .ok_or_else(|| "expected a time as 09:00, 09:00:05 or 2026-03-01T09:00".to_owned());
    }
    match text.strip_prefix('s') {
        Some(digits) => number(digits).map(Order::Step),
        None => number(text.strip_prefix('r').unwrap_or(text)).map(Order::Record),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_commands_are_read() {
        assert_eq!(parse("120"), Ok(Order::Record(120)));
        assert_eq!(parse(" r6 "), Ok(Order::Record(6)));
        assert_eq!(parse("s7"), Ok(Order::Step(7)));
        assert_eq!(parse("99999999999"), Ok(Order::Record(u32::MAX)));
        assert_eq!(
            parse("order order 417"),
            Ok(Order::Aggregate("order 417".to_owned()))
        );
        assert_eq!(
            parse("w case.jsonl"),
            Ok(Order::Write("case.jsonl".to_owned()))
        );
        assert_eq!(parse("q"), Ok(Order::Quit));
        assert_eq!(parse("noise"), Ok(Order::Noise));
        assert!(matches!(parse("09:00:05"), Ok(Order::Time(_))));
    }

    #[test]
    fn errors_say_what_was_expected() {
        for (text, expected) in [
            ("", "a record (120)"),
            ("sx", "a step (s120)"),
            ("order", "an order's id"),
            ("w", "a file's name"),
            ("search", "a text"),
            ("export", "ending in .md"),
            ("export report.pdf", "ending in .md"),
            ("export .md", "ending in .md"),
            ("25:00", "a time as 09:00"),
            ("2026-02-30 09:00", "a time as 09:00"),
            ("curtain up", "curtain"),
            ("-3", "a record"),
        ] {
            let error = parse(text).err().unwrap_or_default();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn a_paste_is_its_first_line() {
        let mut prompt = Prompt::new(Purpose::Command, "order ");
        prompt.paste("\n\n  order-417\t\r\nq\n");
        assert_eq!(prompt.input.value(), "order order-417");
        prompt.paste("\u{1b}[2J");
        assert_eq!(prompt.input.value(), "order order-417[2J");
    }
}
