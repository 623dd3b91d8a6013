//! The people of a group as a table that their import reads.

pub mod routes;

use crate::groups::access::authorize_keeper;
use crate::ids::{GroupId, UserId};
use accounts::Person;
use accounts::groups::PersonNumber;
use accounts::groups::store as groups;
use platform::cell::Cell;
use platform::db::Snapshot;
use platform::http::format::Format;
use platform::http::problem::Problem;
use platform::http::table_text::{TableText, WholeTable};

const COLUMNS: [&str; 2] = ["number", "name"];

/// All people by number, for a keeper of the group.
///
/// # Errors
/// Those of a viewer who does not keep the group.
pub async fn people(
    mut db: Snapshot,
    group_id: GroupId,
    viewer: UserId,
    format: Format,
) -> Result<WholeTable, Problem> {
    authorize_keeper(&mut db, group_id, viewer).await?;
    let mut people: Vec<_> = groups::by_number(&mut db, group_id).await?.into_iter().collect();
    people.sort_by_key(|(number, _)| number.get());
    let row =
        |(number, person): (PersonNumber, Person)| [Cell::number(Some(number)), Cell::text(person.name)];
    let rows: Vec<_> = people.into_iter().map(row).collect();
    Ok(WholeTable::new(TableText::new(format, "people", COLUMNS)?, &rows)?)
}
