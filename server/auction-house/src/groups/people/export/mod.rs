//! The people of a group as a table that their import reads.

pub mod routes;

use crate::groups::access::authorize_keeper;
use crate::ids::{GroupId, UserId};
use accounts::groups::GroupPerson;
use accounts::groups::store as groups;
use platform::cell::Cell;
use platform::db::Snapshot;
use platform::http::format::ExportFormat;
use platform::http::problem::Problem;
use platform::http::table_text::{TableText, WholeTable};
use platform::time::Moment;

const COLUMNS: [&str; 2] = ["number", "name"];

/// All people by number, then keepers without one, for a keeper of the group.
///
/// # Errors
/// Those of a viewer who does not keep the group.
pub async fn people(
    mut db: Snapshot,
    group_id: GroupId,
    viewer: UserId,
    format: ExportFormat,
    now: Moment,
) -> Result<WholeTable, Problem> {
    authorize_keeper(&mut db, group_id, viewer).await?;
    let people = groups::people(&mut db, group_id, now).await?;
    let row = |person: GroupPerson| [Cell::number(person.number), Cell::text(person.person.name)];
    let rows: Vec<_> = people.into_iter().map(row).collect();
    Ok(WholeTable::new(TableText::new(format, "people", COLUMNS)?, &rows)?)
}
