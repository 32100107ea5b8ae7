//! `kubectl logs --timestamps` and `--prefix`: `[pod/NAME/CONTAINER] TIME line`, either part alone or
//! both; `docker logs --timestamps` writes the time alone as well.

use super::super::super::super::pieces;
use super::super::super::around::Around;
use super::super::super::layer::{Inner, Layer};
use super::super::super::registry::{Shape, ToldBy};
use super::begins_value;
use crate::model::{Instant, reason};

pub(super) const SHAPE: Shape = Shape {
    name: "kubectl",
    told_by: ToldBy::Text(fits),
    unwrap,
};

/// Where the line comes from, its time, and what it says.
struct Line<'a> {
    pod: Option<&'a str>,
    time: Option<&'a str>,
    rest: &'a str,
}

impl<'a> Line<'a> {
    fn of(text: &'a str) -> Option<Self> {
        let named = text
            .strip_prefix("[pod/")
            .and_then(|rest| rest.split_once("] "));
        let (pod, rest) = match named {
            Some((pod, rest)) if pod.contains('/') && !pod.contains(' ') => (Some(pod), rest),
            _ => (None, text),
        };
        let timed = rest.split_once(' ').filter(|(time, _)| {
            pieces::begins_with_date(time.as_bytes()) && Instant::parse(time).is_some()
        });
        let (time, rest) = match timed {
            Some((time, rest)) => (Some(time), rest),
            None => (None, rest),
        };
        (pod.is_some() || time.is_some()).then_some(Self { pod, time, rest })
    }
}

fn fits(text: &str) -> bool {
    // Loki's text output has labels behind the time.
    Line::of(text).is_some_and(|line| {
        begins_value(line.rest) && super::logcli_text::labels(line.rest).is_none()
    })
}

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    let Some(line) = Line::of(layer.text) else {
        return Inner::Nothing(reason::NO_PAYLOAD);
    };
    around.received(line.time.and_then(Instant::parse));
    if layer.facts && line.pod.is_some() {
        around.channel = line.pod.map(Into::into);
    }
    Inner::Text(line.rest)
}
