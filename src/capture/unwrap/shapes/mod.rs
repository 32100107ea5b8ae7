//! The shapes, one small module each, by where they come from. These lists are the only ones; a test
//! holds that every fixture is claimed by exactly one shape.

mod brokers;
mod clouds;
mod kafka;
mod logs;

use super::layer::Layer;
use super::plain::Plain;
use super::registry::{Container, Shape};
pub(super) use kafka::kcat_format;

/// Every shape, in the order in which they are tried.
pub(super) fn all() -> impl Iterator<Item = &'static Shape> {
    [kafka::ALL, logs::ALL, clouds::ALL, brokers::ALL]
        .into_iter()
        .flatten()
        .copied()
}

/// The quick way through a shape's wrapper, where it has one: those have one whose captures are large.
pub(super) fn plain(shape: &Shape) -> Option<&'static Plain> {
    let mut ways = [kafka::PLAIN, logs::PLAIN].into_iter();
    let (_, plain) = ways.find(|(of, _)| of.name == shape.name)?;
    Some(plain)
}

/// Every object that holds an array of records.
pub(super) fn containers() -> impl Iterator<Item = &'static Container> {
    [
        kafka::CONTAINERS,
        logs::CONTAINERS,
        clouds::CONTAINERS,
        brokers::CONTAINERS,
    ]
    .into_iter()
    .flatten()
}

/// The range in a container of what says something that no record of it says.
pub(super) fn told_beside(container: &Container, layer: Layer<'_, '_>) -> Option<(usize, usize)> {
    logs::told_beside(container, layer)
}

/// The records in a text that holds several.
pub(super) fn elements_of_text(text: &str) -> Option<Vec<(usize, usize)>> {
    brokers::elements_of_text(text).or_else(|| logs::elements_of_text(text))
}
