//! Brokers, event stores and webhooks.

use super::super::registry::{Container, Shape};

/// This group's shapes.
pub(super) const ALL: &[&Shape] = &[];

/// This group's objects that hold an array of records.
pub(super) const CONTAINERS: &[Container] = &[];
