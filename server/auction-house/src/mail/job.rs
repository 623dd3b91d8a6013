//! The job that sends the mails of the outbox. Every server runs it: a server claims a mail before it sends
//! it, and removes it afterwards. A server that dies in between leaves the claim, and another attempt follows
//! once the claim expires: then the mail may have been sent, and no third attempt is made.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::prepare::prepare;
use crate::context::Context;
use crate::notifications::mails::{OutgoingMail, store};
use accounts::Accounts;
use platform::db::DbError;
use platform::http::public_url::PublicUrl;
use platform::log_field::logged;
use platform::mail::{Mailer, SendError};
use platform::time::Moment;

/// How long a claim holds: longer than an attempt.
const CLAIM_SECONDS: i64 = SendError::SECONDS_MAX + 60;
/// Attempts of which it is not known whether the mail was sent, at most.
const UNCONFIRMED_MAX: i64 = 2;
/// The first retry waits this long, each further one twice as long, up to an hour.
const RETRY_SECONDS: i64 = 30;
const RETRY_SECONDS_MAX: i64 = 60 * 60;
/// How long retries go on.
const GIVE_UP_SECONDS: i64 = 24 * 60 * 60;
const ROUND_EVERY: Duration = Duration::from_secs(1);
/// Attempts to remove a mail that was sent, one in each round.
const DELETE_TRIES_MAX: u32 = 60;
/// Mails of one round, at most.
const MAILS_MAX: i64 = 32;

/// Sends mails of one installation.
#[derive(Clone)]
pub struct MailJob {
    pub context: Context,
    pub accounts: Arc<Accounts>,
    pub mailer: Mailer,
    /// The address of this site, for links.
    pub site: PublicUrl,
}

impl MailJob {
    /// Sends what is due, until `stopping`. A mail that is being sent is recorded first.
    pub async fn run(self, stopping: CancellationToken) {
        while !stopping.is_cancelled() {
            match self.round(&stopping).await {
                Err(error) if error.is_paused() || error.is_busy() || error.is_conflict() => {}
                Err(error) => {
                    let error = logged(&error);
                    tracing::error!(error, "the outbox of mails can't be read or written");
                }
                Ok(()) => {}
            }
            stopping.run_until_cancelled(tokio::time::sleep(ROUND_EVERY)).await;
        }
    }

    /// Sends the mails that are due now, one after the other.
    pub async fn round(&self, stopping: &CancellationToken) -> Result<(), DbError> {
        let due = store::due(&mut self.context.db.read().await?, self.now(), MAILS_MAX).await?;
        for mail in due {
            if stopping.is_cancelled() {
                break;
            }
            if self.claim(&mail).await? {
                self.send(mail).await?;
            }
        }
        Ok(())
    }

    async fn claim(&self, mail: &OutgoingMail) -> Result<bool, DbError> {
        let mut db = self.context.db.write().await?;
        let claimed = store::claim(&mut db, mail, self.now().plus_seconds(CLAIM_SECONDS)).await?;
        db.commit().await?;
        Ok(claimed)
    }

    /// Sends a claimed mail, and records the result.
    async fn send(&self, mail: OutgoingMail) -> Result<(), DbError> {
        if mail.unconfirmed >= UNCONFIRMED_MAX {
            tracing::warn!(mail = %mail.id, "a mail may have been sent twice: no further attempt is made");
            return self.delete(&mail).await;
        }
        let Some(message) = prepare(self, &mail, self.now()).await? else {
            return self.delete(&mail).await;
        };
        match self.mailer.send(message).await {
            Ok(()) => self.delete(&mail).await,
            Err(error @ SendError::Refused(_)) => {
                tracing::warn!(error = logged(&error), mail = %mail.id, "a mail is dropped");
                self.delete(&mail).await
            }
            Err(error) => {
                tracing::warn!(error = logged(&error), mail = %mail.id, "a mail waits");
                self.retry(&mail, matches!(error, SendError::Unknown(_))).await
            }
        }
    }

    async fn retry(&self, mail: &OutgoingMail, may_be_sent: bool) -> Result<(), DbError> {
        let doubled = RETRY_SECONDS << mail.failures.clamp(0, 16);
        let at = self.now().plus_seconds(doubled.min(RETRY_SECONDS_MAX));
        if at > mail.created_at.plus_seconds(GIVE_UP_SECONDS) {
            tracing::warn!(mail = %mail.id, "a mail could not be sent within a day");
            return self.delete(mail).await;
        }
        let mut db = self.context.db.write().await?;
        store::retry(&mut db, mail, at, may_be_sent).await?;
        db.commit().await
    }

    /// Removes a mail. A pause of writes for an update delays that, while the claim holds.
    async fn delete(&self, mail: &OutgoingMail) -> Result<(), DbError> {
        let mut tries = 1;
        loop {
            match self.try_delete(mail).await {
                Err(error) if (error.is_paused() || error.is_busy()) && tries < DELETE_TRIES_MAX => {
                    tries += 1;
                    tokio::time::sleep(ROUND_EVERY).await;
                }
                deleted => return deleted,
            }
        }
    }

    async fn try_delete(&self, mail: &OutgoingMail) -> Result<(), DbError> {
        let mut db = self.context.db.write().await?;
        store::delete(&mut db, mail.id).await?;
        db.commit().await
    }

    fn now(&self) -> Moment {
        self.context.clock.now()
    }
}
