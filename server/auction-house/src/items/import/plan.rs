//! What an import would do: each row compared with the auction as it is.

use std::collections::{HashMap, HashSet};

use accounts::Person;
use accounts::groups::PersonNumber;
use accounts::user::FoundPerson;
use platform::db::{Connection, DbError};
use platform::email::Email;
use platform::fields::{FieldError, Object};
use platform::table::{listed, row_path};
use platform::text::caseless;
use platform::text_enum;
use platform::time::Moment;
use platform::verb::VerbError;
use rules_engine::LotNumber;

use super::table::{CellContext, ItemRow, ItemTable};
use crate::access;
use crate::access::Action;
use crate::auctions::access::AuctionView;
use crate::books::holders::reach::Asker;
use crate::currencies::{self, Currency};
use crate::ids::{AuctionId, UserId};
use crate::items::access::ItemView;
use crate::items::assign::{AssignRefusal, Assigned, assign};
use crate::items::body::{ItemContext, ItemInput, patched, read_item};
use crate::items::create::new_item;
use crate::items::lot_numbers::LotNumbers;
use crate::items::patch::{PatchItemRefusal, changed_item};
use crate::items::{Item, store};

text_enum! {
    /// What an import does with a row.
    pub enum RowAction {
        Create = "CREATE",
        Change = "CHANGE",
        None = "NONE",
    }
}

/// A row as it would be written.
#[derive(Debug)]
pub struct PlannedRow {
    pub number: usize,
    pub lot: LotNumber,
    pub name: String,
    pub write: Write,
}

/// What is written for a row.
#[derive(Debug)]
pub enum Write {
    Create(Box<Item>),
    /// The item before and after.
    Change(Box<(Item, Item)>),
    Nothing,
}

/// The rows that can be written, and the errors of the others.
#[derive(Debug, Default)]
pub struct Plan {
    pub rows: Vec<PlannedRow>,
    pub errors: Vec<FieldError>,
}

/// What a plan depends on, besides the table and the items that it names.
#[derive(Debug, PartialEq)]
pub struct Basis {
    auction_version: i64,
    may_assign: bool,
    currencies: Vec<Currency>,
    /// The code of new items without a cell for it: that of the auction, or of its last item that has one.
    iso_currency: Option<String>,
    /// Members, by their numbers and by the folded e-mails that rows name.
    sellers: HashMap<String, UserId>,
    numbers: LotNumbers,
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
enum Whose {
    New,
    /// The key of its lot number.
    Item(String),
    /// Several items have the name.
    Unclear,
}

/// What a plan depends on, besides the table. A plan holds as long as this is the same.
#[derive(Debug)]
pub struct Surroundings {
    basis: Basis,
    /// The items that rows name, by the keys of their lot numbers.
    items: HashMap<String, Item>,
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
    fn whose<'r>(&self, rows: impl IntoIterator<Item = &'r ItemRow>) -> Vec<Whose> {
        let numbers = self.numbers.same_without_zeros();
        let whose = |row: &ItemRow| match &row.lot {
            Some(lot) => numbers.find(lot).map_or(Whose::New, Whose::Item),
            None => match self.names.get(&caseless(row.name())) {
                Some(Named::One(key)) => Whose::Item(key.clone()),
                Some(Named::Several) => Whose::Unclear,
                None => Whose::New,
            },
        };
        rows.into_iter().map(whose).collect()
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
        let keys = basis.whose(rows).into_iter().filter_map(|whose| match whose {
            Whose::Item(key) => Some(key),
            Whose::New | Whose::Unclear => None,
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

/// Plans the rows of these items again, whose bids have moved them since. `table` is that of the plan.
pub async fn plan_again(
    conn: &mut Connection,
    seen: &AuctionView,
    table: &ItemTable,
    surroundings: &mut Surroundings,
    plan: &mut Plan,
    moved: Vec<Item>,
    now: Moment,
) -> Result<(), DbError> {
    let keys: HashSet<String> = moved.iter().map(|item| item.lot_number.sort_key()).collect();
    surroundings.items.extend(moved.into_iter().map(|item| (item.lot_number.sort_key(), item)));
    // Rows of items that exist take no number.
    let mut numbers = LotNumbers::default();
    let rows = table.rows().0;
    let whose = surroundings.basis.whose(&rows);
    for (row, whose) in rows.into_iter().zip(whose) {
        let Whose::Item(key) = whose else { continue };
        let Some(had) = surroundings.items.get(&key).filter(|_| keys.contains(&key)).cloned() else {
            continue;
        };
        let number = row.number;
        let refused = row.clone();
        let planned = plan_row(conn, seen, table, surroundings, &mut numbers, (row, Some(had)), now).await;
        let place = plan.rows.iter_mut().find(|planned| planned.number == number);
        match (planned, place) {
            (Ok(planned), Some(place)) => *place = planned,
            (Ok(_), None) => {}
            (Err(RowError::Invalid(errors)), _) => plan.errors.push(refused.error(&errors)),
            (Err(RowError::Db(error)), _) => return Err(error),
        }
    }
    Ok(())
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

/// Plans all rows. `conn` answers what only a change of a seller asks.
pub async fn plan(
    conn: &mut Connection,
    seen: &AuctionView,
    table: &ItemTable,
    surroundings: &Surroundings,
    now: Moment,
) -> Result<Plan, DbError> {
    let (rows, errors) = table.rows();
    let mut plan = Plan { rows: Vec::with_capacity(rows.len()), errors };
    if !surroundings.basis.may_assign
        && let Some((column, heading)) = table.columns_of_managers().next()
    {
        let message = format!(
            "must not name the column `{column}`, as `{heading}` does: only OWNER and ADMIN choose it"
        );
        let header_row = table.layout().header_row;
        plan.errors = vec![FieldError::new(row_path(header_row), message)];
        return Ok(plan);
    }
    let mut numbers = surroundings.basis.numbers.clone();
    // Numbers that rows name are theirs, wherever they stand in the table.
    let mut named: HashMap<String, usize> = HashMap::new();
    let mut unique = Vec::with_capacity(rows.len());
    let whose = surroundings.basis.whose(&rows);
    for (row, whose) in rows.into_iter().zip(whose) {
        let key = match (&whose, &row.lot) {
            (Whose::Item(key), _) => Some(key.clone()),
            (Whose::New, Some(lot)) => Some(lot.sort_key()),
            (Whose::New, None) => None,
            (Whose::Unclear, _) => {
                let error = FieldError::new("name", "is that of several lots: give numbers");
                plan.errors.push(row.error(&[error]));
                continue;
            }
        };
        if let Some(first) = key.as_ref().and_then(|key| named.get(key)) {
            let (path, message) = match row.lot {
                Some(_) => ("lotNumber", format!("must not repeat the number of row {first}")),
                None => ("name", format!("is that of the lot of row {first}: give numbers")),
            };
            plan.errors.push(row.error(&[FieldError::new(path, message)]));
            continue;
        }
        named.extend(key.map(|key| (key, row.number)));
        if let (Whose::New, Some(lot)) = (&whose, &row.lot) {
            numbers.take(lot);
        }
        let had = match whose {
            Whose::Item(key) => surroundings.items.get(&key).cloned(),
            Whose::New | Whose::Unclear => None,
        };
        unique.push((row, had));
    }
    for (row, had) in unique {
        let refused = row.clone();
        match plan_row(conn, seen, table, surroundings, &mut numbers, (row, had), now).await {
            Ok(planned) => plan.rows.push(planned),
            Err(RowError::Invalid(errors)) => plan.errors.push(refused.error(&errors)),
            Err(RowError::Db(error)) => return Err(error),
        }
    }
    plan.errors = listed(plan.errors);
    Ok(plan)
}

/// Why a row can't be written.
enum RowError {
    Invalid(Vec<FieldError>),
    Db(DbError),
}

impl From<Vec<FieldError>> for RowError {
    fn from(errors: Vec<FieldError>) -> Self {
        Self::Invalid(errors)
    }
}

async fn plan_row(
    conn: &mut Connection,
    seen: &AuctionView,
    table: &ItemTable,
    surroundings: &Surroundings,
    numbers: &mut LotNumbers,
    (row, had): (ItemRow, Option<Item>),
    now: Moment,
) -> Result<PlannedRow, RowError> {
    let currencies = &surroundings.basis.currencies;
    let currency = currencies.iter().find(|currency| currency.is_default).or(currencies.first());
    let iso_currency = surroundings.basis.iso_currency.as_deref();
    let cells = CellContext { currency, iso_currency, zone: table.zone() };
    let mut body = row.body(cells, had.is_none())?;
    let seller = match &row.seller {
        Some(named) => Some(seller(surroundings, named)?),
        None => None,
    };
    body.set_given("sellerId", seller.as_ref());
    let at = ItemContext { auction: &seen.auction, currencies, seller, now };
    match had {
        Some(had) => change_row(conn, seen, at, row, had, body).await,
        None => {
            let input = read_item(body, at, None).map_err(|invalid| invalid.errors)?;
            let lot = row.lot.clone().or_else(|| numbers.take_next());
            let lot =
                lot.ok_or_else(|| vec![FieldError::new("lotNumber", "is missing: all integers are taken")])?;
            let assigned = Assigned { lot_number: lot.clone(), seller_id: seller.unwrap_or(seen.viewer) };
            let item = new_item(seen, input.terms, assigned, now);
            let name = item.terms.name.clone();
            Ok(PlannedRow { number: row.number, lot, name, write: Write::Create(Box::new(item)) })
        }
    }
}

fn seller(surroundings: &Surroundings, named: &str) -> Result<UserId, Vec<FieldError>> {
    let key = match named.parse::<PersonNumber>() {
        Ok(number) => Some(number.to_string()),
        Err(_) => named.parse::<Email>().ok().map(|email| email.folded().to_owned()),
    };
    let unknown = "must be the number or the e-mail of a member of this auction";
    let found = key.and_then(|key| surroundings.basis.sellers.get(&key).copied());
    found.ok_or_else(|| vec![FieldError::new("sellerId", unknown)])
}

async fn change_row(
    conn: &mut Connection,
    seen: &AuctionView,
    at: ItemContext<'_>,
    row: ItemRow,
    had: Item,
    patch: Object,
) -> Result<PlannedRow, RowError> {
    let view = ItemView::of(had, seen, false);
    let ItemInput { terms, mut assignment } =
        read_item(patched(&view, patch), at, Some(&view.item)).map_err(|invalid| invalid.errors)?;
    // The row has the item's number, perhaps in another case.
    assignment.lot_number = Some(view.item.lot_number.clone());
    let had = view.item;
    let assigned = match assign(conn, seen, had.creator.id, assignment, Some(&had)).await {
        Ok(assigned) => assigned,
        Err(VerbError::Db(error)) => return Err(RowError::Db(error)),
        Err(VerbError::Refused(refusal)) => return Err(refused(&PatchItemRefusal::Assign(refusal))),
        Err(_) => return Err(refused(&PatchItemRefusal::Assign(AssignRefusal::NumberTaken))),
    };
    let seller = Person { id: assigned.seller_id, ..had.seller.clone() };
    let item = changed_item(&seen.auction, &had, terms, (assigned.lot_number, seller), at.now);
    let item = item.map_err(|refusal| refused(&refusal))?;
    let name = item.as_ref().map_or(&had.terms.name, |item| &item.terms.name).clone();
    let lot = had.lot_number.clone();
    let write = item.map_or(Write::Nothing, |item| Write::Change(Box::new((had, item))));
    Ok(PlannedRow { number: row.number, lot, name, write })
}

fn refused(refusal: &PatchItemRefusal) -> RowError {
    RowError::Invalid(vec![FieldError::explained("lot", refusal.to_string())])
}
