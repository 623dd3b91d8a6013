//! `/books/join/{token}`: what the link of a book leads to, with a button to become a holder.

use app::components::error_page::LoadError;
use app::components::error_summary::ErrorSummary;
use app::components::name::Name;
use app::components::page_title::PageTitle;
use app::html::{Html, html};
use app::request::request;
use auction_house::books::holders::join::{book_link_target, join_book};
use auction_house::books::store;
use auction_house::path::TokenPath;
use axum::response::Response;
use leptos::either::EitherOf3;
use leptos::prelude::*;
use platform::fields::Object;
use platform::http::problem::Problem;

use crate::pages::error::{Loaded, PageError};
use crate::pages::form_route::FormRequest;
use crate::pages::request::{PageAt, PageRequest};

/// The book to which a link leads.
#[derive(Debug, Clone, PartialEq, Eq)]
struct BookInvitation {
    id: String,
    name: String,
    /// Name of the owner.
    owner: String,
    is_closed: bool,
    /// The viewer is a holder already.
    is_holder: bool,
}

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

fn join_book_page(invitation: BookInvitation) -> Html {
    let path = request().path.clone();
    let BookInvitation { id, name, owner, is_closed, is_holder } = invitation;
    let next = if is_holder {
        EitherOf3::A(view! {
            <p>
                <a class="button primary" href=format!("/books/{id}")>
                    "Go to the balances"
                </a>
            </p>
        })
    } else if is_closed {
        EitherOf3::B(view! { <p class="notice">"These balances are closed: they take no more people."</p> })
    } else {
        EitherOf3::C(view! {
            <form method="post" action=path>
                <div class="actions">
                    <button class="button primary" type="submit">
                        "Take part"
                    </button>
                </div>
            </form>
        })
    };
    html(view! {
        <PageTitle text=format!("Join {name}") />
        <section class="form-page invitation">
            <p class="eyebrow">"Invitation"</p>
            <h1><Name text=name /></h1>
            <p class="lead">
                {format!("{owner} keeps these balances. If you take part, you have a balance, and its keepers see your name and what you bid it for. You can leave again.")}
            </p>
            <ErrorSummary />
            {next}
        </section>
    })
}
