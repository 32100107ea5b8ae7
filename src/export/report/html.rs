//! The report as one HTML file: no script, no reference to anything outside, light and dark.
//!
//! Its content policy forbids both, should a value ever get out of its element.

use std::io::{self, Write};

use super::model::Report;
use super::picture::write_picture;
use super::prose::blocks;
use super::span::{Block, Line, Span};
use crate::text::Safe;

const HEAD: &str = r#"<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Incident report</title>
<style>
:root { --back: #ffffff; --text: #1c1e21; --dim: #5a6069; --line: #d0d4d9; --code: #f0f2f4;
  --applied: #2e7d32; --held: #b26a00; --routine: #8a9099; --owner: #00788a; --open: #c62828; --mark: #6a1b9a; }
@media (prefers-color-scheme: dark) {
  :root { --back: #16181c; --text: #e4e6ea; --dim: #a2a8b1; --line: #3a3f47; --code: #24272d;
    --applied: #66bb6a; --held: #ffb74d; --routine: #7d848e; --owner: #4dd0e1; --open: #ff6b6b; --mark: #ce93d8; }
}
body { background: var(--back); color: var(--text); font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 62rem; padding: 0 1rem; }
h1, h2, h3 { line-height: 1.25; margin: 2rem 0 .5rem; }
h3 { font-size: 1rem; }
code { background: var(--code); border-radius: 3px; font-size: .9em; overflow-wrap: anywhere; padding: 0 .25em; unicode-bidi: isolate; white-space: pre-wrap; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { border-bottom: 1px solid var(--line); padding: .2rem 1rem .2rem 0; text-align: left; vertical-align: top; }
figure { margin: 1rem 0; }
figcaption { color: var(--dim); font-size: .9em; }
svg { display: block; height: auto; width: 100%; }
svg text { fill: var(--dim); font: 11px system-ui, sans-serif; }
.applied { fill: var(--applied); } .held { fill: var(--held); } .routine { fill: var(--routine); }
.owner { fill: var(--owner); } .open { fill: var(--open); } .mark { fill: var(--mark); } .axis { fill: var(--line); }
</style>
</head>
<body>
"#;

/// Writes the report.
pub fn write_html(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(HEAD.as_bytes())?;
    for block in blocks(report) {
        match block {
            Block::Heading(level, text) => writeln!(out, "<h{level}>{}</h{level}>", line(&text))?,
            Block::Paragraph(text) => writeln!(out, "<p>{}</p>", line(&text))?,
            Block::List(entries) => write_list(&entries, out)?,
            Block::Table(head, rows) => write_table(&head, &rows, out)?,
            Block::Picture => write_picture(report, out)?,
        }
    }
    writeln!(out, "</body>\n</html>")
}

fn write_list(entries: &[(Line, Vec<Line>)], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "<ul>")?;
    for (entry, below) in entries {
        write!(out, "<li>{}", line(entry))?;
        if !below.is_empty() {
            writeln!(out, "<ul>")?;
            for text in below {
                writeln!(out, "<li>{}</li>", line(text))?;
            }
            write!(out, "</ul>")?;
        }
        writeln!(out, "</li>")?;
    }
    writeln!(out, "</ul>")
}

fn write_table(head: &[&str], rows: &[Vec<String>], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "<table>\n<tr>")?;
    for name in head {
        writeln!(out, "<th>{}</th>", escaped(name))?;
    }
    writeln!(out, "</tr>")?;
    for row in rows {
        write!(out, "<tr>")?;
        for cell in row {
            write!(out, "<td>{}</td>", escaped(cell))?;
        }
        writeln!(out, "</tr>")?;
    }
    writeln!(out, "</table>")
}

fn line(line: &Line) -> String {
    let mut text = String::new();
    for span in &line.0 {
        match span {
            Span::Own(own) => text.push_str(&escaped(Safe::own(own).as_str())),
            Span::Value(value) => {
                let safe = Safe::value(value);
                text.push_str("<code>");
                text.push_str(&escaped(safe.as_str()));
                text.push_str("</code>");
            }
        }
    }
    text
}

/// Text between tags or in a quoted attribute (HTML, section 13.1.2).
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}
