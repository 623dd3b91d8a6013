//! The forms of auctions and their items.

use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;

use super::form::{Form, redraw, see_other};
use crate::accounts::User;
use crate::accounts::session::MaybeUser;
use crate::auctions::create::create_auction;
use crate::fields::Object;
use crate::http::path::{At, AuctionPath};
use crate::http::problem::{Code, Details, Problem};
use crate::ids::UserId;
use crate::items::create::create_item;
use crate::members::join::join;
use crate::state::AppState;

/// `POST /auctions/new`
pub async fn post_auction(
    State(state): State<AppState>,
    MaybeUser(user): MaybeUser,
    uri: Uri,
    form: Form,
) -> Response {
    match try_create_auction(&state, user.as_ref(), &form).await {
        Ok(path) => see_other(&path),
        Err(problem) => redraw(state, user, uri, &form, problem).await,
    }
}

/// `POST /auctions/{auction_id}/join`, a button on the auction's page.
pub async fn post_join(
    State(state): State<AppState>,
    MaybeUser(user): MaybeUser,
    path: Result<At<AuctionPath>, Problem>,
    uri: Uri,
    form: Form,
) -> Response {
    let page = uri.path().strip_suffix("/join").unwrap_or("/auctions").to_owned();
    match try_join(&state, user.as_ref(), path).await {
        Ok(()) => see_other(&page),
        Err(problem) => redraw(state, user, page.parse().unwrap_or(uri), &form, problem).await,
    }
}

/// `POST /auctions/{auction_id}/items/new`
pub async fn post_item(
    State(state): State<AppState>,
    MaybeUser(user): MaybeUser,
    path: Result<At<AuctionPath>, Problem>,
    uri: Uri,
    form: Form,
) -> Response {
    match try_create_item(&state, user.as_ref(), path, &form).await {
        Ok(path) => see_other(&path),
        Err(problem) => redraw(state, user, uri, &form, problem).await,
    }
}

async fn try_create_auction(state: &AppState, user: Option<&User>, form: &Form) -> Result<String, Problem> {
    let user = signed_in(user)?;
    form.check()?;
    let mut object = texts(form, &["name", "description", "joinMode"]);
    let mut unit = Object::default();
    for (field, member) in [("baseUnitName", "name"), ("baseUnitSymbol", "symbol")] {
        if let Some(text) = form.get(field) {
            unit.set(member, &text);
        }
    }
    if !unit.is_empty() {
        object.set("baseUnit", &unit);
    }
    let made = create_auction(state, user, object).await.map_err(|error| {
        renamed(error.into(), &[("baseUnit.name", "baseUnitName"), ("baseUnit.symbol", "baseUnitSymbol")])
    })?;
    Ok(format!("/auctions/{}", made.auction.id))
}

async fn try_join(
    state: &AppState,
    user: Option<&User>,
    path: Result<At<AuctionPath>, Problem>,
) -> Result<(), Problem> {
    let user = signed_in(user)?;
    join(state, path?.0.auction_id, user, Object::default()).await?;
    Ok(())
}

async fn try_create_item(
    state: &AppState,
    user: Option<&User>,
    path: Result<At<AuctionPath>, Problem>,
    form: &Form,
) -> Result<String, Problem> {
    let user = signed_in(user)?;
    let auction_id = path?.0.auction_id;
    form.check()?;
    let given =
        ["name", "description", "currencyCode", "startingBid", "minBidIncrement", "minIncrementNormalized"];
    let mut object = texts(form, &given);
    // A box that is not checked is not sent.
    object.set("isPublished", &form.get("isPublished").is_some());
    if let Some(end) = form.get("endDate") {
        object.set("endDate", &in_utc(end));
    }
    let made = create_item(state, auction_id, user, object).await?;
    Ok(format!("/auctions/{auction_id}/items/{}", made.item.id))
}

fn signed_in(user: Option<&User>) -> Result<UserId, Problem> {
    user.map(|user| user.id).ok_or_else(|| Problem::plain(Code::Unauthenticated))
}

/// The fields of these names as the members of a body. An empty field is an absent one.
fn texts(form: &Form, names: &[&str]) -> Object {
    let mut object = Object::default();
    for name in names {
        if let Some(text) = form.get(name) {
            object.set(name, &text);
        }
    }
    object
}

/// What a browser's field for a moment sends, without an offset and often without seconds. The page says that
/// it is meant in UTC.
fn in_utc(text: &str) -> String {
    match text.len() {
        16 => format!("{text}:00Z"),
        19 => format!("{text}Z"),
        _ => text.to_owned(),
    }
}

/// The problem with the form's names for the members of a body that have others.
fn renamed(mut problem: Problem, names: &[(&str, &str)]) -> Problem {
    if let Some(Details::Fields { fields }) = &mut problem.details {
        for field in fields {
            if let Some((_, name)) = names.iter().find(|(member, _)| *member == field.path) {
                field.path = (*name).to_owned();
            }
        }
    }
    problem
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_from_a_form_is_in_utc() {
        assert_eq!(in_utc("2026-05-01T18:00"), "2026-05-01T18:00:00Z");
        assert_eq!(in_utc("2026-05-01T18:00:30"), "2026-05-01T18:00:30Z");
        assert_eq!(in_utc("2026-05-01T18:00:00+02:00"), "2026-05-01T18:00:00+02:00");
        assert_eq!(in_utc("soon"), "soon");
    }
}
