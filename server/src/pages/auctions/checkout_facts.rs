//! Checkout at the table as page data: what one winner has won.

use std::collections::{BTreeSet, HashMap};

use accounts::Person;
use app::model::SelectOption;
use auction_house::access::NamedMember;
use auction_house::auctions::access::AuctionView;
use auction_house::ids::{ItemId, UserId};
use auction_house::items::access::{ItemView, view_items};
use auction_house::items::outcomes::results::{AuctionResults, ItemResult};
use auction_house::items::outcomes::{Outcome, SoldBid};
use platform::db::{Connection, DbError};
use platform::text::caseless;

use super::results::list::ResultRow;
use super::results::summary::Totals;
use super::results_facts::SeenResult;
use super::sums::{SoldItem, Sums};
use crate::pages::items::outcome_facts::Prices;
use crate::pages::items::pictures::picture;

/// The winner whom a cashier asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AskedWinner {
    /// A number in the group of the auction, as it was typed.
    Number(String),
    /// The id of a user.
    User(String),
}

impl AskedWinner {
    /// The field of the form that asks for it, and its value.
    pub fn field(&self) -> (&'static str, &str) {
        match self {
            Self::Number(typed) => ("number", typed),
            Self::User(id) => ("winner", id),
        }
    }
}

/// The forms with which a cashier asks for winners.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckoutDesk {
    /// The auction has a group, whose people have numbers.
    pub has_numbers: bool,
    /// The winners who have no number.
    pub winners: Vec<SelectOption>,
    /// Address of the stream of what happens from here on.
    pub stream: String,
}

/// The winner whom a cashier asks for, and what they are told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckoutView {
    pub asked: AskedWinner,
    pub answer: CheckoutAnswer,
}

/// Answer to a cashier who asks for a winner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CheckoutAnswer {
    NotANumber,
    /// Nobody has the number, or the user is no member and has won nothing.
    Unknown,
    /// The name of a member who has won nothing.
    Nothing(String),
    Won(Box<CheckoutSale>),
}

/// What one winner has won.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckoutSale {
    pub name: String,
    pub totals: Totals,
    /// Sums that are still to be paid. Absent if that is everything or nothing.
    pub due: Option<Totals>,
    /// By lot number; of very many those first that are not paid and collected.
    pub rows: Vec<CheckoutRow>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckoutRow {
    pub row: ResultRow,
    /// Address of its first picture.
    pub picture: Option<String>,
}

/// Items of one winner, each with its buttons.
const ROWS_MAX: usize = 100;
/// Winners of the choice of those who have no number.
const WINNERS_MAX: usize = 500;

/// The forms of a cashier. The stream begins after `position`.
pub fn desk(
    auction: &AuctionView,
    prices: &Prices<'_>,
    results: &AuctionResults,
    position: i64,
) -> CheckoutDesk {
    let mut names: HashMap<UserId, String> = HashMap::new();
    for SoldBid { winner, .. } in results.items.iter().filter_map(|item| item.sold.as_ref()) {
        if prices.people.number(winner.id).is_none() {
            names.entry(winner.id).or_insert_with(|| name(prices, winner));
        }
    }
    let option = |(id, label): (UserId, String)| SelectOption { value: id.to_string(), label };
    let mut winners: Vec<SelectOption> = names.into_iter().map(option).collect();
    winners.sort_by_cached_key(|winner| (caseless(&winner.label), winner.value.clone()));
    winners.truncate(WINNERS_MAX);
    let id = auction.auction.id;
    CheckoutDesk {
        has_numbers: auction.auction.terms.group_id.is_some(),
        winners,
        stream: format!("/api/auctions/{id}/events?after={position}"),
    }
}

fn name(prices: &Prices<'_>, person: &Person) -> String {
    prices.people.in_words(person, true).unwrap_or_default()
}

/// Answers a cashier who asks for a winner. The items come with what they are now, which may be newer than
/// the results.
pub async fn answer(
    db: &mut Connection,
    prices: &Prices<'_>,
    auction: &AuctionView,
    results: &[SeenResult<'_>],
    asked: &AskedWinner,
) -> Result<CheckoutAnswer, DbError> {
    let (named, user) = match asked {
        AskedWinner::Number(typed) => match typed.trim().parse() {
            Ok(number) => (NamedMember::number(number), None),
            Err(_) => return Ok(CheckoutAnswer::NotANumber),
        },
        AskedWinner::User(id) => match id.parse() {
            Ok(id) => (NamedMember::user(id), Some(id)),
            Err(_) => return Ok(CheckoutAnswer::Unknown),
        },
    };
    let member = named.find(db, auction.auction.id).await?.ok();
    // A winner may have left the auction.
    let Some(id) = member.as_ref().map(|member| member.id).or(user) else {
        return Ok(CheckoutAnswer::Unknown);
    };
    let won = won_by(id, results.iter().map(|result| result.item));
    let listed: Vec<(ItemId, i64)> =
        won.iter().take(ROWS_MAX).map(|item| (item.item_id, item.copy)).collect();
    let ids: BTreeSet<ItemId> = listed.iter().map(|(item_id, _)| *item_id).collect();
    let seen = view_items(db, auction, &Vec::from_iter(ids)).await?;
    let seen: HashMap<ItemId, &ItemView> = seen.iter().map(|seen| (seen.item.id, seen)).collect();
    let shown = listed.iter().filter_map(|(item, copy)| {
        let seen = *seen.get(item)?;
        Some((seen, seen.item.outcome_of(*copy)?))
    });
    let shown: Vec<(&ItemView, &Outcome)> =
        shown.filter(|(seen, outcome)| sale(seen, outcome, id).is_some()).collect();
    let rest = won.iter().skip(ROWS_MAX).filter_map(|item| SoldItem::of(item));
    let (totals, due) = sums(shown.iter().filter_map(|(seen, outcome)| sale(seen, outcome, id)).chain(rest));
    let winner = shown.first().and_then(|(_, outcome)| Some(name(prices, &outcome.sold()?.winner)));
    let Some(winner) = winner else {
        let nothing = member.map(|member| CheckoutAnswer::Nothing(name(prices, &member)));
        return Ok(nothing.unwrap_or(CheckoutAnswer::Unknown));
    };
    Ok(CheckoutAnswer::Won(Box::new(CheckoutSale {
        name: winner,
        totals: totals.in_words(prices),
        due: (due.items > 0 && due.items < totals.items).then(|| due.in_words(prices)),
        rows: shown.into_iter().map(|(seen, outcome)| row(prices, auction, seen, outcome)).collect(),
    })))
}

/// The items that a user has won, by lot number; of very many those first that are not paid and collected.
fn won_by<'a>(user: UserId, results: impl Iterator<Item = &'a ItemResult>) -> Vec<&'a ItemResult> {
    let is_winner = |item: &&ItemResult| item.sold.as_ref().is_some_and(|sold| sold.winner.id == user);
    let mut won: Vec<_> = results.filter(is_winner).collect();
    if won.len() > ROWS_MAX {
        won.sort_by_key(|item| item.is_paid && item.is_collected);
    }
    won
}

/// A copy of the item, if this user is its winner now.
fn sale<'a>(seen: &ItemView, outcome: &'a Outcome, winner: UserId) -> Option<SoldItem<'a>> {
    let sold = outcome.sold().filter(|sold| sold.winner.id == winner)?;
    let (is_paid, is_collected) = (outcome.paid_at.is_some(), outcome.collected_at.is_some());
    let iso_currency = seen.legacy_price().map(|price| price.currency);
    Some(SoldItem { sold, iso_currency, is_paid, is_collected })
}

/// The sums of all these items, and of those that are not paid.
fn sums<'a>(won: impl Iterator<Item = SoldItem<'a>>) -> (Sums, Sums) {
    let (mut all, mut due) = (Sums::default(), Sums::default());
    for item in won {
        all.add(item);
        if !item.is_paid {
            due.add(item);
        }
    }
    (all, due)
}

fn row(prices: &Prices<'_>, auction: &AuctionView, seen: &ItemView, outcome: &Outcome) -> CheckoutRow {
    let iso_currency = seen.legacy_price().map(|price| price.currency);
    let item = &seen.item;
    CheckoutRow {
        picture: item.images.first().map(|image| picture(item.auction_id, item.id, image).thumbnail.src),
        row: ResultRow {
            item_id: item.id.to_string(),
            lot_number: item.lot_number.to_string(),
            name: item.terms.name.clone(),
            outcome: prices.facts(outcome, iso_currency, auction.viewer, true, item.terms.format.copies()),
            charges: Vec::new(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use auction_house::engine::{BidForm, Literal, Normalized};
    use auction_house::items::outcomes::ResultKind;
    use platform::time::Moment;

    fn user() -> UserId {
        UserId::new(Moment::from_millis(0).unwrap())
    }

    fn item(winner: UserId, price: &str, is_paid: bool, is_collected: bool) -> ItemResult {
        ItemResult {
            item_id: ItemId::new(Moment::from_millis(0).unwrap()),
            copy: 1,
            is_published: true,
            creator_id: winner,
            seller_id: winner,
            iso_currency: None,
            kind: ResultKind::Sold,
            is_paid,
            is_collected,
            sold: Some(SoldBid {
                winner: Person { id: winner, name: "Ada".to_owned() },
                is_anonymous: false,
                sequence: Some(1),
                currency_id: None,
                entered: BidForm { amount: Some(Literal::from(price)), entered_representation: None },
                normalized: Normalized::parse(price).unwrap(),
            }),
        }
    }

    #[test]
    fn what_is_due_is_what_is_not_paid_whatever_is_collected() {
        let (ada, bob) = (user(), user());
        let items = [
            item(ada, "1.10", false, true),
            item(bob, "5", false, false),
            item(ada, "2.20", true, false),
            item(ada, "0.30", false, false),
        ];
        let won = won_by(ada, items.iter());
        let (all, due) = sums(won.into_iter().filter_map(SoldItem::of));
        assert_eq!((all.items, due.items), (3, 2));
    }

    #[test]
    fn of_very_many_items_those_that_are_left_come_first() {
        let ada = user();
        let mut items: Vec<ItemResult> = (0..ROWS_MAX).map(|_| item(ada, "1", true, true)).collect();
        items.push(item(ada, "2", true, false));
        let left = items.last().map(|item| item.item_id);
        assert_eq!(won_by(ada, items.iter()).first().map(|item| item.item_id), left);
        items.pop();
        assert_eq!(won_by(ada, items.iter()).len(), ROWS_MAX);
    }
}
