//! The installation: its settings, releases, updates, backups, the supervisor, the audit log, and who administers it.

pub mod accounts;
pub mod audit;
pub mod backups;
pub mod config;
pub mod ids;
pub mod releases;
pub mod settings;
pub mod supervisor;
pub mod updates;

use std::sync::Arc;

use platform::db::Database;
use platform::http::HttpSettings;
use platform::time::Clock;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use accounts::{Accounts, Sessions};
use config::Settings;
use supervisor::Control;

/// What the verbs of the installation work with.
pub struct Installation {
    pub db: Database,
    pub clock: Arc<dyn Clock>,
    pub settings: Arc<Settings>,
    pub http: Arc<HttpSettings>,
    pub accounts: Arc<dyn Accounts>,
    pub sessions: Arc<dyn Sessions>,
    /// Called after the commit that gives the administration to another user.
    pub admin_changed: Box<dyn Fn() + Send + Sync>,
    pub control: Control,
    /// Notified when it may be time to ask for the latest release.
    pub check_due: Notify,
    /// Cancelled when the server is told to stop.
    pub stopping: CancellationToken,
}
