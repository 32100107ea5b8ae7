//! How long the inspector takes from a key to the frame that answers it, in a pseudo-terminal.
//!
//! Every frame is one write that ends with the end of a synchronized update. A key is answered by
//! the first frame that shows what was asked for; its time is taken when the last piece of that
//! frame was read, before the emulator looks at it. Every program on the machine counts, so the
//! figures are upper bounds, and nothing here fails because something was slow.

mod inspector;
mod tasks;

use std::path::Path;
use std::time::{Duration, Instant};

use inspector::Inspector;
use tasks::{Deck, Task};

/// Times that a key is pressed for a percentile.
const PRESSES: usize = 100;
/// Times that something is looked for that reads the whole capture.
const PASSES: usize = 5;
/// How long a whole capture may take to load.
const PATIENCE: Duration = Duration::from_mins(10);

/// What a key may take, and what a first hit.
const KEY_MS: f64 = 16.0;
const HIT_MS: f64 = 100.0;
const FRAME_MS: f64 = 50.0;

/// What was measured of one kind of key.
pub(crate) struct Figures {
    /// What was asked for.
    pub(crate) kind: String,
    goal_ms: Option<f64>,
    times: Vec<Duration>,
}

impl Figures {
    fn percentile(&self, share: f64) -> f64 {
        let mut times = self.times.clone();
        times.sort_unstable();
        // The nearest rank: of a hundred the ninety-ninth.
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "a place in a short list"
        )]
        let rank = (share * times.len() as f64).ceil() as usize;
        let time = times.get(rank.saturating_sub(1)).copied();
        let time = time.unwrap_or_default();
        1000.0 * time.as_secs_f64()
    }

    fn row(&self) -> String {
        let [half, most, all] = [0.5, 0.99, 1.0].map(|share| self.percentile(share));
        let goal = match self.goal_ms {
            Some(goal) if most > goal => format!("{goal:.0}, missed"),
            Some(goal) => format!("{goal:.0}"),
            None => String::new(),
        };
        let (kind, count) = (&self.kind, self.times.len());
        format!("| {kind} | {count} | {half:.1} | {most:.1} | {all:.1} | {goal} |")
    }
}

/// Measures and prints one table.
pub(crate) fn report(capture: &Path) {
    println!("| key to frame, ms | times | p50 | p99 | max | goal (p99) |");
    println!("|---|---|---|---|---|---|");
    let anonymous = measure(capture, |figures| {
        // A search may be over before it can be given up.
        if !figures.times.is_empty() {
            println!("{}", figures.row());
        }
    });
    if let Some(each) = anonymous {
        println!("\nThe inspector with all of it loaded: {each} bytes a record of RssAnon.");
    }
}

/// Measures everything, in the order of a session; answers the memory that a record takes.
fn measure(capture: &Path, mut tell: impl FnMut(&Figures)) -> Option<u64> {
    tell(&first_frames(capture));
    let mut inspector = Inspector::start(capture);
    inspector.time("", tasks::is_usable);
    while_loading(&mut inspector).iter().for_each(&mut tell);
    inspector.wait("the end of loading", PATIENCE, |screen| {
        !tasks::is_loading(screen)
    });
    let anonymous = inspector.anonymous_bytes();
    let steps = tasks::steps(&inspector.text()).unwrap_or(1);
    let records = tasks::records(&mut inspector);
    for task in tasks::keys() {
        tell(&repeated(&mut inspector, &task, PRESSES, steps));
    }
    for task in tasks::lists() {
        tell(&repeated(&mut inspector, &task, PASSES, steps));
    }
    for task in tasks::looking(records) {
        let times = if task.is_a_pass { PASSES } else { PRESSES / 2 };
        tell(&repeated(&mut inspector, &task, times, steps));
    }
    during_a_search(&mut inspector, steps)
        .iter()
        .for_each(&mut tell);
    inspector.quit();
    Some(anonymous? / records.max(1))
}

/// From the start of the program to the first frame that can be used.
fn first_frames(capture: &Path) -> Figures {
    let times = (0..PRESSES / 5).map(|_| {
        let begun = Instant::now();
        let mut inspector = Inspector::start(capture);
        inspector.time("", tasks::is_usable);
        let time = inspector.frame_at().saturating_duration_since(begun);
        inspector.quit();
        time
    });
    Figures {
        kind: "first frame, from the program's start".to_owned(),
        goal_ms: Some(FRAME_MS),
        times: times.collect(),
    }
}

/// The same keys in turn for as long as the capture loads.
fn while_loading(inspector: &mut Inspector) -> Vec<Figures> {
    let tasks = tasks::keys();
    let mut times = vec![Vec::new(); tasks.len()];
    let mut deck = Deck::new();
    inspector.time("gg", |screen| tasks::step(screen) == Some(1));
    'loading: for _ in 0..PRESSES {
        for (task, times) in tasks.iter().zip(&mut times) {
            let text = inspector.text();
            if !tasks::is_loading(&text) {
                break 'loading;
            }
            let steps = tasks::steps(&text).unwrap_or(1);
            times.extend(task.run(inspector, &mut deck, steps));
        }
    }
    let all = tasks.into_iter().zip(times).map(|(task, times)| Figures {
        kind: format!("while loading: {}", task.kind),
        goal_ms: Some(KEY_MS),
        times,
    });
    all.filter(|figures| !figures.times.is_empty()).collect()
}

fn repeated(inspector: &mut Inspector, task: &Task, times: usize, steps: u64) -> Figures {
    let mut deck = Deck::new();
    inspector.send_and_settle("1");
    let measured = (0..times).filter_map(|_| task.run(inspector, &mut deck, steps));
    let times: Vec<Duration> = measured.collect();
    inspector.send_and_settle("\x1b");
    Figures {
        kind: task.kind.clone(),
        goal_ms: task.goal_ms,
        times,
    }
}

/// Keys while a text is looked for that stands nowhere, and giving that up.
fn during_a_search(inspector: &mut Inspector, steps: u64) -> Vec<Figures> {
    let mut deck = Deck::new();
    let mut keys = Vec::new();
    let mut given_up = Vec::new();
    let seek = tasks::seek();
    for attempt in 0..PRESSES / 5 {
        inspector.send_and_settle(&format!("/stands nowhere {attempt}\r"));
        for _ in 0..5 {
            keys.extend(seek.run(inspector, &mut deck, steps));
        }
        if inspector.text().contains("Esc stops") {
            given_up.extend(inspector.time("\x1b", |screen| !screen.contains("Esc stops")));
        }
    }
    let figures = |kind: &str, times| Figures {
        kind: kind.to_owned(),
        goal_ms: Some(KEY_MS),
        times,
    };
    vec![
        figures("while searching: seek anywhere", keys),
        figures("while searching: give up (Esc)", given_up),
    ]
}
