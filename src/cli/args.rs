//! Arguments, as clap reads them.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::builder::styling::{AnsiColor, Styles};
use clap::{Args, Parser, Subcommand, ValueEnum};

use super::report::ReportArguments;
use super::verify::VerifyArguments;
use crate::capture::{Asked, Only, Template, TemplateError, unwrap};
use crate::engine::BaselinePolicy;
use crate::session::Order;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Yellow.on_default().bold())
    .usage(AnsiColor::Yellow.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Green.on_default());

const EXAMPLES: &str = "\
Examples:
  replayscope                                  the built-in walk-through
  replayscope orders.jsonl                     open a capture at its last step
  kcat -C -t orders -e | replayscope -         what another tool prints
  replayscope orders.jsonl.gz                  gzip and zstd, from files and pipes
  replayscope mon.jsonl tue.jsonl.gz           several files as one capture, in this order
  replayscope p0.json p1.json --order position each partition's records by their offsets
  replayscope trace orders.jsonl --at 7        everything as of step 7, as a table
  replayscope check orders.jsonl && deploy     exit 1 while evidence is open";

/// Replays recorded event deliveries: what the consumer contract decided at every step, and why.
#[derive(Debug, Parser)]
#[command(name = "replayscope", version, about, after_help = EXAMPLES, styles = STYLES)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub(super) command: Option<Command>,
    #[command(flatten)]
    pub(super) inspect: InspectArguments,
}

/// What can be done beside opening the inspector.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Print every step, or the whole run as one document
    #[command(after_help = TRACE_EXAMPLES)]
    Trace(TraceArguments),
    /// Summarise a run for scripts; exit 1 while evidence is open
    #[command(after_help = CHECK_EXAMPLES)]
    Check(CheckArguments),
    /// Write the incident report: Markdown, HTML, CSV or JSON
    #[command(after_help = super::report::EXAMPLES)]
    Report(ReportArguments),
    /// Prove that a case file belongs to its capture and is unbroken; exit 1 if not proven
    #[command(after_help = super::verify::EXPLANATION)]
    Verify(VerifyArguments),
    /// Look at contracts: the built-in ones, a file of your own, the JSON Schema
    #[command(subcommand, after_help = CONTRACT_EXAMPLES)]
    Contract(ContractCommand),
}

const TRACE_EXAMPLES: &str = "\
Examples:
  replayscope trace orders.jsonl                      a table, one step a line
  replayscope trace orders.jsonl --format jsonl       one JSON object a step, as they are decided
  replayscope trace orders.jsonl --format json | jq .aggregates
  replayscope trace orders.jsonl --at 7               everything as of step 7
  replayscope trace orders.jsonl --explain-format     what was recognised, and why not";

const CHECK_EXAMPLES: &str = "\
Examples:
  replayscope check orders.jsonl                      what is open, and which aggregates wait
  replayscope check orders.jsonl --format json | jq .evidence.open";

const CONTRACT_EXAMPLES: &str = "\
Examples:
  replayscope contract init orders.jsonl --output orders.contract.json
  replayscope contract show event-contract > orders.contract.json
  replayscope contract check orders.contract.json
  replayscope contract schema > contract.schema.json";

const CONTRACT_CHECK_EXAMPLES: &str = "\
Examples:
  replayscope contract check orders.contract.json     exit 2, with line and column, if it is no contract";

const CONTRACT_INIT_EXAMPLES: &str = "\
Examples:
  replayscope contract init orders.jsonl --output orders.contract.json
  replayscope check orders.jsonl                      the contract beside the capture is taken";

const CONTRACT_SHOW_EXAMPLES: &str = "\
Examples:
  replayscope contract show                           which ones there are
  replayscope contract show consistency > orders.contract.json";

const CONTRACT_SCHEMA_EXAMPLES: &str = "\
Examples:
  replayscope contract schema > contract.schema.json  for an editor that completes and checks";

/// Options of every command that reads a capture.
#[derive(Debug, Args)]
pub(super) struct RunArguments {
    /// Contract in force: a built-in name or a file [default: beside orders.jsonl the file
    /// orders.contract.json, else consistency]
    #[arg(long, value_name = "NAME|FILE")]
    pub(super) contract: Option<String>,
    /// Start aggregates that the capture shows in mid-stream from the first event seen
    #[arg(long, value_name = "HOW")]
    pub(super) baseline: Option<Baseline>,
    /// Read the records from the end: for an export that is newest first. Pieces of docker and CRI
    /// lines that are in reverse order too are not joined: turn such a file around first (tac)
    #[arg(long)]
    pub(super) reverse: bool,
    /// Order of the records [default: capture, as they stand in the files]
    #[arg(long, value_name = "ORDER", conflicts_with = "reverse")]
    pub(super) order: Option<OrderChoice>,
    #[command(flatten)]
    pub(super) outermost: OutermostArguments,
    /// Refuse events that break what the CloudEvents specification demands
    #[arg(long)]
    pub(super) strict: bool,
    /// Case file with the marks [default: beside orders.jsonl the file orders.jsonl.case.jsonl]
    #[arg(long, value_name = "FILE")]
    pub(super) case: Option<PathBuf>,
    /// When to colour
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(super) color: ColorChoice,
}

impl RunArguments {
    pub(super) fn policy(&self) -> BaselinePolicy {
        match self.baseline {
            Some(Baseline::FirstSeen) => BaselinePolicy::FirstSeen,
            None => BaselinePolicy::None,
        }
    }

    pub(super) fn order(&self) -> Order {
        match self.order {
            Some(OrderChoice::Position) => Order::ByPosition,
            Some(OrderChoice::Capture) | None if self.reverse => Order::FromTheEnd,
            Some(OrderChoice::Capture) | None => Order::Forwards,
        }
    }

    /// How wrappers are taken off records.
    pub(super) fn asked(&self) -> Asked {
        Asked {
            strict: self.strict,
            only: self.outermost.only(),
            ..Asked::default()
        }
    }
}

/// What is around every record, where its looks must not tell or cannot.
#[derive(Debug, Args)]
pub(super) struct OutermostArguments {
    /// Read every record as this format, whatever else it looks like [default: told by its members;
    /// trace --explain-format says how]. Text blocks (event-display, http, nats-text, nats-stream-text,
    /// pulsar) are then looked for in all of the capture, not in its first 256 KiB alone
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(unwrap::names()), hide_possible_values = true)]
    input_format: Option<String>,
    /// Read records as kcat -f TEMPLATE wrote them: the very template that kcat was given, such as
    /// '%t [%p] %o %T|%h|%k|%s\n'. With %S before %s, payloads may have line ends
    #[arg(long, value_name = "TEMPLATE", value_parser = template, allow_hyphen_values = true, conflicts_with = "input_format")]
    kcat_format: Option<&'static Template>,
}

impl OutermostArguments {
    /// What the outermost wrapper was said to be.
    pub(super) fn only(&self) -> Option<Only> {
        let named = self.input_format.as_deref();
        let is_it = |name: &str| named == Some(name);
        let shape = named.and_then(|_| unwrap::names().position(is_it));
        let template = self.kcat_format.map(Only::Template);
        template.or(shape.map(Only::Shape))
    }
}

/// A template; it lives as long as the process, as the run does.
fn template(text: &str) -> Result<&'static Template, TemplateError> {
    Template::parse(text).map(|template| &*Box::leak(Box::new(template)))
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Baseline {
    /// Whatever comes first for an aggregate is taken to be next; every such step says so
    FirstSeen,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum OrderChoice {
    /// As they stand in the files
    Capture,
    /// Each partition's records by their offsets, in the places that are its own; records without a
    /// position stay where they are. Gaps between offsets are legal, and say nothing of versions
    Position,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ColorChoice {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// Opening the inspector.
#[derive(Debug, Args)]
pub(super) struct InspectArguments {
    /// Capture to open, in one file or several in their order; - reads standard input [default: the
    /// built-in walk-through]
    #[arg(value_name = "CAPTURE")]
    pub(super) capture: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) run: RunArguments,
    /// Show no outcome before its stages were stepped through: for teaching
    #[arg(long)]
    pub(super) curtain: bool,
    /// Draw with ASCII characters only
    #[arg(long)]
    pub(super) ascii: bool,
    /// Colours
    #[arg(long, value_name = "THEME", default_value = "auto")]
    pub(super) theme: ThemeChoice,
    /// Take the mouse: click and wheel, instead of the terminal's own selection
    #[arg(long)]
    pub(super) mouse: bool,
    /// Time zone of the times shown, as an IANA name
    #[arg(long, value_name = "ZONE", default_value = "UTC")]
    pub(super) tz: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ThemeChoice {
    /// What suits the terminal
    Auto,
    /// For a dark background
    Dark,
    /// For a light background
    Light,
    /// The terminal's own 16 colours
    #[value(name = "16")]
    Sixteen,
    /// No colours
    Mono,
}

#[derive(Debug, Args)]
pub(super) struct TraceArguments {
    /// Capture to trace, in one file or several in their order; - reads standard input
    #[arg(value_name = "CAPTURE", required = true)]
    pub(super) capture: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) run: RunArguments,
    /// How to print it
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub(super) format: TraceFormat,
    /// Everything as of this step, also between two replays of one cascade
    #[arg(long, value_name = "STEP")]
    pub(super) at: Option<u32>,
    /// Tell what each event breaks of the CloudEvents specification; the table counts by rule
    #[arg(long)]
    pub(super) conformance: bool,
    /// Print how the capture was read instead: framing, wrappers, and why what was not known was not
    #[arg(long)]
    pub(super) explain_format: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum TraceFormat {
    /// One line a step, for people
    Table,
    /// One JSON object a step, one a line
    Jsonl,
    /// The whole trace document
    Json,
}

#[derive(Debug, Args)]
pub(super) struct CheckArguments {
    /// Capture to check, in one file or several in their order; - reads standard input
    #[arg(value_name = "CAPTURE", required = true)]
    pub(super) capture: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) run: RunArguments,
    /// How to print it
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(super) format: CheckFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum CheckFormat {
    /// A few lines for people
    Text,
    /// The trace document without steps and receipts
    Json,
}

/// Looking at contracts.
#[derive(Debug, Subcommand)]
pub(super) enum ContractCommand {
    /// Check a contract file; errors name line, column and member
    #[command(after_help = CONTRACT_CHECK_EXAMPLES)]
    Check {
        /// The file
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Propose a contract from what a capture shows, with the records behind each guess
    #[command(after_help = CONTRACT_INIT_EXAMPLES)]
    Init(InitArguments),
    /// Print a built-in contract, or list them
    #[command(after_help = CONTRACT_SHOW_EXAMPLES)]
    Show {
        /// Which one [default: list them]
        #[arg(value_name = "NAME")]
        name: Option<String>,
    },
    /// Print the JSON Schema of contract files
    #[command(after_help = CONTRACT_SCHEMA_EXAMPLES)]
    Schema,
}

/// Proposing a contract.
#[derive(Debug, Args)]
pub(super) struct InitArguments {
    /// Capture to look at, in one file or several in their order; - reads standard input
    #[arg(value_name = "CAPTURE", required = true)]
    pub(super) capture: Vec<PathBuf>,
    /// Write the contract to this file [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    #[command(flatten)]
    pub(super) outermost: OutermostArguments,
    /// Replace the file if it is there
    #[arg(long, requires = "output")]
    pub(super) force: bool,
}
