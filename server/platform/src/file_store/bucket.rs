//! Files in a bucket of an S3-compatible store.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::TryStreamExt;
use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::path::Path;
use object_store::{BackoffConfig, ClientOptions, ObjectMeta, ObjectStore, ObjectStoreExt, RetryConfig};
use parking_lot::Mutex;

use super::{BucketAccess, BucketPlace, StoreError, StoredFile};
use crate::time::Moment;

/// How long connecting may take.
const CONNECT_MAX: Duration = Duration::from_secs(2);
/// How long one request may take.
const REQUEST_MAX: Duration = Duration::from_secs(6);
/// How long reading or writing a file may take, with the retries.
const TRANSFER_MAX: Duration = Duration::from_secs(8);
/// How long anything else may take, with the retries. A lock on the removal of a file is held for two of
/// these.
const QUESTION_MAX: Duration = Duration::from_secs(4);
/// How long nothing is asked of a store that did not answer in time, so that few requests wait for it.
const SILENCE: Duration = Duration::from_secs(5);
const RETRIES_MAX: usize = 2;
const RETRY_DELAY: Duration = Duration::from_millis(100);
const RETRY_DELAY_MAX: Duration = Duration::from_secs(1);

/// A place in a bucket. Clones share its connections.
#[derive(Debug, Clone)]
pub struct BucketFiles {
    store: AmazonS3,
    place: BucketPlace,
    has_credentials: bool,
    /// When the store did not answer in time, for the last time.
    silent_at: Arc<Mutex<Option<Instant>>>,
}

impl BucketFiles {
    pub(super) fn open(place: &BucketPlace, access: &BucketAccess) -> Result<Self, StoreError> {
        // Fails if it is installed already, which is the same provider.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let is_plain = access.is_plain_http()?;
        let client = ClientOptions::new()
            .with_connect_timeout(CONNECT_MAX)
            .with_timeout(REQUEST_MAX)
            .with_allow_http(is_plain)
            // A machine without certificates can use a store on itself.
            .with_no_system_certificates(is_plain);
        let backoff = BackoffConfig { init_backoff: RETRY_DELAY, max_backoff: RETRY_DELAY_MAX, base: 2.0 };
        let retry = RetryConfig { backoff, max_retries: RETRIES_MAX, retry_timeout: REQUEST_MAX };
        let builder = access.configure(AmazonS3Builder::new().with_client_options(client).with_retry(retry));
        // Not every store removes several files with one request.
        let store = builder.with_bucket_name(place.bucket()).with_disable_bulk_delete(true).build();
        let bucket = || place.bucket().to_owned();
        let store = store.map_err(|cause| StoreError::Bucket { bucket: bucket(), cause })?;
        let has_credentials = access.has_credentials();
        Ok(Self { store, place: place.clone(), has_credentials, silent_at: Arc::default() })
    }

    fn prefix(&self) -> Path {
        Path::from(self.place.prefix())
    }

    fn path(&self, name: &str) -> Path {
        self.prefix().join(name)
    }

    async fn in_time<T>(
        &self,
        limit: Duration,
        work: impl Future<Output = object_store::Result<T>>,
    ) -> Result<T, StoreError> {
        let bucket = || self.place.bucket().to_owned();
        if self.silent_at.lock().is_some_and(|at| at.elapsed() < SILENCE) {
            return Err(StoreError::Silent { bucket: bucket() });
        }
        let begun = Instant::now();
        let done = tokio::time::timeout(limit, work).await;
        let is_silent = match &done {
            Err(_) => true,
            // The store's client gives up earlier.
            Ok(done) => done.is_err() && begun.elapsed() >= REQUEST_MAX.min(limit),
        };
        if is_silent {
            *self.silent_at.lock() = Some(Instant::now());
        }
        let done = done.map_err(|_| StoreError::TooSlow { bucket: bucket() })?;
        done.map_err(|cause| StoreError::Bucket { bucket: bucket(), cause })
    }

    pub(super) async fn check(&self) -> Result<(), StoreError> {
        let mut files = self.store.list(Some(&self.prefix()));
        match self.in_time(TRANSFER_MAX, files.try_next()).await {
            // The machine's own were asked for.
            Err(_) if !self.has_credentials => {
                Err(StoreError::NoCredentials { bucket: self.place.bucket().to_owned() })
            }
            checked => checked.map(drop),
        }
    }

    pub(super) async fn put(&self, name: &str, bytes: Vec<u8>) -> Result<(), StoreError> {
        self.in_time(TRANSFER_MAX, self.store.put(&self.path(name), bytes.into())).await.map(drop)
    }

    pub(super) async fn get(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let path = self.path(name);
        let read = self.in_time(TRANSFER_MAX, async { self.store.get(&path).await?.bytes().await }).await;
        Ok(if_there(read)?.map(Into::into))
    }

    pub(super) async fn written_at(&self, name: &str) -> Result<Option<Moment>, StoreError> {
        let found = if_there(self.in_time(QUESTION_MAX, self.store.head(&self.path(name))).await)?;
        Ok(found.map(|found| written_at(&found)))
    }

    pub(super) async fn remove(&self, name: &str) -> Result<(), StoreError> {
        if_there(self.in_time(QUESTION_MAX, self.store.delete(&self.path(name))).await).map(drop)
    }

    pub(super) async fn list(&self) -> Result<Vec<StoredFile>, StoreError> {
        let prefix = self.prefix();
        let mut found = self.store.list(Some(&prefix));
        let mut files = Vec::new();
        // Each page of the list has its own time.
        while let Some(object) = self.in_time(TRANSFER_MAX, found.try_next()).await? {
            let mut parts = object.location.prefix_match(&prefix).into_iter().flatten();
            if let (Some(name), None) = (parts.next(), parts.next()) {
                let name = name.as_ref().to_owned();
                files.push(StoredFile { name, is_complete: true, written_at: written_at(&object) });
            }
        }
        Ok(files)
    }
}

/// A time that can't be represented is late, so that the file is not old.
fn written_at(object: &ObjectMeta) -> Moment {
    Moment::from_millis(object.last_modified.timestamp_millis()).unwrap_or(Moment::MAX)
}

/// What was found; `None` if it does not exist.
fn if_there<T>(found: Result<T, StoreError>) -> Result<Option<T>, StoreError> {
    match found {
        Err(StoreError::Bucket { cause: object_store::Error::NotFound { .. }, .. }) => Ok(None),
        found => found.map(Some),
    }
}
