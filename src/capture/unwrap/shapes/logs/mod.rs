//! Logs of containers and clusters, with records among their lines.

mod docker;

use super::super::registry::{Container, Shape};

/// This group's shapes.
pub(super) const ALL: &[&Shape] = &[&docker::SHAPE];

/// This group's objects that hold an array of records.
pub(super) const CONTAINERS: &[Container] = &[];
