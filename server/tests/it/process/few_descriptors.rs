use std::process::{Command, Stdio};
use std::time::Duration;

use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;

use super::{Process, command};
use crate::harness::{database, http};

/// Without free file descriptors, the server refuses new connections and keeps running.
#[tokio::test]
async fn the_server_recovers_from_more_connections_than_descriptors() {
    let folder = tempfile::tempdir().unwrap();
    let serve = command(&database::fresh(folder.path()).await, folder.path(), "127.0.0.1:0");
    let mut limited = Command::new("sh");
    limited.args(["-c", "ulimit -n 128; exec \"$0\" \"$@\""]).arg(serve.get_program()).args(serve.get_args());
    limited.current_dir(folder.path()).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let server = Process::run(limited).await;
    let address = server.url.trim_start_matches("http://");
    let mut held = Vec::new();
    for _ in 0..100 {
        held.push(TcpStream::connect(address).await.unwrap());
    }
    let mut told = String::new();
    let mut last = held.pop().unwrap();
    tokio::time::timeout(Duration::from_secs(5), last.read_to_string(&mut told)).await.unwrap().unwrap();
    assert!(told.starts_with("HTTP/1.1 503 ") && told.contains("retry-after"), "{told}");

    drop(held);
    let client = http().build().unwrap();
    for _ in 0..100 {
        let asked = client.get(format!("{}/readyz", server.url)).timeout(Duration::from_secs(5)).send().await;
        if asked.is_ok_and(|answer| answer.status() == 200) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("no connection slot became free");
}
