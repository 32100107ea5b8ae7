//! Where a value ends, without understanding it: brackets outside strings, kept in step with lines.
//!
//! The strict reader ends whole values. One that it refuses must still end somewhere, so that its
//! neighbours survive.

use super::super::json::skip_plain;

/// Follows a bracketed value through as many pieces as it comes in.
#[derive(Clone, Debug)]
pub(super) struct Matcher {
    stack: Vec<u8>,
    open_objects: usize,
    in_string: bool,
    escaped: bool,
    fed: usize,
    /// Leading whitespace of the line that the value begins on.
    indent: usize,
    /// Leading whitespace so far, while nothing else stands on the line.
    line_indent: Option<usize>,
    in_array: bool,
    stops_at_line: bool,
    /// The value ended because the array around it did.
    pub(super) closed_by_array: bool,
}

impl Matcher {
    /// For a value that begins with a bracket on a line with this much leading whitespace;
    /// `in_array`: a `]` too many is the surrounding array's; `stops_at_line`: it also ends before a
    /// `{` that begins a line as far left as the value itself, where the next one may begin.
    pub(super) fn new(indent: usize, in_array: bool, stops_at_line: bool) -> Self {
        Self {
            stack: Vec::new(),
            open_objects: 0,
            in_string: false,
            escaped: false,
            fed: 0,
            indent,
            line_indent: None,
            in_array,
            stops_at_line,
            closed_by_array: false,
        }
    }

    /// Takes the next piece; answers the value's length once it is known.
    pub(super) fn feed(&mut self, piece: &[u8]) -> Option<usize> {
        let mut at = 0;
        while let Some(byte) = piece.get(at) {
            if self.in_string {
                at = self.inside_string(piece, at);
                continue;
            }
            match byte {
                b'"' => self.in_string = true,
                b'{' if self.begins_next() => return Some(self.fed + at),
                b'{' | b'[' => self.open(*byte),
                b'}' | b']' => {
                    if let Some(end) = self.close(*byte, self.fed + at) {
                        return Some(end);
                    }
                }
                _ => {}
            }
            self.line_indent = match (byte, self.line_indent) {
                // A byte order mark too, where files were put together.
                (b'\n', _) | (0xef | 0xbb | 0xbf, Some(0)) => Some(0),
                (b' ' | b'\t', Some(width)) => Some(width + 1),
                (b'\r', width) => width,
                _ => None,
            };
            at += 1;
        }
        self.fed += piece.len();
        None
    }

    fn inside_string(&mut self, piece: &[u8], at: usize) -> usize {
        if self.escaped && piece.get(at) != Some(&b'\n') {
            self.escaped = false;
            return at + 1;
        }
        let at = skip_plain(piece, at);
        match piece.get(at) {
            None => return at,
            Some(b'"') => self.in_string = false,
            Some(b'\\') => self.escaped = true,
            // A string cannot go on in the next line: its closing quote is lost, and brackets count
            // again.
            Some(b'\n') => {
                self.in_string = false;
                self.escaped = false;
                self.line_indent = Some(0);
            }
            Some(_) => {}
        }
        at + 1
    }

    fn begins_next(&self) -> bool {
        let begins_line = self.line_indent == Some(self.indent);
        self.stops_at_line && begins_line && !self.stack.is_empty()
    }

    fn open(&mut self, bracket: u8) {
        self.open_objects += usize::from(bracket == b'{');
        self.stack.push(bracket);
    }

    /// A closing bracket closes the innermost bracket of its kind, with all that is open inside.
    fn close(&mut self, bracket: u8, at: usize) -> Option<usize> {
        let opening = if bracket == b'}' { b'{' } else { b'[' };
        let open = if bracket == b'}' {
            self.open_objects
        } else {
            self.stack.len() - self.open_objects
        };
        if open == 0 {
            self.closed_by_array = self.in_array && bracket == b']';
            return self.closed_by_array.then_some(at);
        }
        while let Some(top) = self.stack.pop() {
            if top == b'{' {
                self.open_objects -= 1;
            }
            if top == opening {
                break;
            }
        }
        self.stack.is_empty().then_some(at + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(text: &str) -> Option<usize> {
        let whole = Matcher::new(0, false, false).feed(text.as_bytes());
        let mut matcher = Matcher::new(0, false, false);
        let mut piecewise = None;
        for (index, byte) in text.bytes().enumerate() {
            if let Some(end) = matcher.feed(&[byte]) {
                piecewise = Some(end);
                assert_eq!(end, index + 1);
                break;
            }
        }
        assert_eq!(whole, piecewise, "{text}");
        whole
    }

    #[test]
    fn strings_hide_brackets() {
        assert_eq!(end(r#"{"a":"}\"}\\"}x"#), Some(14));
        assert_eq!(end("[[{}]]"), Some(6));
        assert_eq!(end("[[{}]"), None);
    }

    #[test]
    fn a_lost_quote_ends_with_its_line() {
        assert_eq!(end("{\"a\":\"x,\n\"b\":{}}"), Some(16));
    }

    #[test]
    fn crossing_brackets_close_outward() {
        assert_eq!(end("{\"a\":[1,2}"), Some(10));
        assert_eq!(Matcher::new(0, true, false).feed(b"{\"a\":{]"), Some(6));
    }

    #[test]
    fn a_line_as_far_left_begins_the_next_value() {
        let mut matcher = Matcher::new(2, false, true);
        assert_eq!(matcher.feed(b"{\n    \"a\": {\n  {\n"), Some(15));
    }
}
