use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::{Process, family};
use crate::harness::database;

const HALF_A_HEAD: &str = "GET /healthz HTTP/1.1\r\nhost: localhost\r\n";
const HEAD: &str = "GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n";
const HALF_A_BODY: &str = "POST /api/auth/login HTTP/1.1\r\nhost: localhost\r\n\
     content-type: application/json\r\ncontent-length: 9\r\n\r\n{";

/// A connection on which this was sent.
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

/// Asks the server to stop, and expects it to leave well and in time.
async fn stops_within(mut server: Process, patience: Duration) {
    let pid = server.server();
    server.signal("TERM");
    let ended = server.ends_within(patience).await;
    assert!(ended.success(), "{ended}");
    assert!(!family::lives(pid), "the supervisor leaves last");
}

/// A server that was told to stop leaves in time, whoever still holds a connection.
#[tokio::test]
async fn leaves_within_ten_seconds_whoever_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let server = Process::start(&database::fresh(folder.path()).await, folder.path()).await;
    let mut held = Vec::new();
    for sent in ["", HALF_A_HEAD, HALF_A_BODY, HEAD] {
        held.push(sending(&server, sent).await);
    }
    // By now the server has met all of them.
    expect_answer(&mut held[3]).await;
    stops_within(server, Duration::from_secs(10)).await;
}

/// Who has asked for nothing yet, or for nothing more, is not waited for.
#[tokio::test]
async fn leaves_at_once_where_no_request_has_come_whole() {
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
