//! Books as page data.

use std::sync::Arc;

use app::components::money::amount_in;
use app::model::BookRole;
use app::model::Funds as FundsFacts;
use app::model::{self, BaseUnit, Listing, PageFunds, SelectOption};
use auction_house::access::Action;
use auction_house::auctions::Auction;
use auction_house::auctions::access::AuctionView;
use auction_house::books::funds::{self, Committed, Funds};
use auction_house::books::holders::reach::Asker;
use auction_house::books::list::list_books;
use auction_house::books::{BookView, store};
use auction_house::currencies::Currency;
use auction_house::currencies::store::of_auction;
use auction_house::engine::Normalized;
use auction_house::ids::{BookId, UserId};
use auction_house::usage::{WrittenIn, books_written_in};
use platform::db::{Connection, DbError};
use platform::net::ClientAddress;
use platform::paging::Page;

use crate::pages::error::Loaded;
use crate::pages::money::{unit_in_pieces, unit_of_book};
use crate::pages::wire::from_spelling;
use crate::state::AppState;

/// A book in the list of the viewer's books.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookEntry {
    pub id: String,
    pub name: String,
    pub unit: BaseUnit,
    pub role: BookRole,
    pub is_closed: bool,
    /// The viewer's own.
    pub funds: model::Funds,
}

/// One page of the books of a user.
pub async fn list(db: &mut Connection, user: UserId, page: Page<BookId>) -> Loaded<Listing<BookEntry>> {
    let found = list_books(db, user, page).await?;
    let ids: Vec<BookId> = found.entries.iter().map(|seen| seen.book.id).collect();
    let funds = funds::of_books(db, &ids, user).await?;
    let funds = |seen: &BookView| funds.get(&seen.book.id).copied().unwrap_or_default();
    let written_in = books_written_in(db, &ids).await?;
    let entry = |seen: &BookView| with_funds(seen, funds(seen), written_in.get(&seen.book.id));
    let entries = found.entries.iter().map(entry).collect::<Loaded<_>>()?;
    Ok(Listing { entries, next_cursor: found.next_cursor })
}

/// Who looks people up by e-mail.
pub fn asker(state: &AppState, address: ClientAddress) -> Asker {
    Asker { limits: Arc::clone(&state.limits), address, sends_mail: state.accounts.outbox.sends_mail }
}

/// A book with what the viewer has in it.
pub async fn entry(db: &mut Connection, seen: &BookView) -> Loaded<BookEntry> {
    let (id, funds) = (seen.book.id, funds::of(db, seen.book.id, seen.viewer).await?);
    with_funds(seen, funds, books_written_in(db, &[id]).await?.get(&id))
}

fn with_funds(seen: &BookView, funds: Funds, written_in: Option<&WrittenIn>) -> Loaded<BookEntry> {
    let terms = &seen.book.terms;
    Ok(BookEntry {
        id: seen.book.id.to_string(),
        name: terms.name.clone(),
        unit: unit_of_book(&terms.base_unit, written_in),
        role: from_spelling(seen.role.as_str())?,
        is_closed: seen.book.is_closed(),
        funds: facts(&funds),
    })
}

/// Balance, committed and available amount.
pub fn facts(funds: &Funds) -> FundsFacts {
    FundsFacts {
        balance: funds.balance.to_string(),
        committed: funds.committed.amount().to_string(),
        available: funds.available().to_string(),
    }
}

/// What a new member of an auction gets to bid with, in words: `300 Tickets`.
pub async fn grant(db: &mut Connection, auction: &Auction) -> Result<Option<String>, DbError> {
    let Some(book_id) = auction.terms.book_id else { return Ok(None) };
    let Some(grant) = store::grant(db, book_id).await? else { return Ok(None) };
    let currencies = of_auction(db, auction.id).await?;
    let unit = unit_in_pieces(auction.terms.base_unit.as_ref(), &currencies);
    Ok(Some(amount_in(&grant.to_string(), &unit)))
}

/// The book of an auction, if it has one, with what the viewer has in it (`own`) if the viewer is a member.
pub fn page_funds(seen: &AuctionView, currencies: &[Currency], own: Option<&Funds>) -> Option<PageFunds> {
    let book_id = seen.auction.terms.book_id?.to_string();
    // Who runs an auction mostly has no tickets of its book, and need not be told so on each page.
    let says_nothing = |own: &Funds| {
        seen.may(Action::ChangeAuction)
            && own.balance == Normalized::ZERO
            && own.committed == Committed::default()
    };
    let own = own.filter(|own| seen.role.is_some() && !says_nothing(own));
    let balance = own.map(facts);
    let unit = unit_in_pieces(seen.auction.terms.base_unit.as_ref(), currencies);
    Some(PageFunds { book_id, balance, unit })
}

/// The open books that a user keeps, for a field that chooses one of them.
pub async fn kept(db: &mut Connection, user: UserId) -> Result<Vec<SelectOption>, DbError> {
    let found = store::kept(db, user).await?;
    let option = |(id, name): (BookId, String)| SelectOption { value: id.to_string(), label: name };
    Ok(found.into_iter().map(option).collect())
}
