//! replayscope replays recorded event deliveries and shows what the consumer contract decided.
//!
//! # The one idea
//!
//! **A run is an append-only history; every screen is a question about a prefix of it.** The engine
//! takes records in capture order and only appends: steps, receipts, changes of an aggregate, spans of
//! waiting, the owner's decisions, evidence. "The ledger at step 7" is a length, "this aggregate at
//! step 7" a binary search in its own past, "held at step 7" the spans that contain 7. So time travel
//! costs O(log n), needs no snapshots and no undo, and the headless trace and the screen cannot
//! disagree.
//!
//! ```text
//! bytes --> capture --> records --> engine --> history <-- questions -- app --> tui
//!           (any thread, pure)      (in order)    ^                      |
//!                                                 +------ export <- cli -+
//! ```
//!
//! # Rooms, in reading order
//!
//! | room | what it is | knows |
//! |---|---|---|
//! | [`model`] | values that all share: identities, records, states, reasons, findings | nobody |
//! | [`text`] | what may be shown: safe text, widths, times | nobody |
//! | [`contract`] | the contract: file shape, checks, built-ins, JSON pointers | model |
//! | [`capture`] | bytes to JSON to framing to shape to records | model, contract |
//! | [`engine`] | one file a stage, and the pipeline that branches over them | model, contract |
//! | [`history`] | the append-only run and its as-of questions | model |
//! | [`session`] | opens a capture: threads, looking back at bytes, searching | all above but text |
//! | [`review`] | marks, the case file, its chain and lock | what stands above |
//! | [`export`] | the trace document, its summary, the report | what stands above |
//! | [`app`] | Model, Message, update to Command: the inspector without a terminal | model, history, review, text |
//! | [`tui`] | terminal, events, keymap, theme, views | app, text |
//! | [`cli`] | arguments to settings; one thin file a command | everything |
//!
//! # What holds everywhere
//!
//! The core is total: a bad record is a step with a reason, never an `Err`. `engine`, `history` and
//! `app` name no files, clocks, threads or terminals; time is data in a record. Identities are compared
//! on their bytes; a hash only says where to look. Nothing out of a capture is drawn or printed that
//! was not made safe in [`text`]. Nothing on the drawing path grows with the capture. `tests/tidy.rs`
//! holds what can be held by a test.

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
