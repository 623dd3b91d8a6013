//! The parent's side: holds the listening socket, and sees to it that somebody serves on it.

use std::ffi::{OsStr, OsString};
use std::io::Error;
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use super::child::{Child, News, code_of};
use super::delay::Delay;
use super::listener::{ListenError, listen};
use super::pid_file::PidFile;
use super::signals::{Signals, Wish};
use crate::config::Settings;

/// Fills an empty database, which it is at the first start only.
const DEMO_FLAG: &str = "--demo";

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

struct Parent {
    settings: Settings,
    args: Vec<OsString>,
    signals: Signals,
    /// From the first server's word that it is ready; so a server that can't start is told in its own words.
    held: Option<Held>,
    delay: Delay,
    /// Since when nobody serves, where somebody did before.
    pause_since: Option<Instant>,
}

struct Held {
    listener: TcpListener,
    _pid_file: Option<PidFile>,
}

/// What follows the end of a child.
enum Next {
    Start,
    Leave(u8),
}

/// Runs the server with `args`, those of this process's own command line, until it is told to stop, and gives the code
/// to end with. A server that has ended by itself is started again; one that can't start the first time is not. To be
/// called on the first thread, since its children end with that.
pub async fn supervise(settings: Settings, args: Vec<OsString>) -> Result<u8, SuperviseError> {
    let signals = Signals::new()?;
    let (delay, held, pause_since) = (Delay::default(), None, None);
    let mut parent = Parent { settings, args, signals, held, delay, pause_since };
    loop {
        match parent.run_one().await? {
            Next::Start => {}
            Next::Leave(code) => return Ok(code),
        }
    }
}

impl Parent {
    /// From the start of a server to its end, and the pause after that.
    async fn run_one(&mut self) -> Result<Next, SuperviseError> {
        let mut child = match Child::start(&own_binary()?, &self.args) {
            Ok(child) => child,
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
                news = child.news() => match news? {
                    News::Ready => self.hand_over(&mut child).await?,
                    News::WantsRestart => return self.replace(&mut child, Wish::Restart).await,
                    News::Ended(ended) => return Ok(self.after_end(&child, ended).await),
                },
            }
        }
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
    async fn wait_after(&mut self, served: Duration) -> Next {
        self.is_no_first_start();
        let pause = self.delay.after(served);
        if self.signals.stop_within(pause).await { Next::Leave(0) } else { Next::Start }
    }

    fn is_no_first_start(&mut self) {
        self.args.retain(|arg| arg != OsStr::new(DEMO_FLAG));
    }
}

/// The binary that this process runs, also when its file has been replaced since.
fn own_binary() -> Result<PathBuf, Error> {
    let link = PathBuf::from("/proc/self/exe");
    if link.exists() { Ok(link) } else { std::env::current_exe() }
}
