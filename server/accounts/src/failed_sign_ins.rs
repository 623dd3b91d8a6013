//! Entries of the audit log about failed sign-ins. Those of a short time share a transaction, so that a
//! guesser does not keep the writer of the database busy while others bid.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use platform::db::{Database, DbError};
use platform::log_field::logged;
use tokio::time::Instant;

use crate::audit::{self, FailedSignIn};

/// The least time between the beginnings of two transactions.
const EVERY: Duration = Duration::from_millis(250);

/// Failed sign-ins that are not in the audit log yet. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct FailedSignIns(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    waiting: Mutex<Waiting>,
    turn: tokio::sync::Mutex<Turn>,
}

/// Failed sign-ins in their order.
#[derive(Debug, Default)]
struct Waiting {
    failures: Vec<FailedSignIn>,
    /// The number of the next one.
    next: u64,
}

/// The right to write.
#[derive(Debug, Default)]
struct Turn {
    /// Failed sign-ins below this number were written, or could not be.
    done: u64,
    last: Option<Instant>,
}

impl FailedSignIns {
    /// Returns once the entry is written, or logs why it can't be: a sign-in that fails anyway does not wait
    /// for a database that can't be written. Goes on without the caller.
    pub async fn record(&self, db: &Database, failure: FailedSignIn) {
        let (shared, db) = (Arc::clone(&self.0), db.clone());
        let number = shared.add(failure);
        let write = async move |failures: Vec<FailedSignIn>| {
            let mut transaction = db.write().await?;
            audit::record_failed_sign_ins(&mut transaction, &failures).await?;
            transaction.commit().await
        };
        let written = tokio::spawn(async move { shared.write_up_to(number, write).await });
        match written.await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => {
                tracing::warn!(error = logged(&error), "failed sign-ins are not in the audit log");
            }
            Err(error) => tracing::error!(%error, "the task that writes failed sign-ins has not ended"),
        }
    }
}

impl Shared {
    fn add(&self, failure: FailedSignIn) -> u64 {
        let mut waiting = self.waiting.lock();
        waiting.failures.push(failure);
        waiting.next += 1;
        waiting.next - 1
    }

    fn take(&self) -> (Vec<FailedSignIn>, u64) {
        let mut waiting = self.waiting.lock();
        (std::mem::take(&mut waiting.failures), waiting.next)
    }

    /// Writes all that wait, unless another caller has written this one with its own.
    async fn write_up_to(
        &self,
        number: u64,
        write: impl AsyncFnOnce(Vec<FailedSignIn>) -> Result<(), DbError>,
    ) -> Result<(), DbError> {
        let mut turn = self.turn.lock().await;
        if turn.done > number {
            return Ok(());
        }
        if let Some(last) = turn.last {
            tokio::time::sleep_until(last + EVERY).await;
        }
        let (failures, done) = self.take();
        *turn = Turn { done, last: Some(Instant::now()) };
        write(failures).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use platform::net::ClientAddress;
    use platform::time::Moment;
    use std::net::IpAddr;

    fn failure(millis: i64) -> FailedSignIn {
        let at = Moment::from_millis(millis).unwrap();
        FailedSignIn { at, address: ClientAddress::of(IpAddr::from([127, 0, 0, 1])), user: None }
    }

    #[tokio::test]
    async fn failures_of_a_short_time_are_written_together() {
        let shared = Shared::default();
        let writes = Mutex::new(Vec::new());
        let record = async |millis| {
            let number = shared.add(failure(millis));
            let write = async |failures: Vec<FailedSignIn>| {
                let moments: Vec<i64> = failures.iter().map(|failure| failure.at.millis()).collect();
                writes.lock().push((Instant::now(), moments));
                Ok(())
            };
            shared.write_up_to(number, write).await.unwrap();
        };
        record(1).await;
        tokio::join!(record(2), record(3), record(4));
        record(5).await;
        let (at, written): (Vec<_>, Vec<_>) = writes.into_inner().into_iter().unzip();
        assert_eq!(written, [vec![1], vec![2, 3, 4], vec![5]]);
        assert!(at.is_sorted_by(|one, next| *next >= *one + EVERY), "{at:?}");
    }

    #[tokio::test]
    async fn a_failed_write_does_not_fail_later_ones() {
        let shared = Shared::default();
        let number = shared.add(failure(1));
        let refused = shared.write_up_to(number, async |_| Err(DbError::Corrupt("full".to_owned()))).await;
        assert!(refused.is_err());
        let number = shared.add(failure(2));
        let written = async |failures: Vec<FailedSignIn>| {
            assert_eq!(failures.len(), 1);
            Ok(())
        };
        shared.write_up_to(number, written).await.unwrap();
    }
}
