//! The way back from a version that does not serve as it should, or from an update that was interrupted. It is gone by
//! a process of its own, since it needs the database, which the supervisor has not.

use std::time::Duration;

use tokio::time::Instant;

use super::binary;
use super::child::{Child, News};
use super::parent::{Next, Parent, SuperviseError};
use super::unfinished::Plan;

const REVERT_FLAG: &str = "--revert-update";
/// A large database takes its time.
const REVERT_MAX: Duration = Duration::from_secs(600);

impl Parent {
    /// Ends a new version that has not proved itself, and takes the update back.
    pub(super) async fn give_up(&mut self, child: &mut Child, reason: &str) -> Result<Next, SuperviseError> {
        self.pause_since = self.pause_since.or_else(|| Some(Instant::now()));
        child.kill().await?;
        if self.has_nothing_to_take_back() {
            // It had proved itself at the last moment.
            return Ok(self.wait_after(child.served()).await);
        }
        self.revert(reason).await
    }

    fn has_nothing_to_take_back(&self) -> bool {
        matches!(self.plan(), Plan::Serve | Plan::LeaveToOthers)
    }

    /// Takes the unfinished update back, while nobody serves.
    pub(super) async fn revert(&mut self, reason: &str) -> Result<Next, SuperviseError> {
        tracing::error!("taking the update back: {reason}");
        let args = [self.args.as_slice(), &[format!("{REVERT_FLAG}={reason}").into()]].concat();
        let mut child = Child::start(&binary::own()?, &args).map_err(SuperviseError::Start)?;
        let limit = tokio::time::sleep(REVERT_MAX);
        tokio::pin!(limit);
        let ended = loop {
            tokio::select! {
                biased;
                () = self.signals.stop() => {
                    // The next start goes on with it.
                    child.leave().await?;
                    return Ok(Next::Leave(0));
                }
                news = child.news() => if let News::Ended(ended) = news? {
                    break ended;
                },
                () = &mut limit => break child.kill().await?,
            }
        };
        self.is_stuck = !ended.success() || !self.has_nothing_to_take_back();
        if self.is_stuck {
            tracing::error!("the update could not be taken back: {ended}");
        }
        Ok(Next::Start)
    }
}
