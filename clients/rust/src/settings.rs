//! Where a bot plays, as whom, and how much of each turn it wants to see.

use std::env;

use crate::protos::croupier::v1::{Hello, LegalDetail, TurnDetail};
use crate::stream::Connection;
use crate::{channel, stream};

/// What [`run`](crate::run) needs to know; what is `None` comes from the environment, and less of a turn is faster.
#[derive(Clone, Debug)]
pub struct Settings {
    /// `host:port` or `unix:/path`; else CROUPIER_TARGET.
    pub target: Option<String>,
    /// The bot's token; else CROUPIER_TOKEN.
    pub token: Option<String>,
    /// What the bot calls itself, for logs; else CROUPIER_NAME.
    pub name: Option<String>,
    /// Whether turns carry what the seat sees.
    pub view: bool,
    /// What turns say of the legal actions.
    pub legal: Legal,
    /// Whether turns carry what happened since the seat's last decision.
    pub events: bool,
}

/// What a turn says of the legal actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Legal {
    /// Their notations.
    Notation,
    /// Their notations and the typed actions.
    Typed,
    /// Only how many there are.
    Count,
}

impl Default for Settings {
    /// Everything from the environment, and everything but typed actions in each turn.
    fn default() -> Self {
        Settings { target: None, token: None, name: None, view: true, legal: Legal::Notation, events: true }
    }
}

impl Settings {
    /// The connection that settings and environment describe together, or a sentence that says what is missing.
    pub(crate) fn connection(self) -> Result<Connection, String> {
        let detail = self.detail();
        let target = given(self.target, "CROUPIER_TARGET")
            .ok_or("where to play? set CROUPIER_TARGET to host:port or unix:/path, or Settings.target")?;
        let token = given(self.token, "CROUPIER_TOKEN")
            .ok_or("who plays? set CROUPIER_TOKEN to the bot's token, or Settings.token")?;
        let name = given(self.name, "CROUPIER_NAME").unwrap_or_default();
        let wrong = |sentence| format!("{sentence}; see CROUPIER_TARGET and CROUPIER_TOKEN");
        Ok(stream::Connection {
            endpoint: channel::endpoint(&target).map_err(wrong)?,
            bearer: channel::bearer(&token).map_err(wrong)?,
            hello: Hello { name, detail: Some(detail), ..Hello::default() },
            target,
        })
    }

    fn detail(&self) -> TurnDetail {
        let legal = match self.legal {
            Legal::Notation => LegalDetail::Notation,
            Legal::Typed => LegalDetail::Typed,
            Legal::Count => LegalDetail::Count,
        };
        TurnDetail { omit_view: !self.view, legal: legal.into(), omit_events: !self.events, ..TurnDetail::default() }
    }
}

fn given(argument: Option<String>, variable: &str) -> Option<String> {
    argument
        .or_else(|| env::var_os(variable).map(|value| value.to_string_lossy().into_owned()))
        .filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaint(target: &str, token: &str) -> Option<String> {
        let settings = Settings { target: Some(target.into()), token: Some(token.into()), ..Settings::default() };
        settings.connection().err()
    }

    /// An address that cannot be one is refused at once: it would be tried for ever.
    #[test]
    fn targets_that_cannot_be_reached_are_named() {
        for target in ["localhost", "localhost:", "localhost:0", "localhost:65536", "http://localhost:1", ":1", "unix:"]
        {
            let sentence = complaint(target, "token").expect(target);
            assert!(sentence.contains(&format!("host:port or unix:/path, got {target:?}")), "{sentence}");
        }
    }

    /// Host names, both kinds of IP addresses and sockets are taken.
    #[test]
    fn targets_of_all_kinds_are_taken() {
        for target in
            ["localhost:7017", "127.0.0.1:7017", "[::1]:7017", "unix:/run/croupier.sock", "unix:///run/c.sock"]
        {
            assert_eq!(complaint(target, "token"), None, "{target}");
        }
    }

    /// A token that no call can carry is refused, and not shown.
    #[test]
    fn tokens_that_cannot_travel_are_refused_and_kept_secret() {
        let sentence = complaint("localhost:7017", "gehäim\n").expect("a complaint");
        assert!(sentence.contains("printable ASCII") && !sentence.contains("geh"), "{sentence}");
    }

    /// What a bot does not want is left out of its turns.
    #[test]
    fn the_greeting_says_what_turns_should_carry() {
        let everything = Settings::default().detail();
        assert_eq!(everything, TurnDetail { legal: LegalDetail::Notation.into(), ..TurnDetail::default() });
        let little = Settings { view: false, legal: Legal::Count, events: false, ..Settings::default() }.detail();
        assert_eq!(
            little,
            TurnDetail {
                omit_view: true,
                legal: LegalDetail::Count.into(),
                omit_events: true,
                ..TurnDetail::default()
            }
        );
    }
}
