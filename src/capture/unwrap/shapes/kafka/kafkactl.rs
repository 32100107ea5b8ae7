//! `kafkactl consume -o json`: `{"Partition", "Offset", "Headers", "keySchemaId", "Key", "Value",
//! "Timestamp"}` in this order, most of them only where they were asked for. There is no topic.

use super::kafka_ui::{begins_with_partition, unwrap_pascal_case};
use super::{Around, Inner, Layer, Shape, ToldBy, tell};

pub(super) const SHAPE: Shape = Shape {
    name: "kafkactl",
    told_by: ToldBy::Keys {
        has: &["Partition", "Offset", "Value"],
        lacks: &[],
        fits: begins_with_partition,
    },
    unwrap,
};

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    if layer.member("valueSchemaId").is_some() {
        tell(
            layer,
            around,
            "kafkactl decoded the value with a registry's schema",
        );
    }
    unwrap_pascal_case(layer, around)
}
