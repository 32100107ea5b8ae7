//! An array of objects between records: a batch, each element a record (capture.md, "Framing").

use super::super::json::{MAX_DEPTH, read};
use super::super::tape::{Doc, Node, NodeKind};

/// The ranges of an array's elements, where it has some and all of them are objects.
pub(super) fn batch(bytes: &[u8], nodes: &mut Vec<Node>) -> Option<Vec<(usize, usize)>> {
    let text = std::str::from_utf8(bytes).ok()?;
    // The array's own brackets are no level of a record.
    read(text, MAX_DEPTH + 1, nodes).ok()?;
    let doc = Doc::new(text, nodes);
    let mut elements = Vec::new();
    for element in doc.elements(Doc::ROOT) {
        let node = doc
            .node(element)
            .filter(|node| node.kind == NodeKind::Object)?;
        elements.push((node.start as usize, node.end as usize));
    }
    (!elements.is_empty()).then_some(elements)
}
