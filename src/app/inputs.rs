//! What was typed before into each kind of line, to be called back with Up and Down.

use super::prompt::Purpose;

/// Inputs that are kept of each kind.
const MOST: usize = 100;

/// Earlier inputs, the latest last.
#[derive(Clone, Debug, Default)]
pub(super) struct Inputs {
    search: Vec<String>,
    command: Vec<String>,
    filter: Vec<String>,
}

impl Inputs {
    /// Those of a kind.
    pub(super) fn of(&self, purpose: Purpose) -> &[String] {
        match purpose {
            Purpose::Search => &self.search,
            Purpose::Command => &self.command,
            Purpose::Filter => &self.filter,
            // A list is narrowed anew each time.
            Purpose::Id => &[],
        }
    }

    /// Keeps an input; one that was there before is the latest now.
    pub(super) fn keep(&mut self, purpose: Purpose, text: &str) {
        let inputs = match purpose {
            Purpose::Search => &mut self.search,
            Purpose::Command => &mut self.command,
            Purpose::Filter => &mut self.filter,
            Purpose::Id => return,
        };
        inputs.retain(|known| known != text);
        if inputs.len() == MOST {
            inputs.remove(0);
        }
        inputs.push(text.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_come_last_and_once() {
        let mut inputs = Inputs::default();
        for text in ["a", "b", "a"] {
            inputs.keep(Purpose::Search, text);
        }
        assert_eq!(inputs.of(Purpose::Search), ["b", "a"]);
        assert!(inputs.of(Purpose::Filter).is_empty());
        for number in 0..500 {
            inputs.keep(Purpose::Filter, &number.to_string());
        }
        assert_eq!(inputs.of(Purpose::Filter).len(), MOST);
    }
}
