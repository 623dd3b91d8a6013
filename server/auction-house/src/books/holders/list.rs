//! Lists the holders of a book with what they have.

use std::collections::HashMap;

use crate::books::funds::{Committed, Funds};
use crate::books::{BookView, Holder, store};
use crate::ids::{BookId, UserId};
use crate::usage::{self, Commitments};
use platform::db::{Connection, DbError};
use platform::paging::{Page, Paged};
use platform::search_text::SearchText;
use platform::verb::AccessError;

/// Holders with more committed than they have, at most.
const OVERCOMMITTED_MAX: usize = 50;

/// A holder and what they have.
#[derive(Debug, Clone)]
pub struct HolderFunds {
    pub holder: Holder,
    pub funds: Funds,
}

/// The holders after the one with the id `after`, whose names match `search`, if it is given.
///
/// # Errors
/// `Forbidden` for a holder who sees their own balance only.
pub async fn list_holders(
    conn: &mut Connection,
    seen: &BookView,
    search: Option<&SearchText>,
    page: Page<UserId>,
) -> Result<Paged<HolderFunds>, AccessError> {
    if !seen.sees_holders() {
        return Err(AccessError::Forbidden);
    }
    let found = match search {
        Some(search) => find(conn, seen.book.id, search, &page).await?,
        None => store::holders::list(conn, seen.book.id, page.after, page.rows()).await?,
    };
    let found = page.paged(found, |holder| holder.person.id.to_string());
    let committed = committed(conn, seen).await?;
    Ok(found.map(|holder| with_funds(seen, &committed, holder)))
}

/// The holders of a page whose names contain all words of a text. Databases fold letters differently, SQLite
/// only those of ASCII.
async fn find(
    conn: &mut Connection,
    book_id: BookId,
    search: &SearchText,
    page: &Page<UserId>,
) -> Result<Vec<Holder>, DbError> {
    let names = store::holders::names(conn, book_id, page.after).await?.into_iter();
    let found = names.filter(|(_, name)| search.matches(name)).map(|(id, _)| id);
    let ids: Vec<UserId> = found.take(usize::try_from(page.rows()).unwrap_or(0)).collect();
    let mut holders = store::holders::among(conn, book_id, &ids).await?;
    holders.sort_by_key(|holder| holder.person.id);
    Ok(holders)
}

/// One holder with what they have.
pub async fn find_holder(
    conn: &mut Connection,
    seen: &BookView,
    holder_id: UserId,
) -> Result<Option<HolderFunds>, DbError> {
    let Some(holder) = store::holders::find(conn, seen.book.id, holder_id).await? else { return Ok(None) };
    let mut committed = Committed::default();
    let which = if holder_id == seen.viewer { Commitments::All } else { Commitments::Open };
    for (_, bid) in usage::commitments_of(conn, &[seen.book.id], holder_id, which).await? {
        committed.add(bid);
    }
    Ok(Some(with_funds(seen, &HashMap::from([(holder_id, committed)]), holder)))
}

/// Holders whose leading bids need more than they have.
pub async fn overcommitted(conn: &mut Connection, seen: &BookView) -> Result<Vec<HolderFunds>, DbError> {
    let committed = committed(conn, seen).await?;
    let leaders: Vec<UserId> = committed.keys().copied().collect();
    let holders = store::holders::among(conn, seen.book.id, &leaders).await?;
    let with_funds = holders.into_iter().map(|holder| with_funds(seen, &committed, holder));
    Ok(with_funds.filter(|one| one.funds.available().is_negative()).take(OVERCOMMITTED_MAX).collect())
}

async fn committed(conn: &mut Connection, seen: &BookView) -> Result<HashMap<UserId, Committed>, DbError> {
    let mut committed: HashMap<UserId, Committed> = HashMap::new();
    for (holder, bid) in usage::commitments(conn, seen.book.id, Commitments::Open).await? {
        committed.entry(holder).or_default().add(bid);
    }
    // Who looks also knows their own sealed bids.
    let own = usage::commitments_of(conn, &[seen.book.id], seen.viewer, Commitments::All).await?;
    let mut all = Committed::default();
    own.into_iter().for_each(|(_, bid)| all.add(bid));
    committed.insert(seen.viewer, all);
    Ok(committed)
}

fn with_funds(seen: &BookView, committed: &HashMap<UserId, Committed>, holder: Holder) -> HolderFunds {
    let funds = Funds {
        balance: holder.balance,
        credit_limit: seen.book.terms.credit_limit,
        committed: committed.get(&holder.person.id).copied().unwrap_or_default(),
    };
    HolderFunds { holder, funds }
}
