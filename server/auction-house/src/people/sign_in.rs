//! Signs a user in, and tells the user of a browser that is new to the account, if the user wants that.

use accounts::Accounts;
use accounts::second_factor::sign_in::{self as second_step, CodeRefusal};
use accounts::session::Visitor;
use accounts::sign_in::{self as first_step, Entry, SignIn, SignInRefusal};
use platform::db::DbError;
use platform::log_field::logged;
use platform::verb::VerbError;

use crate::context::Context;
use crate::notifications::{Kind, NewNotification};

/// Signs in with e-mail and password, and with a code if the account has a second factor.
pub async fn sign_in(
    accounts: &Accounts,
    context: &Context,
    visitor: &Visitor,
    email: &str,
    password: String,
    code: Option<&str>,
) -> Result<SignIn, VerbError<SignInRefusal>> {
    let done = first_step::sign_in(accounts, visitor, email, password, code).await?;
    if let SignIn::Entered(entry) = &done {
        tell(context, visitor, entry).await;
    }
    Ok(done)
}

/// Signs in with a code, after the password was right.
pub async fn sign_in_with_code(
    accounts: &Accounts,
    context: &Context,
    visitor: &Visitor,
    ticket: Option<&str>,
    code: &str,
) -> Result<Entry, VerbError<CodeRefusal>> {
    let entry = second_step::sign_in_with_code(accounts, visitor, ticket, code).await?;
    tell(context, visitor, &entry).await;
    Ok(entry)
}

/// A sign-in does not fail because this can't be written.
async fn tell(context: &Context, visitor: &Visitor, entry: &Entry) {
    let preferences = &entry.user.preferences;
    let is_wanted =
        preferences.notify.contains(Kind::NewBrowser) || preferences.mail.contains(Kind::NewBrowser);
    if !entry.is_new_browser || !is_wanted {
        return;
    }
    let new = NewNotification::of_new_browser(entry.user.id, visitor.address.to_string());
    let told = async {
        let mut db = context.db.write().await?;
        let signal = context.notifier.notify(&mut db, &[new], context.clock.now()).await?;
        db.commit().await?;
        context.events.publish(&signal);
        Ok::<_, DbError>(())
    };
    if let Err(error) = told.await {
        tracing::warn!(error = logged(&error), "a user was not told of a new browser");
    }
}
