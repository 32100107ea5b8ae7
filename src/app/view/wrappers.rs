//! What came around an event: its wrappers with what they say, and what the event breaks of the
//! CloudEvents specification.

use crate::model::Look;

use super::super::line::Line;
use super::super::role::Role;

/// Headers that are listed; of more, their number is told.
const HEADERS_MAX: usize = 12;

/// What an attribute's header begins with, in any binding (CloudEvents Kafka, HTTP and AMQP bindings).
const ATTRIBUTES: [&str; 4] = ["ce_", "ce-", "cloudevents:", "cloudevents_"];

/// The lines about a record's wrappers; none of a bare one in the only file.
pub(super) fn lines(look: &Look) -> Vec<Line> {
    let mut lines = Vec::new();
    if let Some(file) = &look.file {
        let line = Line::own(Role::Dim, "in file ").with(Role::Text, file);
        let place = format!(", line {}", look.place.line);
        lines.push(line.with(Role::Dim, place).hanging(2));
    }
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
        lines.extend(headers(&transport.headers));
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

/// The headers that are no attributes of the event: those stand in its tree.
fn headers(headers: &[(String, Option<String>)]) -> Option<Line> {
    let is_attribute = |name: &str| {
        let lower = name.to_ascii_lowercase();
        ATTRIBUTES.iter().any(|prefix| lower.starts_with(prefix))
    };
    let own: Vec<_> = headers
        .iter()
        .filter(|(name, _)| !is_attribute(name))
        .collect();
    if own.is_empty() {
        return None;
    }
    let line = Line::own(Role::Dim, "headers");
    let shown = own.iter().take(HEADERS_MAX);
    let line = shown.fold(line, |line, (name, value)| {
        let line = line.with(Role::Dim, " ").value(Role::Key, name);
        match value {
            Some(value) => line.with(Role::Dim, "=").value(Role::Text, value),
            None => line.with(Role::Dim, " null"),
        }
    });
    let more = own.len().saturating_sub(HEADERS_MAX);
    let line = if more > 0 {
        line.with(Role::Dim, format!(" and {more} more"))
    } else {
        line
    };
    Some(line.hanging(2))
}
