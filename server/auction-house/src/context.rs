//! What the verbs of the sale work with.

use std::sync::Arc;

use platform::db::{Database, Snapshot};
use platform::http::download::{Attachment, ExportParts, write};
use platform::http::format::ExportFormat;
use platform::http::problem::Problem;
use platform::http::read_limiter::ReadPermit;
use platform::time::Clock;

use crate::events::Events;
use crate::ids::UserId;
use crate::notifications::Notifier;
use crate::work::LongWork;

/// The database, the clock, the publisher of committed changes, the writer of notifications, and the limits
/// and threads of long work.
#[derive(Clone)]
pub struct Context {
    pub db: Database,
    pub clock: Arc<dyn Clock>,
    pub events: Events,
    pub notifier: Notifier,
    pub work: Arc<LongWork>,
}

/// An export that a user is sent as a file.
pub struct ExportRequest {
    pub user: UserId,
    /// The permit of the read that has authorized the user.
    pub read: ReadPermit,
    pub format: ExportFormat,
    /// Name of the file without its extension.
    pub name: String,
}

impl Context {
    /// An export of a snapshot, written on the threads of low priority. `begin` authorizes the
    /// user once more: the export may have waited.
    ///
    /// # Errors
    /// Those of `begin` and of the parts; 503 if the exports of others take too long.
    pub async fn export<P, Begun>(
        &self,
        request: ExportRequest,
        begin: impl FnOnce(Snapshot) -> Begun + Send + 'static,
    ) -> Result<Attachment, Problem>
    where
        P: ExportParts + 'static,
        Begun: Future<Output = Result<P, Problem>> + Send,
    {
        let ExportRequest { user, read, format, name } = request;
        let permit = self.work.begin_export(user, read).await?;
        let db = self.db.clone();
        let written = self
            .work
            .run(async move { Ok::<_, Problem>(write(begin(db.long_snapshot().await?).await?).await?) });
        let written = written.await??;
        Ok(Attachment { name, format, written, permit, threads: self.work.threads() })
    }
}
