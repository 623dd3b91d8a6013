//! A thread with a runtime of its own.

use std::io::{Error, Result};
use std::sync::mpsc::sync_channel;

use tokio::runtime::Builder;

/// Runs `work` on a new thread. Its runtime is made there: if the thread can't be started, none is dropped
/// here, where another runtime may run, which panics.
pub fn run_on_own_thread(name: &str, work: impl Future<Output = ()> + Send + 'static) -> Result<()> {
    let (made, was_made) = sync_channel(1);
    std::thread::Builder::new().name(name.to_owned()).spawn(move || {
        match Builder::new_current_thread().enable_all().build() {
            Ok(runtime) => {
                // The caller waits for it.
                let _ = made.send(Ok(()));
                runtime.block_on(work);
            }
            Err(error) => {
                let _ = made.send(Err(error));
            }
        }
    })?;
    was_made.recv().unwrap_or_else(|_| Err(Error::other("the thread has ended")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_work_runs_on_a_runtime() {
        let (done, was_done) = tokio::sync::oneshot::channel();
        run_on_own_thread("work", async move { done.send(()).unwrap() }).unwrap();
        was_done.await.unwrap();
    }
}
