//! SNS as a Lambda function gets it: one element of `Records`, `EventSource` with a capital, the
//! envelope under `Sns` (AWS Lambda, "Invoking Lambda functions with Amazon SNS notifications").

use super::super::super::registry::{Shape, ToldBy};
use super::message::{is, note};
use super::sns::envelope;

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
        envelope(layer, &["Sns"], around)
    },
};
