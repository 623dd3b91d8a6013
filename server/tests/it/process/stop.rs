use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::{Process, family};
use crate::harness::database;

const HALF_A_HEAD: &str = "GET /healthz HTTP/1.1\r\nhost: localhost\r\n";
const HEAD: &str = "GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n";
const HALF_A_BODY: &str = "POST /api/auth/login HTTP/1.1\r\nhost: localhost\r\n\
     content-type: application/json\r\ncontent-length: 9\r\n\r\n{";

/// Opens a connection and sends this text.
async fn sending(server: &Process, sent: &str) -> TcpStream {
    let mut stream = TcpStream::connect(server.url.trim_start_matches("http://")).await.unwrap();
    stream.write_all(sent.as_bytes()).await.unwrap();
    stream
}

async fn expect_answer(stream: &mut TcpStream) {
    let mut answer = [0; 15];
    stream.read_exact(&mut answer).await.unwrap();
    assert_eq!(&answer, b"HTTP/1.1 200 OK");
}

/// Stops the server, which must exit with success and in time.
async fn stops_within(mut server: Process, patience: Duration) {
    let pid = server.server();
    server.signal("TERM");
    let ended = server.ends_within(patience).await;
    assert!(ended.success(), "{ended}");
    assert!(!family::lives(pid), "the supervisor ends after its server");
}

/// A stopping server ends in time, whatever connections are still open.
#[tokio::test]
async fn stops_within_ten_seconds_despite_open_connections() {
    let folder = tempfile::tempdir().unwrap();
    let server = Process::start(&database::fresh(folder.path()).await, folder.path()).await;
    let mut held = Vec::new();
    for sent in ["", HALF_A_HEAD, HALF_A_BODY, HEAD] {
        held.push(sending(&server, sent).await);
    }
    // By now the server has accepted all of them.
    expect_answer(&mut held[3]).await;
    stops_within(server, Duration::from_secs(10)).await;
}

/// The server does not wait for connections without a request in flight.
#[tokio::test]
async fn stops_at_once_without_a_complete_request() {
    let folder = tempfile::tempdir().unwrap();
    let server = Process::start(&database::fresh(folder.path()).await, folder.path()).await;
    let mut held = Vec::new();
    for sent in ["", "G", HALF_A_HEAD].repeat(20) {
        held.push(sending(&server, sent).await);
    }
    for second in ["", "G", HALF_A_HEAD] {
        let mut stream = sending(&server, HEAD).await;
        expect_answer(&mut stream).await;
        stream.write_all(second.as_bytes()).await.unwrap();
        held.push(stream);
    }
    expect_answer(&mut sending(&server, HEAD).await).await;
    stops_within(server, Duration::from_secs(2)).await;
}
