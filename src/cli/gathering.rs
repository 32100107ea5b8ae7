//! Makes the inspector's long lists on a thread of its own; a new question ends the one before.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::Duration;

use crate::app::Message;
use crate::app::views::gather::{Question, gather};
use crate::session::Run;

/// What one may wait for a list without being noticed: a part of a frame.
const AT_ONCE: Duration = Duration::from_millis(4);

/// A list that is being made.
pub(super) struct Gathering {
    answers: Receiver<Message>,
    is_wanted: Arc<AtomicBool>,
}

impl Gathering {
    /// Begins to make a list.
    pub(super) fn start(run: &'static Run, question: Question) -> Self {
        let (sender, answers) = channel();
        let is_wanted = Arc::new(AtomicBool::new(true));
        let wanted = Arc::clone(&is_wanted);
        std::thread::spawn(move || {
            let goes_on = || wanted.load(Ordering::Relaxed);
            let answer = gather(|| run.history(), &question, goes_on);
            if let Some(answer) = answer {
                let number = question.number;
                // Whoever no longer waits has closed the other end.
                let _ = sender.send(Message::Gathered { number, answer });
            }
        });
        Self { answers, is_wanted }
    }

    /// The list if it is made at once, as it is of most captures: no screen without it is drawn.
    pub(super) fn at_once(&self) -> Option<Message> {
        self.answers.recv_timeout(AT_ONCE).ok()
    }

    /// The list once it is made; `Err` where it never will be.
    pub(super) fn answer(&self) -> Result<Message, TryRecvError> {
        self.answers.try_recv()
    }
}

impl Drop for Gathering {
    fn drop(&mut self) {
        self.is_wanted.store(false, Ordering::Relaxed);
    }
}
