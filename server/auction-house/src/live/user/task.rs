//! The task that feeds the streams of all users while there are any.

use std::collections::HashSet;
use std::time::Duration;

use platform::db::DbError;
use platform::http::sse;
use platform::log_field::logged;
use platform::token::TokenHash;
use tokio::time::Instant;

use super::balances;
use super::feed::{self, UserEvent};
use crate::ids::UserId;
use crate::live::Live;
use crate::live::task::SWEEP_EVERY;
use accounts::session::store as sessions;

/// Users are read for this often at most, each time with everything since.
const BURST_EVERY: Duration = Duration::from_millis(250);
/// How often the task reads for all users without a wake-up, and looks up the sessions that may have ended.
const CHECK_EVERY: Duration = Duration::from_secs(3);
const HEARTBEAT_EVERY: Duration = Duration::from_secs(15);
/// Users, or sessions, of one query.
const AT_A_TIME: usize = 500;

pub fn spawn(live: Live) {
    tokio::spawn(Task(live).run());
}

struct Task(Live);

/// The streams end with their task, however it ends: their clients resume.
impl Drop for Task {
    fn drop(&mut self) {
        self.0.users().clear();
    }
}

impl Task {
    async fn run(self) {
        let mut stopped = self.0.subscribe_to_stop();
        let mut heartbeat_at = Instant::now() + HEARTBEAT_EVERY;
        let mut check_at = Instant::now() + CHECK_EVERY;
        let mut sweep_at = Instant::now() + SWEEP_EVERY;
        while !*stopped.borrow_and_update() && !self.0.users().is_left() {
            let round_at = Instant::now();
            let is_check = check_at <= round_at;
            if is_check {
                check_at = round_at + CHECK_EVERY;
            }
            let is_sweep = is_check && sweep_at <= round_at;
            if is_sweep {
                sweep_at = round_at + SWEEP_EVERY;
            }
            if let Err(error) = self.round(is_check, is_sweep).await {
                // The next check reads from the same point.
                let error = logged(&error);
                tracing::error!(error, "the events of users can't be read");
            }
            if heartbeat_at <= round_at {
                heartbeat_at = round_at + HEARTBEAT_EVERY;
                self.0.users().send_all(&sse::comment(&self.0.now().to_string()));
            }
            let rest = async {
                tokio::time::sleep_until(round_at + BURST_EVERY).await;
                let _ = tokio::time::timeout_at(check_at, self.0.users().wake.notified()).await;
            };
            tokio::select! {
                () = rest => {}
                _ = stopped.changed() => {}
            }
        }
    }

    async fn round(&self, is_check: bool, is_sweep: bool) -> Result<(), DbError> {
        // Before events go to a stream whose session has ended.
        if is_check {
            self.check_sessions(is_sweep).await?;
        }
        let users = self.0.users().to_read(is_check);
        for some in users.chunks(AT_A_TIME) {
            let events = feed::read(&mut self.0.database().read().await?, some).await?;
            self.0.users().deliver(&events);
            self.deliver_balances(some.iter().map(|(user, _)| *user)).await?;
        }
        Ok(())
    }

    async fn deliver_balances(&self, users: impl Iterator<Item = UserId>) -> Result<(), DbError> {
        let known = self.0.users().balances(users);
        let changes = balances::changes(&mut self.0.database().read().await?, &known).await?;
        for (user, book_id, revision, funds) in changes {
            if self.0.users().learn(user, book_id, revision, funds) {
                self.0.users().deliver(&[UserEvent::of_balance(user, book_id, &funds)?]);
            }
        }
        Ok(())
    }

    async fn check_sessions(&self, all: bool) -> Result<(), DbError> {
        let due = self.0.users().due_sessions(all, self.0.now());
        let checked = self.end_sessions(&due).await;
        if checked.is_err() {
            self.0.users().suspect(&due);
        }
        checked
    }

    async fn end_sessions(&self, due: &HashSet<TokenHash>) -> Result<(), DbError> {
        for some in Vec::from_iter(due).chunks(AT_A_TIME) {
            let living = sessions::living(&mut self.0.database().read().await?, some, self.0.now()).await?;
            self.0.users().end_sessions(&some.iter().map(|hash| (*hash).clone()).collect(), &living);
        }
        Ok(())
    }
}
