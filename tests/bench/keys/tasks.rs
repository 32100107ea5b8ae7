//! What is asked of the inspector, and how its answer is recognised on the screen.

use std::time::Duration;

use super::inspector::Inspector;
use super::{HIT_MS, KEY_MS};

/// Where to go next: the same places in every run.
pub(super) struct Deck {
    state: u64,
    turn: u64,
}

impl Deck {
    pub(super) fn new() -> Self {
        Self {
            state: 417,
            turn: 0,
        }
    }

    /// A number below a limit, anywhere.
    fn below(&mut self, limit: u64) -> u64 {
        // Steele, Lea and Flood's SplitMix64.
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % limit.max(1)
    }

    fn turn(&mut self) -> u64 {
        self.turn += 1;
        self.turn
    }
}

type Ask = Box<dyn Fn(&mut Inspector, &mut Deck, u64) -> Option<Duration>>;

/// One kind of key, or of what is typed.
pub(super) struct Task {
    pub(super) kind: String,
    pub(super) goal_ms: Option<f64>,
    /// It looks at everything, which takes its time.
    pub(super) is_a_pass: bool,
    ask: Ask,
}

impl Task {
    fn key(
        kind: &str,
        ask: impl Fn(&mut Inspector, &mut Deck, u64) -> Option<Duration> + 'static,
    ) -> Self {
        Self {
            kind: kind.to_owned(),
            goal_ms: Some(KEY_MS),
            is_a_pass: false,
            ask: Box::new(ask),
        }
    }

    fn first_hit(self) -> Self {
        Self {
            goal_ms: Some(HIT_MS),
            ..self
        }
    }

    fn pass(self) -> Self {
        Self {
            goal_ms: None,
            is_a_pass: true,
            ..self
        }
    }

    /// Asks once.
    pub(super) fn run(
        &self,
        inspector: &mut Inspector,
        deck: &mut Deck,
        steps: u64,
    ) -> Option<Duration> {
        (self.ask)(inspector, deck, steps)
    }
}

/// Keys that lead elsewhere.
pub(super) fn keys() -> Vec<Task> {
    let moved = |kind: &str, keys: [&'static str; 2]| {
        Task::key(kind, move |inspector, deck, steps| {
            let turn = deck.turn();
            if turn % 25 == 1 {
                // Elsewhere, so that neither end is near.
                let step = 1 + steps / 4 + deck.below(steps / 2);
                inspector.send_and_settle(&format!(":s{step}\r"));
            }
            let from = step(&inspector.text());
            let keys = keys.get(usize::from(turn % 4 == 0))?;
            inspector.time(keys, move |screen| {
                let to = step(screen);
                to.is_some() && to != from
            })
        })
    };
    vec![
        moved("scroll (j, k)", ["j", "k"]),
        moved("a page (Ctrl-d, Ctrl-u)", ["\x04", "\x15"]),
        moved("stage or step (PgDn, PgUp)", [".", ","]),
        seek(),
        moved("next evidence (e, E)", ["e", "E"]),
        moved("next routine step (w, W)", ["w", "W"]),
        view("aggregates (2)", "2", "Aggregates"),
        view("evidence (3)", "3", "Evidence"),
        view("owner (4)", "4", "Owner"),
        view("guide (5)", "5", "Guide"),
        view("contract (6)", "6", "Contract"),
        Task::key("one aggregate alone (a)", |inspector, deck, steps| {
            let step = 1 + deck.below(steps);
            inspector.send_and_settle(&format!(":s{step}\r"));
            let narrowed = inspector.time("a", |screen| title(screen).contains(" only "));
            inspector.send_and_settle("a");
            narrowed
        }),
    ]
}

/// To any step.
pub(super) fn seek() -> Task {
    Task::key("seek anywhere (:sN)", |inspector, deck, steps| {
        let to = 1 + deck.below(steps);
        inspector.send_and_settle(&format!(":s{to}"));
        inspector.time("\r", move |screen| step(screen) == Some(to))
    })
}

fn view(kind: &str, key: &'static str, name: &'static str) -> Task {
    Task::key(kind, move |inspector, _, _| {
        inspector.send_and_settle("1");
        let shown = inspector.time(key, move |screen| title(screen).contains(name));
        inspector.send_and_settle("1");
        shown
    })
}

/// Lists that take a walk over everything to make, until they are there. The cursor moves first, so
/// that none is there from before.
pub(super) fn lists() -> Vec<Task> {
    let list = |kind: &str, key: &'static str, there: fn(&str) -> bool| {
        Task::key(kind, move |inspector, _, _| {
            inspector.send_and_settle("1");
            let made = inspector.time(key, there);
            inspector.send_and_settle("1");
            made
        })
        .pass()
    };
    vec![
        list("aggregates, the whole list", "2", |screen| {
            title(screen).contains("waiting")
        }),
        list("evidence, the whole list", "3", |screen| {
            screen.contains("Open: ") && screen.contains("Resolved: ")
        }),
    ]
}

/// Filters and searches.
pub(super) fn looking(records: u64) -> Vec<Task> {
    // Three to six versions an order, which begin in the order of their numbers.
    let orders = (records * 21 / 100).max(2);
    vec![
        filter("filter state:deferred, first hits", |turn, _| {
            format!("state:deferred -aggregate:order-{turn:08}")
        })
        .first_hit(),
        filter("filter finding:*, first hits", |turn, _| {
            format!("finding:same-fact-new-id -aggregate:order-{turn:08}")
        })
        .first_hit(),
        filter("filter words, first hits", |turn, _| format!("SKU-0{turn}")).first_hit(),
        filter(
            "filter aggregate:NAME anywhere, first hit",
            move |_, deck| {
                let order = 1 + deck(orders);
                format!("aggregate:order-{order:08}")
            },
        )
        .first_hit(),
        filter("filter one word in one place, first hit", move |_, deck| {
            let order = 1 + deck(orders);
            format!("evt-{order:08}-2")
        })
        .pass(),
        search("search, frequent: first hit", |turn, _| {
            format!("SKU-0{turn}")
        })
        .first_hit(),
        search("search, one place anywhere", move |_, deck| {
            let order = 1 + deck(orders);
            format!("evt-{order:08}-2")
        })
        .pass(),
        search("search, nowhere: the whole capture", |turn, _| {
            format!("stands nowhere {turn}")
        })
        .pass(),
    ]
}

fn filter(kind: &str, text: impl Fn(u64, &mut dyn FnMut(u64) -> u64) -> String + 'static) -> Task {
    Task::key(kind, move |inspector, deck, _| {
        let turn = deck.turn();
        let text = text(turn, &mut |limit| deck.below(limit));
        inspector.send_and_settle("gg");
        inspector.send_and_settle(&format!("&\x15{text}"));
        let time = inspector.time("\r", has_first_hits);
        // Everything again: the search goes on behind a suspended filter.
        inspector.send_and_settle("\x1b");
        inspector.send_and_settle("&\x15\r");
        time
    })
}

fn search(kind: &str, text: impl Fn(u64, &mut dyn FnMut(u64) -> u64) -> String + 'static) -> Task {
    Task::key(kind, move |inspector, deck, _| {
        let turn = deck.turn();
        let text = text(turn, &mut |limit| deck.below(limit));
        inspector.send_and_settle("gg");
        inspector.send_and_settle(&format!("/\x15{text}"));
        let time = inspector.time("\r", |screen| {
            screen.contains("found ") || screen.contains("nothing has ")
        });
        inspector.send_and_settle("\x1b");
        time
    })
}

/// A first frame can be used once it shows steps.
pub(super) fn is_usable(screen: &str) -> bool {
    step(screen).is_some_and(|step| step > 0) && title(screen).contains("Steps")
}

pub(super) fn is_loading(screen: &str) -> bool {
    header(screen).contains("  reading")
}

/// The step that the cursor is on, from `step 1,234/5,678`.
pub(super) fn step(screen: &str) -> Option<u64> {
    standing(screen)?.split('/').next().and_then(number)
}

/// How many steps there are.
pub(super) fn steps(screen: &str) -> Option<u64> {
    standing(screen)?.split('/').nth(1).and_then(number)
}

/// How many records there are: that of the last step has the highest number.
pub(super) fn records(inspector: &mut Inspector) -> u64 {
    inspector.send_and_settle("G");
    let text = inspector.text();
    let row = text.lines().rev().find(|line| line.starts_with('›'));
    let word = row.and_then(|row| row.strip_prefix("›r")?.split([' ', '*']).next());
    word.and_then(number).or_else(|| steps(&text)).unwrap_or(1)
}

fn header(screen: &str) -> &str {
    screen.lines().next().unwrap_or_default()
}

fn title(screen: &str) -> &str {
    screen.lines().nth(1).unwrap_or_default()
}

fn standing(screen: &str) -> Option<&str> {
    let (_, standing) = header(screen).rsplit_once("step ")?;
    standing.split(' ').next()
}

/// `Steps 12/1,234` with something of it in the first row.
fn has_first_hits(screen: &str) -> bool {
    let counts = title(screen).split("Steps ").nth(1).unwrap_or_default();
    let counts = counts
        .split([' ', '/', '+'])
        .filter(|word| !word.is_empty());
    let mut counts = counts.map_while(number);
    let (shown, all) = (counts.next().unwrap_or(0), counts.next().unwrap_or(0));
    shown > 0 && shown < all
}

fn number(text: &str) -> Option<u64> {
    text.replace(',', "").parse().ok()
}
