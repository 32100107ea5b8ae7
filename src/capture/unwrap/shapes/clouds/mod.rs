//! Clouds' queues, topics and event buses.

mod base64;
mod clock;
mod dynamodb;
mod event_grid;
mod eventbridge;
mod firehose;
mod kinesis;
mod kinesis_cli;
mod lambda_kafka;
mod lambda_rabbitmq;
mod message;
mod pubsub;
mod service_bus;
mod sns;
mod sns_lambda;
mod sqs;
mod sqs_cli;

use super::super::registry::{Container, Shape};

/// This group's shapes.
pub(super) const ALL: &[&Shape] = &[
    &sqs::SHAPE,
    &sqs_cli::SHAPE,
    &sns::SHAPE,
    &sns_lambda::SHAPE,
    &eventbridge::SHAPE,
    &pubsub::SHAPE,
    &event_grid::SHAPE,
    &service_bus::SHAPE,
    &kinesis::SHAPE,
    &kinesis_cli::SHAPE,
    &firehose::SHAPE,
    &dynamodb::SHAPE,
    &lambda_kafka::SHAPE,
    &lambda_rabbitmq::SHAPE,
    &base64::SHAPE,
];

/// This group's objects that hold an array of records.
pub(super) const CONTAINERS: &[Container] = &[
    Container {
        name: "Records",
        way: &["Records", "*"],
    },
    Container {
        name: "Messages",
        way: &["Messages", "*"],
    },
    Container {
        name: "receivedMessages",
        way: &["receivedMessages", "*"],
    },
    // Firehose's is an array, Kafka's one array a partition.
    Container {
        name: "records",
        way: &["records", "*"],
    },
    Container {
        name: "records by partition",
        way: &["records", "*", "*"],
    },
    Container {
        name: "rmqMessagesByQueue",
        way: &["rmqMessagesByQueue", "*", "*"],
    },
];
