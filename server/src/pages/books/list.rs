//! `/books`: the viewer's books, each with what the viewer has in it.

use app::components::empty_state::EmptyState;
use app::components::name::Name;
use app::components::page_title::PageTitle;
use app::components::pagination::Pagination;
use app::html::{Html, html};
use app::model::Listing;
use app::request::request;
use axum::response::Response;
use leptos::either::Either;
use leptos::prelude::*;

use super::facts::{BookEntry, list};
use super::{Done, FundsList, role_word};
use crate::pages::error::Loaded;
use crate::pages::request::PageRequest;

/// `GET /books`
pub async fn show(request: PageRequest) -> Response {
    let (books, cursor) = (read(&request).await, request.cursor());
    request.render(books, |books| books_page(books, cursor))
}

async fn read(request: &PageRequest) -> Loaded<Listing<BookEntry>> {
    let user = request.user_id()?;
    list(&mut request.db().await?, user, request.page()).await
}

fn books_page(books: Listing<BookEntry>, cursor: Option<String>) -> Html {
    let content = if books.entries.is_empty() {
        Either::Left(view! { <Nothing /> })
    } else {
        let rows = books.entries.into_iter().map(|book| view! { <Row book /> });
        Either::Right(view! { <ul class="books" role="list">{rows.collect_view()}</ul> })
    };
    html(view! {
        <PageTitle text="Balances" />
        <header class="page-head">
            <div>
                <h1>"Balances"</h1>
                <p class="lead">"Who owns how many tickets, points or pieces. Bids never spend more than their bidder has."</p>
            </div>
            {request()
                .may_make()
                .then(|| {
                    view! {
                        <a class="button" href="/books/new">
                            "New balances"
                        </a>
                    }
                })}
        </header>
        <Done />
        {content}
        <Pagination path="/books".to_owned() cursor next=books.next_cursor />
    })
}

#[component]
fn Nothing() -> impl IntoView {
    if !request().may_make() {
        return Either::Left(view! { <p class="hint">"You have no balances yet."</p> });
    }
    Either::Right(view! {
        <EmptyState
            title="You have no balances yet"
            text="Balances record what people own: the raffle tickets of a school, the points of a guild. Give everyone their share, and choose the balances for an auction."
        >
            <a class="button primary" href="/books/new">
                "New balances"
            </a>
        </EmptyState>
    })
}

#[component]
fn Row(book: BookEntry) -> impl IntoView {
    let BookEntry { id, name, unit, role, is_closed, funds } = book;
    view! {
        <li class="book-row">
            <div>
                <h2>
                    <a href=format!("/books/{id}")>
                        <Name text=name />
                    </a>
                </h2>
                <p class="facts">
                    <span>{role_word(role)}</span>
                    {is_closed.then(|| view! { <span>"Closed"</span> })}
                </p>
            </div>
            <FundsList funds unit />
        </li>
    }
}
