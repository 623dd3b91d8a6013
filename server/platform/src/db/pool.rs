//! Connection pools. A returned connection is assumed to work: a check on each use costs a round trip, as
//! much as a statement.

use std::fmt::Debug;

use deadpool::Runtime;
use deadpool::managed::{self, BuildError, Manager, Metrics, Object, PoolError, QueueMode};

use super::WAIT_MAX;

/// A connection pool. Clones share it.
#[derive(Debug)]
pub(super) struct Pool<M: Manager<Type: Debug>>(managed::Pool<M>);

impl<M: Manager<Type: Debug, Error = sqlx::Error>> Pool<M> {
    /// A pool that opens at most `max` connections, on demand.
    pub(super) fn new(manager: M, max: usize) -> Result<Self, sqlx::Error> {
        let pool = managed::Pool::builder(manager).max_size(max).runtime(Runtime::Tokio1);
        // The most recently used connection first, so that superfluous ones stay idle.
        let pool = pool.queue_mode(QueueMode::Lifo).wait_timeout(Some(WAIT_MAX));
        let pool = pool.create_timeout(Some(WAIT_MAX)).recycle_timeout(Some(WAIT_MAX)).build();
        Ok(Self(pool.map_err(|error: BuildError| sqlx::Error::Configuration(error.into()))?))
    }

    /// Waits for a free connection, which returns to the pool when it is dropped.
    pub(super) async fn get(&self) -> Result<Object<M>, sqlx::Error> {
        self.0.get().await.map_err(|error| match error {
            PoolError::Timeout(_) => sqlx::Error::PoolTimedOut,
            PoolError::Backend(error) => error,
            PoolError::Closed | PoolError::NoRuntimeSpecified | PoolError::PostCreateHook(_) => {
                sqlx::Error::PoolClosed
            }
        })
    }

    /// Removes and returns the idle connections that are `superfluous`.
    pub(super) fn take_idle(&self, superfluous: impl Fn(Metrics) -> bool) -> Vec<M::Type> {
        self.0.retain(|_, metrics| !superfluous(metrics)).removed
    }

    /// Closes the pool: returns the idle connections, and drops each other one when it is returned.
    pub(super) fn close(&self) -> Vec<M::Type> {
        let idle = self.take_idle(|_| true);
        self.0.close();
        idle
    }
}

impl<M: Manager<Type: Debug>> Clone for Pool<M> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}
