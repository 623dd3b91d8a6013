//! What the database of a benchmark contains, created by the verbs that requests use.

use std::io::{Seek, Write};
use std::net::Ipv4Addr;

use accounts::groups::GroupView;
use accounts::hashing::HashingClient;
use accounts::password::Password;
use accounts::session;
use accounts::session::Visitor;
use auction_house::access::Role;
use auction_house::auctions::store as auctions;
use auction_house::books::store as books;
use auction_house::ids::{AuctionId, BookId, GroupId, ItemId, UserId};
use jpeg_encoder::{ColorType, Encoder};
use platform::db::DbError;
use platform::fields::Object;
use platform::ids::{Id, Uuid};
use platform::net::ClientAddress;
use platform::random;
use server::demo::fixtures::Fixtures;
use server::state::AppState;

use crate::hostile::LARGE_AUCTION;
use crate::serve::ChildError;
use crate::subject::BenchSubject;
use crate::target::{FilledDatabase, Group};

const BIDDERS: usize = 256;
/// Managers of the large auction who attack.
const MANAGERS: usize = 64;
/// People of the group besides its keepers.
pub const PEOPLE: usize = 200;
/// Further groups, which attackers delete.
const SPARE_GROUPS: usize = 32;
/// Password of every bidder, if hostile clients are measured.
pub const PASSWORD: &str = "seven brass farthings";

/// Each bidder becomes a holder with the first bid, and can pay every bid of a benchmark.
const BOOK: &str = r#"{"name": "Bench", "baseUnit": {"name": "Point", "symbol": ""}, "startingBalance": "1000000000000000"}"#;

/// Likewise, with caps of each kind.
const BOOK_WITH_CAPS: &str = r#"{"name": "Caps", "baseUnit": {"name": "Point", "symbol": ""}, "startingBalance": "1000000000000000",
    "caps": {"soft": "500000000000000", "softPercent": "10", "hard": "1000000000000000", "weekly": "1000"}}"#;

/// Holders of a large book, its owner included: as many as a book may have.
pub const HOLDERS: usize = 10_000;

/// The e-mail of the nth bidder, from 1 on.
pub fn email_of(n: usize) -> String {
    format!("bidder{n}@example.org")
}

/// The e-mail of the nth holder of a large book, after the bidders.
pub fn email_of_holder(n: usize, book: &str) -> String {
    format!("holder{n}.{book}@example.org")
}

/// Auctions in one currency with a minimum increment, with their items, and a session for each bidder.
pub async fn fill(state: &AppState, subject: BenchSubject) -> Result<FilledDatabase, ChildError> {
    let fixtures = Fixtures::new(state.context.clone());
    // The benchmark does not delete its data afterwards.
    if !fixtures.database_is_empty().await? {
        let joins = subject == BenchSubject::Servers;
        return if joins { Ok(FilledDatabase::default()) } else { Err(ChildError::NotEmpty) };
    }
    let password_hash = password_hash(state, subject).await?;
    let owner = fixtures.add_users([("Owner", "owner@example.org")], &password_hash).await?[0];
    let people: Vec<_> = (1..=BIDDERS).map(|n| (format!("Bidder {n}"), email_of(n))).collect();
    let people = people.iter().map(|(name, email)| (name.as_str(), email.as_str()));
    let bidders = fixtures.add_users(people, &password_hash).await?;
    let hall = match subject {
        BenchSubject::Hostile => Some(Hall::add(&fixtures, owner, &password_hash).await?),
        _ => None,
    };
    let book = match subject {
        BenchSubject::Books => Some(fixtures.add_book(owner, json(BOOK)?).await?),
        BenchSubject::Hostile | BenchSubject::Runs | BenchSubject::Tables => {
            Some(add_large_book(&fixtures, owner, &bidders, BOOK).await?)
        }
        _ => None,
    };
    let with_caps = match subject {
        BenchSubject::Runs => Some(add_large_book(&fixtures, owner, &bidders, BOOK_WITH_CAPS).await?),
        _ => None,
    };
    let (mut pages, mut items) = (Vec::new(), Vec::new());
    for (at, count) in subject.auctions().iter().enumerate() {
        let book = match (subject, at) {
            (BenchSubject::Books | BenchSubject::Runs, 1) => book,
            (BenchSubject::Runs, 2) => with_caps,
            _ => None,
        };
        let group = hall.as_ref().filter(|_| at == LARGE_AUCTION).map(|hall| hall.group.id);
        let auction = add_auction(&fixtures, owner, &bidders, (book, group)).await?;
        if let Some(hall) = hall.as_ref().filter(|_| at == LARGE_AUCTION) {
            fixtures.add_members(auction, hall.managers.iter().map(|user| (*user, Role::Admin))).await?;
        }
        pages.push(format!("/auctions/{auction}"));
        let description = serde_json::to_string(&subject.description(at))?;
        for n in 1..=*count {
            let body =
                format!(r#"{{"name": "Item {n}", "isPublished": true, "description": {description}}}"#);
            let body = json(&body)?;
            let item = fixtures.add_item(auction, owner, body).await?;
            items.push(format!("/auctions/{auction}/items/{item}"));
        }
    }
    let book = book.map(|id| format!("/books/{id}"));
    let picture = match subject {
        BenchSubject::Hostile => Some(add_picture(&fixtures, state, owner, &items[0]).await?),
        _ => None,
    };
    let picture_of_link = match &picture {
        Some(path) => Some(of_link(state, path).await?),
        None => None,
    };
    let owner = start_sessions(state, &[owner]).await?.concat();
    let tokens = start_sessions(state, &bidders).await?.into();
    let managers = hall.as_ref().map_or(&[][..], |hall| &hall.managers);
    let managers = start_sessions(state, managers).await?.into();
    let page_of = |group: GroupId| format!("/groups/{group}");
    let spare_groups = hall.iter().flat_map(|hall| hall.spare_groups.iter().copied().map(page_of)).collect();
    let group =
        hall.map(|hall| Group { path: page_of(hall.group.id), code: hall.group.code.as_str().to_owned() });
    let (auctions, items) = (pages.into(), items.into());
    Ok(FilledDatabase {
        owner,
        tokens,
        managers,
        group,
        spare_groups,
        auctions,
        items,
        book,
        picture,
        picture_of_link,
    })
}

/// The holders of the book with this page.
pub async fn holders_of(state: &AppState, page: Option<&str>) -> Result<Vec<UserId>, DbError> {
    let Some(book) = page.and_then(|page| page.rsplit('/').next()?.parse().ok()) else {
        return Ok(Vec::new());
    };
    books::holders::all(&mut state.context.db.read().await?, BookId::of(book)).await
}

/// A book with as many holders as it may have, the bidders among them.
async fn add_large_book(
    fixtures: &Fixtures,
    owner: UserId,
    bidders: &[UserId],
    body: &str,
) -> Result<BookId, ChildError> {
    let book = fixtures.add_book(owner, json(body)?).await?;
    let others: Vec<_> = (bidders.len() + 1..HOLDERS)
        .map(|n| (format!("Holder {n}"), email_of_holder(n, &book.to_string())))
        .collect();
    let others = others.iter().map(|(name, email)| (name.as_str(), email.as_str()));
    let others = fixtures.add_users(others, &random::new_token().map_err(DbError::from)?).await?;
    fixtures.add_holders(book, bidders.iter().copied().chain(others)).await?;
    Ok(book)
}

/// A group, further ones, and the keepers of all.
struct Hall {
    group: GroupView,
    spare_groups: Vec<GroupId>,
    managers: Vec<UserId>,
}

impl Hall {
    async fn add(fixtures: &Fixtures, owner: UserId, password_hash: &str) -> Result<Self, ChildError> {
        let names: Vec<_> =
            (1..=MANAGERS).map(|n| (format!("Manager {n}"), format!("manager{n}@example.org"))).collect();
        let names = names.iter().map(|(name, email)| (name.as_str(), email.as_str()));
        let managers = fixtures.add_users(names, password_hash).await?;
        let group = Self::add_group(fixtures, owner, &managers, password_hash).await?;
        let mut spare_groups = Vec::new();
        for _ in 0..SPARE_GROUPS {
            spare_groups.push(Self::add_group(fixtures, owner, &managers, password_hash).await?.id);
        }
        Ok(Self { group, spare_groups, managers })
    }

    /// A group that the managers keep, with its people.
    async fn add_group(
        fixtures: &Fixtures,
        owner: UserId,
        managers: &[UserId],
        password_hash: &str,
    ) -> Result<GroupView, ChildError> {
        let group = fixtures.add_group(owner, json(r#"{"name": "Hall"}"#)?).await?;
        let names = (1..=PEOPLE).map(|number| format!("Number {number}"));
        fixtures.add_people(group.id, names, password_hash).await?;
        fixtures.add_keepers(group.id, managers).await?;
        Ok(group)
    }
}

/// The path of a picture for people with the link of its auction.
async fn of_link(state: &AppState, path: &str) -> Result<String, ChildError> {
    let mut ids = path.split('/').filter_map(|part| part.parse::<Uuid>().ok());
    let (auction, image) = ids.next().zip(ids.nth(1)).ok_or(ChildError::NotEmpty)?;
    let now = state.context.clock.now();
    let auction = auctions::by_id(&mut state.context.db.read().await?, AuctionId::of(auction), now).await?;
    let link = auction.ok_or(ChildError::NotEmpty)?.link_token;
    Ok(format!("/join/{}/pictures/{image}", link.as_str()))
}

/// Adds a picture to the item of this page. Returns the path of its file.
async fn add_picture(
    fixtures: &Fixtures,
    state: &AppState,
    owner: UserId,
    page: &str,
) -> Result<String, ChildError> {
    const SIDE: u16 = 16;
    let mut bytes = Vec::new();
    let pixels = [128; 3 * SIDE as usize * SIDE as usize];
    let encoder = Encoder::new(&mut bytes, 80);
    encoder.encode(&pixels, SIDE, SIDE, ColorType::Rgb).map_err(std::io::Error::other)?;
    let mut file = tempfile::tempfile()?;
    file.write_all(&bytes)?;
    file.rewind()?;
    let mut ids = page.split('/').filter_map(|part| part.parse::<Uuid>().ok());
    let (auction, item) = ids.next().zip(ids.next()).ok_or(ChildError::NotEmpty)?;
    let item = (AuctionId::of(auction), ItemId::of(item));
    let image = fixtures.add_picture(&state.images, item, owner, file, String::new()).await?;
    Ok(format!("/api{page}/images/{image}/full"))
}

async fn password_hash(state: &AppState, subject: BenchSubject) -> Result<String, ChildError> {
    if subject != BenchSubject::Hostile {
        // Not a hash, so that no password matches.
        return Ok(random::new_token().map_err(DbError::from)?);
    }
    let password = PASSWORD.parse::<Password>()?.of("owner@example.org", "Owner", &[])?;
    Ok(state.accounts.passwords.hash(HashingClient::Process, password).await?)
}

async fn add_auction(
    fixtures: &Fixtures,
    owner: UserId,
    bidders: &[UserId],
    (book, group): (Option<BookId>, Option<GroupId>),
) -> Result<AuctionId, ChildError> {
    let (book, group) = (serde_json::to_string(&book)?, serde_json::to_string(&group)?);
    let body = format!(r#"{{"name": "Bench", "joinMode": "FREE", "bookId": {book}, "groupId": {group}}}"#);
    let auction = fixtures.add_auction(owner, json(&body)?).await?;
    let currency = r#"{"code": "PTS", "name": "Points", "rateToBase": "1", "inputMode": "SCALAR"}"#;
    fixtures.add_currency(auction, owner, json(currency)?).await?;
    let rule = r#"{"type": "MIN_INCREMENT", "params": {"amount": 1}}"#;
    fixtures.add_rule(auction, owner, json(rule)?).await?;
    fixtures.add_members(auction, bidders.iter().map(|bidder| (*bidder, Role::Bidder))).await?;
    Ok(auction)
}

/// Signs the users in. Returns the session tokens.
async fn start_sessions(state: &AppState, users: &[UserId]) -> Result<Vec<String>, DbError> {
    let now = state.context.clock.now();
    let mut tokens = Vec::with_capacity(users.len());
    let address = ClientAddress::of(Ipv4Addr::LOCALHOST.into());
    let visitor = Visitor { address, session: None, user_agent: None, device: None };
    let mut db = state.context.db.write().await?;
    for user in users {
        let token = session::begin(&mut db, *user, &visitor, now).await?;
        tokens.push(token.as_str().to_owned());
    }
    db.commit().await?;
    Ok(tokens)
}

fn json(text: &str) -> Result<Object, serde_json::Error> {
    serde_json::from_str(text)
}
