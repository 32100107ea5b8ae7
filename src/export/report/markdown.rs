//! The report as Markdown (CommonMark, with tables as on GitHub) for an incident channel.
//!
//! Every value stands in a code span: nothing inside one is a link, a tag, emphasis or a mention, in
//! any dialect. A code span cannot escape, so its fence is longer than any run of backticks inside.

use std::io::{self, Write};

use super::model::Report;
use super::prose::blocks;
use super::span::{Block, Line, Span};
use crate::text::Safe;

/// Writes the report.
pub fn write_markdown(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    for (index, block) in blocks(report).iter().enumerate() {
        if index > 0 && *block != Block::Picture {
            writeln!(out)?;
        }
        match block {
            Block::Heading(level, text) => {
                let marks = "#".repeat(usize::from(*level));
                writeln!(out, "{marks} {}", line(text))?;
            }
            Block::Paragraph(text) => writeln!(out, "{}", line(text))?,
            Block::List(entries) => {
                for (entry, below) in entries {
                    writeln!(out, "- {}", line(entry))?;
                    for text in below {
                        writeln!(out, "  - {}", line(text))?;
                    }
                }
            }
            Block::Table(head, rows) => {
                writeln!(out, "| {} |", head.join(" | "))?;
                writeln!(out, "|{}", "---|".repeat(head.len()))?;
                for row in rows {
                    writeln!(out, "| {} |", row.join(" | "))?;
                }
            }
            // The totals say what the picture shows.
            Block::Picture => {}
        }
    }
    Ok(())
}

fn line(line: &Line) -> String {
    let mut text = String::new();
    for span in &line.0 {
        match span {
            Span::Own(own) => text.push_str(Safe::own(own).as_str()),
            Span::Value(value) => text.push_str(&code(value)),
        }
    }
    text
}

/// A value in a code span (CommonMark 0.31, section 6.1).
fn code(value: &str) -> String {
    let safe = Safe::value(value);
    let safe = safe.as_str();
    if safe.is_empty() {
        return "(empty)".to_owned();
    }
    let runs = safe.split(|character| character != '`').map(str::len);
    let fence = "`".repeat(runs.max().unwrap_or(0) + 1);
    // A space on both sides is taken away again; a value never begins or ends with one.
    let touches = safe.starts_with('`') || safe.ends_with('`');
    let space = if touches { " " } else { "" };
    format!("{fence}{space}{safe}{space}{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_span_holds_its_backticks() {
        assert_eq!(code("order-417"), "`order-417`");
        assert_eq!(code(""), "(empty)");
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(code("`"), "`` ` ``");
        assert_eq!(code("``a`"), "``` ``a` ```");
        assert_eq!(code(" a\nb\u{202e}"), "`\\u{20}a\\nb\\u{202e}`");
    }
}
