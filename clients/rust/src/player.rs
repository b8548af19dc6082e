//! One bot on one stream: turns in, answers out, in batches. How they travel is not its concern.

use std::collections::HashMap;
use std::mem;
use std::time::{Duration, Instant};

use tokio::sync::mpsc::UnboundedSender;

use crate::protos::croupier::v1::{self, Answer, PlayRequest, PlayResponse, answer};
use crate::{Bot, Choice, Seated, Turn};

/// The most answers that the service takes in one message.
const MAX_ANSWERS: usize = 1024;

/// Answers wait for the rest of their batch no longer than this: a slow bot's clocks would run meanwhile.
const HOLD: Duration = Duration::from_millis(10);

/// Plays the turns of one stream; answers of one received message go out together.
pub struct Player<'b> {
    bot: &'b mut dyn Bot,
    /// Has no limit: were reading to wait for writing, bot and service could wait for each other for ever.
    requests: UnboundedSender<PlayRequest>,
    clock: fn() -> Instant,
    tables: Tables,
    ready: Vec<Answer>,
}

impl<'b> Player<'b> {
    /// A player that hands its messages to `requests`.
    pub fn new(bot: &'b mut dyn Bot, requests: UnboundedSender<PlayRequest>, clock: fn() -> Instant) -> Self {
        Player { bot, requests, clock, tables: Tables::default(), ready: Vec::new() }
    }

    /// Tells the bot all that a message says, and sends what the bot answers.
    pub fn receive(&mut self, response: PlayResponse) {
        for seated in response.seated {
            self.bot.seated(&seated);
            self.tables.add(seated);
        }
        for refusal in &response.refusals {
            self.bot.refused(refusal);
        }
        self.play(response.turns);
        for result in &response.games_over {
            self.bot.game_over(result);
            self.tables.remove(&result.session_id, result.seat);
        }
    }

    fn play(&mut self, turns: Vec<v1::Turn>) {
        self.ready.reserve(turns.len().min(MAX_ANSWERS));
        let mut due = (self.clock)() + HOLD;
        for raw in turns {
            let seated = self.tables.find(&raw.session_id, raw.seat);
            let turn = Turn::new(raw, seated);
            let choice = self.bot.play(&turn);
            self.ready.push(answer(turn.into_raw(), choice));
            let now = (self.clock)();
            if self.ready.len() == MAX_ANSWERS || now > due {
                self.send();
                due = now + HOLD;
            }
        }
        self.send();
    }

    fn send(&mut self) {
        if !self.ready.is_empty() {
            let answers = mem::take(&mut self.ready);
            // Fails only if the stream has ended; how, the next read says.
            let _ = self.requests.send(PlayRequest { answers, ..PlayRequest::default() });
        }
    }
}

/// The answer to a turn; ends the bot if its choice cannot be one.
fn answer(turn: v1::Turn, choice: Choice) -> Answer {
    let choice = match choice {
        Choice::Index(index) => {
            let count = turn.legal_count;
            assert!(index < count, "expected a position in turn.legal(), below {count}, got {index}");
            answer::Choice::Index(index)
        }
        Choice::Notation(notation) => answer::Choice::Notation(notation),
        Choice::Action(action) => answer::Choice::Action(v1::GameAction { game: Some(action) }),
    };
    Answer {
        session_id: turn.session_id,
        seat: turn.seat,
        decision_id: turn.decision_id,
        choice: Some(choice),
        request_id: String::new(),
    }
}

/// Where the bot sits: by session, for a session's few seats are found without building a key.
#[derive(Default)]
struct Tables(HashMap<String, Vec<Seated>>);

impl Tables {
    fn add(&mut self, seated: Seated) {
        self.remove(&seated.session_id, seated.seat);
        self.0.entry(seated.session_id.clone()).or_default().push(seated);
    }

    fn find(&self, session_id: &str, seat: u32) -> Option<&Seated> {
        self.0.get(session_id)?.iter().find(|seated| seated.seat == seat)
    }

    fn remove(&mut self, session_id: &str, seat: u32) {
        if let Some(seats) = self.0.get_mut(session_id) {
            seats.retain(|seated| seated.seat != seat);
            if seats.is_empty() {
                self.0.remove(session_id);
            }
        }
    }
}

#[cfg(test)]
mod tests;
