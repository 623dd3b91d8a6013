//! Threads with a low priority, for work that must not delay bids: expensive reads and the hashing of
//! passwords. The scheduler of the system lets the connection threads and the thread of the bid queue run
//! first.

use std::cell::Cell;

use tokio::runtime::{Builder, Runtime};
use tokio::task::{JoinError, JoinHandle};
use tokio_util::task::AbortOnDropHandle;

/// What is added to the niceness of the process. A thread of normal priority gets ten times as much of a core
/// that both want; alone, a thread of low priority gets all of it.
const NICENESS: i32 = 10;
/// Threads for work that blocks. The semaphores of that work have fewer permits.
const BLOCKING_MAX: usize = 16;

thread_local! {
    static IS_LOW: Cell<bool> = const { Cell::new(false) };
}

/// Whether the calling thread has a low priority.
pub fn is_current() -> bool {
    IS_LOW.get()
}

/// The threads. `None` while they are dropped.
#[derive(Debug)]
pub struct LowPriority(Option<Runtime>);

/// The threads have ended, or the work has panicked.
#[derive(Debug, thiserror::Error)]
#[error("work of low priority has not ended: {0}")]
pub struct Unfinished(String);

impl LowPriority {
    /// Starts one thread for each core.
    pub fn start() -> Result<Self, std::io::Error> {
        let mut threads = Builder::new_multi_thread();
        threads.worker_threads(std::thread::available_parallelism().map_or(1, usize::from));
        threads.max_blocking_threads(BLOCKING_MAX).thread_name("low-priority").enable_all();
        Ok(Self(Some(threads.on_thread_start(lower).build()?)))
    }

    /// Runs a task. Dropping the future cancels the task.
    pub async fn run<T: Send + 'static>(
        &self,
        task: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, Unfinished> {
        let Some(runtime) = &self.0 else { return Err(Unfinished::ended()) };
        Ok(AbortOnDropHandle::new(runtime.spawn(task)).await?)
    }

    /// Runs work that blocks its thread. It is carried out even if the future is dropped.
    pub async fn run_blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Unfinished> {
        let Some(runtime) = &self.0 else { return Err(Unfinished::ended()) };
        let handle: JoinHandle<T> = runtime.spawn_blocking(work);
        Ok(handle.await?)
    }
}

impl Drop for LowPriority {
    /// Does not wait for the threads: a thread that runs other tasks may not wait.
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

impl Unfinished {
    fn ended() -> Self {
        Self("the threads have ended".to_owned())
    }
}

impl From<JoinError> for Unfinished {
    fn from(error: JoinError) -> Self {
        Self(error.to_string())
    }
}

/// Lowers the priority of the calling thread, and of the threads that it starts, such as those of its
/// database connections.
fn lower() {
    IS_LOW.set(true);
    // On Linux this concerns one thread. A refusal leaves the normal priority, with which everything works.
    if cfg!(target_os = "linux") {
        let _ = rustix::process::nice(NICENESS);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn work_runs_on_threads_of_low_priority() {
        let niceness = || rustix::process::getpriority_process(None).unwrap();
        let expected = (niceness() + NICENESS).min(19);
        let threads = LowPriority::start().unwrap();
        let here = move || (is_current(), niceness());
        assert_eq!(threads.run(async move { here() }).await.unwrap(), (true, expected));
        assert_eq!(threads.run_blocking(here).await.unwrap(), (true, expected));
        let started = threads.run(async move { std::thread::spawn(here).join().unwrap().1 });
        assert_eq!(started.await.unwrap(), expected, "inherited");
        assert!(!is_current());
    }

    #[tokio::test]
    async fn a_task_ends_when_nothing_waits_for_it() {
        let threads = LowPriority::start().unwrap();
        let (ended, end) = tokio::sync::oneshot::channel::<()>();
        let (begun, beginning) = tokio::sync::oneshot::channel();
        let task = threads.run(async move {
            let _ended = ended;
            begun.send(()).unwrap();
            std::future::pending::<()>().await;
        });
        let mut task = Box::pin(task);
        tokio::select! {
            _ = &mut task => panic!("the task is pending"),
            begun = beginning => begun.unwrap(),
        }
        drop(task);
        assert!(end.await.is_err(), "the task was dropped");
    }
}
