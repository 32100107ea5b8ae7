//! Formats that hold a capture and are not read here, told by their first bytes: what is said of one is
//! the command that opens it.

/// Bytes at a file's start that tell any of them: tar's mark ends there.
pub(super) const HEAD_BYTES: usize = 262;

/// Where tar has its mark (POSIX `ustar`; GNU writes the same five letters).
const TAR_MARK_AT: usize = 257;

/// A format that is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Format {
    /// What a person calls it.
    pub(super) name: &'static str,
    /// What opens it, given the bytes on its standard input.
    program: &'static str,
    /// What opens it, given a file's name behind it, where it cannot be given the bytes.
    program_of_file: Option<&'static str>,
}

/// First bytes, and what they mean.
const BEGINNINGS: [(&[u8], Format); 9] = [
    (b"\xfd7zXZ\0", piped("xz", "xz -dc")),
    (b"LZIP\x01", piped("lzip", "lzip -dc")),
    // LZ4's frame; its skippable frames are zstd's as well.
    (b"\x04\x22\x4d\x18", piped("lz4", "lz4 -dc")),
    (b"\x02\x21\x4c\x18", piped("lz4 (legacy)", "lz4 -dc")),
    (b"\xff\x06\0\0sNaPpY", piped("snappy", "snzip -dc")),
    (b"\x1f\x9d", piped("compress (.Z)", "gzip -dc")),
    (b"PK\x03\x04", of_file("zip", "funzip", "unzip -p")),
    (b"PK\x05\x06", of_file("zip", "funzip", "unzip -p")),
    (b"7z\xbc\xaf\x27\x1c", of_file("7z", SEVEN, "7z x -so")),
];

/// It must be able to go back in its input.
const SEVEN: &str = "{ cat > capture.7z; 7z x -so capture.7z; }";

const fn piped(name: &'static str, program: &'static str) -> Format {
    Format {
        name,
        program,
        program_of_file: None,
    }
}

const fn of_file(name: &'static str, program: &'static str, of_file: &'static str) -> Format {
    Format {
        name,
        program,
        program_of_file: Some(of_file),
    }
}

impl Format {
    /// The format of a file that begins like this. What is text begins like none of them.
    pub(super) fn of(head: &[u8]) -> Option<Self> {
        let found = BEGINNINGS.iter().find(|(mark, _)| head.starts_with(mark));
        if let Some((_, format)) = found {
            return Some(*format);
        }
        // `BZh9` may begin a text; what follows is the first block's mark, or the end's.
        if let [b'B', b'Z', b'h', b'1'..=b'9', 0x31 | 0x17, 0x41 | 0x72, ..] = head {
            return Some(piped("bzip2", "bzip2 -dc"));
        }
        let is_tar = head
            .get(TAR_MARK_AT..)
            .is_some_and(|mark| mark.starts_with(b"ustar"));
        // The name of its first file is filled up with zeros.
        let is_named = head.get(..100).is_some_and(|name| name.contains(&0));
        (is_tar && is_named).then_some(piped("tar", "tar -xOf -"))
    }

    /// A command line that opens it. `outer` is what takes a compression around it off; `argument` tells
    /// a shell where the bytes are, ` < FILE` or nothing.
    pub(super) fn way_out(self, outer: Option<&str>, argument: &str) -> String {
        match (outer, self.program_of_file, argument.strip_prefix(" < ")) {
            (Some(outer), _, _) => format!("{outer}{argument} | {} | replayscope -", self.program),
            (None, Some(program), Some(file)) => {
                // What begins with a hyphen is an option to it.
                let folder = if file.trim_start_matches('\'').starts_with('-') {
                    "./"
                } else {
                    ""
                };
                format!("{program} {folder}{file} | replayscope -")
            }
            (None, ..) => format!("{}{argument} | replayscope -", self.program),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(head: &[u8]) -> Option<&'static str> {
        Format::of(head).map(|format| format.name)
    }

    #[test]
    fn formats_are_told_by_their_first_bytes() {
        for (head, wanted) in [
            (&b"\xfd7zXZ\0\0\x04"[..], Some("xz")),
            (b"BZh91AY&SY", Some("bzip2")),
            (b"BZh9\x17\x72\x45\x38\x50\x90", Some("bzip2")),
            (b"BZh9 is text", None),
            (b"PK\x03\x04\x14", Some("zip")),
            (b"PK", None),
            (b"7z\xbc\xaf\x27\x1c", Some("7z")),
            (b"\x04\x22\x4d\x18d@", Some("lz4")),
            (b"\xff\x06\0\0sNaPpY", Some("snappy")),
            (b"\x1f\x9d\x90", Some("compress (.Z)")),
            (b"LZIP\x01", Some("lzip")),
            (b"{\"a\":1}", None),
            (b"", None),
        ] {
            assert_eq!(told(head), wanted, "{head:?}");
        }
        let mut tar = b"orders.jsonl".to_vec();
        tar.resize(TAR_MARK_AT, 0);
        tar.extend_from_slice(b"ustar");
        assert_eq!((told(&tar), tar.len()), (Some("tar"), HEAD_BYTES));
        tar.fill(b'x');
        assert_eq!(told(&tar), None);
    }

    #[test]
    fn the_way_out_can_be_copied_into_a_shell() {
        let [xz, .., zip, _, seven] = BEGINNINGS.map(|(_, format)| format);
        for (format, outer, argument, wanted) in [
            (xz, None, " < a.xz", "xz -dc < a.xz | replayscope -"),
            (xz, None, "", "xz -dc | replayscope -"),
            (
                zip,
                None,
                " < 'a b.zip'",
                "unzip -p 'a b.zip' | replayscope -",
            ),
            (zip, None, " < -a.zip", "unzip -p ./-a.zip | replayscope -"),
            (zip, None, "", "funzip | replayscope -"),
            (seven, None, " < a.7z", "7z x -so a.7z | replayscope -"),
            (
                xz,
                Some("gzip -dc"),
                " < a",
                "gzip -dc < a | xz -dc | replayscope -",
            ),
        ] {
            assert_eq!(format.way_out(outer, argument), wanted);
        }
    }
}
