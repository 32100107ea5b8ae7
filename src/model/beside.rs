//! What of a capture is no record: how its files are framed, what was passed over, and the lines that
//! tools printed beside their records (capture.md, "Framing").

/// What of a capture is no record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Beside {
    /// How each file is framed and compressed, in words, with its name where there are several;
    /// nothing as long as the capture is being read.
    pub framings: Vec<(Option<String>, String)>,
    /// What was passed over, each with how often.
    pub passed_over: Vec<(u64, &'static str)>,
    /// The first lines that tools printed beside their records, in capture order.
    pub lines: Vec<BesideLine>,
}

/// A line that a tool printed beside its records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BesideLine {
    /// The file that it is in, where the capture has several; what cannot be shown is spelled as
    /// escapes.
    pub file: Option<String>,
    /// Its number, from 1.
    pub line: u64,
    /// Its bytes as they are, or the first part of a very long one.
    pub bytes: Vec<u8>,
}
