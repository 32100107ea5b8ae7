//! The contract: what one consumer accepts, reads and creates (contract.md, "The contract file").
//!
//! ```text
//! load      which one is in force, and where it comes from
//! builtin   the three that the program carries
//! file      the shape of the file (wire: its building blocks) ─▶ schema: its JSON Schema
//! outline   where each member stands in the text
//! shape     unknown, missing and mistyped members
//! compile   the checks, and the way from the file to ─▶ rules: what capture and engine ask
//! pointer   JSON pointers, and the names they give to reasons
//! number    exact integers
//! compare   what to say where two contracts are compared
//! error     what is wrong, with line, column and path
//! ```

pub mod advice;
pub mod builtin;
pub mod compare;
mod compile;
#[cfg(test)]
mod compile_tests;
pub mod error;
mod file;
pub mod load;
pub mod number;
mod outline;
pub mod pointer;
pub mod rules;
pub mod schema;
mod shape;
#[cfg(test)]
mod test_support;
mod wire;

pub use advice::advice;
pub use compare::new_suffix_warning;
pub use error::{ContractError, Problem};
pub use load::{LoadError, LoadedContract, Origin, load, sidecar_path};
pub use pointer::{Pointer, PointerError, field_name};
pub use rules::{
    AggregateRule, Boundary, Compensation, Contract, DeclaredValue, EventRule, JsonType,
    OtherTypes, Read, RequiredAttribute, SchemaVersion, StateRule, TypePattern, VersionRule,
};
pub use schema::schema_text;
