//! Debezium's outbox event router: an event's payload as the value, its id in the header `id`, the
//! aggregate's id as key, the aggregate's type in the topic's name (`outbox.event.order`). Its type is
//! there where `table.fields.additional.placement` puts it into a header.

use super::{Around, EventText, Inner, Layer, Message, Payload, tell, text_in_text};

/// What the router's topics are called, unless they are set to be called otherwise.
const TOPIC: &str = "outbox.event.";

/// Headers that hold the event's type in the field.
const TYPES: [&str; 4] = ["eventType", "event_type", "type", "eventtype"];

/// The event of a message that the router wrote, where it is no CloudEvent by itself.
pub(super) fn event<'a>(
    layer: Layer<'a, '_>,
    message: &Message<'a>,
    payload: Payload<'a>,
    around: &mut Around<'a>,
) -> Option<Inner<'a>> {
    let header = |wanted: &str| {
        let mut headers = message.headers.iter();
        let found = headers.find(|(name, _)| name == wanted);
        found.and_then(|(_, value)| value.as_deref())
    };
    let id = header("id")?;
    let topic = message.topic.as_deref()?;
    topic.find(TOPIC)?;
    let (data, is_nested) = match payload {
        Payload::Text(text) => match text_in_text(layer, text) {
            Some(inner) => (inner, true),
            None => (text, false),
        },
        Payload::Json(text) => (text, false),
        Payload::Absent | Payload::Bytes(_) => return None,
    };
    if is_event(data) {
        return None;
    }
    if is_nested {
        tell(layer, around, "the value is a JSON string that holds JSON");
    }
    tell(
        layer,
        around,
        "of Debezium's outbox: source is the topic, subject the message's key",
    );
    let mut event = EventText::new(layer.arena);
    event.string("specversion", "1.0");
    event.string("id", id);
    event.string("source", topic);
    event.maybe("type", TYPES.iter().find_map(|name| header(name)));
    event.maybe("subject", message.key.as_deref());
    event.data(Payload::Text(data), None);
    Some(event.finish())
}

/// Whether the value is an event itself: then it counts.
fn is_event(text: &str) -> bool {
    let has = |name: &str| memchr::memmem::find(text.as_bytes(), name.as_bytes()).is_some();
    has("\"specversion\"")
}
