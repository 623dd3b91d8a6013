//! What an import would do: each row compared with the auction as it is.

use std::collections::{HashMap, HashSet};

use accounts::Person;
use accounts::groups::PersonNumber;
use platform::db::{Connection, DbError};
use platform::email::Email;
use platform::fields::{FieldError, Object};
use platform::table::row_path;
use platform::text_enum;
use platform::time::Moment;
use platform::verb::VerbError;
use rules_engine::LotNumber;

use super::surroundings::{RowTarget, Surroundings};
use super::table::{CellContext, ItemRow, ItemTable};
use crate::auctions::access::AuctionView;
use crate::ids::UserId;
use crate::items::Item;
use crate::items::access::ItemView;
use crate::items::assign::{AssignRefusal, Assigned, assign};
use crate::items::body::{ItemContext, ItemInput, patched, read_item};
use crate::items::create::new_item;
use crate::items::lot_numbers::LotNumbers;
use crate::items::patch::{PatchItemRefusal, changed_item};

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
pub struct ImportPlan {
    pub rows: Vec<PlannedRow>,
    pub errors: Vec<FieldError>,
}

/// Plans the rows of these items again, whose bids have moved them since. `table` is that of the plan.
pub async fn plan_again(
    conn: &mut Connection,
    seen: &AuctionView,
    table: &ItemTable,
    surroundings: &mut Surroundings,
    plan: &mut ImportPlan,
    moved: Vec<Item>,
    now: Moment,
) -> Result<(), DbError> {
    let keys: HashSet<String> = moved.iter().map(|item| item.lot_number.sort_key()).collect();
    surroundings.items.extend(moved.into_iter().map(|item| (item.lot_number.sort_key(), item)));
    // Rows of items that exist take no number.
    let mut numbers = LotNumbers::default();
    let rows = table.rows().0;
    let targets = surroundings.basis.targets(&rows);
    for (row, target) in rows.into_iter().zip(targets) {
        let RowTarget::Item(key) = target else { continue };
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

/// Plans all rows. `conn` answers what only a change of a seller asks.
pub async fn plan(
    conn: &mut Connection,
    seen: &AuctionView,
    table: &ItemTable,
    surroundings: &Surroundings,
    now: Moment,
) -> Result<ImportPlan, DbError> {
    let (rows, errors) = table.rows();
    let mut plan = ImportPlan { rows: Vec::with_capacity(rows.len()), errors };
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
    let targets = surroundings.basis.targets(&rows);
    for (row, target) in rows.into_iter().zip(targets) {
        let key = match (&target, &row.lot) {
            (RowTarget::Item(key), _) => Some(key.clone()),
            (RowTarget::New, Some(lot)) => Some(lot.sort_key()),
            (RowTarget::New, None) => None,
            (RowTarget::Unclear, _) => {
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
        if let (RowTarget::New, Some(lot)) = (&target, &row.lot) {
            numbers.take(lot);
        }
        let had = match target {
            RowTarget::Item(key) => surroundings.items.get(&key).cloned(),
            RowTarget::New | RowTarget::Unclear => None,
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
    let own_code = had.as_ref().and_then(|had| had.terms.price.legacy.as_ref()).map(|it| it.currency.code());
    let iso_currency = own_code.or(surroundings.basis.iso_currency.as_deref());
    let end = seen.auction.terms.end_date;
    let cells = CellContext { currency, iso_currency, times: table.times(), end };
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
