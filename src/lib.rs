//! replayscope replays recorded event deliveries and shows what the consumer contract decided.

pub mod app;
pub mod capture;
pub mod cli;
pub mod contract;
pub mod engine;
pub mod export;
pub mod history;
pub mod model;
pub mod review;
pub mod session;
pub mod text;
pub mod tui;
