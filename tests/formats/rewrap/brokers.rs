//! Brokers, event stores and webhooks.

use super::Wrap;

pub const WRAPS: &[(&str, Wrap)] = &[];
