//! replayscope replays recorded event deliveries and shows what the consumer contract decided.

pub mod model;
pub mod review;
