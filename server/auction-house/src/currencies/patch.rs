//! A changed currency profile. What its bids were converted by is fixed from the first of them on.

use rules_engine::{InputMode, Profile, ProfileDefinition};

use super::body::CurrencyDraft;
use super::see::manage_currency;
use super::{Currency, store};
use crate::auctions::access::AccessError;
use crate::context::Context;
use crate::engine::field_errors;
use crate::ids::{AuctionId, CurrencyId, UserId};
use crate::locks::LockingWrites;
use crate::usage;
use platform::db::{Connection, DbError};
use platform::fields::{FieldError, Object};
use platform::precondition::{Outdated, Precondition};

#[derive(Debug, thiserror::Error)]
pub enum PatchCurrencyError {
    #[error(transparent)]
    Access(#[from] AccessError),
    #[error("{} members do not fit", .0.len())]
    Invalid(Vec<FieldError>),
    #[error(transparent)]
    Outdated(#[from] Outdated),
    /// What it would convert differently is kept as it was converted.
    #[error("bids or minimums are entered in the profile")]
    Frozen,
    #[error("a rule names a denomination that would go")]
    InUse,
    #[error("another profile of the auction has the code")]
    CodeTaken,
}

impl From<DbError> for PatchCurrencyError {
    fn from(error: DbError) -> Self {
        Self::Access(error.into())
    }
}

/// Lays `patch` on the profile. A patch that changes nothing makes no new version.
pub async fn patch_currency(
    context: &Context,
    auction_id: AuctionId,
    currency_id: CurrencyId,
    user: UserId,
    patch: Object,
    if_match: &Precondition,
) -> Result<Currency, PatchCurrencyError> {
    let now = context.clock.now();
    let mut db = context.db.write_in(&[auction_id]).await?;
    let had = manage_currency(&mut db, auction_id, currency_id, user, now).await?;
    let mut others = store::of_auction(&mut db, auction_id).await?;
    others.retain(|other| other.id != currency_id);
    let mut changed = read(&had, patch, others.is_empty()).map_err(PatchCurrencyError::Invalid)?;
    if_match.check(had.version)?;
    if changed == had {
        return Ok(had);
    }
    if changed.definition != had.definition {
        check_definition(&mut db, auction_id, currency_id, &changed.definition).await?;
    }
    if others.iter().any(|other| other.code == changed.code) {
        return Err(PatchCurrencyError::CodeTaken);
    }
    if changed.is_default && !had.is_default {
        store::clear_default(&mut db, auction_id, now).await?;
    }
    changed.version += 1;
    changed.updated_at = now;
    store::update(&mut db, &changed).await?;
    db.commit().await?;
    Ok(changed)
}

/// The profile with the patch on it, in the version that it had.
fn read(had: &Currency, patch: Object, is_only: bool) -> Result<Currency, Vec<FieldError>> {
    let mut body = had.as_body();
    // With the mode the denominations go, unless the patch itself names some, which then don't fit.
    if patch.get("inputMode") == Some(InputMode::Scalar) {
        body.remove("denominations");
    }
    let draft = CurrencyDraft::read(body.patched(patch), had.id.to_string())?;
    Ok(Currency {
        code: draft.code,
        name: draft.name,
        symbol: draft.symbol,
        is_default: draft.is_default.unwrap_or(is_only),
        definition: draft.definition,
        names: draft.names,
        ..had.clone()
    })
}

/// Whether the profile may convert bids in another way from now on. The order of the denominations is part of
/// it: bids are told in it.
async fn check_definition(
    conn: &mut Connection,
    auction_id: AuctionId,
    currency_id: CurrencyId,
    definition: &ProfileDefinition,
) -> Result<(), PatchCurrencyError> {
    let used = usage::currency_has_bids(conn, auction_id, currency_id).await?
        || usage::currency_in_minimum(conn, auction_id, currency_id).await?;
    if used {
        return Err(PatchCurrencyError::Frozen);
    }
    Profile::parse(definition).map_err(|errors| PatchCurrencyError::Invalid(field_errors(errors)))?;
    let named = usage::denominations_in_rules(conn, auction_id, currency_id).await?;
    let has = |code: &String| definition.denominations.iter().any(|denomination| denomination.code == *code);
    if named.iter().all(has) { Ok(()) } else { Err(PatchCurrencyError::InUse) }
}
