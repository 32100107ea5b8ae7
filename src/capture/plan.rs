//! Where a contract looks: all its pointers as one tree, followed in one walk over an event.
//!
//! Following each pointer by itself would compare every member's name once per pointer; the tree
//! compares it once per branch, and the walk sees names that stand twice on the way.

use super::json::{MAX_DEPTH, read};
use super::tape::{Doc, Node, NodeKind, array_index};
use super::value::NameWatch;
use crate::contract::{Contract, DeclaredValue, EventRule, StateRule};

/// Index of a place in an event that somebody asks for.
pub type Slot = usize;

/// The tree of places, and which place each rule of the contract means.
#[derive(Clone, Debug)]
pub struct Plan {
    branches: Vec<Branch>,
    slots: usize,
    /// `id`
    pub id: Slot,
    /// `source`
    pub source: Slot,
    /// `type`
    pub event_type: Slot,
    /// `subject`
    pub subject: Slot,
    /// `time`
    pub time: Slot,
    /// `specversion`
    pub specversion: Slot,
    /// `dataschema`
    pub dataschema: Slot,
    /// `data`
    pub data: Slot,
    /// `data_base64`
    pub data_base64: Slot,
    /// The required attributes, in the contract's order.
    pub required: Vec<Slot>,
    /// The schema version, where the contract has one.
    pub schema_version: Option<Slot>,
    /// The aggregate's id.
    pub aggregate: Slot,
    /// The version, where the contract has one.
    pub version: Option<Slot>,
    /// The places of each event rule, in the contract's order.
    pub events: Vec<EventPlan>,
    /// The extension attributes that count as content.
    pub extensions: Vec<Slot>,
}

/// The places of one event rule.
#[derive(Clone, Debug)]
pub struct EventPlan {
    /// Each read, in file order.
    pub reads: Vec<ReadPlan>,
    /// The state's source, where it is read.
    pub state: Option<Slot>,
}

/// The place of one read, and its declared values ready for comparison.
#[derive(Clone, Debug)]
pub struct ReadPlan {
    /// Where it is.
    pub slot: Slot,
    /// The values that are understood, where the contract lists them.
    pub values: Option<Vec<Declared>>,
}

/// A declared value, read once.
#[derive(Clone, Debug)]
pub struct Declared {
    text: Box<str>,
    nodes: Vec<Node>,
}

impl Declared {
    /// The value as a document.
    pub fn doc(&self) -> Doc<'_, '_> {
        Doc::new(&self.text, &self.nodes)
    }

    /// Neither an object nor an array.
    fn is_plain(&self) -> bool {
        let kind = self.doc().kind(Doc::ROOT);
        !matches!(kind, Some(NodeKind::Object | NodeKind::Array))
    }
}

/// One place on the contract's pointers.
#[derive(Clone, Debug, Default)]
pub(super) struct Branch {
    children: Vec<Child>,
    pub(super) slot: Option<Slot>,
    /// A pointer of the contract goes through here or ends here: no name may stand twice.
    checked: bool,
    /// What stands here is compared or hashed with all that is inside it.
    pub(super) is_whole: bool,
}

#[derive(Clone, Debug)]
struct Child {
    segment: Box<str>,
    /// The same as an array's index, where it is one.
    index: Option<usize>,
    branch: usize,
}

impl Branch {
    /// Whether an object here must be walked, member by member.
    pub(super) fn is_walked(&self) -> bool {
        self.checked || !self.children.is_empty()
    }

    /// Whether an array here has an element that is asked for.
    pub(super) fn has_children(&self) -> bool {
        !self.children.is_empty()
    }

    /// The branch of a member.
    pub(super) fn member(&self, name: &[u8]) -> Option<usize> {
        let mut children = self.children.iter();
        children
            .find(|child| child.segment.as_bytes() == name)
            .map(|child| child.branch)
    }

    /// The branch of an array's element.
    pub(super) fn element(&self, index: usize) -> Option<usize> {
        let mut children = self.children.iter();
        children
            .find(|child| child.index == Some(index))
            .map(|child| child.branch)
    }
}

/// No value at a slot.
const ABSENT: u32 = u32::MAX;

/// What stands at each slot of one event.
#[derive(Clone, Debug, Default)]
pub struct Places {
    found: Vec<u32>,
}

impl Places {
    /// The value's index, where there is one.
    pub fn get(&self, slot: Slot) -> Option<usize> {
        self.found
            .get(slot)
            .copied()
            .filter(|found| *found != ABSENT)
            .map(|found| found as usize)
    }

    /// Nothing found yet, at any of so many slots.
    pub(super) fn reset(&mut self, slots: usize) {
        self.found.clear();
        self.found.resize(slots, ABSENT);
    }

    pub(super) fn set(&mut self, slot: Slot, index: usize) {
        if let Some(found) = self.found.get_mut(slot) {
            *found = u32::try_from(index).unwrap_or(ABSENT);
        }
    }
}

impl Plan {
    /// Lays out a contract's places.
    pub fn new(contract: &Contract) -> Self {
        let mut tree = Tree {
            branches: vec![Branch {
                checked: true,
                ..Branch::default()
            }],
            slots: 0,
        };
        for pointer in &contract.pointers {
            tree.check(&pointer.segments);
        }
        let mut plan = Self {
            id: tree.slot(&["id"]),
            source: tree.slot(&["source"]),
            event_type: tree.slot(&["type"]),
            subject: tree.slot(&["subject"]),
            time: tree.slot(&["time"]),
            specversion: tree.slot(&["specversion"]),
            dataschema: tree.slot(&["dataschema"]),
            data: tree.slot(&["data"]),
            data_base64: tree.slot(&["data_base64"]),
            required: contract
                .required
                .iter()
                .map(|attribute| tree.slot(&[attribute.name.as_str()]))
                .collect(),
            schema_version: contract
                .schema_version
                .as_ref()
                .map(|rule| tree.slot(&rule.pointer.segments)),
            aggregate: tree.slot(&contract.aggregate.pointer.segments),
            version: contract
                .version
                .as_ref()
                .map(|rule| tree.slot(&rule.pointer.segments)),
            events: contract
                .events
                .iter()
                .map(|rule| event_plan(&mut tree, rule))
                .collect(),
            extensions: contract
                .extension_pointers
                .iter()
                .map(|name| tree.slot(&[name.as_str()]))
                .collect(),
            slots: tree.slots,
            branches: tree.branches,
        };
        plan.mark_whole(contract);
        plan
    }

    /// Marks what is hashed, where contents are, and what is compared with more than a plain value.
    fn mark_whole(&mut self, contract: &Contract) {
        let mut whole: Vec<Slot> = Vec::new();
        if contract.version.is_none() {
            whole.extend([self.event_type, self.subject, self.dataschema]);
            whole.extend([self.data, self.data_base64]);
            whole.extend(&self.extensions);
        }
        let reads = self.events.iter().flat_map(|rule| &rule.reads);
        let compared = reads.filter(|read| {
            let mut values = read.values.iter().flatten();
            values.any(|declared| !declared.is_plain())
        });
        whole.extend(compared.map(|read| read.slot));
        for branch in &mut self.branches {
            branch.is_whole = branch.slot.is_some_and(|slot| whole.contains(&slot));
        }
    }

    /// Finds what stands at every slot of an event. True where a name stands twice in an object that
    /// the contract looks at (contract.md, `duplicate-key`); what was found then means nothing.
    pub fn resolve(&self, doc: Doc<'_, '_>, event: usize, places: &mut Places) -> bool {
        places.reset(self.slots);
        self.visit(doc, Self::EVENT, event, places)
    }

    /// The branch of the whole event.
    pub(super) const EVENT: usize = 0;

    /// The branches; the event's is the first.
    pub(super) fn branches(&self) -> &[Branch] {
        &self.branches
    }

    /// How many places are asked for.
    pub(super) fn slots(&self) -> usize {
        self.slots
    }

    /// Levels of the tree bound the recursion, and levels of the record bound those in use.
    pub(super) fn visit(
        &self,
        doc: Doc<'_, '_>,
        branch: usize,
        at: usize,
        places: &mut Places,
    ) -> bool {
        let Some(branch) = self.branches.get(branch) else {
            return false;
        };
        if let Some(slot) = branch.slot {
            places.set(slot, at);
        }
        if !branch.is_walked() {
            return false;
        }
        match doc.kind(at) {
            Some(NodeKind::Object) => self.visit_object(doc, branch, at, places),
            Some(NodeKind::Array) => branch.children.iter().any(|child| {
                child
                    .index
                    .and_then(|index| doc.elements(at).nth(index))
                    .is_some_and(|element| self.visit(doc, child.branch, element, places))
            }),
            _ => false,
        }
    }

    fn visit_object(
        &self,
        doc: Doc<'_, '_>,
        branch: &Branch,
        at: usize,
        places: &mut Places,
    ) -> bool {
        let mut watch = NameWatch::default();
        for (key, value) in doc.members(at) {
            if branch.checked && watch.sees_again(doc, at, key) {
                return true;
            }
            let Some(node) = doc.node(key) else {
                continue;
            };
            let child = if node.escaped {
                let name = doc.decoded(node);
                branch.children.iter().find(|child| *child.segment == *name)
            } else {
                let name = doc.string_bytes(node);
                branch
                    .children
                    .iter()
                    .find(|child| child.segment.as_bytes() == name)
            };
            if child.is_some_and(|child| self.visit(doc, child.branch, value, places)) {
                return true;
            }
        }
        false
    }
}

fn event_plan(tree: &mut Tree, rule: &EventRule) -> EventPlan {
    EventPlan {
        reads: rule
            .reads
            .iter()
            .map(|field| ReadPlan {
                slot: tree.slot(&field.pointer.segments),
                values: field
                    .values
                    .as_ref()
                    .map(|values| values.iter().filter_map(declared).collect()),
            })
            .collect(),
        state: match &rule.state {
            StateRule::Is(_) => None,
            StateRule::From { pointer, .. } => Some(tree.slot(&pointer.segments)),
        },
    }
}

/// A contract's values are checked where it is compiled; one that is no JSON matches nothing.
fn declared(value: &DeclaredValue) -> Option<Declared> {
    let mut nodes = Vec::new();
    read(&value.json, MAX_DEPTH, &mut nodes).ok()?;
    Some(Declared {
        text: value.json.clone(),
        nodes,
    })
}

struct Tree {
    branches: Vec<Branch>,
    slots: usize,
}

impl Tree {
    /// The slot of a place; the same place has one slot.
    fn slot<S: AsRef<str>>(&mut self, segments: &[S]) -> Slot {
        let end = segments
            .iter()
            .fold(0, |branch, segment| self.child(branch, segment.as_ref()));
        let fresh = self.slots;
        let Some(branch) = self.branches.get_mut(end) else {
            return fresh;
        };
        let slot = *branch.slot.get_or_insert(fresh);
        if slot == fresh {
            self.slots += 1;
        }
        slot
    }

    /// Marks the objects that a pointer goes through and ends at.
    fn check(&mut self, segments: &[String]) {
        let mut at = 0;
        for segment in segments {
            at = self.child(at, segment);
            if let Some(branch) = self.branches.get_mut(at) {
                branch.checked = true;
            }
        }
    }

    fn child(&mut self, branch: usize, segment: &str) -> usize {
        let fresh = self.branches.len();
        let Some(parent) = self.branches.get_mut(branch) else {
            return fresh;
        };
        if let Some(known) = parent.children.iter().find(|c| *c.segment == *segment) {
            return known.branch;
        }
        parent.children.push(Child {
            segment: segment.into(),
            index: array_index(segment),
            branch: fresh,
        });
        self.branches.push(Branch::default());
        fresh
    }
}
