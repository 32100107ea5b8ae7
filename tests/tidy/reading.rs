//! Reads Rust just well enough for the house rules: what is code and what is prose, which names
//! follow a path's root, and where a function ends. Formatted code that compiles is taken for
//! granted.

fn is_word(byte: u8) -> bool {
    byte == b'_' || byte.is_ascii_alphanumeric()
}

/// The leading identifier of a text, possibly empty.
pub(crate) fn leading_word(text: &str) -> &str {
    let end = text.bytes().position(|byte| !is_word(byte));
    &text[..end.unwrap_or(text.len())]
}

/// Where a word stands alone in the code.
pub(crate) fn words<'a>(code: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    code.match_indices(word)
        .map(|(at, _)| at)
        .filter(move |at| {
            let before = code[..*at].bytes().next_back();
            !before.is_some_and(is_word) && leading_word(&code[*at..]) == word
        })
}

/// The first segments after `root::`, also inside `root::{…}`, with where they stand.
pub(crate) fn after_path<'a>(code: &'a str, root: &str) -> Vec<(usize, &'a str)> {
    let mut found = Vec::new();
    for start in words(code, root) {
        let after = start + root.len();
        let Some(rest) = code[after..].trim_start().strip_prefix("::") else {
            continue;
        };
        let rest = rest.trim_start();
        if !rest.starts_with('{') {
            found.push((start, leading_word(rest)));
            continue;
        }
        let mut depth = 0_usize;
        let mut at_head = false;
        for (index, character) in rest.char_indices() {
            match character {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' => {}
                _ if character.is_whitespace() => continue,
                _ => {
                    if at_head {
                        found.push((start, leading_word(&rest[index..])));
                    }
                    at_head = false;
                    continue;
                }
            }
            if depth == 0 {
                break;
            }
            at_head = depth == 1;
        }
    }
    found
}

/// The length of a function that starts here, to its closing brace; none where there is no body.
pub(crate) fn body_end(code: &str) -> Option<usize> {
    leading_word(code["fn".len()..].trim_start())
        .bytes()
        .next()?;
    let mut brackets = 0_i32;
    let mut braces = 0_i32;
    for (index, byte) in code.bytes().enumerate() {
        match byte {
            b'(' | b'[' => brackets += 1,
            b')' | b']' => brackets -= 1,
            b'{' => braces += 1,
            b'}' => braces -= 1,
            b';' if brackets == 0 && braces == 0 => return None,
            _ => continue,
        }
        if byte == b'}' && braces == 0 {
            return Some(index + 1);
        }
    }
    None
}

/// The same text with comments and literals as blanks; lines and offsets stay.
pub(crate) fn blank_prose(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut code = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let end = at + prose_length(&text[at..], at > 0 && is_word(bytes[at - 1]));
        for byte in &mut code[at..end] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
        at = end.max(at + 1);
        while !text.is_char_boundary(at) {
            at += 1;
        }
    }
    String::from_utf8(code).expect("whole characters are blanked")
}

/// How many bytes of comment or literal start here; 0 for code.
fn prose_length(rest: &str, inside_word: bool) -> usize {
    if rest.starts_with("//") {
        return rest.find('\n').unwrap_or(rest.len());
    }
    if rest.starts_with("/*") {
        return block_comment_length(rest);
    }
    if rest.starts_with('"') {
        return quoted_length(rest, '"');
    }
    if let Some(quoted) = rest.strip_prefix('\'') {
        let mut characters = quoted.chars();
        let (first, second) = (characters.next(), characters.next());
        // `'a'` is a character, `'a` a lifetime.
        let is_literal = first == Some('\\') || second == Some('\'');
        return if is_literal {
            quoted_length(rest, '\'')
        } else {
            0
        };
    }
    let raw = ["r", "br", "cr"].iter().find_map(|prefix| {
        let after = rest.strip_prefix(prefix)?;
        let hashes = after.len() - after.trim_start_matches('#').len();
        after[hashes..]
            .starts_with('"')
            .then_some((prefix.len() + hashes + 1, hashes))
    });
    match raw {
        Some((head, hashes)) if !inside_word => {
            let close = format!("\"{}", "#".repeat(hashes));
            let body = rest[head..].find(&close);
            body.map_or(rest.len(), |length| head + length + close.len())
        }
        _ => 0,
    }
}

fn block_comment_length(rest: &str) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < rest.len() {
        let tail = &rest.as_bytes()[at..];
        if tail.starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if tail.starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    rest.len()
}

fn quoted_length(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (index, character) in rest.char_indices().skip(1) {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if character == quote => return index + 1,
            _ => {}
        }
    }
    rest.len()
}
