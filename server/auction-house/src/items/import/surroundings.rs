//! The surroundings of an import, on which its plan depends: the auction, its members, and the items that
//! rows name.

use std::collections::{HashMap, HashSet};

use accounts::user::FoundPerson;
use platform::db::{Connection, DbError};
use platform::email::Email;
use platform::text::caseless;

use super::table::ItemRow;
use crate::access;
use crate::access::Action;
use crate::auctions::access::AuctionView;
use crate::books::holders::reach::Asker;
use crate::currencies::{self, Currency};
use crate::ids::{AuctionId, UserId};
use crate::items::lot_numbers::LotNumbers;
use crate::items::{Item, store};

/// The parts of an auction on which a plan depends, besides the table and the items that it names.
#[derive(Debug, PartialEq)]
pub struct Basis {
    auction_version: i64,
    pub(super) may_assign: bool,
    pub(super) currencies: Vec<Currency>,
    /// The code of new items without a cell for it: that of the auction, or of its last item that has one.
    pub(super) iso_currency: Option<String>,
    /// Members, by their numbers and by the folded e-mails that rows name.
    pub(super) sellers: HashMap<String, UserId>,
    pub(super) numbers: LotNumbers,
    /// Items by their names without regard to case, if rows name items so.
    names: HashMap<String, Named>,
}

/// The items that have a name.
#[derive(Debug, PartialEq)]
enum Named {
    /// The key of its lot number.
    One(String),
    Several,
}

/// The item of a row.
#[derive(Debug)]
pub(super) enum RowTarget {
    New,
    /// The key of its lot number.
    Item(String),
    /// Several items have the name.
    Unclear,
}

/// What a plan depends on, besides the table. A plan holds as long as this is the same.
#[derive(Debug)]
pub struct Surroundings {
    pub(super) basis: Basis,
    /// The items that rows name, by the keys of their lot numbers.
    pub(super) items: HashMap<String, Item>,
}

impl Basis {
    pub async fn read(
        conn: &mut Connection,
        seen: &AuctionView,
        asker: &Asker,
        rows: &[ItemRow],
    ) -> Result<Self, DbError> {
        let auction_id = seen.auction.id;
        let may_assign = seen.may(Action::AssignItems);
        let named = if may_assign { rows } else { &[] };
        let currencies = currencies::store::of_auction(conn, auction_id).await?;
        Ok(Self {
            auction_version: seen.auction.version,
            may_assign,
            iso_currency: match seen.auction.terms.currency {
                _ if !currencies.is_empty() => None,
                Some(code) => Some(code.to_string()),
                None => store::newest_currency(conn, auction_id).await?,
            },
            currencies,
            sellers: sellers(conn, auction_id, asker, named).await?,
            numbers: LotNumbers::of_auction(conn, auction_id).await?,
            names: match rows.iter().any(|row| row.lot.is_none()) {
                true => names(conn, seen, may_assign).await?,
                false => HashMap::new(),
            },
        })
    }

    /// The items of rows, in their order.
    pub(super) fn targets<'r>(&self, rows: impl IntoIterator<Item = &'r ItemRow>) -> Vec<RowTarget> {
        let numbers = self.numbers.same_without_zeros();
        let target = |row: &ItemRow| match &row.lot {
            Some(lot) => numbers.find(lot).map_or(RowTarget::New, RowTarget::Item),
            None => match self.names.get(&caseless(row.name())) {
                Some(Named::One(key)) => RowTarget::Item(key.clone()),
                Some(Named::Several) => RowTarget::Unclear,
                None => RowTarget::New,
            },
        };
        rows.into_iter().map(target).collect()
    }
}

impl Surroundings {
    pub async fn read(
        conn: &mut Connection,
        seen: &AuctionView,
        asker: &Asker,
        rows: &[ItemRow],
    ) -> Result<Self, DbError> {
        let basis = Basis::read(conn, seen, asker, rows).await?;
        let keys = basis.targets(rows).into_iter().filter_map(|target| match target {
            RowTarget::Item(key) => Some(key),
            RowTarget::New | RowTarget::Unclear => None,
        });
        let keys: HashSet<String> = keys.collect();
        let ids = store::with_keys(conn, seen.auction.id, keys.into_iter()).await?;
        let items = store::find_among(conn, &ids).await?;
        let items = items.into_iter().map(|item| (item.lot_number.sort_key(), item)).collect();
        Ok(Self { basis, items })
    }

    /// How many e-mails rows name that are those of no member.
    pub fn strangers(&self, rows: &[ItemRow]) -> usize {
        let named = if self.basis.may_assign { emails(rows) } else { HashSet::new() };
        named.iter().filter(|email| !self.basis.sellers.contains_key(email.folded())).count()
    }

    pub fn basis(&self) -> &Basis {
        &self.basis
    }

    /// The items that rows name.
    pub fn items(&self) -> impl Iterator<Item = &Item> {
        self.items.values()
    }
}

/// The e-mails that rows name.
fn emails(rows: &[ItemRow]) -> HashSet<Email> {
    rows.iter().filter_map(|row| row.seller.as_ref()?.parse().ok()).collect()
}

/// The members by their numbers in the group of the auction, and those whose e-mails rows name. Where mail is
/// sent, only a confirmed e-mail names its user.
async fn sellers(
    conn: &mut Connection,
    auction_id: AuctionId,
    asker: &Asker,
    rows: &[ItemRow],
) -> Result<HashMap<String, UserId>, DbError> {
    let emails = emails(rows);
    let people = accounts::user::store::people_by_email(conn, &emails.iter().collect::<Vec<_>>()).await?;
    let wanted: Vec<_> = people.values().map(|person| (auction_id, person.id)).collect();
    let members = access::store::memberships(conn, &wanted).await?;
    let is_member = |user: UserId| members.contains_key(&(auction_id, user));
    let is_named = |person: &FoundPerson| person.is_verified || !asker.sends_mail;
    let people = people.into_iter().filter(|(_, person)| is_named(person) && is_member(person.id));
    let numbers = access::store::numbers::of_auction(conn, auction_id).await?;
    let numbers = numbers.into_iter().map(|(user, number)| (number.to_string(), user));
    Ok(people.map(|(email, person)| (email, person.id)).chain(numbers).collect())
}

/// The items of an auction by their names without regard to case: those of the viewer, if the viewer may
/// not assign items.
async fn names(
    conn: &mut Connection,
    seen: &AuctionView,
    may_assign: bool,
) -> Result<HashMap<String, Named>, DbError> {
    let mut names = HashMap::new();
    for (key, name, creator) in store::names(conn, seen.auction.id).await? {
        if may_assign || creator == seen.viewer {
            let several = |named: &mut Named| *named = Named::Several;
            names.entry(caseless(&name)).and_modify(several).or_insert(Named::One(key));
        }
    }
    Ok(names)
}
