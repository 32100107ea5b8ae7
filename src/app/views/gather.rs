//! Lists that take a walk over the whole run to make. They are asked for like anything else that is
//! done outside; whoever carries that out lends the history for one portion after another, so that
//! neither the screen nor the engine ever waits for long, and gives up once nobody waits for them.

use std::collections::BTreeMap;
use std::ops::Deref;

use crate::history::{History, Sign, Standing};
use crate::model::{AggregateId, OrderId, StepNo};

use super::super::guide::{self, WaitingSigns};
use super::super::tally::Why;

/// What is looked at between two looks at whether somebody still waits.
const PORTION: u32 = 4_000;

/// What a list is in order of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sort {
    /// Those that wait first, then by first seen.
    #[default]
    Waiting,
    /// By how long they wait, the longest first; those that do not wait follow.
    Since,
    /// By id, byte for byte.
    Id,
    /// By version, the highest first.
    Version,
    /// By steps, the most first.
    Count,
}

impl Sort {
    /// Every order.
    pub const ALL: [Self; 5] = [
        Self::Waiting,
        Self::Since,
        Self::Id,
        Self::Version,
        Self::Count,
    ];

    /// The order after this one.
    #[must_use]
    pub fn next(self) -> Self {
        let at = Self::ALL.iter().position(|sort| *sort == self).unwrap_or(0);
        let next = Self::ALL.get((at + 1) % Self::ALL.len());
        next.copied().unwrap_or_default()
    }

    /// What it is called.
    pub fn words(self) -> &'static str {
        match self {
            Self::Waiting => "those that wait first",
            Self::Since => "by how long they wait",
            Self::Id => "by id",
            Self::Version => "by version",
            Self::Count => "by steps",
        }
    }
}

/// Which list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    /// The aggregates whose id holds a text.
    Aggregates {
        /// In which order.
        sort: Sort,
        /// The text; empty for all.
        needle: String,
    },
    /// Evidence in groups.
    Evidence,
    /// The owner's side of the orders whose id holds a text.
    Owner {
        /// The text; empty for all.
        needle: String,
    },
    /// How many aggregates wait.
    Waiting,
}

/// A list that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// Which question: an answer to an older one counts for nothing.
    pub number: u64,
    /// As of which step.
    pub at: StepNo,
    /// Which list.
    pub ask: Ask,
}

/// Aggregates in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AggregateList {
    /// Their indexes.
    pub ids: Vec<AggregateId>,
    /// How many of them wait.
    pub waiting: usize,
}

/// Evidence of one sort.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Whether something later resolved it.
    pub is_resolved: bool,
    /// What it is.
    pub why: Why,
    /// The steps, in order; never empty.
    pub steps: Vec<StepNo>,
}

/// The owner's side.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnerLists {
    /// Orders that the owner has spoken of, by first named.
    pub orders: Vec<OrderId>,
    /// Compensations, by their place in the compensation ledger.
    pub compensations: Vec<usize>,
    /// Open reviews: the order, and which of its reviews.
    pub reviews: Vec<(OrderId, usize)>,
}

/// A list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// To [`Ask::Aggregates`].
    Aggregates(AggregateList),
    /// To [`Ask::Evidence`]: what is open first, then the most first.
    Evidence(Vec<Group>),
    /// To [`Ask::Owner`].
    Owner(OwnerLists),
    /// To [`Ask::Waiting`]: how many, and the step that shows why the first of them does.
    Waiting(WaitingSigns),
}

/// Makes a list. `history` lends the history for a portion, `is_wanted` says whether to go on; the
/// list is `None` where it was no longer wanted.
pub fn gather<G: Deref<Target = History>>(
    history: impl Fn() -> G,
    question: &Question,
    is_wanted: impl Fn() -> bool,
) -> Option<Answer> {
    let gatherer = Gatherer {
        history,
        is_wanted,
        at: question.at,
    };
    Some(match &question.ask {
        Ask::Aggregates { sort, needle } => Answer::Aggregates(gatherer.aggregates(*sort, needle)?),
        Ask::Evidence => Answer::Evidence(gatherer.evidence()?),
        Ask::Owner { needle } => Answer::Owner(gatherer.owner(needle)?),
        Ask::Waiting => gatherer.waiting()?,
    })
}

struct Gatherer<L, W> {
    history: L,
    is_wanted: W,
    at: StepNo,
}

/// What numbers are sorted by; the highest first where that is what a person looks for.
struct Keyed {
    key: u64,
    id: AggregateId,
}

impl<G: Deref<Target = History>, L: Fn() -> G, W: Fn() -> bool> Gatherer<L, W> {
    /// Calls `each` with every index below `count`, a portion of them under one lending.
    fn each(&self, count: u32, mut each: impl FnMut(&History, u32)) -> Option<()> {
        let mut from = 0;
        while from < count {
            if !(self.is_wanted)() {
                return None;
            }
            let history = (self.history)();
            let to = count.min(from.saturating_add(PORTION));
            for index in from..to {
                each(&history, index);
            }
            from = to;
        }
        Some(())
    }

    fn aggregates(&self, sort: Sort, needle: &str) -> Option<AggregateList> {
        let at = self.at;
        let count = (self.history)().aggregate_count();
        let mut rows: Vec<Keyed> = Vec::new();
        let mut names = Names::default();
        let mut waiting = 0;
        self.each(count, |history, index| {
            let id = AggregateId(index);
            let name = history.name_of(id);
            if !name.contains(needle) {
                return;
            }
            let waits = history.waiting_for(id, at).is_some();
            let projection = history.projection(id, at);
            if !waits && projection.standing == Standing::Nothing {
                return;
            }
            waiting += usize::from(waits);
            let key = match sort {
                Sort::Waiting => u64::from(!waits),
                Sort::Since => history
                    .waiting_since(id, at)
                    .map_or(u64::MAX, |step| u64::from(step.0)),
                Sort::Id => names.keep(name),
                Sort::Version => !projection.version.unwrap_or(0),
                Sort::Count => !(history.neighbours_until(name, Some(id), at) as u64),
            };
            rows.push(Keyed { key, id });
        })?;
        if sort == Sort::Id {
            rows.sort_unstable_by_key(|row| (names.get(row.key), row.id));
        } else {
            rows.sort_unstable_by_key(|row| (row.key, row.id));
        }
        (self.is_wanted)().then(|| AggregateList {
            ids: rows.into_iter().map(|row| row.id).collect(),
            waiting,
        })
    }

    fn evidence(&self) -> Option<Vec<Group>> {
        let mut found: BTreeMap<(bool, Why), Vec<StepNo>> = BTreeMap::new();
        for is_resolved in [false, true] {
            let mut step = StepNo(0);
            let mut is_done = false;
            while !is_done {
                if !(self.is_wanted)() {
                    return None;
                }
                let history = (self.history)();
                for _ in 0..PORTION {
                    let next = if is_resolved {
                        history.next_resolved_evidence(step, self.at)
                    } else {
                        history.next_open_evidence(step, self.at)
                    };
                    let Some(next) = next else {
                        is_done = true;
                        break;
                    };
                    step = next;
                    if let Some(why) = Why::of(&history, step) {
                        found.entry((is_resolved, why)).or_default().push(step);
                    }
                }
            }
        }
        let groups = found.into_iter().map(|((is_resolved, why), steps)| Group {
            is_resolved,
            why,
            steps,
        });
        let mut groups: Vec<Group> = groups.collect();
        groups.sort_by_key(|group| {
            let most = std::cmp::Reverse(group.steps.len());
            (group.is_resolved, most, group.steps.first().copied())
        });
        Some(groups)
    }

    fn owner(&self, needle: &str) -> Option<OwnerLists> {
        let at = self.at;
        let mut lists = OwnerLists::default();
        let count = (self.history)().order_count();
        self.each(count, |history, index| {
            let id = OrderId(index);
            if !history.order_name(id).contains(needle) {
                return;
            }
            if history.owner_order(id, at).is_some() {
                lists.orders.push(id);
            }
            let reviews = history.reviews_of(id, at).len();
            lists
                .reviews
                .extend((0..reviews).map(|review| (id, review)));
        })?;
        let made = (self.history)().compensations(at).len();
        self.each(u32::try_from(made).unwrap_or(u32::MAX), |history, index| {
            let index = index as usize;
            let order = history.compensations(at).get(index).map(|made| made.order);
            if order.is_some_and(|order| history.order_name(order).contains(needle)) {
                lists.compensations.push(index);
            }
        })?;
        Some(lists)
    }

    fn waiting(&self) -> Option<Answer> {
        let at = self.at;
        let count = (self.history)().troubled_aggregates().len();
        let mut signs = WaitingSigns::default();
        self.each(
            u32::try_from(count).unwrap_or(u32::MAX),
            |history, index| {
                let troubled = history.troubled_aggregates().get(index as usize);
                let waits = |id: &&AggregateId| history.waiting_for(**id, at).is_some();
                let Some(id) = troubled.filter(waits) else {
                    return;
                };
                let is_from_first = history.projection(*id, at).standing == Standing::Nothing;
                let from_first = is_from_first.then_some(&mut signs.from_first);
                for sign in [Some(&mut signs.all), from_first].into_iter().flatten() {
                    if let Some(sign) = sign {
                        sign.count = sign.count.saturating_add(1);
                        continue;
                    }
                    let first = guide::first_step(history, *id, at);
                    let first = first.or_else(|| history.waiting_since(*id, at));
                    *sign = first.map(|first| Sign { count: 1, first });
                }
            },
        )?;
        Some(Answer::Waiting(signs))
    }
}

/// Names that are sorted by, kept end to end so that no history has to be lent for it.
#[derive(Default)]
struct Names {
    bytes: String,
    ends: Vec<usize>,
}

impl Names {
    fn keep(&mut self, name: &str) -> u64 {
        self.bytes.push_str(name);
        self.ends.push(self.bytes.len());
        (self.ends.len() - 1) as u64
    }

    fn get(&self, index: u64) -> &str {
        let index = usize::try_from(index).unwrap_or(usize::MAX);
        let before = index
            .checked_sub(1)
            .and_then(|before| self.ends.get(before));
        let start = before.copied().unwrap_or(0);
        let end = self.ends.get(index).copied().unwrap_or(start);
        self.bytes.get(start..end).unwrap_or("")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_back_as_they_were_kept() {
        let mut names = Names::default();
        let kept: Vec<u64> = ["b", "", "ab"].map(|name| names.keep(name)).to_vec();
        let got: Vec<&str> = kept.iter().map(|index| names.get(*index)).collect();
        assert_eq!(got, ["b", "", "ab"]);
        assert_eq!(names.get(3), "");
    }

    #[test]
    fn orders_go_round() {
        let mut sort = Sort::default();
        for _ in Sort::ALL {
            sort = sort.next();
        }
        assert_eq!(sort, Sort::default());
    }
}
