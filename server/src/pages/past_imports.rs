//! The imports that a place has had, on the page of its next one.

use app::model::{PastImport, PastImports};
use auction_house::ids::ImportId;
use auction_house::imports::{Counts, Import, ImportPlace, ImportedBefore};
use platform::db::Connection;
use platform::paging::Page;

use super::error::Loaded;

/// Imports that a page lists.
const SHOWN: usize = 20;

/// The last imports. `before` is an earlier import of the table that the page previews.
pub async fn past_imports(
    db: &mut Connection,
    place: ImportPlace,
    before: Option<ImportedBefore>,
) -> Loaded<PastImports> {
    let page: Page<ImportId> = Page { limit: SHOWN, after: None };
    let found = place.imports(db, page).await?;
    Ok(PastImports {
        has_more: found.next_cursor.is_some(),
        list: found.entries.into_iter().map(past_import).collect(),
        before: before.map(|before| before.created_at.millis()),
    })
}

fn past_import(import: Import) -> PastImport {
    let Counts { created, changed, unchanged } = import.counts;
    let words = match import.entries {
        Some(_) if created == 1 => "1 entry".to_owned(),
        Some(_) => format!("{created} entries"),
        None => format!("{created} created, {changed} changed, {unchanged} as before"),
    };
    PastImport {
        id: import.id.to_string(),
        at: import.created_at.millis(),
        by: import.by.name,
        words,
        undone: import.undone.map(|undone| (undone.at.millis(), undone.by.name)),
    }
}
