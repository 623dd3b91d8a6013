//! The parent's side: holds the listening socket, and sees to it that somebody serves on it.

use std::ffi::{OsStr, OsString};
use std::io::Error;
use std::net::TcpListener;
use std::process::ExitStatus;
use std::time::Duration;

use tokio::time::Instant;

use super::binary;
use super::child::{Child, News, code_of};
use super::delay::Delay;
use super::listener::{ListenError, listen};
use super::pid_file::PidFile;
use super::signals::{Signals, Wish};
use super::unfinished::{Plan, plan};
use crate::config::Settings;
use platform::retry::retry_until_released;

/// Fills an empty database, which it is at the first start only.
const DEMO_FLAG: &str = "--demo";
const PROBATION_FLAG: &str = "--on-probation";

/// Why nobody serves.
#[derive(Debug, thiserror::Error)]
pub enum SuperviseError {
    #[error(transparent)]
    Listen(#[from] ListenError),
    #[error("can't start the server: {0}")]
    Start(Error),
    #[error("can't supervise the server: {0}")]
    Io(#[from] Error),
}

pub(super) struct Parent {
    pub(super) settings: Settings,
    pub(super) args: Vec<OsString>,
    pub(super) signals: Signals,
    /// From the first server's word that it is ready; so a server that can't start is told in its own words.
    held: Option<Held>,
    delay: Delay,
    /// Since when nobody serves, where somebody did before.
    pub(super) pause_since: Option<Instant>,
    /// Whether an update could not be taken back: then nobody tries again.
    pub(super) is_stuck: bool,
}

struct Held {
    listener: TcpListener,
    _pid_file: Option<PidFile>,
}

/// What follows the end of a child.
pub(super) enum Next {
    Start,
    Leave(u8),
}

/// A new version that has to prove itself.
#[derive(Debug, Clone, Copy)]
struct Trial {
    limit: Duration,
    end: Instant,
}

/// Runs the server with `args`, those of this process's own command line, until it is told to stop, and gives the code
/// to end with. A server that has ended by itself is started again; one that can't start the first time is not. To be
/// called on the first thread, since its children end with that.
pub async fn supervise(settings: Settings, args: Vec<OsString>) -> Result<u8, SuperviseError> {
    let signals = Signals::new()?;
    let (held, delay, pause_since, is_stuck) = (None, Delay::default(), None, false);
    let mut parent = Parent { settings, args, signals, held, delay, pause_since, is_stuck };
    loop {
        match parent.run_one().await? {
            Next::Start => {}
            Next::Leave(code) => return Ok(code),
        }
    }
}

impl Parent {
    pub(super) fn plan(&self) -> Plan {
        plan(&self.settings.data_dir, self.held.is_none())
    }

    /// The plan of a start. A server that was killed together with its supervisor may hold the lock for a moment more.
    async fn settled_plan(&self) -> Plan {
        retry_until_released(|| self.plan(), |plan| self.held.is_none() && *plan == Plan::LeaveToOthers).await
    }

    /// From the start of a server to its end, and the pause after that.
    async fn run_one(&mut self) -> Result<Next, SuperviseError> {
        let mut trial = match self.settled_plan().await {
            Plan::Revert(reason) if !self.is_stuck => return self.revert(&reason).await,
            Plan::Try(limit) if !self.is_stuck => Some(Trial { limit, end: Instant::now() + limit }),
            Plan::Revert(_) | Plan::Try(_) => None,
            Plan::Serve | Plan::LeaveToOthers => {
                self.is_stuck = false;
                None
            }
        };
        let mut child = match self.start(trial.is_some()) {
            Ok(child) => child,
            Err(cause) if trial.is_some() => {
                return self.revert(&format!("the new version can't be started: {cause}")).await;
            }
            Err(cause) if self.held.is_none() => return Err(SuperviseError::Start(cause)),
            Err(cause) => {
                tracing::error!(error = &cause as &dyn std::error::Error, "can't start the server");
                return Ok(self.wait_after(Duration::ZERO).await);
            }
        };
        loop {
            tokio::select! {
                biased;
                // The first one is about to begin anyway.
                wish = self.signals.next() => if wish == Wish::Stop || self.held.is_some() {
                    return self.replace(&mut child, wish).await;
                },
                news = child.news() => match (news?, trial) {
                    (News::Ready, _) => self.hand_over(&mut child).await?,
                    (News::WantsRestart, _) => return self.replace(&mut child, Wish::Restart).await,
                    (News::Confirmed, _) => trial = None,
                    (News::Refused(reason), Some(_)) => return self.give_up(&mut child, &reason).await,
                    (News::Refused(_), None) => {}
                    (News::Ended(ended), Some(_)) => {
                        return self.give_up(&mut child, &format!("the new version ended: {ended}")).await;
                    }
                    (News::Ended(ended), None) => return Ok(self.after_end(&child, ended).await),
                },
                limit = end_of(trial) => {
                    let reason = format!("the new version was not well within {} s", limit.as_secs());
                    return self.give_up(&mut child, &reason).await;
                }
            }
        }
    }

    /// Starts the release in force, or this process's own binary where there is none. A new version that has to prove
    /// itself has no such way out.
    fn start(&self, on_trial: bool) -> Result<Child, Error> {
        let release = binary::release_in_force(&self.settings.install_dir);
        if on_trial {
            let release =
                release.ok_or_else(|| Error::other("`current` does not lead to a binary that can run"))?;
            let args = [self.args.as_slice(), &[PROBATION_FLAG.into()]].concat();
            return Child::start(&release, &args);
        }
        if let Some(release) = release {
            match Child::start(&release, &self.args) {
                Ok(child) => return Ok(child),
                Err(cause) => {
                    let error = &cause as &dyn std::error::Error;
                    tracing::error!(error, "can't start `{}`", release.display());
                }
            }
        }
        Child::start(&binary::own()?, &self.args)
    }

    async fn hand_over(&mut self, child: &mut Child) -> Result<(), SuperviseError> {
        if self.held.is_none() {
            match self.hold().await {
                Ok(held) => self.held = Some(held),
                Err(error) => {
                    // Its last words would only hide those of this process.
                    child.kill().await?;
                    return Err(error);
                }
            }
        }
        if let Some(held) = &self.held
            && let Err(cause) = child.give(&held.listener)
        {
            // The child is gone, which its end tells.
            tracing::debug!(error = &cause as &dyn std::error::Error, "can't hand over the socket");
        }
        if let Some(since) = self.pause_since.take() {
            tracing::info!("serving again after {} ms", since.elapsed().as_millis());
        }
        Ok(())
    }

    /// Begins to listen, once.
    async fn hold(&self) -> Result<Held, SuperviseError> {
        let listener = listen(self.settings.listen).await?;
        let pid_file = PidFile::hold(&self.settings.data_dir);
        if let Err(error) = &pid_file {
            let error = error as &dyn std::error::Error;
            tracing::warn!(error, "the shell won't find this server by its data folder");
        }
        tracing::info!("listening on http://{}", listener.local_addr()?);
        Ok(Held { listener, _pid_file: pid_file.ok() })
    }

    /// Ends a child that serves, because somebody wishes it.
    async fn replace(&mut self, child: &mut Child, wish: Wish) -> Result<Next, SuperviseError> {
        self.pause_since = Some(Instant::now());
        let mut stops = wish == Wish::Stop;
        if !stops {
            tracing::info!("restarting the server");
        }
        let ended = {
            let mut leaving = std::pin::pin!(child.leave());
            loop {
                tokio::select! {
                    biased;
                    () = self.signals.stop(), if !stops => stops = true,
                    ended = &mut leaving => break ended?,
                }
            }
        };
        if stops {
            return Ok(Next::Leave(code_of(ended, true)));
        }
        self.is_no_first_start();
        Ok(Next::Start)
    }

    /// After a child has ended by itself.
    async fn after_end(&mut self, child: &Child, ended: ExitStatus) -> Next {
        if self.held.is_none() {
            if ended.code().is_none() {
                tracing::error!("the server ended before it was ready: {ended}");
            }
            return Next::Leave(code_of(ended, false));
        }
        self.pause_since = self.pause_since.or_else(|| Some(Instant::now()));
        tracing::error!("the server ended by itself: {ended}");
        self.wait_after(child.served()).await
    }

    /// Waits before the next start, the longer the more often that fails.
    pub(super) async fn wait_after(&mut self, served: Duration) -> Next {
        self.is_no_first_start();
        let pause = self.delay.after(served);
        if self.signals.stop_within(pause).await { Next::Leave(0) } else { Next::Start }
    }

    fn is_no_first_start(&mut self) {
        self.args.retain(|arg| arg != OsStr::new(DEMO_FLAG));
    }
}

/// Ends with the time of `trial`, and gives how long that was; never where there is no trial.
async fn end_of(trial: Option<Trial>) -> Duration {
    match trial {
        Some(Trial { limit, end }) => {
            tokio::time::sleep_until(end).await;
            limit
        }
        None => std::future::pending().await,
    }
}
