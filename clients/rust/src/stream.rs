//! The bot's connection: greets, plays until the service closes the stream, comes back when cut off.

use std::error::Error;
use std::fmt;
use std::time::Instant;

use tokio::sync::mpsc;
use tokio_stream::wrappers::UnboundedReceiverStream;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::Endpoint;
use tonic::{Code, Request, Status};
use tonic_types::StatusExt;

use crate::Bot;
use crate::backoff::Backoff;
use crate::channel::MAX_RECEIVED;
use crate::player::Player;
use crate::protos::croupier::v1::bot_service_client::BotServiceClient;
use crate::protos::croupier::v1::{Hello, PlayRequest};

/// Where a bot plays, as whom, and what it says first.
pub struct Connection {
    pub target: String,
    pub endpoint: Endpoint,
    pub bearer: MetadataValue<Ascii>,
    pub hello: Hello,
}

/// The service does not let this bot play, and trying again is pointless.
#[derive(Debug)]
pub struct Refused {
    reason: String,
    message: String,
}

/// Why a stream ended other than by the service closing it.
enum End {
    Lost(String),
    Refused(Refused),
}

impl Connection {
    /// Plays until the service closes the stream, on as many connections as that takes.
    pub async fn play(&self, bot: &mut dyn Bot) -> Result<(), Refused> {
        let mut delays = Backoff::default();
        loop {
            let mut greeted = false;
            let why = match self.play_once(bot, &mut greeted).await {
                Ok(()) => return Ok(()),
                Err(End::Refused(refused)) => return Err(refused),
                Err(End::Lost(why)) => why,
            };
            if greeted {
                delays = Backoff::default();
            }
            let delay = delays.next().expect("there is always another delay");
            eprintln!(
                "croupier: {} {} ({why}); is croupier-service running there? Trying again in {:.1} s",
                if greeted { "lost" } else { "cannot reach" },
                self.target,
                delay.as_secs_f64(),
            );
            tokio::time::sleep(delay).await;
        }
    }

    async fn play_once(&self, bot: &mut dyn Bot, greeted: &mut bool) -> Result<(), End> {
        let channel = self.endpoint.connect().await.map_err(|error| End::Lost(root_cause(&error)))?;
        let (requests, outgoing) = mpsc::unbounded_channel();
        let _ = requests.send(PlayRequest { hello: Some(self.hello.clone()), ..PlayRequest::default() });
        let mut call = Request::new(UnboundedReceiverStream::new(outgoing));
        call.metadata_mut().insert("authorization", self.bearer.clone());
        let mut client = BotServiceClient::new(channel).max_decoding_message_size(MAX_RECEIVED);
        let mut responses = client.play(call).await?.into_inner();
        let mut player = Player::new(bot, requests, Instant::now);
        while let Some(response) = responses.message().await? {
            *greeted |= response.welcome.is_some();
            player.receive(response);
        }
        Ok(())
    }
}

impl From<Status> for End {
    fn from(status: Status) -> Self {
        // A status with a source was made on this side, of a connection that broke: the service said nothing.
        if let Some(source) = status.source() {
            return End::Lost(root_cause(source));
        }
        let message = match status.message() {
            "" => status.code().description().to_owned(),
            said => said.to_owned(),
        };
        if status.code() == Code::Unavailable {
            return End::Lost(message);
        }
        let reason = match status.get_details_error_info() {
            Some(info) => info.reason,
            None => upper_snake(&format!("{:?}", status.code())),
        };
        End::Refused(Refused { reason, message })
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        write!(out, "{}: {}", self.reason, self.message)
    }
}

/// `PermissionDenied` as the protocol writes it: `PERMISSION_DENIED`.
fn upper_snake(camel: &str) -> String {
    let mut word = String::new();
    for letter in camel.chars() {
        if letter.is_uppercase() && !word.is_empty() {
            word.push('_');
        }
        word.push(letter.to_ascii_uppercase());
    }
    word
}

/// What the innermost error says: the outer ones only say that there was one.
fn root_cause(error: &dyn Error) -> String {
    let mut innermost = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    innermost.to_string()
}
