//! A TCP proxy to PostgreSQL that breaks a connection when a test asks for it, and counts round trips.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// When the proxy breaks a connection, once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Break {
    /// Before the commit reaches the server.
    BeforeCommit,
    /// After the server has committed, before its answer reaches the client.
    AfterCommit,
}

/// A proxy whose connections lead to the database until one breaks.
pub struct Line {
    /// URL of the database through this proxy.
    pub database_url: String,
    next: Arc<Mutex<Option<Break>>>,
    is_frozen: Arc<AtomicBool>,
    bids_are_frozen: Arc<AtomicBool>,
    asked: Arc<AtomicUsize>,
}

/// Statements of the connection of bids alone, which locks auctions with the heads of their events.
const OF_BIDS: &[u8] = b"h.last_position AS version";

impl Line {
    /// Starts a proxy to the database at this URL, which must name a host and a port.
    pub async fn to(database_url: &str) -> Self {
        let (_, place) = database_url.split_once('@').unwrap();
        let place = place.split('/').next().unwrap().to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let through = listener.local_addr().unwrap().to_string();
        let next = Arc::<Mutex<Option<Break>>>::default();
        let (database_url, shared) = (database_url.replace(&place, &through), Arc::clone(&next));
        let is_frozen = Arc::<AtomicBool>::default();
        let frozen = Arc::clone(&is_frozen);
        let bids_are_frozen = Arc::<AtomicBool>::default();
        let bids_frozen = Arc::clone(&bids_are_frozen);
        let asked = Arc::<AtomicUsize>::default();
        let counter = Arc::clone(&asked);
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                let far = TcpStream::connect(&place).await.unwrap();
                let counter = Arc::clone(&counter);
                let frozen = [Arc::clone(&frozen), Arc::clone(&bids_frozen)];
                tokio::spawn(talk(near, far, Arc::clone(&shared), frozen, counter));
            }
        });
        Self { database_url, next, is_frozen, bids_are_frozen, asked }
    }

    /// How often a client has sent something to the database: once for each statement that is prepared.
    pub fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }

    /// Passes nothing on any more, or passes on again what has gathered.
    pub fn freeze(&self, is_frozen: bool) {
        self.is_frozen.store(is_frozen, Ordering::SeqCst);
    }

    /// Passes nothing on any more on the connection of bids, as if its process of the database had stopped.
    pub fn freeze_bids(&self) {
        self.bids_are_frozen.store(true, Ordering::SeqCst);
    }

    /// Breaks the next connection that commits.
    pub fn break_next(&self, when: Break) {
        *self.next.lock().unwrap() = Some(when);
    }

    /// Whether the requested break has happened.
    pub fn is_broken(&self) -> bool {
        self.next.lock().unwrap().is_none()
    }
}

async fn talk(
    mut near: TcpStream,
    mut far: TcpStream,
    next: Arc<Mutex<Option<Break>>>,
    [is_frozen, bids_are_frozen]: [Arc<AtomicBool>; 2],
    counter: Arc<AtomicUsize>,
) {
    let (mut asked, mut answered) = ([0; 64 * 1024], [0; 64 * 1024]);
    let (mut in_transaction, mut is_of_bids) = (false, false);
    loop {
        while is_frozen.load(Ordering::SeqCst) || (is_of_bids && bids_are_frozen.load(Ordering::SeqCst)) {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        tokio::select! {
            read = near.read(&mut asked) => {
                let Ok(length @ 1..) = read else { return };
                let asked = &asked[..length];
                counter.fetch_add(1, Ordering::SeqCst);
                let has = |words: &[u8]| asked.windows(words.len()).any(|found| found == words);
                is_of_bids |= has(OF_BIDS);
                in_transaction |= has(b"BEGIN\0");
                // A batch of one statement notifies other servers of its items in that statement. Ids begin
                // with the time.
                let commits = if in_transaction { has(b"COMMIT\0") } else { has(b"items 01") };
                in_transaction &= !commits && !has(b"ROLLBACK\0");
                let breaks = if commits { next.lock().unwrap().take() } else { None };
                if breaks == Some(Break::BeforeCommit) || far.write_all(asked).await.is_err() {
                    return;
                }
                if breaks == Some(Break::AfterCommit) {
                    // The server answers after the commit.
                    let _ = far.read(&mut answered).await;
                    return;
                }
            }
            read = far.read(&mut answered) => {
                let Ok(length @ 1..) = read else { return };
                if near.write_all(&answered[..length]).await.is_err() {
                    return;
                }
            }
        }
    }
}
