//! The supervisor: holds the listening socket and keeps a server running on it.

use std::ffi::{OsStr, OsString};
use std::io::Error;
use std::path::PathBuf;
use std::process::{ExitStatus, Output, Stdio};
use std::time::Duration;

use tokio::process::Command;
use tokio::time::Instant;

use super::backoff::Backoff;
use super::binary;
use super::child::{Child, ChildEvent, exit_code};
use super::notify;
use super::plan::{Plan, Trial, plan};
use super::signals::{ProcessSignals, Request};
use super::socket::{ListenSocket, SocketError};
use crate::config::{INSTALLED_VARIABLE, Settings};
use platform::log_field::logged;
use platform::retry::retry_until_released;

/// Fills an empty database, so it is for the first start only.
const DEMO_FLAG: &str = "--demo";
const PROBATION_FLAG: &str = "--on-probation";
/// Reads the settings of the other arguments, reports their errors, and exits.
const CHECK_FLAG: &str = "--check-settings";
const CHECK_MAX: Duration = Duration::from_secs(5);
/// A new version reports its own timeouts, with a reason, before the supervisor ends it.
const GRACE: Duration = Duration::from_secs(3);
/// A server that has not reported for this long hangs: it reports every few seconds.
const SILENCE_MAX: Duration = Duration::from_secs(30);

/// Why no server runs.
#[derive(Debug, thiserror::Error)]
pub enum SuperviseError {
    #[error(transparent)]
    Socket(#[from] SocketError),
    #[error("can't start the server: {0}")]
    Start(Error),
    #[error("can't supervise the server: {0}")]
    Io(#[from] Error),
}

pub(super) struct Parent {
    pub(super) settings: Settings,
    pub(super) args: Vec<OsString>,
    announce_to: Option<PathBuf>,
    pub(super) signals: ProcessSignals,
    /// Opened when the first server is ready, so that a server that can't start reports its own error.
    socket: Option<ListenSocket>,
    backoff: Backoff,
    /// Since when no server is ready, after one was.
    pub(super) outage_since: Option<Instant>,
    /// Whether a rollback has failed: it is not repeated until a server requests a restart.
    pub(super) is_stuck: bool,
}

/// What to do after the end of a child.
pub(super) enum Next {
    Start,
    Exit(u8),
}

/// The probation of a new version.
#[derive(Debug, Clone, Copy)]
struct Probation {
    trial: Trial,
    has_answered: bool,
    end: Instant,
}

impl Probation {
    fn begin(trial: Trial) -> Self {
        Self { trial, has_answered: false, end: Instant::now() + trial.answer + GRACE }
    }

    /// The new version answers: from now on it is observed.
    fn observe(&mut self) {
        self.has_answered = true;
        self.end = Instant::now() + self.trial.observe + GRACE;
    }

    fn why_ended(&self) -> String {
        if self.has_answered {
            return "the new version stopped answering".to_owned();
        }
        format!("the new version was not healthy within {} s", self.trial.answer.as_secs())
    }
}

/// Runs the server with `args`, the arguments of this process, until a request to stop, and returns the exit
/// code. A server that ends unexpectedly is started again, unless it was never ready. Must be called on the
/// first thread, because the children are killed when the thread that started them ends. The address is
/// announced to `announce_to`.
pub async fn supervise(
    settings: Settings,
    args: Vec<OsString>,
    announce_to: Option<PathBuf>,
) -> Result<u8, SuperviseError> {
    let signals = ProcessSignals::new()?;
    notify::keep_alive();
    let (socket, backoff, outage_since, is_stuck) = (None, Backoff::default(), None, false);
    let mut parent = Parent { settings, args, announce_to, signals, socket, backoff, outage_since, is_stuck };
    loop {
        match parent.run_one().await? {
            Next::Start => {}
            Next::Exit(code) => return Ok(code),
        }
    }
}

impl Parent {
    pub(super) fn plan(&self) -> Plan {
        plan(&self.settings.data_dir, self.socket.is_none())
    }

    /// The plan of a start, with retries: a server that was killed with its supervisor may hold the lock for
    /// a moment.
    async fn settled_plan(&self) -> Plan {
        retry_until_released(|| self.plan(), |plan| self.socket.is_none() && *plan == Plan::LeaveToOthers)
            .await
    }

    /// Runs one server from its start to its end, and waits until the next start.
    async fn run_one(&mut self) -> Result<Next, SuperviseError> {
        let mut probation = match self.settled_plan().await {
            Plan::RollBack(reason) if !self.is_stuck => return self.roll_back(&reason).await,
            Plan::Try(trial) if !self.is_stuck => Some(Probation::begin(trial)),
            Plan::RollBack(_) | Plan::Try(_) => None,
            Plan::Serve | Plan::LeaveToOthers => {
                self.is_stuck = false;
                None
            }
        };
        let mut child = match self.start(probation.is_some()) {
            Ok(child) => child,
            Err(cause) if probation.is_some() => {
                return self.roll_back(&format!("the new version can't be started: {cause}")).await;
            }
            Err(cause) if self.socket.is_none() => return Err(SuperviseError::Start(cause)),
            Err(cause) => {
                tracing::error!(error = logged(&cause), "can't start the server");
                return Ok(self.wait_after(Duration::ZERO).await);
            }
        };
        // Set by the first report: a server of an earlier version does not report.
        let mut silence_end = None;
        loop {
            tokio::select! {
                biased;
                // A restart is ignored while the first server starts, and if its settings are wrong.
                request = self.signals.next() => match request {
                    Request::Restart if self.socket.is_none() => {}
                    Request::Restart if !self.are_settings_valid().await => notify::ready(),
                    request => return self.replace(&mut child, request).await,
                },
                event = child.event() => match (event?, &mut probation) {
                    (ChildEvent::Ready, _) => self.pass_listener(&mut child).await?,
                    (ChildEvent::Alive, _) => silence_end = Some(Instant::now() + SILENCE_MAX),
                    (ChildEvent::WantsRestart, _) => {
                        // The server may hand an update over, whose rollback is due again.
                        self.is_stuck = false;
                        notify::reloading();
                        return self.replace(&mut child, Request::Restart).await;
                    }
                    (ChildEvent::Answered, Some(probation)) => probation.observe(),
                    (ChildEvent::Confirmed, _) => probation = None,
                    (ChildEvent::Refused(reason), Some(_)) => {
                        return self.end_probation(&mut child, &reason).await;
                    }
                    (ChildEvent::Answered | ChildEvent::Refused(_), None) => {}
                    (ChildEvent::Ended(ended), Some(_)) => {
                        let mut reason = format!("the new version ended: {ended}");
                        if let Some(line) = child.last_line().await {
                            reason.push_str(&format!(": {line}"));
                        }
                        return self.end_probation(&mut child, &reason).await;
                    }
                    (ChildEvent::Ended(ended), None) => return Ok(self.after_end(&child, ended).await),
                },
                () = reached(probation.map(|probation| probation.end)) => {
                    let reason = probation.map(|probation| probation.why_ended()).unwrap_or_default();
                    return self.end_probation(&mut child, &reason).await;
                }
                () = reached(silence_end) => {
                    tracing::error!("the server has not reported for {} s and is killed", SILENCE_MAX.as_secs());
                    // Its end is the next event.
                    silence_end = None;
                    child.kill().await?;
                }
            }
        }
    }

    /// Starts the current release, and the installed binary if there is none. Falls back to the binary of
    /// this process, except for a new version on probation.
    fn start(&self, on_probation: bool) -> Result<Child, Error> {
        let install_dir = &self.settings.install_dir;
        let current = binary::current_release(install_dir);
        let has_current = binary::has_current(install_dir);
        if on_probation {
            let release = match current {
                None if has_current => {
                    return Err(Error::other("`current` does not lead to a binary that can run"));
                }
                None => binary::installed()?,
                Some(release) => release,
            };
            let args = [self.args.as_slice(), &[PROBATION_FLAG.into()]].concat();
            return Child::start_recorded(&release, &args);
        }
        if current.is_none() && has_current {
            tracing::error!(
                "`{}/current` does not lead to a binary that can run: starting the supervisor's version {} instead",
                install_dir.display(),
                env!("CARGO_PKG_VERSION")
            );
        }
        let release = match current {
            None if !has_current => binary::installed().ok(),
            current => current,
        };
        if let Some(release) = release {
            match Child::start(&release, &self.args) {
                Ok(child) => return Ok(child),
                Err(cause) => {
                    let error = logged(&cause);
                    tracing::error!(error, "can't start `{}`", release.display());
                }
            }
        }
        Child::start(&binary::own()?, &self.args)
    }

    /// Whether the next server can read its settings. Reports each error: the running server stays.
    async fn are_settings_valid(&self) -> bool {
        // A new release is started on probation, which finds more than this check.
        if self.plan() != Plan::Serve {
            return true;
        }
        let release = binary::current_release(&self.settings.install_dir);
        let checked = async {
            match self.check_settings(release.map_or_else(binary::own, Ok)?).await {
                // The supervisor's own binary starts instead.
                Err(_) => self.check_settings(binary::own()?).await,
                checked => checked,
            }
        };
        let output = match tokio::time::timeout(CHECK_MAX, checked).await {
            Ok(Ok(output)) if output.status.success() => return true,
            Ok(Ok(output)) => String::from_utf8_lossy(&output.stderr).into_owned(),
            Ok(Err(error)) => error.to_string(),
            Err(_) => "the settings could not be checked in time".to_owned(),
        };
        for error in output.lines() {
            tracing::error!(error, "the server is not restarted");
        }
        false
    }

    async fn check_settings(&self, binary: PathBuf) -> Result<Output, Error> {
        let mut check = Command::new(binary);
        // Named, so that this very binary checks, and not the current release.
        check.args(&self.args).arg(CHECK_FLAG).env(INSTALLED_VARIABLE, binary::installed_path()?);
        check.stdin(Stdio::null()).kill_on_drop(true).output().await
    }

    async fn pass_listener(&mut self, child: &mut Child) -> Result<(), SuperviseError> {
        if self.socket.is_none() {
            match ListenSocket::open(&self.settings, self.announce_to.as_deref()).await {
                Ok(socket) => self.socket = Some(socket),
                Err(error) => {
                    // Killed, so that its own errors do not hide this one.
                    child.kill().await?;
                    return Err(error.into());
                }
            }
        }
        if let Some(socket) = &self.socket
            && let Err(cause) = child.pass_listener(socket.listener())
        {
            // The child has ended, which is the next event.
            tracing::debug!(error = logged(&cause), "can't pass the socket");
        }
        notify::ready();
        if let Some(since) = self.outage_since.take() {
            tracing::info!("serving again after {} ms", since.elapsed().as_millis());
        }
        Ok(())
    }

    /// Stops a child on request, to restart or to exit.
    async fn replace(&mut self, child: &mut Child, request: Request) -> Result<Next, SuperviseError> {
        self.outage_since = Some(Instant::now());
        let mut stops = request == Request::Stop;
        if !stops {
            tracing::info!("restarting the server");
        }
        let ended = {
            let mut stopping = std::pin::pin!(child.stop());
            loop {
                tokio::select! {
                    biased;
                    () = self.signals.stop(), if !stops => stops = true,
                    ended = &mut stopping => break ended?,
                }
            }
        };
        if stops {
            return Ok(Next::Exit(exit_code(ended, true)));
        }
        self.forget_first_start();
        Ok(Next::Start)
    }

    /// After a child has ended unexpectedly.
    async fn after_end(&mut self, child: &Child, ended: ExitStatus) -> Next {
        if self.socket.is_none() {
            if ended.code().is_none() {
                tracing::error!("the server ended before it was ready: {ended}");
            }
            return Next::Exit(exit_code(ended, false));
        }
        self.outage_since = self.outage_since.or_else(|| Some(Instant::now()));
        tracing::error!("the server ended by itself: {ended}");
        self.wait_after(child.uptime()).await
    }

    /// Waits before the next start; longer after repeated failures.
    pub(super) async fn wait_after(&mut self, uptime: Duration) -> Next {
        self.forget_first_start();
        let delay = self.backoff.after(uptime);
        if self.signals.stop_within(delay).await { Next::Exit(0) } else { Next::Start }
    }

    fn forget_first_start(&mut self) {
        self.args.retain(|arg| arg != OsStr::new(DEMO_FLAG));
    }
}

/// Ends at `moment`; never without one.
async fn reached(moment: Option<Instant>) {
    match moment {
        Some(moment) => tokio::time::sleep_until(moment).await,
        None => std::future::pending().await,
    }
}
