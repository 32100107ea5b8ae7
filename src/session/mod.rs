//! Opens a capture and runs the engine over it; looks back at its bytes for whoever asks.
//!
//! [`open()`] chooses bytes and contract, [`Run`] loads and decides on threads of its own, and a
//! [`Reader`] answers questions about single records while that goes on.

mod advice;
mod ahead;
mod beside;
#[cfg(test)]
mod collisions_tests;
mod explain;
mod explain_owner;
mod facts;
mod fit;
mod open;
mod order;
mod positions;
mod proof;
mod propose;
mod reader;
mod recorder;
mod restarts;
mod run;
mod search;
mod sieve;
mod sweep;
mod trend;

pub use beside::{beside, beside_text, error_text};
pub use facts::{Facts, FileFacts};
pub use fit::{BadFit, bad_fit, bad_fit_notice, bad_fit_text, unread_text};
pub use open::{CaptureChoice, OpenError, WALKTHROUGH, WALKTHROUGH_NAME, open, workers};
pub use order::Order;
pub use propose::{Proposal, carries_json_inside, propose};
pub use reader::{Reader, Receipt};
pub use run::{Progress, Run};
pub use search::{Search, SearchNews, Wanted};
pub use sieve::{Asks, Check, Sieve};
