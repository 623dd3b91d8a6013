//! The outcome of an item as page data.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::sync::Arc;

use app::components::money::{amount_in, said, says_the_same};
use app::components::name::isolated;
use app::model::SelectOption;
use auction_house::access::Action;
use auction_house::auctions::access::AuctionView;
use auction_house::auctions::people::PeopleShown;
use auction_house::bids::Bid;
use auction_house::bids::pricing::PricingRules;
use auction_house::engine::BidForm;
use auction_house::ids::{CurrencyId, UserId};
use auction_house::items::ItemStatus;
use auction_house::items::access::ItemView;
use auction_house::items::format::Format;
use auction_house::items::outcomes::{Outcome, ResultKind};
use iso_currency::Currency as IsoCurrency;
use platform::time::Moment;

use super::bid_words::{entered_in_words, names};
use super::draw::tickets_in_words;
use super::outcome::CANCEL;
use crate::pages::items::sold_price::Money;
use crate::pages::money::{bid_currency, unit_of_bids};
use crate::pages::money_style::MoneyStyle;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutcomeKind {
    Sold,
    Unsold,
    Cancelled,
}

/// What became of a closed item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutcomeFacts {
    /// The copy of the item, from 1 on.
    pub copy: i64,
    /// How many copies the item has.
    pub copies: i64,
    /// 1, 2, 3 … within the copy: a correction has the next one.
    pub number: i64,
    pub kind: OutcomeKind,
    /// Absent if nobody won, or the winner is hidden from the viewer.
    pub winner: Option<String>,
    /// The viewer is the winner.
    pub mine: bool,
    /// The hammer price.
    pub price: Option<Money>,
    /// What was promised, as it was entered. Absent if it equals the price.
    pub promised: Option<String>,
    pub reason: Option<String>,
    pub paid_at: Option<i64>,
    pub collected_at: Option<i64>,
}

impl OutcomeFacts {
    /// The outcome of a prize, which has no price: its winner pays for tickets.
    pub fn of_prize(self) -> Self {
        Self { price: None, promised: None, ..self }
    }

    /// Which copy of an item of several it is.
    pub fn copy_in_words(&self) -> Option<String> {
        (self.copies > 1).then(|| format!("copy {} of {}", self.copy, self.copies))
    }

    /// The outcome of this item as it is seen here, for a form that marks it: the id of the item, the copy,
    /// the number and the marks, with dots between them.
    pub fn seen(&self, item_id: &str) -> String {
        let marks = [self.paid_at.map(|_| ".paid"), self.collected_at.map(|_| ".collected")];
        let marks: String = marks.into_iter().flatten().collect();
        format!("{item_id}.{}.{}{marks}", self.copy, self.number)
    }
}

/// How an item is sold.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SaleFormat {
    #[default]
    Open,
    Sealed,
    Draw,
}

/// What the viewer may do about the closing of an item.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClosingActions {
    pub can_end: bool,
    pub can_cancel: bool,
    /// The choices of the form that decides again: a standing bid each, or nobody.
    pub sell_to: Vec<SelectOption>,
    /// The value of the choice that the form suggests.
    pub suggested: String,
    pub can_mark: bool,
    /// Bids are sealed until the item is closed.
    pub format: SaleFormat,
}

/// The prices of an auction in words: its currencies and its base unit.
pub struct Prices<'a> {
    auction: &'a AuctionView,
    pricing: &'a PricingRules,
    style: MoneyStyle,
    /// How the people of the auction are shown.
    pub people: PeopleShown,
}

impl<'a> Prices<'a> {
    pub fn new(auction: &'a AuctionView, pricing: &'a PricingRules, style: MoneyStyle) -> Self {
        Self { auction, pricing, style, people: PeopleShown::to(auction) }
    }

    /// The unit of a price that was bid in a currency, or of a sum. In a legacy auction that is the currency
    /// of the item.
    pub fn unit(
        &self,
        price_in: Option<CurrencyId>,
        iso_currency: Option<IsoCurrency>,
    ) -> app::model::BaseUnit {
        let legacy = iso_currency.filter(|_| self.pricing.is_legacy());
        unit_of_bids(
            self.auction.auction.terms.base_unit.as_ref(),
            self.pricing.currencies(),
            price_in,
            legacy,
            self.style,
        )
    }

    /// What was entered in a currency, as text. Empty in a legacy auction.
    pub fn entered(&self, currency_id: Option<CurrencyId>, entered: &BidForm) -> String {
        let unit = self.unit(None, None);
        let currency = self.pricing.currencies().iter().find(|currency| Some(currency.id) == currency_id);
        let words = currency
            .map(|currency| entered_in_words(&names(&bid_currency(currency.clone())), &unit, entered));
        words.unwrap_or_default()
    }

    /// The outcome as this viewer sees it.
    pub fn facts(
        &self,
        outcome: &Outcome,
        iso_currency: Option<IsoCurrency>,
        viewer: UserId,
        shows_winner: bool,
        copies: i64,
    ) -> OutcomeFacts {
        let sold = outcome.sold();
        let price = sold.map(|sold| Money {
            amount: sold.normalized.to_string(),
            unit: self.unit(sold.currency_id, iso_currency),
        });
        let promised = sold.map(|sold| self.entered(sold.currency_id, &sold.entered));
        let is_plain = |words: &String| {
            price.as_ref().is_some_and(|price| says_the_same(words, &said(&price.amount, &price.unit)))
        };
        let promised = promised.filter(|words| !words.is_empty() && !is_plain(words));
        OutcomeFacts {
            copy: outcome.copy,
            copies,
            number: outcome.number,
            kind: match outcome.kind() {
                ResultKind::Sold => OutcomeKind::Sold,
                ResultKind::Unsold => OutcomeKind::Unsold,
                ResultKind::Cancelled => OutcomeKind::Cancelled,
            },
            winner: sold.and_then(|sold| self.people.in_words(&sold.winner, shows_winner)),
            mine: sold.is_some_and(|sold| sold.winner.id == viewer),
            promised,
            price,
            reason: outcome.shown_reason(shows_winner && !self.people.is_to_outsiders()).map(str::to_owned),
            paid_at: outcome.paid_at.map(Moment::millis),
            collected_at: outcome.collected_at.map(Moment::millis),
        }
    }
}

/// The outcomes of the copies of the item of a page.
pub fn facts_of_copies(
    auction: &AuctionView,
    seen: &ItemView,
    pricing: &PricingRules,
    style: MoneyStyle,
) -> Vec<OutcomeFacts> {
    let iso_currency = seen.legacy_price().map(|price| price.currency);
    let prices = Prices::new(auction, pricing, style);
    let facts = |outcome: &Outcome| {
        let shows_winner = seen.shows_winner_of(Some(outcome));
        let copies = seen.item.terms.format.copies();
        let facts = prices.facts(outcome, iso_currency, auction.viewer, shows_winner, copies);
        if seen.item.terms.format.draw().is_some() { facts.of_prize() } else { facts }
    };
    seen.item.outcomes().map(facts).collect()
}

/// The outcome of the item of a page, of its first copy.
pub fn facts_of_item(
    auction: &AuctionView,
    seen: &ItemView,
    pricing: &PricingRules,
    style: MoneyStyle,
) -> Option<OutcomeFacts> {
    facts_of_copies(auction, seen, pricing, style).into_iter().next()
}

/// What the viewer may do about the closing of the item. `bids` are the newest ones.
pub fn closing(
    auction: &AuctionView,
    seen: &ItemView,
    pricing: &PricingRules,
    bids: &[Arc<Bid>],
    style: MoneyStyle,
    now: Moment,
) -> ClosingActions {
    let is_open = seen.item.status(now) != ItemStatus::Closed;
    let manages = auction.may(Action::CloseItems);
    let format = match seen.item.terms.format {
        Format::Open => SaleFormat::Open,
        Format::Sealed(_) => SaleFormat::Sealed,
        Format::Draw(_) => SaleFormat::Draw,
    };
    let has_bid = match format {
        SaleFormat::Open => seen.item.highest_bid.is_some(),
        // The same with and without bids.
        SaleFormat::Sealed => true,
        SaleFormat::Draw => seen.item.tickets.is_some_and(|tickets| tickets > 0),
    };
    let sells = seen.viewer.is_seller && auction.role.is_some() && !has_bid;
    let decides = auction.may(Action::DecideOutcomes);
    let outcome = seen.item.outcome.as_ref().filter(|outcome| outcome.kind() != ResultKind::Cancelled);
    let may_decide = format != SaleFormat::Draw || seen.item.was_drawn();
    let sell_to = if decides && outcome.is_some() && may_decide {
        choices(&Prices::new(auction, pricing, style), seen, bids)
    } else {
        Vec::new()
    };
    ClosingActions {
        can_end: is_open && (manages || sells),
        can_cancel: is_open && manages,
        suggested: sell_to.first().map(|choice| choice.value.clone()).unwrap_or_default(),
        sell_to,
        can_mark: auction.may(Action::MarkOutcomes) && outcome.is_some(),
        format,
    }
}

/// The highest of the listed standing bids of each bidder who has won no copy, highest first, and nobody.
fn choices(prices: &Prices<'_>, seen: &ItemView, bids: &[Arc<Bid>]) -> Vec<SelectOption> {
    let unit = prices.unit(None, seen.legacy_price().map(|price| price.currency));
    let sold = seen.item.outcomes().filter_map(Outcome::sold);
    let mut known: HashSet<UserId> = sold.map(|sold| sold.winner.id).collect();
    let is_sold = !known.is_empty();
    let mut highest = bids.iter().collect::<Vec<_>>();
    // Sealed bids are listed in the order in which they came.
    highest.sort_by_key(|bid| Reverse(bid.normalized));
    let mut choices: Vec<SelectOption> = highest
        .into_iter()
        .filter(|bid| bid.withdrawn.is_none() && known.insert(bid.bidder.id))
        .map(|bid| SelectOption {
            value: bid.sequence.to_string(),
            label: format!(
                "{}: {}",
                isolated(&prices.people.in_words(&bid.bidder, true).unwrap_or_default()),
                match seen.item.terms.format.draw() {
                    Some(terms) => tickets_in_words(terms.tickets_worth(bid.normalized).unsigned_abs()),
                    None => amount_in(&bid.normalized.to_string(), &unit),
                }
            ),
        })
        .collect();
    let nobody = |value: &str, label: &str| SelectOption { value: value.to_owned(), label: label.to_owned() };
    if is_sold {
        choices.push(nobody("", "Nobody: the item is not sold"));
    }
    if seen.item.terms.format.draw().is_some() {
        choices.push(nobody(CANCEL, "Nobody: all get back what the tickets cost"));
    }
    choices
}
