//! Currencies and rules as page data.

use app::model::{CurrenciesPage, CurrencyEntry, RuleEntry};

use super::money_model::{base_unit, bid_currency, values};
use auction_house::access::Action;
use auction_house::auctions::access::AuctionView;
use auction_house::currencies;
use auction_house::currencies::Currency;
use auction_house::rules;
use auction_house::usage;
use platform::db::{Connection, DbError};
use platform::time::Moment;

pub async fn read(conn: &mut Connection, seen: AuctionView, now: Moment) -> Result<CurrenciesPage, DbError> {
    let auction_id = seen.auction.id;
    let used = usage::currencies_in_use(conn, auction_id).await?;
    let currencies = currencies::store::of_auction(conn, auction_id).await?.into_iter();
    let entries = currencies.map(|currency| {
        let in_use = used.contains(&currency.id);
        entry(currency, in_use)
    });
    let rules = rules::store::of_auction(conn, auction_id).await?.into_iter();
    Ok(CurrenciesPage {
        auction_id: auction_id.to_string(),
        can_edit: seen.may(Action::ManageCurrencies) && !seen.auction.is_closed(now),
        base_unit: base_unit(seen.auction.terms.base_unit.as_ref()),
        has_book: seen.auction.terms.book_id.is_some(),
        auction_name: seen.auction.terms.name,
        auction_version: seen.auction.version,
        currencies: entries.collect(),
        rules: rules.map(|rule| RuleEntry { version: rule.version, definition: rule.definition }).collect(),
    })
}

fn entry(currency: Currency, in_use: bool) -> CurrencyEntry {
    CurrencyEntry {
        id: currency.id.to_string(),
        code: currency.code.clone(),
        is_default: currency.is_default,
        in_use,
        version: currency.version,
        values: values(&currency),
        currency: bid_currency(currency),
    }
}
