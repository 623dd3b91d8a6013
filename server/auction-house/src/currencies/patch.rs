//! Changes a currency profile. From the first bid on, the members that convert bids are fixed.

use rules_engine::{Profile, ProfileDefinition};

use super::access::manage_currency;
use super::body::{CurrencyDraft, patched};
use super::{Currency, store};
use crate::codes;
use crate::context::Context;
use crate::engine::field_errors;
use crate::ids::{AuctionId, CurrencyId, UserId};
use crate::locks::LockingWrites;
use crate::usage;
use platform::body::Body;
use platform::db::Connection;
use platform::fields::{FieldError, Object};
use platform::precondition::Precondition;
use platform::refusals;
use platform::verb::VerbError;

refusals! {
    /// Why a currency profile is not changed.
    pub enum PatchCurrencyRefusal {
        /// Bids and minimums keep the amount that they were converted to.
        Frozen => codes::FROZEN, "Bids or minimum bids are entered in this currency: its rate, input mode, precision, fraction policy \
            and the denominations' codes and factors stay. Its code, names, plurals and symbols may change.";
        InUse => codes::IN_USE, "A rule names a denomination that would be removed: change or remove the rule first.";
        CodeTaken => codes::CODE_TAKEN;
    }
}

/// Applies a merge patch. A patch without effect keeps the version.
pub async fn patch_currency(
    context: &Context,
    auction_id: AuctionId,
    currency_id: CurrencyId,
    user: UserId,
    patch: impl Body,
    if_match: &Precondition,
) -> Result<Currency, VerbError<PatchCurrencyRefusal>> {
    let now = context.clock.now();
    let mut db = context.db.write_in(&[auction_id]).await?;
    let had = manage_currency(&mut db, auction_id, currency_id, user, now).await?;
    let mut others = store::of_auction(&mut db, auction_id).await?;
    others.retain(|other| other.id != currency_id);
    let mut changed = read(&had, patch.read()?, others.is_empty())?;
    if_match.check(had.version)?;
    if changed == had {
        return Ok(had);
    }
    let definition = value_of(&changed);
    if definition != value_of(&had) {
        check_definition(&mut db, auction_id, currency_id, &definition).await?;
    }
    if others.iter().any(|other| other.code == changed.code) {
        return Err(PatchCurrencyRefusal::CodeTaken.into());
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

/// What decides the value of a bid: whether a piece is written does not.
fn value_of(currency: &Currency) -> ProfileDefinition {
    let mut definition = currency.definition();
    definition.denominations.iter_mut().for_each(|piece| piece.written = true);
    definition
}

/// The profile with the patch on it, in the version that it had.
fn read(had: &Currency, patch: Object, is_only: bool) -> Result<Currency, Vec<FieldError>> {
    let CurrencyDraft { currency, is_default } = CurrencyDraft::read(patched(had, patch), had.clone())?;
    Ok(Currency { is_default: is_default.unwrap_or(is_only), ..currency })
}

/// Whether the conversion of bids by the profile may change. It includes the order of the denominations: bids
/// are shown in that order.
async fn check_definition(
    conn: &mut Connection,
    auction_id: AuctionId,
    currency_id: CurrencyId,
    definition: &ProfileDefinition,
) -> Result<(), VerbError<PatchCurrencyRefusal>> {
    let used = usage::currency_has_bids(conn, auction_id, currency_id).await?
        || usage::currency_in_price(conn, auction_id, currency_id).await?;
    if used {
        return Err(PatchCurrencyRefusal::Frozen.into());
    }
    Profile::parse(definition).map_err(field_errors)?;
    let named = usage::denominations_in_rules(conn, auction_id, currency_id).await?;
    let has = |code: &String| definition.denominations.iter().any(|denomination| denomination.code == *code);
    if named.iter().all(has) { Ok(()) } else { Err(PatchCurrencyRefusal::InUse.into()) }
}
