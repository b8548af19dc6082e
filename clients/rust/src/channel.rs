//! How the service is reached: the address, the connection and the token of a call.

use std::time::Duration;

use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::Endpoint;

/// The most that one message of the service may hold: a thousand turns with views outgrow the usual 4 MiB.
pub const MAX_RECEIVED: usize = 64 << 20;

// The service permits a ping every 10 s; this notices a dead connection within 40.
const PING_EVERY: Duration = Duration::from_secs(30);
const PING_TIMEOUT: Duration = Duration::from_secs(10);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// The way to host:port or unix:/path, or a sentence that says what is wrong with the address.
pub fn endpoint(target: &str) -> Result<Endpoint, String> {
    let uri = if is_socket(target) {
        Some(target.to_owned())
    } else {
        is_host_and_port(target).then(|| format!("http://{target}"))
    };
    uri.and_then(|uri| Endpoint::from_shared(uri).ok())
        .map(|endpoint| {
            endpoint
                .connect_timeout(CONNECT_TIMEOUT)
                .http2_keep_alive_interval(PING_EVERY)
                .keep_alive_timeout(PING_TIMEOUT)
                .keep_alive_while_idle(true)
        })
        .ok_or_else(|| format!("expected the service's address as host:port or unix:/path, got {target:?}"))
}

/// What a call carries to say who plays, or a sentence that says why it cannot.
pub fn bearer(token: &str) -> Result<MetadataValue<Ascii>, String> {
    let printable = token.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    printable.then(|| format!("Bearer {token}").parse().ok()).flatten().ok_or_else(|| {
        "expected a token of printable ASCII characters, got others; use one as the service made it".into()
    })
}

fn is_socket(target: &str) -> bool {
    target.strip_prefix("unix:").is_some_and(|path| !path.is_empty())
}

fn is_host_and_port(target: &str) -> bool {
    let Some((host, port)) = target.rsplit_once(':') else { return false };
    let bare = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let host_is_one = match bare {
        Some(address) => address.parse::<std::net::Ipv6Addr>().is_ok(),
        None => !host.is_empty() && !host.contains(['[', ']', ':', '/', '@', '?', '#']),
    };
    let digits = port.bytes().all(|byte| byte.is_ascii_digit());
    host_is_one && digits && port.parse::<u16>().is_ok_and(|port| port > 0)
}
