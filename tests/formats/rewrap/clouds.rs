//! Clouds' queues and buses.

use super::Wrap;

pub const WRAPS: &[(&str, Wrap)] = &[];
