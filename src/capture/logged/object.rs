//! Log lines that are JSON objects, one line of what was logged in each.

use super::super::json::{MAX_DEPTH, read};
use super::super::string;
use super::super::tape::{Doc, NodeKind};
use super::Wrapper;

/// A line that is a JSON object.
pub(super) struct Object {
    pub(super) name: Vec<u8>,
    pub(super) time: Option<String>,
    pub(super) channel: Option<String>,
    pub(super) text: String,
}

impl Object {
    pub(super) fn of(wrapper: Wrapper, line: &[u8]) -> Option<Self> {
        if line.first() != Some(&b'{') {
            return None;
        }
        if wrapper == Wrapper::Stern {
            let names = [
                "message",
                "podName",
                "namespace",
                "nodeName",
                "containerName",
            ];
            let found: [Option<String>; 5] = members(line, &names)?.try_into().ok()?;
            let [text, pod, namespace, node, container] = found;
            let (pod, namespace, _) = (pod?, namespace?, node?);
            let container = container.unwrap_or_default();
            return Some(Self {
                name: format!("{namespace}/{pod}/{container}").into_bytes(),
                time: None,
                channel: Some(pod),
                text: text?,
            });
        }
        let names = ["line", "timestamp", "labels"];
        let found: [Option<String>; 3] = members(line, &names)?.try_into().ok()?;
        let [text, time, labels] = found;
        Some(Self {
            name: labels.clone().unwrap_or_default().into_bytes(),
            time: Some(time?),
            channel: labels,
            text: text?,
        })
    }
}

/// Members of a JSON object: a string decoded, an object as it is spelled. Nothing where the line is no
/// JSON object.
pub(super) fn members(line: &[u8], names: &[&str]) -> Option<Vec<Option<String>>> {
    let text = std::str::from_utf8(line).ok()?;
    let mut nodes = Vec::new();
    read(text, MAX_DEPTH, &mut nodes).ok()?;
    let doc = Doc::new(text, &nodes);
    let member = |name: &&str| {
        let index = doc.member(Doc::ROOT, name)?;
        match doc.kind(index)? {
            NodeKind::String => Some(string::decode(doc.raw_string(doc.node(index)?))),
            NodeKind::Object => Some(doc.raw(index).to_owned()),
            NodeKind::Array
            | NodeKind::Number
            | NodeKind::True
            | NodeKind::False
            | NodeKind::Null => None,
        }
    };
    Some(names.iter().map(member).collect())
}
