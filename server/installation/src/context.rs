//! What the verbs of the installation work with.

use std::sync::{Arc, OnceLock};

use accounts::Accounts;
use futures::future::BoxFuture;
use platform::db::Database;
use platform::http::HttpSettings;
use platform::time::Clock;
use tokio::sync::{Notify, Semaphore};
use tokio_util::sync::CancellationToken;

use crate::config::Settings;
use crate::control::Control;
use crate::journal::RunFeed;
use crate::needed_images::NeededImagesOf;

/// The parts of the server that the installation uses.
pub struct Installation {
    pub db: Database,
    pub clock: Arc<dyn Clock>,
    pub settings: Arc<Settings>,
    pub http: Arc<HttpSettings>,
    pub accounts: Arc<Accounts>,
    /// Called after the commit that changes the Deployment Admin.
    pub admin_changed: Box<dyn Fn() + Send + Sync>,
    /// Whether a batch of bids could be committed now, on the connection that batches use.
    pub bid_probe: Box<dyn Fn() -> BoxFuture<'static, bool> + Send + Sync>,
    pub control: Control,
    /// The token of the store of pictures, once that has answered.
    pub image_store: OnceLock<String>,
    /// Finds the pictures that a backup needs, before it is restored.
    pub needed_images: NeededImagesOf,
    /// The current run of the update.
    pub runs: Arc<RunFeed>,
    /// Notified when a release check may have become due.
    pub check_due: Notify,
    /// The backups that are sent to the Deployment Admin.
    pub downloads: Arc<Semaphore>,
    /// Cancelled when the server is told to stop.
    pub stopping: CancellationToken,
}
