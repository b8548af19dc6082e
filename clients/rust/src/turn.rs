//! One decision, as a bot sees it.

use std::time::Duration;

use crate::protos::croupier::v1;
use crate::{Event, LegalAction, Seated, View};

/// What a seat sees and may do now, as far as [`Settings`](crate::Settings) asked for it.
#[derive(Clone, Debug)]
pub struct Turn<'a> {
    raw: v1::Turn,
    seated: Option<&'a Seated>,
}

impl<'a> Turn<'a> {
    /// A turn from the service's message; also for testing a bot without any service.
    pub fn new(raw: v1::Turn, seated: Option<&'a Seated>) -> Self {
        Turn { raw, seated }
    }

    /// The session: different for every game.
    pub fn session_id(&self) -> &str {
        &self.raw.session_id
    }

    /// The seat that decides, counting from 0.
    pub fn seat(&self) -> u32 {
        self.raw.seat
    }

    /// Names this decision among all of this seat in this session.
    pub fn decision_id(&self) -> u64 {
        self.raw.decision_id
    }

    /// What the seat sees; `None` if it was not asked for, or the game is newer than this client.
    pub fn view(&self) -> Option<&View> {
        self.raw.view.as_ref()?.game.as_ref()
    }

    /// The legal actions in a fixed order; empty if only their number was asked for.
    pub fn legal(&self) -> &[LegalAction] {
        &self.raw.legal
    }

    /// How many legal actions there are, whatever was asked for.
    pub fn legal_count(&self) -> u32 {
        self.raw.legal_count
    }

    /// What happened since this seat's last decision; nothing if it was not asked for.
    pub fn events(&self) -> impl Iterator<Item = &Event> {
        self.raw.events.iter().filter_map(|event| event.game.as_ref())
    }

    /// Time left for this decision when the turn was sent; `None` if there is no limit.
    pub fn time_left(&self) -> Option<Duration> {
        self.raw.time_left_ms.map(Duration::from_millis)
    }

    /// The table: `game_id`, `options`, `seat_names`, `seed_commitment`, …
    pub fn seated(&self) -> &Seated {
        self.seated.unwrap_or_else(|| panic!("the service did not say who is seated in session {}", self.session_id()))
    }

    /// The whole message.
    pub fn raw(&self) -> &v1::Turn {
        &self.raw
    }

    /// The whole message, to keep.
    pub fn into_raw(self) -> v1::Turn {
        self.raw
    }
}
