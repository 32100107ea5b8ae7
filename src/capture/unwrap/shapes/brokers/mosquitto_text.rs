//! `mosquitto_sub -v`: the topic, a space and the payload, as it is (mosquitto `sub_client_output.c`).
//!
//! A word before a value stands in many a program's log, so only what can be nothing else is taken: a
//! topic of several levels, or the retained ones of `$SYS`, and an object or array to the end of the text.

use super::{Around, Inner, Layer, Payload, Shape, ToldBy, is_json_value, message, stood};

pub(super) const SHAPE: Shape = Shape {
    name: "mosquitto-text",
    told_by: ToldBy::Text(fits),
    unwrap,
};

/// The topic and the payload.
fn parts(text: &str) -> Option<(&str, &str)> {
    let (topic, payload) = text.split_once(' ')?;
    // Wildcards are subscribed to, and never a message's topic (MQTT 5.0, section 4.7.1).
    let is_topic = topic.contains('/')
        && !topic.contains(|c: char| c.is_control() || matches!(c, '+' | '#' | '"' | '[' | ']'));
    // `http://host/`, `key=/path`, `file:/path` and Go's `2026/03/02` are somebody's log.
    let is_other = topic.contains("://")
        || topic.contains(['=', '|'])
        || topic.ends_with(':')
        || topic
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'/');
    (is_topic && !is_other).then_some((topic, payload))
}

fn fits(text: &str) -> bool {
    parts(text).is_some_and(|(_, payload)| {
        payload.starts_with(['{', '[']) && is_json_value(payload.trim())
    })
}

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    let Some((topic, payload)) = parts(layer.text) else {
        return Inner::Nothing(crate::model::reason::NO_PAYLOAD);
    };
    stood(around, Some(topic.into()), None);
    let payload = Payload::Text(payload.trim());
    message(layer, Vec::new(), None, &["ce-"], payload, around)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_topic_of_several_levels_before_a_value() {
        for text in [
            "orders/status {\"a\":1}",
            "/orders {}",
            "orders/status [{}]",
            "$SYS/broker/x {\"a\":1}\r",
            "shop/größe/7 {}",
        ] {
            assert!(fits(text), "{text}");
        }
        for text in [
            "orders {\"a\":1}",
            "orders/status {\"a\":1",
            "orders/status {\"a\":1} x",
            "orders/status [INFO] x",
            "orders/status  {\"a\":1}",
            "orders/status plain",
            "https://a.test/ {\"a\":1}",
            "path=/orders {\"a\":1}",
            "2026/03/02 09:00:00 {\"a\":1}",
            "2026/03/02 {\"a\":1}",
            "[pod/a/b] {\"a\":1}",
            "a/+ {\"a\":1}",
            "{\"a/b\": {}}",
        ] {
            assert!(!fits(text), "{text}");
        }
    }
}
