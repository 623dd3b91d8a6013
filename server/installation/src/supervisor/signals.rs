//! What the operator, or the system, wants of the supervisor.

use std::io::Error;

use tokio::signal::unix::{Signal, SignalKind, signal};

/// A wish that came as a signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    /// SIGTERM or SIGINT.
    Stop,
    /// SIGUSR1.
    Restart,
}

pub struct Signals {
    terminate: Signal,
    interrupt: Signal,
    user: Signal,
}

impl Signals {
    pub fn new() -> Result<Self, Error> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            user: signal(SignalKind::user_defined1())?,
        })
    }

    /// The next wish. It is not lost if nobody waits for it any more.
    pub async fn next(&mut self) -> Wish {
        tokio::select! {
            biased;
            _ = self.terminate.recv() => Wish::Stop,
            _ = self.interrupt.recv() => Wish::Stop,
            _ = self.user.recv() => Wish::Restart,
        }
    }

    /// Whether, within `time`, somebody wishes to stop. Restarting is what goes on anyway.
    pub async fn stop_within(&mut self, time: std::time::Duration) -> bool {
        tokio::time::timeout(time, self.stop()).await.is_ok()
    }

    /// Ends when somebody wishes to stop.
    pub async fn stop(&mut self) {
        while self.next().await != Wish::Stop {}
    }
}
