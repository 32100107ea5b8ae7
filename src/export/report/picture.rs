//! The picture of a run: what happened in each part of it, what is still open, what is marked.
//!
//! ```text
//! ▼        ▼   marks
//! ▂▅▇▅▂▁▃▅▇▅▂  steps of each part, stacked by what they came to
//!   ▪   ▪▪     open evidence: taller where there is more
//! 1 ……………… n   steps
//! ```

use std::io::{self, Write};

use super::model::{Part, Report};
use crate::text::number::grouped;

const WIDTH: u32 = 960;
const MARKS_TOP: u32 = 4;
const STEPS_TOP: u32 = 18;
const STEPS_HEIGHT: u32 = 90;
const OPEN_TOP: u32 = 116;
const OPEN_HEIGHT: u32 = 40;
const LABEL_BASE: u32 = 174;
const HEIGHT: u32 = 180;

/// Marks closer together than this many pixels are drawn as one tick.
const MARK_WIDTH: u32 = 4;

/// Writes the picture with its caption; nothing for an empty run.
pub(super) fn write_picture(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let parts = &report.timeline.parts;
    let Some(most) = parts.iter().map(total).max().filter(|most| *most > 0) else {
        return Ok(());
    };
    let most_open = parts.iter().map(|part| part.open).max().unwrap_or(0);
    writeln!(
        out,
        "<figure>\n<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" \
         aria-label=\"Steps, open evidence and marks over the run\">"
    )?;
    let columns = u32::try_from(parts.len()).unwrap_or(u32::MAX).max(1);
    for (index, part) in (0u32..).zip(parts) {
        let left = scaled(index, columns, WIDTH);
        let width = scaled(index + 1, columns, WIDTH)
            .saturating_sub(left)
            .saturating_sub(1)
            .max(1);
        write_part(part, (left, width), most, out)?;
        let height = height(part.open, most_open, OPEN_HEIGHT);
        let bar = (left, OPEN_TOP + OPEN_HEIGHT - height, width, height);
        write_bar("open", bar, out)?;
    }
    let base = (0, STEPS_TOP + STEPS_HEIGHT, WIDTH, 1);
    write_bar("axis", base, out)?;
    write_bar("axis", (0, OPEN_TOP + OPEN_HEIGHT, WIDTH, 1), out)?;
    write_marks(report, out)?;
    let last = grouped(report.steps.into());
    writeln!(out, "<text x=\"0\" y=\"{LABEL_BASE}\">step 1</text>")?;
    writeln!(
        out,
        "<text x=\"{WIDTH}\" y=\"{LABEL_BASE}\" text-anchor=\"end\">step {last}</text>\n</svg>"
    )?;
    writeln!(
        out,
        "<figcaption>Above, steps: \
         applied (green), deferred, refused or in conflict (orange), duplicates and ignored (grey), \
         the owner&#39;s records (blue). Below, what of it is still open (red), at most {} in one part. \
         Ticks on top: marks.</figcaption>\n</figure>",
        grouped(most_open.into())
    )
}

fn total(part: &Part) -> u32 {
    [part.applied, part.held_or_refused, part.routine, part.owner]
        .into_iter()
        .fold(0, u32::saturating_add)
}

/// The column of one part, stacked from below.
fn write_part(
    part: &Part,
    (left, width): (u32, u32),
    most: u32,
    out: &mut dyn Write,
) -> io::Result<()> {
    let stack = [
        ("applied", part.applied),
        ("routine", part.routine),
        ("owner", part.owner),
        ("held", part.held_or_refused),
    ];
    let mut below = 0u32;
    for (class, count) in stack {
        let bottom = scaled(below, most, STEPS_HEIGHT);
        below = below.saturating_add(count);
        let top = scaled(below, most, STEPS_HEIGHT);
        let height = top.saturating_sub(bottom).max(u32::from(count > 0));
        let bar = (
            left,
            STEPS_TOP + STEPS_HEIGHT - bottom - height,
            width,
            height,
        );
        write_bar(class, bar, out)?;
    }
    Ok(())
}

fn write_marks(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let mut drawn: Option<u32> = None;
    for step in &report.timeline.marked {
        let at = scaled(step.saturating_sub(1), report.steps, WIDTH - MARK_WIDTH);
        if drawn.is_some_and(|drawn| at < drawn + MARK_WIDTH) {
            continue;
        }
        drawn = Some(at);
        write_bar("mark", (at, MARKS_TOP, MARK_WIDTH, 10), out)?;
    }
    Ok(())
}

type Bar = (u32, u32, u32, u32);

fn write_bar(class: &str, (x, y, width, height): Bar, out: &mut dyn Write) -> io::Result<()> {
    if height == 0 {
        return Ok(());
    }
    writeln!(
        out,
        "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>"
    )
}

/// What is there is seen, however little it is.
fn height(count: u32, most: u32, full: u32) -> u32 {
    let least = if count > 0 { 3 } else { 0 };
    scaled(count, most, full).max(least)
}

fn scaled(part: u32, whole: u32, full: u32) -> u32 {
    let scaled = u64::from(part) * u64::from(full) / u64::from(whole.max(1));
    u32::try_from(scaled).unwrap_or(full)
}
