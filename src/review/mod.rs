//! Marks that can be trusted later: what a person decided about the evidence, and the case file.
//!
//! A case file lies beside its capture, is only ever added to, and says in its first line which
//! capture and contract it is about. Reading order: [`anchor`] and [`entry`] (what is said), [`book`]
//! (what is marked now), [`case`] (how it is saved), `wire` and `chain` (the lines), [`mod@verify`] (what
//! they prove), [`store`] (the disk, or a test's stand-in).
//!
//! A line from the middle of a case file, cut short:
//!
//! ```text
//! {"entry":3,"kind":"mark","operator":"anna","time":"2026-03-02T09:14:00Z",
//!  "anchor":{"record":{"number":6,"offsetBytes":1210,"lengthBytes":402,"sha256":"…",
//!                      "kind":"delivery","step":7,"state":"same-version-event-rejected"}},
//!  "disposition":"needs-owner-decision","note":"two payments?","prev":"…","sum":"…"}
//! ```
//!
//! No clock and no terminal here: times are handed in, and every text that comes out of a case file
//! is made safe by whoever shows it.

pub mod anchor;
pub mod book;
pub mod case;
mod chain;
pub mod condition;
pub mod digest;
pub mod entry;
mod of_run;
pub mod operator;
pub mod places;
mod reading;
mod saving;
pub mod stale;
pub mod store;
pub mod verify;
mod wire;

pub use anchor::{Anchor, AnchorKey, Disposition, MissingAnchor, RecordAnchor};
pub use book::{CaseBook, Mark, Stale};
pub use case::{Case, CasePlace, Outcome};
pub use condition::{Condition, Holder, Notice, ReadOnly, Trouble};
pub use digest::Digest;
pub use entry::{Act, Basis, Entry, EntryError, EntryNo, Extent, Identity, Signature};
pub use of_run::RunBytes;
pub use places::{default_place, drafts_path, operator_path, state_place};
pub use reading::{Reading, read_file};
pub use saving::SaveAsError;
pub use stale::{CaptureBytes, stale_words};
pub use store::{Disk, How, Store, StoredFile};
pub use verify::{Verdict, verify, verify_file};
pub use wire::FORMAT;
