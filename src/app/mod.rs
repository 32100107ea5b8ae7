//! What the inspector is, without a terminal: its model, what can happen to it, and what it wants
//! done.
//!
//! ```text
//! Message ──▶ Model::update ──▶ Command ──▶ whoever implements Backend
//!    ▲            │                              │
//!    └────────────┼──────────────────────────────┘
//!                 ▼
//!        View (lines ready to be painted) ──▶ tui
//! ```
//!
//! Reading order: `message` (what goes in and out), `model` (what it knows), `update` with `motion`,
//! `panes` and `marking` (what changes), `views` (the views beside the steps), `view` (what there is to see), `layout` (where).

pub mod action;
mod cache;
mod causes;
pub mod class;
mod copy;
mod curtain;
pub mod filter;
mod form;
pub mod guide;
mod highlight;
mod inputs;
mod jumps;
pub mod layout;
mod leaving;
pub mod line;
mod list;
mod marked;
mod marking;
pub mod message;
pub mod model;
mod motion;
mod mouse;
mod panes;
mod places;
mod prompt;
pub mod role;
mod rule;
mod search;
mod selection;
mod tally;
mod typing;
mod update;
pub mod view;
pub mod views;

pub use action::{Action, Context};
pub use class::Class;
pub use layout::{Area, Layout, Pane};
pub use line::{Line, Span};
pub use message::{
    Backend, Banner, Command, Draft, Edit, MarkAnswer, MarkNews, MarkTarget, Message, Progress,
    SearchNews,
};
pub use model::{Model, Settings, Start};
pub use role::Role;
pub use view::View;
pub use views::ViewName;
