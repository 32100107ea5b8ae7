//! The inspector on a terminal.

use std::path::Path;
use std::process::ExitCode;

use color_eyre::eyre::eyre;

use super::args::{ColorChoice, InspectArguments, ThemeChoice};
use super::desk::Desk;
use super::drafts::DraftKeeper;
use super::facts::facts;
use super::marks::{MarksDesk, known_operator};
use super::{Failure, UNUSABLE};
use crate::app::{Model, Settings, Start};
use crate::contract::Origin;
use crate::engine::BaselinePolicy;
use crate::review::{CasePlace, default_place, state_place};
use crate::session::{CaptureChoice, Run, WALKTHROUGH_NAME, open, workers};
use crate::text::Zone;
use crate::tui::events::Ending;
use crate::tui::run::{Ended, run};
use crate::tui::signals::die_by;
use crate::tui::terminal::check;
use crate::tui::theme::{Environment, Palette, Theme};

/// Exit code after a panic; its report is already on standard error.
const PANICKED: u8 = 101;

/// Opens the inspector.
pub(super) fn inspect(arguments: &InspectArguments) -> Result<ExitCode, Failure> {
    let term = std::env::var("TERM").ok();
    check(term.as_deref())?;
    let zone = Zone::named(&arguments.tz).map_err(|error| eyre!(error))?;
    let choice = super::choice(&arguments.capture)?;
    let options = &arguments.run;
    let capture = open(choice, options.contract.as_deref(), options.policy())?;
    let capture = capture.in_order(options.order());
    // As long as the process: see `open_run`.
    let capture: &'static Run = Box::leak(Box::new(capture.asking(options.asked())));
    let operator = known_operator();
    let name = capture_name(choice);
    let place = case_place(choice, options.case.as_deref());
    let case = place.as_ref().map(|place| place.path.clone());
    let drafts = DraftKeeper::new(capture, case.as_deref());
    let keeps_drafts = drafts.keeps();
    let paths = match choice.path() {
        Some(_) => arguments.capture.clone(),
        None => vec![name.clone().into()],
    };
    let marks = MarksDesk::open(capture, name.clone(), place, &operator);
    std::thread::spawn(|| capture.load(workers()));
    let mut model = Model::new(Settings {
        keeps_drafts,
        ..settings(
            arguments,
            capture,
            choice,
            name,
            zone.clone(),
            operator,
            case.as_deref(),
        )
    });
    let mut desk = Desk::new(capture, (marks, drafts), zone, paths, case);
    model.restore_drafts(desk.restored());
    let ended = run(
        model,
        &mut desk,
        theme(arguments, term.as_deref()),
        arguments.mouse,
    );
    // Also where the terminal is gone: what was written has to be kept.
    capture.stop();
    desk.finish(matches!(ended, Ok(Ended::Quit)));
    Ok(match ended? {
        Ended::Quit => ExitCode::SUCCESS,
        Ended::By(Ending::Panicked) => ExitCode::from(PANICKED),
        Ended::By(Ending::TerminalGone) => ExitCode::from(UNUSABLE),
        Ended::By(Ending::Signal(signal)) => {
            die_by(signal);
            ExitCode::from(UNUSABLE)
        }
    })
}

fn settings(
    arguments: &InspectArguments,
    run: &Run,
    choice: CaptureChoice<'_>,
    capture: String,
    zone: Zone,
    operator: String,
    case: Option<&Path>,
) -> Settings {
    let loaded = run.loaded();
    let is_lesson = choice == CaptureChoice::WalkThrough;
    Settings {
        capture: {
            let ways = run.input().compressions();
            let names: Vec<_> = ways.iter().map(|how| how.name()).collect();
            if names.is_empty() {
                capture
            } else {
                format!("{capture} ({})", names.join(" and "))
            }
        },
        consumer: loaded.contract.consumer.clone(),
        contract: match &loaded.origin {
            Origin::BuiltIn => format!("{}, built in", loaded.name),
            Origin::File(path) => path.to_string_lossy().into_owned(),
            Origin::Sidecar(_) => "sidecar".to_owned(),
        },
        has_assumed_baselines: run.baseline() == BaselinePolicy::FirstSeen,
        zone,
        start: if is_lesson { Start::First } else { Start::Last },
        curtain: arguments.curtain,
        // Beside the capture its name says enough; elsewhere only the whole path does.
        case: case.map(|case| match choice.path() {
            Some(capture) if case.parent() == capture.parent() => file_name(case),
            Some(_) | None => case.to_string_lossy().into_owned(),
        }),
        operator,
        mouse: arguments.mouse,
        keeps_drafts: false,
        facts: facts(loaded, run.baseline()),
    }
}

fn capture_name(choice: CaptureChoice<'_>) -> String {
    match choice {
        CaptureChoice::WalkThrough => WALKTHROUGH_NAME.to_owned(),
        CaptureChoice::StandardInput => "standard input".to_owned(),
        CaptureChoice::File(path) => file_name(path),
        CaptureChoice::Files(paths) => {
            let first = paths.first().map(|path| file_name(path));
            format!(
                "{}{}",
                first.unwrap_or_default(),
                super::behind_the_first(paths)
            )
        }
    }
}

fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

/// Where the marks go. What comes through a pipe has no place of its own: its marks are saved where
/// the person says.
fn case_place(choice: CaptureChoice<'_>, named: Option<&Path>) -> Option<CasePlace> {
    if let Some(path) = named {
        return Some(CasePlace::at(path));
    }
    match choice {
        CaptureChoice::WalkThrough => state_place(WALKTHROUGH_NAME),
        CaptureChoice::StandardInput => None,
        CaptureChoice::File(_) | CaptureChoice::Files(_) => default_place(choice.path()?),
    }
}

fn theme(arguments: &InspectArguments, term: Option<&str>) -> Theme {
    let is_set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let no_color = is_set("NO_COLOR").is_some() && arguments.run.color != ColorChoice::Always;
    let colorterm = is_set("COLORTERM");
    let colorfgbg = is_set("COLORFGBG");
    let palette = match arguments.theme {
        _ if no_color || arguments.run.color == ColorChoice::Never => Palette::Mono,
        ThemeChoice::Auto => Palette::choose(Environment {
            no_color,
            term,
            colorterm: colorterm.as_deref(),
            colorfgbg: colorfgbg.as_deref(),
        }),
        ThemeChoice::Dark => Palette::Dark,
        ThemeChoice::Light => Palette::Light,
        ThemeChoice::Sixteen => Palette::Sixteen,
        ThemeChoice::Mono => Palette::Mono,
    };
    if arguments.run.color == ColorChoice::Always {
        crossterm::style::force_color_output(true);
    }
    Theme::new(palette, arguments.ascii)
}
