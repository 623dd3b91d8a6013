//! Makes a secret for an account, which becomes its second factor once a code of it is confirmed.

use super::secret::Secret;
use super::store;
use crate::change_password::{PasswordRefusal, check_password, limited};
use crate::codes;
use crate::context::Accounts;
use crate::ids::UserId;
use crate::locks::write_as;
use crate::session::Visitor;
use crate::user::store as users;
use platform::body::Body;
use platform::db::DbError;
use platform::refusals;
use platform::shape::{self, Members, Shape};
use platform::verb::VerbError;

/// The password as a proof.
#[derive(Clone, Default)]
pub struct ProofBody {
    password: Option<String>,
}

impl Shape for ProofBody {
    const NAME: &'static str = "PasswordProof";

    fn members(&mut self, members: &mut Members<'_>) {
        members.required_secret("password", &mut self.password);
    }
}

impl ProofBody {
    pub(super) fn parse(body: impl Body) -> Result<String, VerbError<PasswordRefusal>> {
        // INVARIANT: a required member that is absent is an error.
        let Self { password } = shape::parse(body.read()?)?;
        Ok(password.unwrap_or_default())
    }
}

refusals! {
    /// Why no secret is made.
    pub enum BeginRefusal {
        On => codes::SECOND_FACTOR_ON, "Turn the second factor off before you set up another.";
    }
    wraps { Password(PasswordRefusal) }
}

/// A new secret replaces one that was not confirmed.
pub async fn begin(
    accounts: &Accounts,
    visitor: &Visitor,
    user: UserId,
    body: impl Body,
) -> Result<Secret, VerbError<BeginRefusal>> {
    let check = async {
        let password = ProofBody::parse(body)?;
        check_password(accounts, user, password).await
    };
    let verified = limited(accounts, visitor, user, check, PasswordRefusal::is_wrong).await;
    let verified = verified.map_err(|error| error.map_refusal(BeginRefusal::Password))?;
    let secret = Secret::new().map_err(DbError::from)?;
    let mut db = write_as(&accounts.db, user).await?;
    if users::password_hash(&mut db, user).await? != Some(verified) {
        return Err(PasswordRefusal::WrongPassword.into());
    }
    if !store::begin(&mut db, user, &secret).await? {
        return Err(BeginRefusal::On.into());
    }
    db.commit().await?;
    Ok(secret)
}
