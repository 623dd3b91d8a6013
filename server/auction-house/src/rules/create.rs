//! Creates a currency rule.

use rules_engine::bounds::MAX_RULES;

use super::access::find;
use super::body::read_rule;
use super::{CurrencyRule, next_position, store};
use crate::access::Action;
use crate::auctions::access::authorize;
use crate::codes;
use crate::context::Context;
use crate::creations::{Created, Creation};
use crate::currencies;
use crate::ids::{AuctionId, RuleId, UserId};
use crate::locks::LockingWrites;
use platform::body::Body;
use platform::refusals;
use platform::verb::VerbError;

refusals! {
    /// Why a rule is not created.
    pub enum CreateRuleRefusal {
        Closed => codes::CLOSED, "The auction is closed: it takes no more rules.";
        LimitReached => codes::LIMIT_REACHED, "An auction has at most 64 rules.";
    }
}

pub async fn create_rule(
    context: &Context,
    auction_id: AuctionId,
    user: UserId,
    body: impl Body,
) -> Result<Created<CurrencyRule>, VerbError<CreateRuleRefusal>> {
    let now = context.clock.now();
    let id = RuleId::new(now);
    let mut db = context.db.write_in(&[auction_id]).await?;
    let seen = authorize(&mut db, auction_id, user, now).await?.require(Action::ManageCurrencies)?;
    let rules = format!("currency-rules/{auction_id}");
    let (object, creation) = Creation::read(&mut db, user, rules, body, now).await?;
    if let Some(earlier) = creation.replays() {
        return Ok(Created::replayed(find(&mut db, auction_id, earlier).await?));
    }
    let currencies = currencies::store::of_auction(&mut db, auction_id).await?;
    let others = store::of_auction(&mut db, auction_id).await?;
    let definition = read_rule(object, id.to_string(), next_position(&others), &currencies)?;
    creation.check_key()?;
    if seen.auction.is_closed(now) {
        return Err(CreateRuleRefusal::Closed.into());
    }
    if others.len() >= MAX_RULES {
        return Err(CreateRuleRefusal::LimitReached.into());
    }
    let rule = CurrencyRule { id, auction_id, definition, version: 1, created_at: now, updated_at: now };
    store::insert(&mut db, &rule).await?;
    creation.record(&mut db, id, now).await?;
    db.commit().await?;
    Ok(Created::new(rule))
}
