//! Batching, with the messages a player would put on the wire.

use std::cell::Cell;

use tokio::sync::mpsc::{self, UnboundedReceiver};

use super::*;
use crate::protos::croupier::v1::{GameOver, Refusal};

thread_local! {
    static NOW: Cell<Instant> = Cell::new(Instant::now());
}

fn now() -> Instant {
    NOW.get()
}

/// Notes what it hears, in order, and takes its time.
#[derive(Default)]
struct Listener {
    heard: Vec<String>,
    thinks: Duration,
}

impl Bot for Listener {
    fn play(&mut self, turn: &Turn) -> Choice {
        NOW.set(now() + self.thinks);
        self.heard.push(format!("turn of {} at {}", turn.seat(), turn.seated().game_id));
        Choice::Index(0)
    }

    fn seated(&mut self, seated: &Seated) {
        self.heard.push(format!("seated {}", seated.seat));
    }

    fn refused(&mut self, refusal: &Refusal) {
        self.heard.push(format!("refused {}", refusal.reason));
    }

    fn game_over(&mut self, result: &GameOver) {
        self.heard.push(format!("over for {}", result.seat));
    }
}

fn seated(seat: u32) -> Seated {
    Seated { session_id: "s".into(), seat, game_id: "lie".into(), ..Seated::default() }
}

fn turn(seat: u32, decision_id: u64) -> v1::Turn {
    v1::Turn { session_id: "s".into(), seat, decision_id, legal_count: 3, ..v1::Turn::default() }
}

fn turns(many: u64) -> PlayResponse {
    let turns = (1..=many).map(|decision_id| turn(0, decision_id)).collect();
    PlayResponse { seated: vec![seated(0)], turns, ..PlayResponse::default() }
}

/// How many answers each message has that a bot sends when it receives this.
fn batches(bot: &mut dyn Bot, response: PlayResponse) -> Vec<usize> {
    let (requests, mut sent) = mpsc::unbounded_channel();
    Player::new(bot, requests, now).receive(response);
    drained(&mut sent).iter().map(|request| request.answers.len()).collect()
}

fn drained(sent: &mut UnboundedReceiver<PlayRequest>) -> Vec<PlayRequest> {
    std::iter::from_fn(|| sent.try_recv().ok()).collect()
}

/// All answers to one message go out in one, up to what the service takes.
#[test]
fn answers_to_one_message_go_out_together() {
    assert_eq!(batches(&mut Listener::default(), turns(64)), [64]);
    assert_eq!(batches(&mut Listener::default(), turns(2500)), [1024, 1024, 452]);
    assert_eq!(batches(&mut Listener::default(), turns(0)), [0; 0]);
}

/// A slow bot's answers do not wait more than 10 ms for the rest of their batch.
#[test]
fn answers_of_a_slow_bot_do_not_wait() {
    let slow = |ms| Listener { thinks: Duration::from_millis(ms), ..Listener::default() };
    assert_eq!(batches(&mut slow(11), turns(3)), [1, 1, 1]);
    assert_eq!(batches(&mut slow(4), turns(7)), [3, 3, 1]);
}

/// In one message seats come first, then refusals, turns, and last the games that are over.
#[test]
fn a_message_is_told_in_order() {
    let response = PlayResponse {
        games_over: vec![GameOver { session_id: "s".into(), ..GameOver::default() }],
        turns: vec![turn(1, 1), turn(0, 1)],
        refusals: vec![Refusal { reason: "STALE_DECISION".into(), ..Refusal::default() }],
        seated: vec![seated(0), seated(1)],
        ..PlayResponse::default()
    };
    let mut bot = Listener::default();
    batches(&mut bot, response);
    let told = ["seated 0", "seated 1", "refused STALE_DECISION", "turn of 1 at lie", "turn of 0 at lie", "over for 0"];
    assert_eq!(bot.heard, told);
}

/// Of a session with two own seats one may end before the other.
#[test]
fn a_seat_is_remembered_until_its_game_is_over() {
    let (requests, _sent) = mpsc::unbounded_channel();
    let mut bot = Listener::default();
    let mut player = Player::new(&mut bot, requests, now);
    player.receive(PlayResponse { seated: vec![seated(0), seated(1)], ..PlayResponse::default() });
    let over = GameOver { session_id: "s".into(), ..GameOver::default() };
    player.receive(PlayResponse { games_over: vec![over], ..PlayResponse::default() });
    assert!(player.tables.find("s", 0).is_none());
    assert!(player.tables.find("s", 1).is_some());
}

/// A choice of any form arrives as what it is, under the turn's session, seat and decision.
#[test]
fn choices_of_every_form_are_answers() {
    let action = crate::games::lie::Action { kind: None };
    let wrapped = v1::GameAction { game: Some(crate::Action::Lie(action.clone())) };
    let forms = [
        (Choice::from(2_u32), answer::Choice::Index(2)),
        (Choice::from("3x5"), answer::Choice::Notation("3x5".into())),
        (Choice::from(action), answer::Choice::Action(wrapped)),
    ];
    for (choice, expected) in forms {
        let answer = answer(turn(1, 7), choice);
        assert_eq!((answer.session_id.as_str(), answer.seat, answer.decision_id), ("s", 1, 7));
        assert_eq!(answer.choice, Some(expected));
    }
}

/// A position that is in no legal list is the bot's mistake, and ends it.
#[test]
#[should_panic(expected = "expected a position in turn.legal(), below 3, got 3")]
fn a_position_beyond_the_legal_list_ends_the_bot() {
    answer(turn(0, 1), Choice::from(3_usize));
}
