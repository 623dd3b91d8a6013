//! Lists the people of a group.

use accounts::groups::store as groups;
use accounts::groups::{GroupPerson, GroupView, PersonNumber};

use platform::db::{Connection, DbError};
use platform::paging::{Page, Paged};
use platform::search_text::SearchText;
use platform::time::Moment;

/// People by number, after the one with the number `after`; with `search`, those whose name contains its
/// words, or who have this number.
pub async fn list_people(
    conn: &mut Connection,
    seen: &GroupView,
    search: Option<&SearchText>,
    page: Page<PersonNumber>,
    now: Moment,
) -> Result<Paged<GroupPerson>, DbError> {
    // A group has few people.
    let people = groups::people(conn, seen.id, page.after, now).await?.into_iter();
    let is_wanted = |person: &GroupPerson| {
        search.is_none_or(|search| {
            search.matches(&person.person.name) || search.words() == [person.number.to_string()]
        })
    };
    let found = people.filter(is_wanted).take(usize::try_from(page.rows()).unwrap_or(0)).collect();
    Ok(page.paged(found, |person| person.number.to_string()))
}
