//! SNS as a Lambda function gets it: one element of `Records`, `EventSource` with a capital, the
//! envelope under `Sns` (AWS Lambda, "Invoking Lambda functions with Amazon SNS notifications").

use super::super::super::layer::Inner;
use super::super::super::registry::{Shape, ToldBy};
use super::message::{is, note};
use super::sns::envelope;
use crate::model::reason;

pub(super) const SHAPE: Shape = Shape {
    name: "sns-lambda",
    told_by: ToldBy::Keys {
        has: &["EventSource", "Sns"],
        lacks: &[],
        fits: |layer| is(layer, "EventSource", "aws:sns"),
    },
    unwrap: |layer, around| {
        note(
            layer,
            "EventSubscriptionArn",
            &["EventSubscriptionArn"],
            around,
        );
        match layer.member("Sns") {
            Some(inner) => envelope(layer, inner, around),
            None => Inner::Nothing(reason::NO_PAYLOAD),
        }
    },
};
