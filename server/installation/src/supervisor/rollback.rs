//! Rollback of a new version that is not healthy, and of an interrupted update. It runs in a child process,
//! because the supervisor does not open the database.

use std::time::Duration;

use tokio::time::Instant;

use super::binary;
use super::child::{Child, ChildEvent};
use super::parent::{Next, Parent, SuperviseError};
use super::plan::Plan;

const ROLLBACK_FLAG: &str = "--revert-update";
/// Enough for a large database.
const ROLLBACK_MAX: Duration = Duration::from_secs(600);

impl Parent {
    /// Ends a new version that is not healthy, and rolls the update back.
    pub(super) async fn end_probation(
        &mut self,
        child: &mut Child,
        reason: &str,
    ) -> Result<Next, SuperviseError> {
        self.outage_since = self.outage_since.or_else(|| Some(Instant::now()));
        child.kill().await?;
        if self.is_update_finished() {
            // The new version became healthy at the last moment.
            return Ok(self.wait_after(child.uptime()).await);
        }
        self.roll_back(reason).await
    }

    fn is_update_finished(&self) -> bool {
        matches!(self.plan(), Plan::Serve | Plan::LeaveToOthers)
    }

    /// Rolls the unfinished update back while no server runs.
    pub(super) async fn roll_back(&mut self, reason: &str) -> Result<Next, SuperviseError> {
        tracing::error!("rolling back the update: {reason}");
        let args = [self.args.as_slice(), &[format!("{ROLLBACK_FLAG}={reason}").into()]].concat();
        let mut child = Child::start(&binary::own()?, &args).map_err(SuperviseError::Start)?;
        let limit = tokio::time::sleep(ROLLBACK_MAX);
        tokio::pin!(limit);
        let ended = loop {
            tokio::select! {
                biased;
                () = self.signals.stop() => {
                    // The next start repeats the rollback.
                    child.stop().await?;
                    return Ok(Next::Exit(0));
                }
                event = child.event() => if let ChildEvent::Ended(ended) = event? {
                    break ended;
                },
                () = &mut limit => break child.kill().await?,
            }
        };
        self.is_stuck = !ended.success() || !self.is_update_finished();
        if self.is_stuck {
            tracing::error!("the update could not be rolled back: {ended}");
        }
        Ok(Next::Start)
    }
}
