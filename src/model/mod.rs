//! Values that every room shares: identities, records, states, reasons, findings, and the compact
//! containers that history and engine keep them in.
//!
//! Nothing here does I/O, knows a wire format or holds a clock: time is data in a record.

pub mod beside;
pub mod compact;
pub mod conformance;
pub mod finding;
pub mod fold;
pub mod gate;
pub mod ids;
pub mod instant;
pub mod look;
pub mod reason;
pub mod record;
pub mod state;
pub mod step;

pub use beside::{Beside, BesideLine};
pub use conformance::Rule;
pub use finding::{Finding, FindingCode, Severity};
pub use gate::{GateFacts, GateReason, GateRule};
pub use ids::{AggregateId, OrderId, Place, ReasonId, RecordNo, SourceId, StepNo, WordId};
pub use instant::Instant;
pub use look::{
    EventText, Look, ReadFault, RowText, StageView, Transport, TreeKind, TreeNode, Verdict,
};
pub use reason::Vocabulary;
pub use record::{Body, Delivery, Passage, Record, RecordFindings, Statement};
pub use state::{Kind, Stage, State};
pub use step::{Cause, Effect, GapCarrier, GapCause, Outcome, Subject};
