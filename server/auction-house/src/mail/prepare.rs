//! Makes the message of a mail from the present state. A mail that is not wanted any more has none.

use std::str::FromStr;

use super::job::MailJob;
use super::words::{self, MailContent, Unsubscribe};
use crate::access::store::invites;
use crate::ids::{AuctionId, ItemId};
use crate::notifications::NotificationKind;
use crate::notifications::prices::price_of;
use crate::notifications::store::strangers;
use crate::usage::{self, WaitingMail};
use accounts::User;
use accounts::confirm_email::create_email_link;
use accounts::manage::reset_link::create_reset_link;
use accounts::manage::store as system_users;
use accounts::outbox::{AccountMail, MailKind, OutgoingMail};
use accounts::user::store;
use platform::db::{Connection, DbError};
use platform::email::Email;
use platform::ids::Id;
use platform::mail::MailMessage;
use platform::time::Moment;
use platform::token::Token;
use platform::verb::VerbError;

const SECOND_FACTOR_PAGE: &str = "/account/second-factor";

/// The message of a mail; none if it is not to be sent.
pub async fn prepare(
    job: &MailJob,
    mail: &OutgoingMail,
    now: Moment,
) -> Result<Option<MailMessage>, DbError> {
    match (mail.kind, mail.user_id) {
        (MailKind::Notification(NotificationKind::Invited), None) if mail.auction_id.is_none() => {
            of_waiting_grant(job, mail, now).await
        }
        (MailKind::Notification(NotificationKind::Invited), None) => of_invite(job, mail, now).await,
        // An e-mail without an account.
        (_, None) => Ok(None),
        (kind, Some(user_id)) => {
            let found = system_users::by_id(&mut job.context.db.read().await?, user_id).await?;
            let Some(found) = found.filter(|found| !found.is_disabled) else { return Ok(None) };
            match kind {
                MailKind::Account(kind) => of_account(job, mail, kind, found.user, now).await,
                MailKind::Notification(kind) => of_notification(job, mail, kind, found.user, now).await,
            }
        }
    }
}

async fn of_account(
    job: &MailJob,
    mail: &OutgoingMail,
    kind: AccountMail,
    user: User,
    now: Moment,
) -> Result<Option<MailMessage>, DbError> {
    let site = job.site.as_str();
    // The address that was the account's.
    let old = mail.detail.clone();
    // Only links that confirm an e-mail go to one that nobody has confirmed.
    let confirmed = user.email.clone().filter(|_| user.email_verified_at.is_some());
    let (to, content, page) = match kind {
        AccountMail::PasswordReset => return of_reset(job, mail, user, now).await,
        AccountMail::ConfirmEmail => return of_confirmation(job, mail, user, now).await,
        AccountMail::EmailChanged => (old, MailContent::email_changed(&user.name), ""),
        AccountMail::UpgradeUndone => (old, MailContent::upgrade_undone(), ""),
        AccountMail::PasswordChanged => {
            (confirmed, MailContent::password_changed(&user.name), "/forgot-password")
        }
        AccountMail::SecondFactorOn => {
            (confirmed, MailContent::second_factor_on(&user.name), SECOND_FACTOR_PAGE)
        }
        AccountMail::SecondFactorOff => {
            (confirmed, MailContent::second_factor_off(&user.name), SECOND_FACTOR_PAGE)
        }
        AccountMail::RecoveryCodesRenewed => {
            (confirmed, MailContent::recovery_codes_renewed(&user.name), SECOND_FACTOR_PAGE)
        }
    };
    let address = format!("{site}{page}");
    Ok(to.map(|to| words::message(job, mail, to, &content, &address, None, now)))
}

async fn of_reset(
    job: &MailJob,
    mail: &OutgoingMail,
    user: User,
    now: Moment,
) -> Result<Option<MailMessage>, DbError> {
    // Nobody mails a managed user.
    let Some(to) = user.email.clone() else { return Ok(None) };
    let folded = Email::from_str(&to).ok().map(|email| email.folded().to_owned());
    let link = match create_reset_link(&job.accounts, Some(user.id), (user.id, folded.as_deref())).await {
        Ok(link) => link,
        Err(VerbError::Db(error)) => return Err(error),
        Err(_) => return Ok(None),
    };
    let address = format!("{}{}", job.site.as_str(), link.path());
    Ok(Some(words::message(job, mail, to, &MailContent::password_reset(), &address, None, now)))
}

async fn of_confirmation(
    job: &MailJob,
    mail: &OutgoingMail,
    user: User,
    now: Moment,
) -> Result<Option<MailMessage>, DbError> {
    // Nobody mails a managed user.
    let Some(to) = user.email.clone() else { return Ok(None) };
    let Some(path) = create_email_link(&job.accounts, user.id).await? else { return Ok(None) };
    let address = format!("{}{path}", job.site.as_str());
    Ok(Some(words::message(job, mail, to, &MailContent::confirm_email(), &address, None, now)))
}

async fn of_invite(job: &MailJob, mail: &OutgoingMail, now: Moment) -> Result<Option<MailMessage>, DbError> {
    let Some(token) = &mail.detail else { return Ok(None) };
    let invite = invites::by_token(&mut job.context.db.read().await?, token, now).await?;
    let Some(invite) = invite else { return Ok(None) };
    let title = title(&mut job.context.db.read().await?, mail).await?;
    let address = format!("{}/invites/{token}", job.site.as_str());
    to_stranger(job, mail, &invite.email, (MailContent::invite(&title), address), now).await
}

/// The link of a book for which an import has left a grant waiting.
async fn of_waiting_grant(
    job: &MailJob,
    mail: &OutgoingMail,
    now: Moment,
) -> Result<Option<MailMessage>, DbError> {
    let Some(Ok(grant)) = mail.detail.as_deref().map(str::parse) else { return Ok(None) };
    let found = usage::waiting_mail(&mut job.context.db.read().await?, grant, now).await?;
    let Some(WaitingMail { email, book_name, link_token }) = found else { return Ok(None) };
    let address = format!("{}/books/join/{}", job.site.as_str(), link_token.as_str());
    to_stranger(job, mail, &email, (MailContent::waiting_grant(&book_name), address), now).await
}

/// A mail to an address without a confirmed account, unless that has refused invitations.
async fn to_stranger(
    job: &MailJob,
    mail: &OutgoingMail,
    email: &Email,
    (content, address): (MailContent, String),
    now: Moment,
) -> Result<Option<MailMessage>, DbError> {
    let mut db = job.context.db.write().await?;
    let new = Token::new().map_err(DbError::from)?;
    let stranger = strangers::known(&mut db, email, &new).await?;
    db.commit().await?;
    if stranger.refused_at.is_some() {
        return Ok(None);
    }
    let link = format!("{}/no-invitations/{}", job.site.as_str(), stranger.token);
    let ends = Unsubscribe::of_invitations(link);
    let to = email.as_typed().to_owned();
    Ok(Some(words::message(job, mail, to, &content, &address, Some(ends), now)))
}

/// The title that the mail was written with, or else the name of its item or auction.
async fn title(conn: &mut Connection, mail: &OutgoingMail) -> Result<String, DbError> {
    match &mail.title {
        Some(title) => Ok(title.clone()),
        None => usage::name_of(conn, mail.auction_id.map(AuctionId::of), mail.item_id.map(ItemId::of)).await,
    }
}

async fn of_notification(
    job: &MailJob,
    mail: &OutgoingMail,
    kind: NotificationKind,
    user: User,
    now: Moment,
) -> Result<Option<MailMessage>, DbError> {
    // Only links that confirm an e-mail go to one that nobody has confirmed.
    let Some(to) = user.email.clone().filter(|_| user.email_verified_at.is_some()) else { return Ok(None) };
    if !user.preferences.mail.contains(kind) {
        return Ok(None);
    }
    let (auction_id, item_id) = (mail.auction_id.map(AuctionId::of), mail.item_id.map(ItemId::of));
    let site = job.site.as_str();
    let page = match (auction_id, item_id, &mail.detail) {
        (Some(auction), Some(item), _) => format!("/auctions/{auction}/items/{item}"),
        (Some(_), None, Some(token)) if kind == NotificationKind::Invited => format!("/invites/{token}"),
        (Some(auction), None, _) => format!("/auctions/{auction}"),
        (None, ..) if kind == NotificationKind::NewBrowser => "/account".to_owned(),
        (None, ..) if kind == NotificationKind::Upgraded => "/groups".to_owned(),
        (None, ..) => "/notifications".to_owned(),
    };
    let (title, price) = {
        let mut db = job.context.db.read().await?;
        let mut sequence = mail.sequence;
        if let (NotificationKind::Outbid, Some(item_id)) = (kind, item_id) {
            // The bid that leads now, which may be a later one.
            sequence = usage::outbid_by(&mut db, item_id, user.id, now).await?;
            if sequence.is_none() {
                return Ok(None);
            }
        }
        let price = match item_id.zip(sequence) {
            Some((item_id, sequence)) => price_of(&mut db, kind, item_id, sequence).await?,
            None => None,
        };
        (title(&mut db, mail).await?, price)
    };
    let mut db = job.context.db.write().await?;
    let new = Token::new().map_err(DbError::from)?;
    let token = store::mail_token(&mut db, user.id, &new).await?;
    db.commit().await?;
    let link = token.map(|token| format!("{site}/unsubscribe/{token}/{}", kind.as_str()));
    let unsubscribe = link.map(|link| Unsubscribe::of_kind(kind, link));
    let content = MailContent::notification(kind, &title, mail.detail.as_deref(), price.as_deref());
    let address = format!("{site}{page}");
    Ok(Some(words::message(job, mail, to, &content, &address, unsubscribe, now)))
}
