//! What came around an event: its wrappers with what they say, and what the event breaks of the
//! CloudEvents specification.

use crate::model::Look;

use super::super::line::Line;
use super::super::role::Role;

/// Headers that are listed; of more, their number is told.
const HEADERS_MAX: usize = 12;

/// The lines about a record's wrappers; none of a bare one.
pub(super) fn lines(look: &Look) -> Vec<Line> {
    let mut lines = Vec::new();
    if let Some(transport) = &look.transport {
        let path = transport.path.join(" > ");
        let facts = [
            ("channel", &transport.channel),
            ("partition", &transport.partition),
            ("offset", &transport.offset),
            ("key", &transport.key),
        ];
        let line = Line::own(Role::Dim, "came in ").with(Role::Text, path);
        let line = facts.into_iter().fold(line, |line, (name, value)| {
            let Some(value) = value else { return line };
            line.with(Role::Dim, format!("  {name} "))
                .value(Role::Text, value)
        });
        lines.push(line.hanging(2));
        if !transport.headers.is_empty() {
            lines.push(headers(&transport.headers));
        }
        for remark in &transport.remarks {
            let line = Line::own(Role::Changed, "note ").with(Role::Text, *remark);
            lines.push(line.hanging(2));
        }
    }
    for rule in &look.conformance {
        let line = Line::own(Role::Dim, "note ")
            .with(Role::Dim, rule.name())
            .with(Role::Text, format!(": {}", rule.meaning()))
            .with(Role::Dim, format!(" (CloudEvents, {})", rule.place()));
        lines.push(line.hanging(2));
    }
    lines
}

fn headers(headers: &[(String, Option<String>)]) -> Line {
    let line = Line::own(Role::Dim, "headers");
    let shown = headers.iter().take(HEADERS_MAX);
    let line = shown.fold(line, |line, (name, value)| {
        let line = line.with(Role::Dim, " ").value(Role::Key, name);
        match value {
            Some(value) => line.with(Role::Dim, "=").value(Role::Text, value),
            None => line.with(Role::Dim, " null"),
        }
    });
    let more = headers.len().saturating_sub(HEADERS_MAX);
    let line = if more > 0 {
        line.with(Role::Dim, format!(" and {more} more"))
    } else {
        line
    };
    line.hanging(2)
}
