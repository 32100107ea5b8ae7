//! How records begin that have wrappers, and those that have none: a capture usually has one kind, and
//! one that mixes them can be told apart by its first bytes. It is a guess at what to try first, and
//! decides nothing: both ways of trying come to the same.

/// Bytes that are looked at: `{"topic"` is as many.
const LENGTH: usize = 8;

/// The first bytes of the records before.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Beginnings {
    wrapped: Option<[u8; LENGTH]>,
    bare: Option<[u8; LENGTH]>,
    /// The last record that could be read had wrappers.
    was_wrapped: bool,
}

impl Beginnings {
    /// Whether a record probably has wrappers: it begins as the last one did that had some, and not
    /// as the last one that had none; where that does not tell, the last one does.
    #[inline]
    pub(super) fn tell_wrappers(&self, record: &[u8]) -> bool {
        if self.wrapped.is_none() {
            return false;
        }
        let head = record.first_chunk().copied();
        match (self.wrapped == head, self.bare == head) {
            (true, false) => true,
            (false, true) => false,
            (true, true) | (false, false) => self.was_wrapped,
        }
    }

    /// A record that had wrappers.
    #[inline]
    pub(super) fn of_wrapped(&mut self, record: &[u8]) {
        self.wrapped = record.first_chunk().copied();
        self.was_wrapped = true;
    }

    /// A record that had none.
    #[inline]
    pub(super) fn of_bare(&mut self, record: &[u8]) {
        self.bare = record.first_chunk().copied();
        self.was_wrapped = false;
    }
}
