//! A service that says what a test tells it to: real sockets, real HTTP/2, no game.

use std::path::PathBuf;

use bytes::{Buf, BufMut, Bytes, BytesMut};
use croupier_client::protos::croupier::v1::{PlayRequest, PlayResponse};
use h2::{RecvStream, SendStream, server};
use http::{HeaderMap, HeaderValue, Response};
use prost::Message;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, UnixListener};
use tokio::task::JoinHandle;

/// Every gRPC message comes after a flag and its length.
const PREFIX: usize = 5;

/// Where bots may dial in.
pub enum FakeService {
    Tcp(TcpListener),
    Unix(UnixListener, PathBuf),
}

/// A bot that has dialled in.
pub struct Visitor {
    pub authorization: String,
    received: RecvStream,
    buffer: BytesMut,
    sending: SendStream<Bytes>,
    connection: JoinHandle<()>,
}

impl FakeService {
    pub async fn on_a_port() -> Self {
        FakeService::Tcp(TcpListener::bind("127.0.0.1:0").await.expect("a free port"))
    }

    pub async fn on_a_socket() -> Self {
        let path = std::env::temp_dir().join(format!("croupier-{}.sock", std::process::id()));
        FakeService::Unix(UnixListener::bind(&path).expect("a socket"), path)
    }

    pub fn target(&self) -> String {
        match self {
            FakeService::Tcp(listener) => listener.local_addr().expect("an address").to_string(),
            FakeService::Unix(_, path) => format!("unix:{}", path.display()),
        }
    }

    /// Waits for the next bot to call.
    pub async fn visitor(&self) -> Visitor {
        match self {
            FakeService::Tcp(listener) => Visitor::greeted(listener.accept().await.expect("a bot").0).await,
            FakeService::Unix(listener, _) => Visitor::greeted(listener.accept().await.expect("a bot").0).await,
        }
    }
}

impl Drop for FakeService {
    fn drop(&mut self) {
        if let FakeService::Unix(_, path) = self {
            std::fs::remove_file(path).expect("the socket was there");
        }
    }
}

impl Visitor {
    async fn greeted(socket: impl AsyncRead + AsyncWrite + Unpin + Send + 'static) -> Self {
        let mut http = server::handshake(socket).await.expect("HTTP/2");
        let (call, mut respond) = http.accept().await.expect("a call").expect("HTTP/2");
        assert_eq!(call.uri().path(), "/croupier.v1.BotService/Play");
        let authorization = call.headers()["authorization"].to_str().expect("a text").to_owned();
        let head = Response::builder().header("content-type", "application/grpc").body(()).expect("a head");
        let sending = respond.send_response(head, false).expect("HTTP/2");
        let connection = tokio::spawn(async move { while http.accept().await.is_some() {} });
        Visitor { authorization, received: call.into_body(), buffer: BytesMut::new(), sending, connection }
    }

    /// The bot's next message.
    pub async fn request(&mut self) -> PlayRequest {
        loop {
            if let Some(message) = self.whole_message() {
                return PlayRequest::decode(message).expect("a PlayRequest");
            }
            let data = self.received.data().await.expect("another message").expect("HTTP/2");
            self.received.flow_control().release_capacity(data.len()).expect("HTTP/2");
            self.buffer.put(data);
        }
    }

    fn whole_message(&mut self) -> Option<BytesMut> {
        let length = self.buffer.get(1..PREFIX)?.get_u32() as usize;
        if self.buffer.len() < PREFIX + length {
            return None;
        }
        self.buffer.advance(PREFIX);
        Some(self.buffer.split_to(length))
    }

    pub fn send(&mut self, response: &PlayResponse) {
        let mut framed = BytesMut::new();
        framed.put_u8(0);
        framed.put_u32(response.encoded_len() as u32);
        response.encode(&mut framed).expect("enough room");
        self.sending.send_data(framed.freeze(), false).expect("HTTP/2");
    }

    /// Ends the stream with a status.
    pub fn close(mut self, code: tonic::Code, message: &'static str) {
        let mut trailers = HeaderMap::new();
        trailers.insert("grpc-status", HeaderValue::from(code as i32));
        trailers.insert("grpc-message", HeaderValue::from_static(message));
        self.sending.send_trailers(trailers).expect("HTTP/2");
    }

    /// Breaks the connection in the midst of everything.
    pub fn hang_up(self) {
        self.connection.abort();
    }
}
