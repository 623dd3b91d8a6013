//! A place of its own in the S3-compatible store that the test command started, behind a proxy that a test
//! can close, or that holds removals.

use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use ::installation::config::{BucketAccess, FileStore, Settings, StoreLocation};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, watch};

/// Address of the store.
const STORE: &str = "FARTHING_TEST_S3";
/// User and password of the store.
const KEY: &str = "S3RVER";

static PLACES: AtomicU32 = AtomicU32::new(0);

/// What the proxy does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ProxyMode {
    Open,
    /// Closes every connection.
    Away,
    /// Accepts connections and answers nothing.
    Silent,
    /// Holds requests that remove a file, until the mode changes.
    HoldsRemovals,
}

/// A place in a bucket, and the proxy before it.
pub struct S3 {
    pub location: StoreLocation,
    variables: Vec<(&'static str, String)>,
    mode: watch::Sender<ProxyMode>,
    held: Arc<Notify>,
}

impl S3 {
    pub async fn start() -> Self {
        let store = variable(STORE).unwrap_or_else(|| {
            panic!("{STORE} is not set: run the tests with `cargo xtask test` or `cargo xtask postgres`")
        });
        let store = store.trim_start_matches("http://").to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap());
        let (mode, modes) = watch::channel(ProxyMode::Open);
        let held = Arc::<Notify>::default();
        let notify = Arc::clone(&held);
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                let far = TcpStream::connect(&store).await.unwrap();
                tokio::spawn(talk(near, far, modes.clone(), Arc::clone(&notify)));
            }
        });
        let place = format!("s3://pictures/{}-{}", process::id(), PLACES.fetch_add(1, Ordering::Relaxed));
        let variables = vec![
            ("AWS_ENDPOINT_URL", endpoint),
            ("AWS_ALLOW_HTTP", "true".to_owned()),
            ("AWS_ACCESS_KEY_ID", KEY.to_owned()),
            ("AWS_SECRET_ACCESS_KEY", KEY.to_owned()),
        ];
        Self { location: place.parse().unwrap(), variables, mode, held }
    }

    /// Lets a server keep its pictures here.
    pub fn choose(&self, settings: &mut Settings) {
        settings.images = Some(self.location.clone());
        settings.bucket_access = BucketAccess::from_variables(self.variables.clone());
    }

    /// The names of the files, in order.
    pub async fn files(&self) -> Vec<String> {
        let mut settings = Settings::default();
        self.choose(&mut settings);
        names(&settings.image_store().unwrap()).await
    }

    /// Closes the store to its clients.
    pub fn leave(&self) {
        self.mode.send_replace(ProxyMode::Away);
    }

    /// Lets the store answer nothing.
    pub fn fall_silent(&self) {
        self.mode.send_replace(ProxyMode::Silent);
    }

    /// Holds the requests that remove a file.
    pub fn hold_removals(&self) {
        self.mode.send_replace(ProxyMode::HoldsRemovals);
    }

    /// Waits until a removal is held.
    pub async fn removal_is_held(&self) {
        self.held.notified().await;
    }

    /// Opens the store, and lets go of what is held.
    pub fn open(&self) {
        self.mode.send_replace(ProxyMode::Open);
    }
}

/// The names of the files of a store, in order.
async fn names(store: &FileStore) -> Vec<String> {
    let mut names: Vec<_> = store.list().await.unwrap().into_iter().map(|file| file.name).collect();
    names.sort();
    names
}

async fn talk(
    mut near: TcpStream,
    mut far: TcpStream,
    mut mode: watch::Receiver<ProxyMode>,
    held: Arc<Notify>,
) {
    let (mut asked, mut answered) = (vec![0; 64 * 1024], vec![0; 64 * 1024]);
    let mut left = mode.clone();
    loop {
        tokio::select! {
            () = async { drop(left.wait_for(|mode| *mode == ProxyMode::Away).await) } => return,
            read = near.read(&mut asked) => {
                let Ok(length @ 1..) = read else { return };
                let asked = &asked[..length];
                if asked.starts_with(b"DELETE ") && *mode.borrow() == ProxyMode::HoldsRemovals {
                    held.notify_one();
                    let _ = mode.wait_for(|mode| *mode != ProxyMode::HoldsRemovals).await;
                }
                if *mode.borrow() == ProxyMode::Silent {
                    let _ = mode.wait_for(|mode| *mode != ProxyMode::Silent).await;
                }
                if far.write_all(asked).await.is_err() {
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

#[expect(clippy::disallowed_methods, reason = "variables of the tests, not settings of the server")]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}
