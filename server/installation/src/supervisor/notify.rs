//! Notifications to the service manager that has started the supervisor, as `Type=notify-reload` of systemd
//! expects them. Without such a manager nothing is sent.

use std::io::Error;
use std::time::Duration;

use platform::log_field::logged;
use sd_notify::NotifyState;

/// A server is ready, also after [`reloading`].
pub fn ready() {
    report(sd_notify::notify(&[NotifyState::Ready]));
}

/// A new server is going to replace the current one.
pub fn reloading() {
    let since = NotifyState::monotonic_usec_now();
    report(since.and_then(|since| sd_notify::notify(&[NotifyState::Reloading, since])));
}

/// The supervisor is going to end.
pub fn stopping() {
    report(sd_notify::notify(&[NotifyState::Stopping]));
}

/// Shows the manager that the supervisor works, twice per interval that the manager has set, if it has set
/// one.
pub fn keep_alive() {
    // The timer refuses an interval of zero.
    let interval = sd_notify::watchdog_enabled().filter(|interval| *interval > Duration::ZERO);
    let Some(interval) = interval else { return };
    tokio::spawn(async move {
        let mut due = tokio::time::interval(interval / 2);
        loop {
            due.tick().await;
            report(sd_notify::notify(&[NotifyState::Watchdog]));
        }
    });
}

fn report(sent: Result<(), Error>) {
    if let Err(error) = sent {
        tracing::warn!(error = logged(&error), "can't notify the service manager");
    }
}
