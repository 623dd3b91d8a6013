//! What each holder has, as a table that an import of entries reads.

pub mod routes;

use std::collections::HashMap;

use super::access::authorize;
use super::posting::HOLDERS_MAX;
use super::store::holders;
use crate::ids::{BookId, GroupId, UserId};
use accounts::groups::PersonNumber;
use accounts::groups::store as groups;
use platform::db::Snapshot;
use platform::http::download::Format;
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
    format: Format,
) -> Result<WholeTable, Problem> {
    authorize(&mut db, book_id, user).await?.require_keeper()?;
    let numbers: HashMap<UserId, PersonNumber> = match group {
        Some(group) if groups::keeps(&mut db, group, user).await? => {
            let numbers = groups::numbers(&mut db, group).await?;
            numbers.into_iter().map(|(number, user)| (user, number)).collect()
        }
        Some(_) => return Err(Problem::not_found()),
        None => HashMap::new(),
    };
    let row = |holder: super::Holder| {
        let number = numbers.get(&holder.person.id).map(PersonNumber::to_string).unwrap_or_default();
        let amount = holder.balance.to_string();
        [number, String::new(), holder.person.name, amount, REASON.to_owned()]
    };
    let holders = holders::list(&mut db, book_id, None, HOLDERS_MAX).await?;
    let mut rows: Vec<_> = holders.into_iter().map(row).collect();
    rows.sort_by_cached_key(|[number, _, name, ..]| (number.parse().unwrap_or(u64::MAX), name.clone()));
    Ok(WholeTable::new(TableText::new(format, "balances", COLUMNS), &rows)?)
}
