//! Signals to the supervisor.

use std::io::Error;

use tokio::signal::unix::{Signal, SignalKind, signal};

use super::notify;

/// A request that arrives as a signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Request {
    /// SIGTERM or SIGINT.
    Stop,
    /// SIGUSR1 or SIGHUP.
    Restart,
}

pub struct ProcessSignals {
    terminate: Signal,
    interrupt: Signal,
    user: Signal,
    hangup: Signal,
}

impl ProcessSignals {
    pub fn new() -> Result<Self, Error> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            user: signal(SignalKind::user_defined1())?,
            hangup: signal(SignalKind::hangup())?,
        })
    }

    /// The next request, of which the service manager is notified. Cancel safe.
    pub async fn next(&mut self) -> Request {
        let request = tokio::select! {
            biased;
            _ = self.terminate.recv() => Request::Stop,
            _ = self.interrupt.recv() => Request::Stop,
            _ = self.user.recv() => Request::Restart,
            _ = self.hangup.recv() => Request::Restart,
        };
        match request {
            Request::Stop => notify::stopping(),
            Request::Restart => notify::reloading(),
        }
        request
    }

    /// Whether a request to stop arrives within `time`. Requests to restart are ignored.
    pub async fn stop_within(&mut self, time: std::time::Duration) -> bool {
        tokio::time::timeout(time, self.stop()).await.is_ok()
    }

    /// Ends at the next request to stop.
    pub async fn stop(&mut self) {
        while self.next().await != Request::Stop {}
    }
}
