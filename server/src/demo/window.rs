//! The way into a demo: who can sign in, and pages worth a look.

use accounts::groups::store as groups;
use auction_house::auctions::list::{Scope, list_auctions};
use auction_house::auctions::screen::renew_screen;
use auction_house::books::list::list_books;
use auction_house::ids::{AuctionId, UserId};
use platform::db::Connection;
use platform::paging::Page;

use super::DemoError;
use super::fixtures::refused;
use super::story::{DemoPlace, Story};
use crate::pages::demo::{DemoCard, DemoDoor, DemoPage, DemoSignIn, DemoWindow};
use crate::state::AppState;

/// Auctions, books and groups of a person that are looked at.
const LIMIT: usize = 100;

/// What the story leads to, as far as the database still has it: visitors of the demo change it.
pub async fn read(state: &AppState, story: &Story) -> Result<DemoWindow, DemoError> {
    let people = story.people.iter().map(|person| DemoSignIn {
        name: person.name.clone(),
        email: person.email.clone(),
        about: person.about.clone(),
    });
    let people = people.collect();
    let mut pages = Vec::new();
    for place in &story.places {
        if let Some(page) = page(state, story, place).await? {
            pages.push(page);
        }
    }
    Ok(DemoWindow { password: story.password.clone(), people, pages })
}

/// A page, or nothing if it is gone.
async fn page(state: &AppState, story: &Story, place: &DemoPlace) -> Result<Option<DemoPage>, DemoError> {
    let keeper = place.group.as_ref().and_then(|name| story.groups.iter().find(|it| it.name == *name));
    let owner = place.person.as_ref().or(keeper.map(|group| &group.keeper));
    let owner = owner.ok_or_else(|| DemoError::UnknownName(place.title.clone()))?;
    let known = story.people.iter().find(|person| person.name == *owner);
    let known = known.ok_or_else(|| DemoError::UnknownName(owner.clone()))?;
    let mut db = state.context.db.read().await?;
    let Ok(email) = known.email.parse() else { return Ok(None) };
    let Some((user, _)) = accounts::user::store::by_email(&mut db, &email).await? else { return Ok(None) };
    let user = user.id;
    let group = match &place.group {
        Some(name) => groups::list(&mut db, user).await?.into_iter().find(|group| group.name == *name),
        None => None,
    };
    let address = match (&place.screen, &place.auction, &place.book, &group) {
        (Some(auction), ..) => match auction_named(state, &mut db, user, auction).await? {
            Some(id) => {
                drop(db);
                let token = renew_screen(&state.context, id, user).await.map_err(refused("screen"))?;
                Some(format!("/screen/{}", token.as_str()))
            }
            None => None,
        },
        (_, Some(auction), ..) => auction_named(state, &mut db, user, auction)
            .await?
            .map(|id| format!("/auctions/{id}{}", place.page)),
        (.., Some(book), _) => {
            let books = list_books(&mut db, user, Page { limit: LIMIT, after: None }).await?.entries;
            books
                .into_iter()
                .find(|seen| seen.book.terms.name == *book)
                .map(|seen| format!("/books/{}", seen.book.id))
        }
        (.., Some(group)) => Some(format!("/groups/{}", group.id)),
        _ => None,
    };
    let door = match (place.number, keeper, group) {
        (Some(number), Some(keeper), Some(group)) => {
            DemoDoor::Card(DemoCard { code: group.code.to_string(), number, pin: keeper.pin.clone() })
        }
        (Some(_), ..) => return Ok(None),
        _ if place.screen.is_some() => DemoDoor::Open,
        _ => DemoDoor::SignIn(known.email.clone()),
    };
    Ok(address.map(|address| DemoPage {
        title: place.title.clone(),
        about: place.about.clone(),
        address,
        door,
    }))
}

async fn auction_named(
    state: &AppState,
    db: &mut Connection,
    user: UserId,
    name: &str,
) -> Result<Option<AuctionId>, DemoError> {
    let page = Page { limit: LIMIT, after: None };
    let found = list_auctions(db, user, Scope::Member, state.context.clock.now(), page).await?;
    Ok(found.entries.into_iter().find(|seen| seen.auction.terms.name == name).map(|seen| seen.auction.id))
}
