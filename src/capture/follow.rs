//! One pass over a record that checks all of it and keeps only what the contract asks for.
//!
//! Most of a payload is nobody's business: it has to be JSON, and that is all. This walk follows the
//! contract's tree of places while it reads, so that it leaves a node for each place and none for
//! the rest. What is rare it does not decide: it says so, and the reader that keeps every node does.

use super::json::{MAX_DEPTH, read_inside};
use super::layout::{Layout, Role};
use super::plan::{Branch, Places, Plan};
use super::shape::{Shape, Wrapper};
use super::skip::{Next, first, next, next_member, scalar_end, value_end};
use super::tape::{Doc, Node, NodeKind};
use super::token::{skip_whitespace, string_end};
use crate::model::Kind;

/// Why the walk did not come to the record's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The text is no JSON value, or nests too deep.
    Fault,
    /// It may be anything but a common delivery: the other reader decides.
    Unsure,
}

/// The layouts of all places of one plan.
#[derive(Clone, Debug)]
pub(super) struct Layouts {
    /// Of records themselves.
    record: Layout,
    /// Of each of the plan's branches.
    branches: Vec<Layout>,
}

impl Layouts {
    pub(super) fn new(plan: &Plan) -> Self {
        Self {
            record: Layout::new(Plan::EVENT),
            branches: (0..plan.branches().len()).map(Layout::new).collect(),
        }
    }
}

/// One walk, and where it leaves what it finds.
pub(super) struct Walk<'a, 't> {
    text: &'a str,
    plan: &'t Plan,
    layouts: &'t mut Layouts,
    nodes: &'t mut Vec<Node>,
    places: &'t mut Places,
    /// Why the walk stopped, where it did: not for a fault.
    pub(super) is_unsure: bool,
}

/// What a record's own members told so far.
#[derive(Default)]
struct Outer {
    has_specversion: bool,
    has_id: bool,
    has_source: bool,
    has_type: bool,
    event: Option<usize>,
    wrapper: Wrapper,
}

impl<'a, 't> Walk<'a, 't> {
    /// A walk over a record; the layouts are those of the plan.
    pub(super) fn new(
        text: &'a str,
        plan: &'t Plan,
        layouts: &'t mut Layouts,
        nodes: &'t mut Vec<Node>,
        places: &'t mut Places,
    ) -> Self {
        Self {
            text,
            plan,
            layouts,
            nodes,
            places,
            is_unsure: false,
        }
    }

    /// Follows a delivery. The nodes are then no whole document: only what the places and the
    /// wrapper name is there, and of objects and arrays only the spelling, unless they are compared.
    pub(super) fn delivery(mut self) -> Result<Shape, Stop> {
        self.record().ok_or(if self.is_unsure {
            Stop::Unsure
        } else {
            Stop::Fault
        })
    }

    /// Stops: another way of reading must tell.
    #[cold]
    fn unsure<T>(&mut self) -> Option<T> {
        self.is_unsure = true;
        None
    }

    fn record(&mut self) -> Option<Shape> {
        let bytes = self.text.as_bytes();
        self.nodes.clear();
        self.places.reset(self.plan.slots());
        let start = skip_whitespace(bytes, 0);
        if bytes.get(start) != Some(&b'{') {
            return self.unsure();
        }
        self.push(start, start, NodeKind::Object, false);
        let mut outer = Outer::default();
        let mut cursor = self.layouts.record.cursor();
        let mut member = first(bytes, start, b'}');
        let end = loop {
            let at = match member {
                Next::Another(at) => at,
                Next::Closed(end) => break end,
            };
            let layout = &mut self.layouts.record;
            let (moved, entry, at) = match layout.guess(cursor, bytes, at) {
                Some(found) => found,
                None => layout.find(cursor, bytes, at, self.plan, &mut self.is_unsure)?,
            };
            cursor = moved;
            let (role, branch) = (entry.role, entry.branch);
            let at = skip_whitespace(bytes, at);
            let end = self.outer_member(&mut outer, role, branch, at)?;
            member = next_member(bytes, end)?;
        };
        self.close(Doc::ROOT, end);
        if skip_whitespace(bytes, end) < bytes.len() {
            return None;
        }
        self.shape(&outer)
    }

    fn shape(&mut self, outer: &Outer) -> Option<Shape> {
        let named = outer.has_id && outer.has_source && outer.has_type;
        let (body, wrapper) = match outer.event {
            Some(event) if !outer.has_specversion => (event, outer.wrapper),
            None if outer.has_specversion || named => (Doc::ROOT, Wrapper::default()),
            // An event that has a member `event`, or no delivery at all.
            Some(_) | None => return self.unsure(),
        };
        if let Some(slot) = self.branch(Plan::EVENT).and_then(|branch| branch.slot) {
            self.places.set(slot, body);
        }
        Some(Shape {
            kind: Kind::Delivery,
            body,
            wrapper,
        })
    }

    /// A record's own member. Until there is an event in it, the record may be one itself.
    fn outer_member(
        &mut self,
        outer: &mut Outer,
        role: Role,
        branch: Option<u32>,
        at: usize,
    ) -> Option<usize> {
        match role {
            Role::Specversion => outer.has_specversion = true,
            Role::Id => outer.has_id = true,
            Role::Source => outer.has_source = true,
            Role::Type => outer.has_type = true,
            Role::Event if !outer.has_specversion => {
                if self.text.as_bytes().get(at) != Some(&b'{') {
                    return self.unsure();
                }
                self.places.reset(self.plan.slots());
                outer.event = Some(self.nodes.len());
                return self.object(at, 1, Plan::EVENT);
            }
            Role::Statement if !outer.has_specversion => return self.unsure(),
            Role::ReceivedAt => outer.wrapper.received_at = Some(self.nodes.len()),
            Role::Consumer => outer.wrapper.consumer = Some(self.nodes.len()),
            Role::Event | Role::Statement | Role::Other => {}
        }
        let is_wrapper = matches!(role, Role::ReceivedAt | Role::Consumer);
        match branch.filter(|_| outer.event.is_none()) {
            Some(branch) => self.value(at, 1, branch),
            None if is_wrapper => self.kept(at, 1),
            None => value_end(self.text.as_bytes(), at, 1),
        }
    }

    /// A value that somebody asks for, whatever it is.
    fn kept(&mut self, at: usize, depth: u32) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let (end, escaped) = if bytes.get(at) == Some(&b'"') {
            string_end(bytes, at).ok()?
        } else {
            (value_end(bytes, at, depth)?, false)
        };
        self.push(at, end, kind(bytes.get(at)), escaped);
        Some(end)
    }

    /// A value at a branch of the plan.
    fn value(&mut self, at: usize, depth: u32, index: u32) -> Option<usize> {
        let index = index as usize;
        let branch = self.plan.branches().get(index)?;
        if let Some(slot) = branch.slot {
            self.places.set(slot, self.nodes.len());
        }
        match self.text.as_bytes().get(at) {
            Some(b'{' | b'[') => self.container(at, depth, index, branch),
            _ => self.kept(at, depth),
        }
    }

    /// An object or array at a branch of the plan.
    fn container(&mut self, at: usize, depth: u32, index: usize, branch: &Branch) -> Option<usize> {
        let is_object = self.text.as_bytes().get(at) == Some(&b'{');
        if branch.is_whole {
            self.whole(at, depth, index)
        } else if is_object && branch.is_walked() {
            self.object(at, depth, index)
        } else if !is_object && branch.has_children() {
            self.array(at, depth, branch)
        } else {
            self.kept(at, depth)
        }
    }

    /// A value that is compared with all that is in it.
    fn whole(&mut self, at: usize, depth: u32, branch: usize) -> Option<usize> {
        let node = self.nodes.len();
        let end = read_inside(self.text.as_bytes(), at, depth, MAX_DEPTH, self.nodes).ok()?;
        let doc = Doc::new(self.text, self.nodes);
        if self.plan.visit(doc, branch, node, self.places) {
            return self.unsure();
        }
        Some(end)
    }

    /// An object that a pointer goes through or ends at. The tree's levels bound the recursion.
    fn object(&mut self, start: usize, depth: u32, index: usize) -> Option<usize> {
        if depth >= MAX_DEPTH {
            return None;
        }
        let bytes = self.text.as_bytes();
        let node = self.nodes.len();
        self.push(start, start, NodeKind::Object, false);
        let mut cursor = self.layouts.branches.get(index)?.cursor();
        let mut member = first(bytes, start, b'}');
        loop {
            let at = match member {
                Next::Another(at) => at,
                Next::Closed(end) => {
                    self.close(node, end);
                    return Some(end);
                }
            };
            let layout = self.layouts.branches.get_mut(index)?;
            let (moved, entry, at) = match layout.guess(cursor, bytes, at) {
                Some(found) => found,
                None => layout.find(cursor, bytes, at, self.plan, &mut self.is_unsure)?,
            };
            cursor = moved;
            let (branch, slot) = (entry.branch, entry.slot);
            let at = skip_whitespace(bytes, at);
            let first = bytes.get(at);
            let end = match (first, branch) {
                (_, None) => value_end(bytes, at, depth + 1)?,
                (Some(b'{' | b'['), Some(branch)) => self.value(at, depth + 1, branch)?,
                (_, Some(_)) => {
                    let (end, escaped) = if first == Some(&b'"') {
                        string_end(bytes, at).ok()?
                    } else {
                        (scalar_end(bytes, at)?, false)
                    };
                    if let Some(slot) = slot {
                        self.places.set(slot as usize, self.nodes.len());
                        self.push(at, end, kind(first), escaped);
                    }
                    end
                }
            };
            member = next_member(bytes, end)?;
        }
    }

    /// An array that a pointer goes through.
    fn array(&mut self, start: usize, depth: u32, branch: &Branch) -> Option<usize> {
        if depth >= MAX_DEPTH {
            return None;
        }
        let bytes = self.text.as_bytes();
        let node = self.nodes.len();
        self.push(start, start, NodeKind::Array, false);
        let mut element = first(bytes, start, b']');
        let mut index = 0;
        loop {
            let at = match element {
                Next::Another(at) => at,
                Next::Closed(end) => {
                    self.close(node, end);
                    return Some(end);
                }
            };
            let end = match branch.element(index) {
                Some(child) => self.value(at, depth + 1, small(child))?,
                None => value_end(bytes, at, depth + 1)?,
            };
            index += 1;
            element = next(bytes, end, b']')?;
        }
    }

    fn branch(&self, index: usize) -> Option<&Branch> {
        self.plan.branches().get(index)
    }

    #[inline]
    fn push(&mut self, start: usize, end: usize, kind: NodeKind, escaped: bool) {
        let next = small(self.nodes.len() + 1);
        self.nodes.push(Node {
            start: small(start),
            end: small(end),
            next,
            kind,
            escaped,
        });
    }

    /// A container ends. Its nodes are no members: nobody looks into it.
    fn close(&mut self, node: usize, end: usize) {
        if let Some(node) = self.nodes.get_mut(node) {
            node.end = small(end);
        }
    }
}

/// The kind of the value that begins with a byte.
fn kind(first: Option<&u8>) -> NodeKind {
    match first {
        Some(b'"') => NodeKind::String,
        Some(b'{') => NodeKind::Object,
        Some(b'[') => NodeKind::Array,
        Some(b't') => NodeKind::True,
        Some(b'f') => NodeKind::False,
        Some(b'n') => NodeKind::Null,
        _ => NodeKind::Number,
    }
}

/// Offsets and indexes inside one record.
fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
#[path = "follow_tests.rs"]
mod tests;
