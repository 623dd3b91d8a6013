//! The job that sends the mails of the outbox. Every server runs it: a server claims a mail before it sends
//! it, and removes it afterwards. A server that dies in between leaves the claim, and another attempt follows
//! once the claim expires: then the mail may have been sent, and no third attempt is made.

use std::sync::Arc;
use std::time::Duration;

use futures::future::{join_all, try_join_all};
use tokio_util::sync::CancellationToken;

use super::prepare::prepare;
use crate::access::store::invites;
use crate::context::Context;
use crate::notifications::NotificationKind;
use crate::waiting;
use accounts::Accounts;
use accounts::outbox::{MailKind, OutgoingMail, store};
use accounts::signal::{self, Signal};
use accounts::user::store::set_email_failed;
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
/// Mails that are sent at the same time. One place is for mails about accounts alone: a link to set a new
/// password waits for no other mail, and not for a mail server that hangs with them.
const PLACES: [Place; 4] = [Place::OfAccounts, Place::Any, Place::Any, Place::Any];

/// Which mails are sent one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    OfAccounts,
    /// Any mail; mails about accounts first.
    Any,
}

/// How a mail leaves the outbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Sent,
    /// It can't be sent: the person who has caused it sees that.
    Failed,
    /// It is not wanted any more, or nobody knows whether it was sent.
    Dropped,
}

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
        join_all(PLACES.map(|place| self.work(place, &stopping))).await;
    }

    async fn work(&self, place: Place, stopping: &CancellationToken) {
        while !stopping.is_cancelled() {
            match self.send_due(place, stopping).await {
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

    /// Sends the mails that are due now, some at the same time.
    pub async fn round(&self, stopping: &CancellationToken) -> Result<(), DbError> {
        try_join_all(PLACES.map(|place| self.send_due(place, stopping))).await?;
        Ok(())
    }

    /// Sends the mails that are due now, one after the other.
    async fn send_due(&self, place: Place, stopping: &CancellationToken) -> Result<(), DbError> {
        while !stopping.is_cancelled() {
            let Some(mail) = self.next_due(place).await? else { break };
            if self.claim(&mail).await? {
                self.send(mail).await?;
            }
        }
        Ok(())
    }

    async fn next_due(&self, place: Place) -> Result<Option<OutgoingMail>, DbError> {
        let (mut db, now) = (self.context.db.read().await?, self.now());
        match store::due_of_account(&mut db, now).await? {
            None if place == Place::Any => store::due(&mut db, now).await,
            found => Ok(found),
        }
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
            return self.end(&mail, End::Dropped).await;
        }
        let Some(message) = prepare(self, &mail, self.now()).await? else {
            return self.end(&mail, End::Dropped).await;
        };
        match self.mailer.send(message).await {
            Ok(()) => self.end(&mail, End::Sent).await,
            Err(error @ SendError::Refused(_)) => {
                tracing::warn!(error = logged(&error), mail = %mail.id, "a mail is dropped");
                self.end(&mail, End::Failed).await
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
            return self.end(mail, End::Failed).await;
        }
        let mut db = self.context.db.write().await?;
        store::retry(&mut db, mail, at, may_be_sent).await?;
        db.commit().await
    }

    /// Removes a mail. A pause of writes for an update delays that, while the claim holds.
    async fn end(&self, mail: &OutgoingMail, end: End) -> Result<(), DbError> {
        let mut tries = 1;
        loop {
            match self.try_end(mail, end).await {
                Err(error) if (error.is_paused() || error.is_busy()) && tries < DELETE_TRIES_MAX => {
                    tries += 1;
                    tokio::time::sleep(ROUND_EVERY).await;
                }
                ended => return ended,
            }
        }
    }

    async fn try_end(&self, mail: &OutgoingMail, end: End) -> Result<(), DbError> {
        let mut db = self.context.db.write().await?;
        let failed_at = (end == End::Failed).then(|| self.now());
        if let (Some(at), MailKind::Notification(NotificationKind::Invited), Some(token)) =
            (failed_at, mail.kind, &mail.detail)
        {
            match (mail.auction_id, token.parse()) {
                (None, Ok(grant)) => waiting::store::fail_mail(&mut db, grant, at).await?,
                _ => invites::fail_mail(&mut db, token, at).await?,
            }
        }
        let mut signal = None;
        if let Some(user) = mail.user_id.filter(|_| end != End::Dropped && !mail.kind.is_to_former_email())
            && set_email_failed(&mut db, user, failed_at).await?
        {
            signal = Some(Signal::User(user));
        }
        if let Some(signal) = &signal {
            signal::send(&mut db, signal).await?;
        }
        store::delete(&mut db, mail.id).await?;
        db.commit().await?;
        signal.iter().for_each(|signal| self.accounts.signals.publish(signal));
        Ok(())
    }

    fn now(&self) -> Moment {
        self.context.clock.now()
    }
}
