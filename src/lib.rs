//! replayscope replays recorded event deliveries and shows what the consumer contract decided.

pub mod app;
pub mod contract;
pub mod model;
pub mod text;
pub mod tui;
