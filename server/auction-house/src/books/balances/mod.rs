//! What each holder has, as a table that an import of entries reads.

pub mod routes;

use std::collections::HashMap;

use super::Holder;
use super::access::authorize;
use super::posting::HOLDERS_MAX;
use super::store::holders;
use crate::ids::{BookId, GroupId, UserId};
use accounts::groups::PersonNumber;
use accounts::groups::store as groups;
use platform::cell::Cell;
use platform::db::Snapshot;
use platform::http::format::ExportFormat;
use platform::http::problem::Problem;
use platform::http::table_text::{TableText, WholeTable};

const COLUMNS: [&str; 5] = ["number", "email", "name", "amount", "reason"];
/// The reason of each row, which an import needs.
const REASON: &str = "Balance";

/// The balances of all holders, for a keeper of the book. Rows have the numbers of the people of a group that
/// the viewer keeps.
///
/// # Errors
/// `not_found` for the group of another keeper.
pub async fn balances(
    mut db: Snapshot,
    (book_id, group): (BookId, Option<GroupId>),
    user: UserId,
    format: ExportFormat,
) -> Result<WholeTable, Problem> {
    authorize(&mut db, book_id, user).await?.require_keeper()?;
    let numbers: HashMap<UserId, PersonNumber> = match group {
        Some(group) if groups::keeps(&mut db, group, user).await? => {
            let places = groups::places(&mut db, group).await?;
            places.into_iter().filter_map(|place| Some((place.user, place.number?))).collect()
        }
        Some(_) => return Err(Problem::not_found()),
        None => HashMap::new(),
    };
    let number_of = |holder: &Holder| numbers.get(&holder.person.id).copied();
    let mut holders = holders::list(&mut db, book_id, None, HOLDERS_MAX).await?;
    // By number, then the others by name.
    holders.sort_by_cached_key(|holder| {
        let number = number_of(holder).map(PersonNumber::get);
        (number.is_none(), number, holder.person.name.clone())
    });
    let row = |holder: Holder| {
        [
            Cell::number(number_of(&holder)),
            Cell::text(""),
            Cell::text(holder.person.name),
            Cell::number(Some(holder.balance)),
            Cell::text(REASON),
        ]
    };
    let rows: Vec<_> = holders.into_iter().map(row).collect();
    Ok(WholeTable::new(TableText::new(format, "balances", COLUMNS)?, &rows)?)
}
