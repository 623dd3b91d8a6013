use std::process::Command;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::Process;

/// A server that was told to stop leaves in time, whoever still holds a connection.
#[tokio::test]
async fn leaves_within_ten_seconds_whoever_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Process::start(folder.path()).await;
    let address = server.url.trim_start_matches("http://").to_owned();
    let mut held = Vec::new();
    for sent in [
        "",
        "GET /healthz HTTP/1.1\r\nhost: localhost\r\n",
        "GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n",
        "POST /api/auth/login HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{",
    ] {
        let mut stream = TcpStream::connect(&address).await.unwrap();
        stream.write_all(sent.as_bytes()).await.unwrap();
        held.push(stream);
    }
    // By now the server has met all of them.
    let mut answer = [0; 15];
    held[2].read_exact(&mut answer).await.unwrap();
    assert_eq!(&answer, b"HTTP/1.1 200 OK");

    let asked = Instant::now();
    let kill = Command::new("kill").args(["-TERM", &server.child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let ended = loop {
        if let Some(ended) = server.child.try_wait().unwrap() {
            break ended;
        }
        assert!(asked.elapsed() < Duration::from_secs(10), "it is still there");
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    assert!(ended.success(), "{ended}");
}
