//! What only an aggregate in trouble has: held events, refused versions, a conflict.
//!
//! Most that are in trouble have one event held or one version refused, and that is kept small; one
//! with a million of either is searched, not walked.

use super::intervals::Intervals;
use crate::model::compact::{Column, TagTable, hash_of};
use crate::model::{AggregateId, Cause, StepNo};

/// The aggregates that were ever in trouble, in the order they got there.
#[derive(Clone, Debug, Default)]
pub(super) struct Troubles {
    ids: Vec<AggregateId>,
    all: Column<Trouble>,
    table: TagTable,
    pub(super) carriers: Carriers,
}

impl PartialEq for Troubles {
    fn eq(&self, other: &Self) -> bool {
        self.ids == other.ids
            && self.all == other.all
            && self.carriers.nodes == other.carriers.nodes
    }
}

impl Eq for Troubles {}

/// The trouble of one aggregate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Trouble {
    /// From the step that deferred each event to the one that released it.
    pub(super) held: Spans,
    /// Steps that carried a version in vain, wherever it was larger than all before.
    pub(super) largest_carried: Rising,
    /// The step since which two facts claim one version, or `StepNo(0)`.
    conflict_since: StepNo,
}

/// Steps in order: mostly one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Rising {
    #[default]
    None,
    One(StepNo),
    #[allow(
        clippy::box_collection,
        reason = "a vector in place would double what most, who have none, cost"
    )]
    Many(Box<Vec<StepNo>>),
}

/// Spans of waiting: mostly one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Spans {
    #[default]
    None,
    One {
        from: StepNo,
        /// `StepNo(0)` while it is open.
        to: StepNo,
    },
    Many(Box<Intervals>),
}

/// Deliveries that carried a version in vain, linked by aggregate and version.
#[derive(Clone, Debug, Default)]
pub(super) struct Carriers {
    nodes: Column<Node>,
    /// The first node of each aggregate and version.
    table: TagTable,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Node {
    step: StepNo,
    cause: Cause,
    /// The next node of the same version, or 0: the first node of all follows none.
    next: u32,
    /// In a first node: the last one.
    last: u32,
}

/// A delivery that carried a version in vain, by its last step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Carrier {
    pub(super) step: StepNo,
    pub(super) cause: Cause,
}

impl Troubles {
    /// Every aggregate that was ever in trouble, in the order it got there.
    pub(super) fn ids(&self) -> &[AggregateId] {
        &self.ids
    }

    fn find(&self, id: AggregateId) -> Option<u32> {
        let is_it = |index: u32| self.ids.get(index as usize) == Some(&id);
        self.table.find(hash_of(id.0), is_it)
    }

    /// An aggregate's trouble.
    pub(super) fn get(&self, id: AggregateId) -> Option<&Trouble> {
        self.all.get_ref(self.find(id)? as usize)
    }

    /// Changes an aggregate's trouble, which begins here if it has none yet.
    pub(super) fn change(&mut self, id: AggregateId, change: impl FnOnce(&mut Trouble)) {
        let index = self.find(id).unwrap_or_else(|| {
            let index = super::length(self.ids.len());
            self.ids.push(id);
            self.all.push(Trouble::default());
            self.table.insert(hash_of(id.0), index);
            index
        });
        if let Some(trouble) = self.all.get_mut(index as usize) {
            change(trouble);
        }
    }
}

impl Trouble {
    /// Notes a step that carried `version` in vain; `version_of` tells what earlier ones carried.
    pub(super) fn carry(
        &mut self,
        step: StepNo,
        version: u64,
        version_of: impl Fn(StepNo) -> Option<u64>,
    ) {
        let largest = self.largest_carried.as_slice().last().copied();
        if largest.is_none_or(|largest| version_of(largest) < Some(version)) {
            self.largest_carried.push(step);
        }
    }

    /// The step that carried the largest version in vain by the end of step `at`.
    pub(super) fn largest_carried_at(&self, at: StepNo) -> Option<StepNo> {
        let steps = self.largest_carried.as_slice();
        let count = steps.partition_point(|step| *step <= at);
        steps.get(count.checked_sub(1)?).copied()
    }

    /// Notes that two facts claim one version from `step` on, if none did before.
    pub(super) fn conflict(&mut self, step: StepNo) {
        if self.conflict_since == StepNo(0) {
            self.conflict_since = step;
        }
    }

    /// Since which step two facts claim one version, as of `at`.
    pub(super) fn conflict_at(&self, at: StepNo) -> Option<StepNo> {
        Some(self.conflict_since).filter(|since| since.0 != 0 && *since <= at)
    }
}

impl Rising {
    fn push(&mut self, step: StepNo) {
        match self {
            Self::None => *self = Self::One(step),
            Self::One(first) => *self = Self::Many(Box::new(vec![*first, step])),
            Self::Many(steps) => steps.push(step),
        }
    }

    /// The steps, in order.
    pub(super) fn as_slice(&self) -> &[StepNo] {
        match self {
            Self::None => &[],
            Self::One(step) => std::slice::from_ref(step),
            Self::Many(steps) => steps,
        }
    }
}

impl Spans {
    /// Begins a span, at or after every earlier beginning.
    pub(super) fn open(&mut self, at: StepNo) {
        match self {
            Self::None => {
                *self = Self::One {
                    from: at,
                    to: StepNo(0),
                }
            }
            Self::One { from, to } => {
                let mut many = Intervals::default();
                let first = many.open(*from);
                if to.0 != 0 {
                    many.close(first, *to);
                }
                many.open(at);
                *self = Self::Many(Box::new(many));
            }
            Self::Many(many) => {
                many.open(at);
            }
        }
    }

    /// Ends the span that began at exactly `from`: it no longer counts at `to` and later.
    pub(super) fn close(&mut self, from: StepNo, to: StepNo) {
        match self {
            Self::One {
                from: known,
                to: end,
            } if *known == from && end.0 == 0 => *end = to,
            Self::None | Self::One { .. } => {}
            Self::Many(many) => {
                if let Some(index) = many.beginning_at(from) {
                    many.close(index, to);
                }
            }
        }
    }

    /// The step at which the span ended that began at exactly `from`, if it has ended.
    pub(super) fn ended(&self, from: StepNo) -> Option<StepNo> {
        match self {
            Self::One { from: known, to } if *known == from => Some(*to).filter(|to| to.0 != 0),
            Self::None | Self::One { .. } => None,
            Self::Many(many) => many.ended(many.beginning_at(from)?),
        }
    }

    /// The beginning of the first span that is open as of `at`.
    pub(super) fn first_open(&self, at: StepNo) -> Option<StepNo> {
        match self {
            Self::None => None,
            Self::One { from, to } => {
                let is_open = *from <= at && (to.0 == 0 || *to > at);
                is_open.then_some(*from)
            }
            Self::Many(many) => many.from(many.next_open(0, at)?),
        }
    }

    /// The beginnings of all spans open as of `at`, in order.
    pub(super) fn open_at(&self, at: StepNo) -> impl Iterator<Item = StepNo> + '_ {
        let (one, many) = match self {
            Self::Many(many) => (None, Some(many)),
            Self::None | Self::One { .. } => (self.first_open(at), None),
        };
        let many = many
            .into_iter()
            .flat_map(move |many| many.open_at(at).filter_map(|index| many.from(index)));
        one.into_iter().chain(many)
    }
}

impl Carriers {
    /// Adds a carrier after all others. `is_same` tells whether another step carried the same
    /// version of the same aggregate.
    pub(super) fn push(
        &mut self,
        key: (AggregateId, u64),
        carrier: Carrier,
        is_same: impl Fn(StepNo) -> bool,
    ) {
        let index = super::length(self.nodes.len());
        let first = self.first(key, is_same);
        self.nodes.push(Node {
            step: carrier.step,
            cause: carrier.cause,
            next: 0,
            last: index,
        });
        let Some(first) = first else {
            self.table.insert(hash_of((key.0.0, key.1)), index);
            return;
        };
        let before = self
            .nodes
            .get_mut(first as usize)
            .map(|node| std::mem::replace(&mut node.last, index));
        if let Some(node) = before.and_then(|before| self.nodes.get_mut(before as usize)) {
            node.next = index;
        }
    }

    fn first(&self, key: (AggregateId, u64), is_same: impl Fn(StepNo) -> bool) -> Option<u32> {
        self.table.find(hash_of((key.0.0, key.1)), |index| {
            let node = self.nodes.get(index as usize);
            node.is_some_and(|node| is_same(node.step))
        })
    }

    /// Those that carried a version by the end of step `at`, in order.
    pub(super) fn until(
        &self,
        key: (AggregateId, u64),
        at: StepNo,
        is_same: impl Fn(StepNo) -> bool,
    ) -> impl Iterator<Item = Carrier> + '_ {
        let node = |index: u32| self.nodes.get(index as usize);
        let first = self.first(key, is_same).and_then(node);
        let all = std::iter::successors(first, move |node_now| match node_now.next {
            0 => None,
            next => node(next),
        });
        all.take_while(move |node| node.step <= at)
            .map(|node| Carrier {
                step: node.step,
                cause: node.cause,
            })
    }
}
