//! The current run, published to its viewers in this process.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::watch;

use super::folder::JournalError;
use super::{Run, read};
use platform::log_field::logged;

/// How often the journal is read for changes by other processes.
const POLL_INTERVAL: Duration = Duration::from_millis(300);

/// Publishes the run of the journal. The recorder of this process publishes its changes itself. A single task
/// reads the journal for changes by other processes, only while there are subscribers.
#[derive(Debug)]
pub struct RunFeed {
    data_dir: PathBuf,
    run: watch::Sender<Option<Run>>,
    is_polling: AtomicBool,
}

impl RunFeed {
    pub fn new(data_dir: PathBuf) -> Arc<Self> {
        Arc::new(Self { data_dir, run: watch::Sender::new(None), is_polling: AtomicBool::new(false) })
    }

    pub fn data_dir(&self) -> &Path {
        &self.data_dir
    }

    /// Publishes a run that has just been written to the journal.
    pub fn publish(&self, run: &Run) {
        self.run.send_if_modified(|current| replace(current, Some(run)));
    }

    /// The current run and its changes from now on.
    pub async fn subscribe(self: &Arc<Self>) -> Result<watch::Receiver<Option<Run>>, JournalError> {
        let receiver = self.run.subscribe();
        self.reload().await?;
        if !self.is_polling.swap(true, Ordering::SeqCst) {
            tokio::spawn(poll(Arc::clone(self)));
        }
        Ok(receiver)
    }

    async fn reload(self: &Arc<Self>) -> Result<(), JournalError> {
        let feed = Arc::clone(self);
        let reloaded = tokio::task::spawn_blocking(move || feed.reload_blocking()).await;
        reloaded.unwrap_or_else(|error| {
            let cause = std::io::Error::other(error);
            Err(JournalError::Io { path: self.data_dir.clone(), cause })
        })
    }

    fn reload_blocking(&self) -> Result<(), JournalError> {
        let mut failure = None;
        // Read inside of the closure, which excludes `publish`: so an old file never replaces a newer
        // published run.
        self.run.send_if_modified(|current| match read(&self.data_dir) {
            Ok(journal) => replace(current, journal.as_ref().map(|journal| &journal.run)),
            Err(error) => {
                failure = Some(error);
                false
            }
        });
        failure.map_or(Ok(()), Err)
    }
}

/// Whether the run has changed.
fn replace(current: &mut Option<Run>, run: Option<&Run>) -> bool {
    let is_changed = current.as_ref() != run;
    if is_changed {
        *current = run.cloned();
    }
    is_changed
}

/// Reloads until there are no subscribers.
async fn poll(feed: Arc<RunFeed>) {
    loop {
        tokio::time::sleep(POLL_INTERVAL).await;
        if feed.run.receiver_count() == 0 {
            feed.is_polling.store(false, Ordering::SeqCst);
            // A subscriber may have come in between and found this task still there.
            if feed.run.receiver_count() == 0 || feed.is_polling.swap(true, Ordering::SeqCst) {
                return;
            }
        }
        if let Err(error) = feed.reload().await {
            tracing::debug!(error = logged(&error), "can't read the journal of the update");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::sample;
    use super::super::{Journal, RunStatus, UpdateLock, write};
    use super::*;

    async fn next(receiver: &mut watch::Receiver<Option<Run>>) -> Option<Run> {
        receiver.changed().await.unwrap();
        receiver.borrow_and_update().clone()
    }

    #[tokio::test]
    async fn subscribers_get_the_current_run_and_changes_of_any_process() {
        let folder = tempfile::tempdir().unwrap();
        let lock = UpdateLock::take(folder.path()).unwrap();
        let mut journal: Journal = sample();
        write(&lock, folder.path(), &journal).unwrap();
        let feed = RunFeed::new(folder.path().to_owned());
        let mut viewers = [feed.subscribe().await.unwrap(), feed.subscribe().await.unwrap()];
        assert_eq!(viewers[1].borrow_and_update().as_ref(), Some(&journal.run));

        journal.run.reason = Some("published".to_owned());
        write(&lock, folder.path(), &journal).unwrap();
        feed.publish(&journal.run);
        assert_eq!(next(&mut viewers[1]).await.as_ref(), Some(&journal.run));

        journal.run.status = RunStatus::Succeeded;
        write(&lock, folder.path(), &journal).unwrap();
        assert_eq!(next(&mut viewers[1]).await.as_ref(), Some(&journal.run), "written by another process");
    }

    #[tokio::test]
    async fn the_task_ends_without_subscribers() {
        let folder = tempfile::tempdir().unwrap();
        let feed = RunFeed::new(folder.path().to_owned());
        drop(feed.subscribe().await.unwrap());
        while feed.is_polling.load(Ordering::SeqCst) {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        let _viewer = feed.subscribe().await.unwrap();
        assert!(feed.is_polling.load(Ordering::SeqCst), "the next subscriber starts it again");
    }
}
