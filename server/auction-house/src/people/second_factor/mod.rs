//! Changes of the second factor, each of which the user is told by mail.

pub mod routes;

use accounts::Accounts;
use accounts::second_factor::RecoveryCode;
use accounts::second_factor::confirm::{self, ConfirmRefusal};
use accounts::second_factor::renew_codes::{self as codes, RenewRefusal};
use accounts::second_factor::turn_off::{self, TurnOffRefusal};
use accounts::session::Visitor;
use platform::body::Body;
use platform::verb::VerbError;

use super::account_mail;
use crate::ids::UserId;
use crate::notifications::Notifier;
use crate::notifications::mails::MailKind;

/// Turns the second factor on with the first code of the app, and returns the recovery codes.
pub async fn confirm(
    accounts: &Accounts,
    notifier: Notifier,
    visitor: &Visitor,
    user: UserId,
    body: impl Body,
) -> Result<Vec<RecoveryCode>, VerbError<ConfirmRefusal>> {
    let codes = confirm::confirm(accounts, visitor, user, body).await?;
    account_mail::send(accounts, notifier, MailKind::SecondFactorOn, user, None).await?;
    Ok(codes)
}

/// Turns the second factor off.
pub async fn turn_off(
    accounts: &Accounts,
    notifier: Notifier,
    visitor: &Visitor,
    user: UserId,
    body: impl Body,
) -> Result<(), VerbError<TurnOffRefusal>> {
    turn_off::turn_off(accounts, visitor, user, body).await?;
    Ok(account_mail::send(accounts, notifier, MailKind::SecondFactorOff, user, None).await?)
}

/// Replaces the recovery codes.
pub async fn renew_codes(
    accounts: &Accounts,
    notifier: Notifier,
    visitor: &Visitor,
    user: UserId,
    body: impl Body,
) -> Result<Vec<RecoveryCode>, VerbError<RenewRefusal>> {
    let codes = codes::renew_codes(accounts, visitor, user, body).await?;
    account_mail::send(accounts, notifier, MailKind::RecoveryCodesRenewed, user, None).await?;
    Ok(codes)
}
