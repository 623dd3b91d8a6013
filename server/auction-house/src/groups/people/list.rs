//! Lists the people of a group.

use accounts::groups::store as groups;
use accounts::groups::{GroupPerson, GroupView, PersonKey};

use platform::db::{Connection, DbError};
use platform::paging::{Page, Paged};
use platform::search_text::SearchText;
use platform::time::Moment;

/// People by number, then keepers without one, after the person `after`; with `search`, those whose name
/// contains its words, or who have this number.
pub async fn list_people(
    conn: &mut Connection,
    seen: &GroupView,
    search: Option<&SearchText>,
    page: Page<PersonKey>,
    now: Moment,
) -> Result<Paged<GroupPerson>, DbError> {
    // A group has few people.
    let people = groups::people(conn, seen.id, now).await?.into_iter();
    let people = people.filter(|person| page.after.is_none_or(|after| PersonKey::of(person) > after));
    let is_wanted = |person: &GroupPerson| {
        search.is_none_or(|search| {
            let number = person.number.map(|number| number.to_string());
            search.matches(&person.person.name) || search.words() == number.as_slice()
        })
    };
    let found = people.filter(is_wanted).take(usize::try_from(page.rows()).unwrap_or(0)).collect();
    Ok(page.paged(found, |person| PersonKey::of(person).to_string()))
}
