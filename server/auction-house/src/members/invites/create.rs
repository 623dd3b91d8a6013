//! Invites a user by e-mail. The user is notified; without mail the sender passes the link on.

use crate::access::store::invites;
use crate::access::{Action, GrantedRole, Invite};
use crate::auctions::access::authorize;
use crate::codes;
use crate::context::Context;
use crate::creations::{Created, Creation};
use crate::events::Signal;
use crate::ids::{AuctionId, InviteId, UserId};
use crate::locks::LockingWrites;
use crate::notifications::NewNotification;
use accounts::limits::{Inviter, RateLimits};
use accounts::outbox::store::insert_invite;
use platform::body::Body;
use platform::db::{DbError, Transaction};
use platform::email::Email;
use platform::ids::Id;
use platform::net::ClientAddress;
use platform::refusals;
use platform::shape::{self, Members, Shape};
use platform::time::Moment;
use platform::token::LinkToken;
use platform::verb::VerbError;
use utoipa::openapi::{KnownFormat, SchemaFormat};

/// Pending invites of one auction: a list of them stays below 256 KiB.
pub const INVITES_MAX: i64 = 400;

/// An invite that is to be sent.
#[derive(Debug, Clone, Default)]
pub struct InviteBody {
    email: Option<Email>,
    role: Option<GrantedRole>,
}

impl Shape for InviteBody {
    const NAME: &'static str = "NewInvite";

    fn members(&mut self, members: &mut Members<'_>) {
        members
            .required_parsed("email", &mut self.email)
            .format(SchemaFormat::KnownFormat(KnownFormat::Email));
        members.parsed("role", &mut self.role).of::<GrantedRole>().about("BIDDER by default.");
    }
}

refusals! {
    /// Why an invite is not created.
    pub enum CreateInviteRefusal {
        BiddersOnly => codes::FORBIDDEN, "You may invite bidders only.";
        Closed => codes::CLOSED, "The auction is closed: it takes no more members.";
        TooMany => codes::LIMIT_REACHED, "The auction has 400 invites that were not used yet: delete some first.";
    }
}

/// How long a mailed invite is not mailed again.
const MAILED_SECONDS: i64 = 24 * 3600;

/// The invite replaces an earlier one to the same e-mail. One that was mailed less than a day ago is not
/// mailed again, and keeps its link.
pub async fn create_invite(
    context: &Context,
    (limits, address): (&RateLimits, ClientAddress),
    auction_id: AuctionId,
    sender: UserId,
    body: impl Body,
) -> Result<Created<Invite>, VerbError<CreateInviteRefusal>> {
    let now = context.clock.now();
    let mut db = context.db.write_in(&[auction_id]).await?;
    let seen = authorize(&mut db, auction_id, sender, now).await?;
    if !seen.may_invite() {
        return Err(VerbError::Forbidden);
    }
    let collection = format!("invites/{auction_id}");
    let (object, creation) = Creation::read(&mut db, sender, collection, body, now).await?;
    if let Some(earlier) = creation.replays() {
        let invite = invites::by_id(&mut db, auction_id, earlier).await?;
        return Ok(Created::replayed(invite.ok_or(VerbError::NotFound)?));
    }
    let InviteBody { email, role } = shape::parse(object)?;
    // INVARIANT: a required member that is absent is an error.
    let email = email.ok_or_else(|| VerbError::<CreateInviteRefusal>::from(Vec::new()))?;
    let role = role.unwrap_or(GrantedRole::Bidder);
    if role != GrantedRole::Bidder && !seen.may(Action::ManageMembers) {
        return Err(CreateInviteRefusal::BiddersOnly.into());
    }
    creation.check_key()?;
    if seen.auction.is_closed(now) {
        return Err(CreateInviteRefusal::Closed.into());
    }
    invites::delete_expired(&mut db, auction_id, now).await?;
    if invites::count_others(&mut db, auction_id, &email).await? >= INVITES_MAX {
        return Err(CreateInviteRefusal::TooMany.into());
    }
    let mailed = invites::to_auction(&mut db, auction_id, &email).await?.filter(|earlier| {
        context.notifier.outbox.sends_mail
            && earlier.mail_failed_at.is_none()
            && earlier.created_at > now.plus_seconds(-MAILED_SECONDS)
    });
    let is_mailed = mailed.is_some();
    let (token, created_at) = match mailed {
        Some(earlier) => (earlier.token, earlier.created_at),
        None => (LinkToken::new().map_err(DbError::from)?, now),
    };
    let invite = Invite {
        id: InviteId::new(now),
        auction_id,
        email,
        role,
        token,
        sender,
        created_at,
        expires_at: now.plus_seconds(Invite::LIFETIME_SECONDS),
        mail_failed_at: None,
    };
    invites::replace(&mut db, &invite).await?;
    creation.record(&mut db, invite.id, now).await?;
    let mut signal = None;
    if !is_mailed {
        let invited = invited_user(&mut db, &invite.email).await?;
        let user = accounts::user::store::user_by_id(&mut db, sender).await?.ok_or(VerbError::NotFound)?;
        let inviter = Inviter { sender, is_verified: user.email_verified_at.is_some(), address };
        match invited {
            Some(invited) => limits.invite_to_user(inviter, invited)?,
            None if context.notifier.outbox.sends_mail => {
                limits.invite_to_stranger(inviter, invite.email.folded())?;
            }
            None => {}
        }
        signal = Some(notify(context, &mut db, &invite, invited, now).await?);
    }
    db.commit().await?;
    signal.iter().for_each(|signal| context.events.publish(signal));
    Ok(Created::new(invite))
}

/// The user who has confirmed the e-mail.
async fn invited_user(db: &mut Transaction, email: &Email) -> Result<Option<UserId>, DbError> {
    let found = accounts::user::store::by_email(db, email).await?.map(|(user, _)| user);
    Ok(found.filter(|user| user.email_verified_at.is_some()).map(|user| user.id))
}

/// Notifies the user who has confirmed the e-mail. To any other e-mail the secret goes by mail only: an
/// account with it may be a stranger's.
async fn notify(
    context: &Context,
    db: &mut Transaction,
    invite: &Invite,
    invited: Option<UserId>,
    now: Moment,
) -> Result<Signal, DbError> {
    let token = invite.token.as_str();
    if invited.is_none() && context.notifier.outbox.sends_mail {
        insert_invite(db, invite.auction_id.uuid(), token, now).await?;
    }
    let new = invited.map(|user| NewNotification::of_invite(user, invite.auction_id, &invite.token));
    context.notifier.notify(db, new.as_slice(), now).await
}
