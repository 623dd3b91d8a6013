//! `/draw`

use app::bundles::{Bundle, LoadBundle};
use app::components::island_state::island_state;
use app::components::page_title::PageTitle;
use app::html::{Html, html};
use app::islands::draw::check::{DrawCheck, DrawFields};
use app::request::query_part;
use axum::response::Response;
use leptos::prelude::*;

use crate::pages::request::PageRequest;

/// `GET /draw`
pub async fn show(request: PageRequest) -> Response {
    request.render(Ok(()), |()| draw_page())
}

const TITLE: &str = "Check a draw";

/// The fields have the values of the query.
fn draw_page() -> Html {
    let value = |name: &str| query_part(name).unwrap_or_default();
    let fields = DrawFields {
        seed: value("seed"),
        item: value("item"),
        copies: value("copies"),
        again: value("again"),
        tickets: value("tickets"),
    };
    html(view! {
        <PageTitle text=TITLE />
        <section class="form-page">
            <h1>{TITLE}</h1>
            <p class="lead">
                "Tickets are drawn by a seed that nobody sees before the end, but whose hash everyone sees before the first ticket. With the seed anyone can repeat the draw: this page does it in your browser, and sends nothing."
            </p>
            <LoadBundle bundle=Bundle::Draw />
            {island_state(fields)}
            <DrawCheck />
        </section>
    })
}
