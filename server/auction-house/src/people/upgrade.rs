//! Makes a managed user a full account. A link to confirm the e-mail is mailed, and the keepers are told.

use accounts::groups::store as groups;
use accounts::locks::{lock_account, write_in_group};
use accounts::outbox::AccountMail;
use accounts::registration::Registration;
use accounts::session::Visitor;
use accounts::upgrade::{self, UpgradeRefusal};
use accounts::{Accounts, Signal, User};
use platform::db::DbError;
use platform::http::problem::Problem;
use platform::verb::VerbError;

use crate::context::Context;
use crate::ids::UserId;
use crate::notifications::NewNotification;

/// Parses e-mail, password and name of a managed user who asks for an upgrade. The code and the name of the
/// group make no password.
pub async fn upgrade_terms(
    accounts: &Accounts,
    user: &User,
    typed: (&str, &str, Option<&str>),
) -> Result<Registration, Problem> {
    let mut db = accounts.db.read().await?;
    let numbers = groups::numbers_of(&mut db, user.id).await?;
    let place = groups::place_of_managed(&mut db, user.id).await?;
    let (code, name) = place.as_ref().map_or(("", ""), |place| (place.code.as_str(), &place.group_name));
    Ok(Registration::parse_upgrade(user, &numbers, typed, &[accounts.site_name(), code, name])?)
}

/// The PIN, which is the proof, is invalid from then on.
pub async fn upgrade(
    accounts: &Accounts,
    context: &Context,
    visitor: &Visitor,
    id: UserId,
    pin: String,
    registration: Registration,
) -> Result<User, VerbError<UpgradeRefusal>> {
    let begun = upgrade::begin(accounts, visitor, id, pin, registration).await?;
    let place = groups::place_of_managed(&mut context.db.read().await?, id).await?;
    // An account that was upgraded meanwhile is in no group as a managed user.
    let place = place.ok_or(UpgradeRefusal::NotManaged)?;
    let now = context.clock.now();
    let mut db = write_in_group(&context.db, place.group_id).await?;
    lock_account(&mut db, id).await?;
    if groups::place_of_managed(&mut db, id).await?.is_none_or(|still| still.number != place.number) {
        return Err(DbError::Overtaken.into());
    }
    let user = upgrade::write(accounts, visitor, &mut db, begun).await?;
    let email = user.email.as_deref().unwrap_or_default();
    if accounts.limits.account_mail(visitor.address, email).is_ok() {
        accounts.outbox.add(&mut db, AccountMail::ConfirmEmail, id, None, now).await?;
    }
    let keepers = groups::keepers(&mut db, place.group_id).await?.into_iter();
    let new: Vec<_> = keepers
        .map(|keeper| {
            NewNotification::of_upgrade(keeper, place.group_name.clone(), place.number.0, &user.name)
        })
        .collect();
    let signal = context.notifier.notify(&mut db, &new, now).await?;
    db.commit().await?;
    accounts.signals.publish(&Signal::User(id));
    context.events.publish(&signal);
    Ok(user)
}
