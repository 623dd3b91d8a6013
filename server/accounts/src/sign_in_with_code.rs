//! The second step of a sign-in on the pages: the code, after the password was right.

use crate::codes;
use crate::context::Accounts;
use crate::second_factor::TypedCode;
use crate::second_factor::ticket::Ticket;
use crate::session::Visitor;
use crate::sign_in::{Entry, Known, SignIn, SignInRefusal, enter};
use crate::user;
use platform::refusals;
use platform::verb::VerbError;

refusals! {
    /// Why a visitor with a ticket is not signed in.
    pub enum CodeRefusal {
        /// The ticket is missing, has expired, or was ended by a new password.
        TicketInvalid => codes::UNAUTHENTICATED, "Enter your e-mail and password again.";
    }
    wraps { SignIn(SignInRefusal) }
}

/// Signs in the user of the ticket.
pub async fn sign_in_with_code(
    accounts: &Accounts,
    visitor: &Visitor,
    ticket: Option<&str>,
    code: &str,
) -> Result<Entry, VerbError<CodeRefusal>> {
    let ticket = ticket.and_then(|text| text.parse::<Ticket>().ok()).ok_or(CodeRefusal::TicketInvalid)?;
    let found = user::store::account_by_id(&mut accounts.db.read().await?, ticket.user).await?;
    let found =
        found.filter(|(_, credentials)| ticket.is_good(&credentials.device_key, accounts.clock.now()));
    let (user, credentials) = found.ok_or(CodeRefusal::TicketInvalid)?;
    let known = Known::of(visitor, Some((user.id, &credentials)));
    let code = TypedCode::of(code);
    let entered = enter(accounts, visitor, user, credentials, known, None, Some(code)).await;
    match entered.map_err(|error| error.map_refusal(CodeRefusal::SignIn))? {
        SignIn::Entered(entry) => Ok(entry),
        SignIn::CodeNeeded(_) => Err(CodeRefusal::TicketInvalid.into()),
    }
}
