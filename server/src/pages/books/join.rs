//! `/books/join/{token}`: what the link of a book leads to, with a button to become a holder.

use app::components::error_page::LoadError;
use app::model::BookInvitation;
use app::pages::books::join::join_book_page;
use axum::response::Response;

use crate::pages::error::{Loaded, PageError};
use crate::pages::form_route::FormRequest;
use crate::pages::request::{PageAt, PageRequest};
use auction_house::books::holders::join::{book_link_target, join_book};
use auction_house::books::store;
use auction_house::path::TokenPath;
use platform::fields::Object;
use platform::http::problem::Problem;

/// `GET /books/join/{token}`
pub async fn show(PageAt(path): PageAt<TokenPath>, request: PageRequest) -> Response {
    let invitation = read(&request, path).await;
    request.render(invitation, join_book_page)
}

async fn read(request: &PageRequest, path: Loaded<TokenPath>) -> Loaded<BookInvitation> {
    let (TokenPath { token }, user) = (path?, request.user_id()?);
    let db = &mut request.db().await?;
    let target = book_link_target(db, &token).await?.ok_or(PageError(LoadError::InvitationInvalid))?;
    let is_holder = store::find(db, target.id, user).await?.is_some();
    Ok(BookInvitation {
        id: target.id.to_string(),
        name: target.name,
        owner: target.owner_name,
        is_closed: target.is_closed,
        is_holder,
    })
}

/// `POST /books/join/{token}`, a button.
pub async fn join(request: FormRequest<TokenPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: TokenPath { token }, .. } = request;
    let target = book_link_target(&mut state.context.db.read().await?, &token).await?;
    let book_id = target.ok_or_else(Problem::not_found)?.id;
    let mut body = Object::default();
    body.set("inviteToken", &token);
    join_book(&state.context, book_id, user, body).await?;
    Ok(format!("/books/{book_id}?done=joined"))
}
