//! Books as page data.

use app::model::{
    BookEntry, BookPage, BookSettings, EntryKind as KindWord, Funds as FundsFacts, HolderEntry,
    ImportPreview, ImportRow, LedgerEntry, Listing, PageFunds, SelectOption,
};
use app::services::{BookQuery, LoadError, Loaded};
use auction_house::auctions;
use auction_house::auctions::access::AuctionView;
use auction_house::books::access::authorize;
use auction_house::books::entries::list::{EntryQuery, list_entries};
use auction_house::books::funds::{self, Funds};
use auction_house::books::holders::list::{HolderFunds, find_holder, list_holders, overcommitted};
use auction_house::books::list::list_books;
use auction_house::books::{BookView, Entry, EntryKind, import, store};
use auction_house::engine::Normalized;
use auction_house::ids::{BookId, UserId};
use auction_house::search_text::SearchText;
use auction_house::usage;
use platform::db::{Connection, DbError};
use platform::paging::Page;

use super::money_model::base_unit;
use super::services::{load_error, unavailable};
use super::wire::from_spelling;

/// One page of the books of a user.
pub async fn list(db: &mut Connection, user: UserId, page: Page<BookId>) -> Loaded<Listing<BookEntry>> {
    let found = list_books(db, user, page).await.map_err(unavailable)?;
    let mut entries = Vec::new();
    for seen in found.entries {
        entries.push(entry(db, &seen).await?);
    }
    Ok(Listing { entries, next_cursor: found.next_cursor })
}

async fn entry(db: &mut Connection, seen: &BookView) -> Loaded<BookEntry> {
    let funds = funds::of(db, seen.book.id, seen.viewer).await.map_err(unavailable)?;
    let terms = &seen.book.terms;
    Ok(BookEntry {
        id: seen.book.id.to_string(),
        name: terms.name.clone(),
        unit: base_unit(Some(&terms.base_unit)),
        role: from_spelling(seen.role.as_str())?,
        is_closed: seen.book.is_closed(),
        funds: facts(&funds),
    })
}

fn facts(funds: &Funds) -> FundsFacts {
    FundsFacts {
        balance: funds.balance.to_string(),
        committed: funds.committed.amount().to_string(),
        available: funds.available().to_string(),
    }
}

/// The book of an auction, if it has one, with what the viewer has in it (`own`) if the viewer is a member.
pub fn page_funds(seen: &AuctionView, own: Option<&Funds>) -> Option<PageFunds> {
    let book_id = seen.auction.terms.book_id?.to_string();
    let balance = own.filter(|_| seen.role.is_some()).map(facts);
    let unit = base_unit(seen.auction.terms.base_unit.as_ref());
    Some(PageFunds { book_id, balance, unit })
}

/// The page of a book for one of its holders. What the query says wrongly is ignored.
pub async fn page(db: &mut Connection, book_id: BookId, user: UserId, query: BookQuery) -> Loaded<BookPage> {
    let seen = authorize(db, book_id, user).await.map_err(load_error)?;
    let after = Page::after(query.cursor.as_deref().and_then(|cursor| cursor.parse().ok()));
    let wanted: Option<SearchText> = query.search.as_deref().and_then(|search| search.parse().ok());
    let holders = if seen.sees_holders() {
        let found = list_holders(db, &seen, wanted.as_ref(), after).await.map_err(load_error)?;
        let mut entries: Vec<HolderEntry> =
            found.entries.into_iter().map(|holder| holder_entry(&seen, holder)).collect::<Loaded<_>>()?;
        entries.sort_by_cached_key(|holder| holder.name.to_lowercase());
        Some(Listing { entries, next_cursor: found.next_cursor })
    } else {
        None
    };
    let overcommitted = if seen.role.keeps() {
        let found = overcommitted(db, &seen).await.map_err(unavailable)?;
        found.into_iter().map(|holder| holder_entry(&seen, holder)).collect::<Loaded<_>>()?
    } else {
        Vec::new()
    };
    let holder = query.holder.and_then(|holder| holder.parse().ok()).filter(|_| seen.role.keeps());
    let entries_of = match holder {
        Some(holder) => find_holder(db, &seen, holder).await.map_err(unavailable)?.map(person),
        None => None,
    };
    let before = query.before.and_then(|before| before.parse().ok());
    let entries = list_entries(db, &seen, EntryQuery { holder, before }).await.map_err(unavailable)?;
    let rows = entries.entries.into_iter().map(|entry| ledger_entry(&seen, entry));
    let auctions = auctions::store::of_book(db, book_id, user).await.map_err(unavailable)?;
    Ok(BookPage {
        book: entry(db, &seen).await?,
        credit_limit: seen.book.terms.credit_limit.to_string(),
        holders,
        overcommitted,
        search: query.search,
        entries: Listing {
            entries: rows.collect::<Loaded<_>>()?,
            next_cursor: entries.next_before.map(|before| before.to_string()),
        },
        entries_of,
        auctions: auctions
            .into_iter()
            .map(|(id, name)| SelectOption { value: id.to_string(), label: name })
            .collect(),
    })
}

fn person(holder: HolderFunds) -> SelectOption {
    let person = holder.holder.person;
    SelectOption { value: person.id.to_string(), label: person.name }
}

fn holder_entry(seen: &BookView, holder: HolderFunds) -> Loaded<HolderEntry> {
    Ok(HolderEntry {
        role: from_spelling(holder.holder.role.as_str())?,
        funds: facts(&holder.funds),
        is_viewer: holder.holder.person.id == seen.viewer,
        id: holder.holder.person.id.to_string(),
        name: holder.holder.person.name,
    })
}

fn ledger_entry(seen: &BookView, entry: Entry) -> Loaded<LedgerEntry> {
    let kind: KindWord = from_spelling(entry.kind.as_str())?;
    let may_reverse = seen.role.keeps() && !seen.book.is_closed();
    Ok(LedgerEntry {
        sequence: entry.sequence,
        holder: SelectOption { value: entry.holder.id.to_string(), label: entry.holder.name },
        amount: entry.amount.to_string(),
        kind,
        reason: entry.reason,
        reverses: entry.reverses,
        is_reversible: may_reverse && entry.kind == EntryKind::Grant && !entry.is_reversed,
        by: entry.by.map(|by| by.name),
        created_at: entry.created_at.millis(),
    })
}

/// The settings of a book for its owner.
pub async fn settings(db: &mut Connection, book_id: BookId, user: UserId) -> Loaded<BookSettings> {
    let seen = authorize(db, book_id, user).await.and_then(BookView::require_owner).map_err(load_error)?;
    let is_used = usage::book_is_used(db, book_id).await.map_err(unavailable)?;
    let terms = &seen.book.terms;
    let amount =
        |amount: Normalized| if amount == Normalized::ZERO { String::new() } else { amount.to_string() };
    let fields = [
        ("name", terms.name.clone()),
        ("baseUnitName", terms.base_unit.name.clone()),
        ("baseUnitSymbol", terms.base_unit.symbol.clone()),
        ("startingBalance", amount(terms.starting_balance)),
        ("creditLimit", amount(terms.credit_limit)),
        ("visibility", terms.visibility.as_str().to_owned()),
    ];
    Ok(BookSettings {
        id: book_id.to_string(),
        name: terms.name.clone(),
        version: seen.book.version,
        fields: fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
        is_closed: seen.book.is_closed(),
        is_used,
    })
}

/// What an import would write.
pub async fn import_preview(
    db: &mut Connection,
    book_id: BookId,
    user: UserId,
    rows: Option<&str>,
) -> Loaded<ImportPreview> {
    let seen = authorize(db, book_id, user).await.and_then(BookView::require_keeper).map_err(load_error)?;
    if seen.book.is_closed() {
        return Err(LoadError::Forbidden);
    }
    let preview = match rows.filter(|rows| !rows.is_empty()) {
        Some(rows) => import::preview(db, &seen, rows).await.map_err(unavailable)?,
        None => import::Preview::default(),
    };
    let total = preview.rows.iter().try_fold(Normalized::ZERO, |sum, row| sum.checked_add(row.amount));
    let row = |row: import::PreviewRow| ImportRow {
        row: row.row,
        email: row.email,
        name: row.name,
        amount: row.amount.to_string(),
        reason: row.reason,
    };
    Ok(ImportPreview {
        book: entry(db, &seen).await?,
        total: total.map(|total| total.to_string()),
        rows: preview.rows.into_iter().map(row).collect(),
        errors: preview.errors.into_iter().map(|error| (error.path, error.message)).collect(),
    })
}

/// The open books that a user keeps, for a field that chooses one of them.
pub async fn kept(db: &mut Connection, user: UserId) -> Result<Vec<SelectOption>, DbError> {
    let found = store::kept(db, user).await?;
    let option = |(id, name): (BookId, String)| SelectOption { value: id.to_string(), label: name };
    Ok(found.into_iter().map(option).collect())
}
