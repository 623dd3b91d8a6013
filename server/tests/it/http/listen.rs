//! Clients that hold a connection without using it.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use installation::config::Networks;
use platform::net::{ConnectionLimits, serve};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::harness::{PASSWORD, TestApp};
use crate::routes::auctions::items::bids::Sale;

const HALF_A_HEAD: &[u8] = b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n";

/// The application on another port, with short timeouts. It ends after `stopping`, once all connections are
/// closed.
async fn impatient(app: &TestApp, stopping: &CancellationToken) -> (SocketAddr, JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let limits = ConnectionLimits {
        head_wait_max: Duration::from_millis(100),
        unread_max: Duration::from_millis(500),
        ..ConnectionLimits::with_proxies(Networks::default())
    };
    let site = server::router::site(app.state.clone());
    let (threads, stopping) = (Arc::clone(&app.threads), stopping.clone());
    (address, tokio::spawn(async move { serve(listener, site, limits, stopping, &threads).await }))
}

/// The next response with its body.
async fn answer(stream: &mut TcpStream) -> String {
    let mut text = String::new();
    loop {
        let mut piece = [0; 1024];
        let read = stream.read(&mut piece).await.unwrap();
        assert_ne!(read, 0, "an incomplete answer: {text}");
        text.push_str(std::str::from_utf8(&piece[..read]).unwrap());
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
        if body.len() >= length.parse().unwrap() {
            return text;
        }
    }
}

/// Everything that the server sends until it closes the connection.
async fn rest(stream: &mut TcpStream) -> String {
    let mut text = String::new();
    let read = stream.read_to_string(&mut text);
    // A reset connection is also closed.
    let _ = tokio::time::timeout(Duration::from_secs(10), read).await.expect("the server closes it");
    text
}

#[tokio::test]
async fn an_incomplete_head_and_an_idle_connection_time_out() {
    let app = TestApp::start().await;
    let (address, _) = impatient(&app, &app.state.installation.stopping).await;
    for sent in [b"".as_slice(), HALF_A_HEAD] {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(sent).await.unwrap();
        assert!(!rest(&mut stream).await.contains("200 OK"));
    }
    // Also after a response.
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(&[HALF_A_HEAD, b"\r\n"].concat()).await.unwrap();
    assert!(rest(&mut stream).await.starts_with("HTTP/1.1 200 OK"));
}

/// Many incomplete heads, slow bodies and silent connections.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn idle_connections_do_not_starve_other_clients() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    let slow_body = format!(
        "POST {} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{{",
        sale.bids_path()
    );
    let mut held = Vec::new();
    for sent in [b"".as_slice(), HALF_A_HEAD, slow_body.as_bytes()] {
        for _ in 0..200 {
            let mut stream = TcpStream::connect(sale.app.address).await.unwrap();
            stream.write_all(sent).await.unwrap();
            held.push(stream);
        }
    }
    let bid = tokio::time::timeout(Duration::from_secs(5), sale.bid(&ada, json!({"amount": 5}))).await;
    bid.expect("in time").expect(201);
    let page = tokio::time::timeout(Duration::from_secs(5), ada.get("/auctions")).await;
    assert_eq!(page.expect("in time").status, 200);
}

/// A stopping server answers requests in flight on idle connections and marks the response as the last one.
#[tokio::test]
async fn requests_in_flight_at_the_stop_are_answered() {
    let app = TestApp::start().await;
    let stopping = CancellationToken::new();
    let (address, served) = impatient(&app, &stopping).await;
    let request = [HALF_A_HEAD, b"\r\n"].concat();
    let mut fresh = TcpStream::connect(address).await.unwrap();
    let mut used = TcpStream::connect(address).await.unwrap();
    used.write_all(&request).await.unwrap();
    assert!(answer(&mut used).await.starts_with("HTTP/1.1 200 OK"));
    stopping.cancel();
    for stream in [&mut fresh, &mut used] {
        let mut last = String::new();
        // The connection may still answer without the mark before it learns of the stop.
        while !last.contains("connection: close") {
            stream.write_all(&request).await.unwrap();
            last = answer(stream).await;
            assert!(last.starts_with("HTTP/1.1 200 OK"), "{last}");
        }
        assert_eq!(rest(stream).await, "");
    }
    served.await.unwrap();
}

/// Streams that the client opens and never reads.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clients_that_never_read_are_cut_off_and_slow_no_other() {
    let sale = Sale::legacy(json!({})).await;
    let stopping = CancellationToken::new();
    let (address, served) = impatient(&sale.app, &stopping).await;
    let ada = sale.bidder("ada").await.at(address);
    let signs_in = json!({"email": "ada@example.org", "password": PASSWORD});
    let signed_in = sale.app.anonymous().post("/api/auth/login", signs_in).await;
    let (cookie, _) = signed_in.header("set-cookie").split_once(';').unwrap();
    let path = sale.item_path();
    let asks = format!("GET {path}/events HTTP/1.1\r\nhost: localhost\r\ncookie: {cookie}\r\n\r\n");
    let mut held = Vec::new();
    for _ in 0..50 {
        let socket = TcpSocket::new_v4().unwrap();
        // The smallest receive buffer that the system permits.
        socket.set_recv_buffer_size(1).unwrap();
        let mut stream = socket.connect(address).await.unwrap();
        stream.write_all(asks.as_bytes()).await.unwrap();
        stream.readable().await.unwrap();
        held.push(stream);
    }
    for amount in 1..=100 {
        let bid = tokio::time::timeout(Duration::from_secs(60), sale.bid(&ada, json!({"amount": amount})));
        bid.await.expect("in time").expect(201);
    }
    // Nothing else ends a stream here, and a stopping server waits for all of them.
    stopping.cancel();
    tokio::time::timeout(Duration::from_secs(10), served).await.expect("all connections are closed").unwrap();
}
