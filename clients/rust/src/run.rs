//! The door for bot programs: threads, signals, exit codes.

use std::process::{self, ExitCode};

use tokio::runtime::{Builder, Runtime};
use tokio::signal::unix::{SignalKind, signal};

use crate::{Bot, Settings};

const EXIT_REFUSED: u8 = 1;
const EXIT_USAGE: u8 = 2;

/// Plays until the service closes the stream, or SIGTERM or SIGINT arrives; any other end says why on stderr.
///
/// The bot thinks on the thread that calls this, and the connection lives on another one: however long a decision
/// takes, pings are answered and signals obeyed.
pub fn run(mut bot: impl Bot, settings: Settings) -> ExitCode {
    run_any(&mut bot, settings)
}

/// `run` for all bots alike: else gRPC and all it stands on would be compiled anew for each of them.
fn run_any(bot: &mut dyn Bot, settings: Settings) -> ExitCode {
    let connection = match settings.connection() {
        Ok(connection) => connection,
        Err(sentence) => return exit(EXIT_USAGE, &sentence),
    };
    let runtime = Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .expect("a thread for the connection can be started");
    end_on_signals(&runtime);
    match runtime.block_on(connection.play(bot)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(refused) => exit(EXIT_REFUSED, &format!("{} refuses this bot: {refused}", connection.target)),
    }
}

/// Ends the process from the connection's thread, for the bot's own may be deep in thought.
fn end_on_signals(runtime: &Runtime) {
    let _context = runtime.enter();
    for kind in [SignalKind::terminate(), SignalKind::interrupt()] {
        let mut signals = signal(kind).expect("signals can be listened to");
        runtime.spawn(async move {
            signals.recv().await;
            process::exit(0);
        });
    }
}

fn exit(code: u8, sentence: &str) -> ExitCode {
    eprintln!("croupier: {sentence}");
    ExitCode::from(code)
}
