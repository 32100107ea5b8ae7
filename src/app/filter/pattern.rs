//! Names with stars: `missing-*`. A star stands for any characters, none among them; everything else
//! for itself, byte for byte, as identities are compared.

/// A name, or several by a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// What stands between the stars: one piece where there is no star.
    pieces: Vec<String>,
}

impl Pattern {
    /// A name that is meant as it stands.
    pub fn literal(name: &str) -> Self {
        Self {
            pieces: vec![name.to_owned()],
        }
    }

    /// From characters and whether each is quoted: a quoted star is a star.
    pub fn of(characters: &[(char, bool)]) -> Self {
        let mut pieces = vec![String::new()];
        for (character, is_quoted) in characters {
            if *character == '*' && !is_quoted {
                pieces.push(String::new());
            } else if let Some(piece) = pieces.last_mut() {
                piece.push(*character);
            }
        }
        Self { pieces }
    }

    /// The name, where it has no star.
    pub fn exact(&self) -> Option<&str> {
        match self.pieces.as_slice() {
            [only] => Some(only),
            _ => None,
        }
    }

    /// Whether a name fits.
    pub fn fits(&self, name: &str) -> bool {
        let Some((first, rest)) = self.pieces.split_first() else {
            return name.is_empty();
        };
        let Some((last, middle)) = rest.split_last() else {
            return name == first;
        };
        let Some(name) = name.strip_prefix(first.as_str()) else {
            return false;
        };
        let Some(mut name) = name.strip_suffix(last.as_str()) else {
            return false;
        };
        // The earliest place for each piece leaves the most for those behind it.
        for piece in middle {
            match name.split_once(piece.as_str()) {
                Some((_, behind)) => name = behind,
                None => return false,
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(text: &str) -> Pattern {
        let plain: Vec<(char, bool)> = text.chars().map(|letter| (letter, false)).collect();
        Pattern::of(&plain)
    }

    #[test]
    fn stars_stand_for_anything() {
        for (text, name, fits) in [
            ("order-417", "order-417", true),
            ("order-417", "order-4170", false),
            ("missing-*", "missing-id", true),
            ("missing-*", "missing-", true),
            ("missing-*", "is-missing-id", false),
            ("*", "", true),
            ("a*b*c", "a-b-b-c", true),
            ("a*b*c", "acb", false),
            ("aba*aba", "aba", false),
            ("*ü*", "grün", true),
        ] {
            assert_eq!(pattern(text).fits(name), fits, "{text} {name}");
        }
    }

    #[test]
    fn a_quoted_star_is_a_star() {
        let quoted = Pattern::of(&[('a', true), ('*', true)]);
        assert!(quoted.fits("a*") && !quoted.fits("ab"));
        assert_eq!(quoted.exact(), Some("a*"));
        assert_eq!(pattern("a*").exact(), None);
    }
}
