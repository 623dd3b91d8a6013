//! The draw of an item as page data.

use std::collections::HashMap;

use app::components::money::amount_in;
use auction_house::access::Action;
use auction_house::auctions::access::AuctionView;
use auction_house::bids::list::{BidList, ListedBid};
use auction_house::bids::pricing::PricingRules;
use auction_house::bids::sealed::SealedBid;
use auction_house::bids::tickets::held;
use auction_house::engine::Normalized;
use auction_house::ids::UserId;
use auction_house::items::ItemStatus;
use auction_house::items::access::ItemView;
use auction_house::items::format::{Again, DrawTerms, seed_hash};
use platform::time::Moment;

use super::bid_words::entered_in_words;
use super::draw::{DrawFacts, TicketRow, tickets_in_words};
use super::facts::{currency_names, unit};
use crate::pages::money_style::MoneyStyle;

/// The longest address of the page that repeats a draw: browsers and proxies take no longer one.
const CHECK_BYTES_MAX: usize = 4_000;

/// What the facts are made of.
pub struct DrawnItem<'a> {
    pub auction: &'a AuctionView,
    pub seen: &'a ItemView,
    pub pricing: &'a PricingRules,
    /// The newest bids.
    pub listed: BidList,
    /// The viewer's own standing bids.
    pub own: &'a [SealedBid],
    /// What the viewer can spend.
    pub available: Option<Normalized>,
}

/// The draw, if the item has one.
pub fn facts(item: DrawnItem<'_>, style: MoneyStyle, now: Moment) -> Option<DrawFacts> {
    let DrawnItem { auction, seen, pricing, listed, own, available } = item;
    let terms = seen.item.terms.format.draw()?;
    let unit = unit(auction, seen, pricing, style);
    let names = currency_names(seen, pricing);
    let profile_id = Some(terms.ticket.currency_id.to_string());
    let currency = names.iter().find(|currency| currency.profile_id == profile_id);
    let ticket = currency.map(|currency| entered_in_words(currency, &unit, &terms.ticket.entered));
    let ticket = ticket.unwrap_or_else(|| amount_in(&terms.ticket.normalized.to_string(), &unit));
    let is_open = seen.item.status(now) == ItemStatus::Open;
    let (count, spent) = (held(own), own.iter().map(|bid| bid.normalized));
    let spent = spent.fold(Normalized::ZERO, |sum, next| sum.checked_add(next).unwrap_or(sum));
    let own = (count > 0).then(|| {
        let tickets = tickets_in_words(count.unsigned_abs());
        let amount = amount_in(&spent.to_string(), &unit);
        let verb = if is_open { "have" } else { "had" };
        format!("You {verb} {tickets}, for {amount}.")
    });
    let page = format!("/auctions/{}/items/{}", auction.auction.id, seen.item.id);
    let all = listed.next_before.map(|_| format!("{page}/bids"));
    let seed = seen.item.seed.as_ref();
    let shown = seed.filter(|_| seen.item.outcome.is_some());
    let was_drawn = seen.item.was_drawn();
    let check = shown
        .filter(|_| was_drawn && all.is_none())
        .and_then(|seed| check(seen, terms, seed.as_str(), &listed));
    let tickets = rows(auction, seen, terms, listed, now);
    Some(DrawFacts {
        terms: in_words(terms, &ticket, is_open, seen.item.outcome.is_none() || was_drawn),
        ticket,
        count: seen.item.tickets.unwrap_or_default().unsigned_abs(),
        own,
        available: available.map(|available| amount_in(&available.to_string(), &unit)),
        seed_hash: seed.map(seed_hash),
        seed: shown.map(|seed| seed.as_str().to_owned()),
        check,
        tickets,
        all,
    })
}

/// Bids for tickets, newest first, as the viewer may see them.
pub fn rows(
    auction: &AuctionView,
    seen: &ItemView,
    terms: &DrawTerms,
    listed: BidList,
    now: Moment,
) -> Vec<TicketRow> {
    let page = format!("/auctions/{}/items/{}", auction.auction.id, seen.item.id);
    let is_open = seen.item.status(now) == ItemStatus::Open;
    let row = |ListedBid { bid, known }: ListedBid| {
        let mine = bid.bidder.id == seen.viewer.user;
        let bidder = seen.people.in_words(&bid.bidder, known.bidder);
        let tickets = terms.tickets_worth(bid.normalized).unsigned_abs();
        let withdraw = (is_open && (mine || auction.may(Action::WithdrawBids))).then(|| {
            let of = bidder.as_ref().filter(|_| !mine).map(|name| format!(" of {name}")).unwrap_or_default();
            let name = format!("Take back {}{of}", tickets_in_words(tickets));
            (format!("{page}/bids/{}/withdraw", bid.sequence), name)
        });
        TicketRow { mine, bidder, tickets, placed_at: bid.created_at.millis(), withdraw }
    };
    listed.bids.into_iter().map(row).collect()
}

/// The terms of a draw in sentences.
fn in_words(terms: &DrawTerms, ticket: &str, is_open: bool, is_paid: bool) -> String {
    if !is_paid {
        return format!("A ticket was to cost {ticket}. There was no draw, and nobody pays.");
    }
    let prizes = match (terms.copies, terms.again) {
        (1, _) => "One ticket wins.".to_owned(),
        (copies, Again::Person) => format!("{copies} tickets win, each of another person."),
        (copies, Again::Ticket) => format!("{copies} tickets win, also several of one person."),
    };
    let limit = terms.per_person.map(|most| {
        let tickets = tickets_in_words(most.unsigned_abs());
        format!(" A person can have at most {tickets}.")
    });
    let until = if is_open { " You can take tickets back until then." } else { "" };
    format!(
        "A ticket costs {ticket}. {prizes}{} With the draw everyone pays for all of their tickets, also for those \
         that win nothing.{until}",
        limit.unwrap_or_default()
    )
}

/// The address that repeats the draw, where the viewer knows the people, so that tickets of one person are
/// told from those of others.
fn check(seen: &ItemView, terms: &DrawTerms, seed: &str, listed: &BidList) -> Option<String> {
    let mut lines = Vec::with_capacity(listed.bids.len());
    let mut holders: HashMap<String, UserId> = HashMap::new();
    for ListedBid { bid, known } in listed.bids.iter().rev() {
        let name = seen.people.in_words(&bid.bidder, known.bidder)?;
        // Of two people with one name the second one has the id beside it.
        let first = *holders.entry(name.clone()).or_insert(bid.bidder.id);
        let holder = if first == bid.bidder.id { name } else { format!("{name} {}", bid.bidder.id) };
        lines.push(format!("{holder} {}", terms.tickets_worth(bid.normalized)));
    }
    let fields = [
        ("seed", seed.to_owned()),
        ("item", seen.item.id.to_string()),
        ("copies", terms.copies.to_string()),
        ("again", terms.again.to_string()),
        ("tickets", lines.join("\n")),
    ];
    let query = serde_urlencoded::to_string(fields).ok()?;
    let address = format!("/draw?{query}");
    (!lines.is_empty() && address.len() <= CHECK_BYTES_MAX).then_some(address)
}
