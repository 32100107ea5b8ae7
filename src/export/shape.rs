//! The trace document's shapes on the wire (cli.md, "The trace document"). Apart from the model's
//! types on purpose: these names are a promise to scripts, those may change.

use serde::Serialize;
use serde_json::value::RawValue;

#[derive(Serialize)]
pub(super) struct FindingShape {
    pub(super) code: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) record: Option<u32>,
}

#[derive(Serialize)]
pub(super) struct ProjectionShape<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) version: Option<u64>,
    pub(super) state: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct StepShape<'a> {
    pub(super) step: u32,
    pub(super) record: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) file: Option<&'a str>,
    pub(super) line: u64,
    pub(super) kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) released_by: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) source: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<&'a str>,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub(super) event_type: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) subject: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) time: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) received_at: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) aggregate: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) version: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) schema_version: Option<i64>,
    pub(super) state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) expected: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) first: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) deliveries: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) projection: Option<ProjectionShape<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) compensation_key: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) occurrences: Option<u32>,
    pub(super) findings: Vec<FindingShape>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) attempt: Option<&'a str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub(super) conformance: &'a [&'a str],
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub(super) transport: Option<TransportShape<'a>>,
}

/// What the wrappers around a record say (capture.md, "Shape").
#[derive(Serialize)]
pub(super) struct TransportShape<'a> {
    pub(super) wrap: &'a [&'static str],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) position: Option<PositionShape<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) key: Option<&'a str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub(super) remarks: &'a [&'static str],
}

#[derive(Serialize)]
pub(super) struct PositionShape<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) channel: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) partition: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) offset: Option<&'a str>,
}

/// One of several files.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FileShape<'a> {
    pub(super) path: &'a str,
    pub(super) sha256: &'a str,
    pub(super) bytes: u64,
    pub(super) format: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) compression: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) decompressed_bytes: Option<u64>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CaptureShape<'a> {
    pub(super) path: &'a str,
    pub(super) sha256: &'a str,
    pub(super) bytes: u64,
    pub(super) records: u32,
    pub(super) format: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) compression: Option<&'a str>,
    #[serde(rename = "decompressedBytes", skip_serializing_if = "Option::is_none")]
    pub(super) decompressed_bytes: Option<u64>,
    #[serde(rename = "noiseLines", skip_serializing_if = "Option::is_none")]
    pub(super) noise_lines: Option<u64>,
    #[serde(rename = "fromTheEnd", skip_serializing_if = "std::ops::Not::not")]
    pub(super) from_the_end: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) order: Option<&'static str>,
    #[serde(rename = "positionedRecords", skip_serializing_if = "Option::is_none")]
    pub(super) positioned_records: Option<u32>,
    #[serde(rename = "newestFirst", skip_serializing_if = "std::ops::Not::not")]
    pub(super) newest_first: bool,
    #[serde(rename = "timesStartAgain", skip_serializing_if = "Option::is_none")]
    pub(super) times_start_again: Option<u64>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub(super) files: Vec<FileShape<'a>>,
}

#[derive(Serialize)]
pub(super) struct ContractShape<'a> {
    pub(super) name: &'a str,
    pub(super) consumer: &'a str,
    pub(super) sha256: &'a str,
    pub(super) origin: &'a str,
    #[serde(rename = "baselinePolicy", skip_serializing_if = "Option::is_none")]
    pub(super) baseline_policy: Option<&'static str>,
}

#[derive(Serialize)]
pub(super) struct DeferredShape {
    pub(super) version: u64,
    pub(super) records: Vec<u32>,
}

#[derive(Serialize)]
pub(super) struct GapCauseShape<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) record: Option<u32>,
    pub(super) cause: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) state: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reason: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct AggregateShape<'a> {
    pub(super) source: &'a str,
    pub(super) aggregate: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) version: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) state: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) assumed_baseline: Option<i128>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) waiting_for: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) deferred: Option<Vec<DeferredShape>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) gap_causes: Option<Vec<GapCauseShape<'a>>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ReceiptShape<'a> {
    pub(super) key: String,
    pub(super) source: &'a str,
    pub(super) id: &'a str,
    pub(super) record: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) input_schema_version: Option<i64>,
    pub(super) result_version: i64,
    pub(super) result: &'a RawValue,
}

#[derive(Serialize)]
pub(super) struct OrderShape<'a> {
    pub(super) id: &'a str,
    pub(super) status: &'a str,
    pub(super) version: u64,
}

#[derive(Serialize)]
pub(super) struct CompensationShape<'a> {
    pub(super) key: String,
    pub(super) record: u32,
    pub(super) reason: &'a str,
    pub(super) order: &'a str,
    pub(super) status: &'a str,
    pub(super) version: u64,
}

#[derive(Serialize)]
pub(super) struct ReviewShape<'a> {
    pub(super) key: String,
    pub(super) why: &'a str,
    pub(super) reason: &'a str,
    pub(super) occurrences: usize,
}

#[derive(Serialize)]
pub(super) struct GateShape<'a> {
    pub(super) aggregate: &'a str,
    pub(super) action: &'a str,
    pub(super) allowed: bool,
    pub(super) reasons: Vec<&'static str>,
}

/// Evidence as step numbers in `trace`, as plain counts in `check`.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum EvidenceShape {
    Steps { open: Vec<u32>, resolved: Vec<u32> },
    Counts { open: usize, resolved: usize },
}
