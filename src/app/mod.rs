//! What the inspector is, without a terminal: its model, what can happen to it, and what it wants
//! done.

pub mod action;
pub mod class;

pub use action::Action;
pub use class::Class;
