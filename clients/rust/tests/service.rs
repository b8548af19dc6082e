//! The bots as programs, against a service that does what a real one may do to them.

mod fake_service;

use std::process::{Child, Command, Output, Stdio};

use croupier_client::protos::croupier::v1::{
    Hello, LegalDetail, PlayResponse, Seated, Turn, TurnDetail, Welcome, answer::Choice,
};
use fake_service::{FakeService, Visitor};
use tonic::Code;

/// A second thread keeps the service alive while the test waits for a bot to end.
fn playing(scene: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    runtime.expect("a runtime").block_on(scene);
}

fn command(target: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_random"));
    command.env_clear().env("CROUPIER_TARGET", target).env("CROUPIER_TOKEN", "a-token").env("CROUPIER_NAME", "dice");
    command.stderr(Stdio::piped());
    command
}

fn started(service: &FakeService) -> Child {
    command(&service.target()).spawn().expect("the bot starts")
}

fn end_of(bot: Child) -> (Option<i32>, String) {
    told(bot.wait_with_output().expect("the bot ends"))
}

fn told(output: Output) -> (Option<i32>, String) {
    (output.status.code(), String::from_utf8(output.stderr).expect("a text"))
}

/// Sends a welcome, a seat and turns numbered from 1, with one more legal action each; says what the answers were.
async fn played(visitor: &mut Visitor, turns: u64) -> Vec<u64> {
    visitor.request().await.hello.expect("a greeting");
    visitor.send(&PlayResponse { welcome: Some(Welcome::default()), ..PlayResponse::default() });
    let seated = Seated { session_id: "s".into(), ..Seated::default() };
    let turn =
        |decision_id| Turn { session_id: "s".into(), decision_id, legal_count: decision_id as u32, ..Turn::default() };
    let turns = (1..=turns).map(turn).collect();
    visitor.send(&PlayResponse { seated: vec![seated], turns, ..PlayResponse::default() });
    let answers = visitor.request().await.answers;
    for answer in &answers {
        assert!(matches!(answer.choice, Some(Choice::Index(index)) if u64::from(index) < answer.decision_id));
    }
    answers.iter().map(|answer| answer.decision_id).collect()
}

async fn plays_and_ends(service: FakeService) {
    let bot = started(&service);
    let mut visitor = service.visitor().await;
    assert_eq!(visitor.authorization, "Bearer a-token");
    assert_eq!(played(&mut visitor, 64).await, (1..=64).collect::<Vec<_>>());
    visitor.close(Code::Ok, "");
    assert_eq!(end_of(bot), (Some(0), String::new()));
}

/// What came in one message is answered in one, and a stream that the service closes is a good end.
#[test]
fn plays_a_batch_over_tcp() {
    playing(async { plays_and_ends(FakeService::on_a_port().await).await });
}

/// The same through a unix socket, which is how tournaments are played.
#[test]
fn plays_a_batch_over_a_unix_socket() {
    playing(async { plays_and_ends(FakeService::on_a_socket().await).await });
}

/// The random bot asks for as little as it needs.
#[test]
fn greets_with_name_and_wishes() {
    playing(async {
        let service = FakeService::on_a_port().await;
        let bot = started(&service);
        let mut visitor = service.visitor().await;
        let detail = TurnDetail {
            omit_view: true,
            legal: LegalDetail::Count.into(),
            omit_events: true,
            ..TurnDetail::default()
        };
        assert_eq!(
            visitor.request().await.hello,
            Some(Hello { name: "dice".into(), detail: Some(detail), ..Hello::default() })
        );
        visitor.close(Code::Ok, "");
        assert_eq!(end_of(bot).0, Some(0));
    });
}

/// A service that goes down and one that is cut off are both come back to, and the turns that come again are played.
#[test]
fn comes_back_when_the_connection_is_lost() {
    playing(async {
        let service = FakeService::on_a_port().await;
        let bot = started(&service);
        let mut visitor = service.visitor().await;
        assert_eq!(played(&mut visitor, 1).await, [1]);
        visitor.close(Code::Unavailable, "draining");
        let mut visitor = service.visitor().await;
        assert_eq!(played(&mut visitor, 1).await, [1]);
        visitor.hang_up();
        let mut visitor = service.visitor().await;
        assert_eq!(played(&mut visitor, 2).await, [1, 2]);
        visitor.close(Code::Ok, "");
        let (code, stderr) = end_of(bot);
        assert_eq!(code, Some(0), "{stderr}");
        let lost = format!("croupier: lost {}", service.target());
        assert_eq!(stderr.lines().filter(|line| line.starts_with(&lost)).count(), 2, "{stderr}");
        assert!(stderr.contains("(draining)"), "{stderr}");
    });
}

/// Any other status is final, and said.
#[test]
fn ends_when_the_service_refuses_it() {
    playing(async {
        let service = FakeService::on_a_port().await;
        let bot = started(&service);
        service.visitor().await.close(Code::PermissionDenied, "not you");
        let sentence = format!("croupier: {} refuses this bot: PERMISSION_DENIED: not you\n", service.target());
        assert_eq!(end_of(bot), (Some(1), sentence));
    });
}

/// SIGTERM and SIGINT are good ends, at any time.
#[test]
fn ends_on_signals() {
    playing(async {
        for signal in ["-TERM", "-INT"] {
            let service = FakeService::on_a_port().await;
            let bot = started(&service);
            let mut visitor = service.visitor().await;
            played(&mut visitor, 1).await;
            let kill = Command::new("kill").args([signal, &bot.id().to_string()]).status();
            assert!(kill.expect("there is a kill").success());
            assert_eq!(end_of(bot), (Some(0), String::new()));
        }
    });
}

/// A bot that fails says where, and its exit code tells.
#[test]
fn ends_with_a_trace_when_play_panics() {
    playing(async {
        let service = FakeService::on_a_port().await;
        let bot = started(&service);
        let mut visitor = service.visitor().await;
        visitor.request().await;
        let unexplained = Turn { session_id: "nowhere".into(), decision_id: 1, legal_count: 1, ..Turn::default() };
        visitor.send(&PlayResponse { turns: vec![unexplained], ..PlayResponse::default() });
        let (code, stderr) = end_of(bot);
        assert_eq!(code, Some(101));
        assert!(stderr.contains("did not say who is seated in session nowhere"), "{stderr}");
    });
}

/// A missing or impossible setting is a sentence and exit code 2.
#[test]
fn missing_settings_are_named() {
    let ends = |command: &mut Command| told(command.output().expect("the bot starts"));
    let (code, stderr) = ends(command("localhost:7017").env_remove("CROUPIER_TARGET"));
    assert!(code == Some(2) && stderr.starts_with("croupier: where to play? set CROUPIER_TARGET"), "{stderr}");
    let (code, stderr) = ends(command("localhost:7017").env("CROUPIER_TOKEN", ""));
    assert!(code == Some(2) && stderr.starts_with("croupier: who plays? set CROUPIER_TOKEN"), "{stderr}");
    let (code, stderr) = ends(&mut command("localhost"));
    assert!(code == Some(2) && stderr.contains("got \"localhost\""), "{stderr}");
}
