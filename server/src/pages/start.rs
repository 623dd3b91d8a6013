//! `/`

use app::bundles::{Bundle, LoadBundle};
use app::components::page_description::PageDescription;
use app::components::page_title::PageTitle;
use app::head::let_search_engines_list;
use app::html::{Html, html};
use app::islands::items::demo::BidDemo;
use app::request::request;
use axum::response::Response;
use leptos::either::Either;
use leptos::prelude::*;

use crate::pages::demo::{DemoPages, DemoWindow};
use crate::pages::request::PageRequest;

/// `GET /`
pub async fn show(request: PageRequest) -> Response {
    let demo = request.state.demo.get().cloned();
    request.render(Ok(demo), start_page)
}

const ABOUT: &str = "Bid in galleons and sickles, raffle tickets, guild points, or pounds, shillings and pence. Every bid is converted exactly before it is compared.";

/// `demo` is the way into a demo.
fn start_page(demo: Option<DemoWindow>) -> Html {
    let demo = demo.map(|window| view! { <DemoPages window /> });
    let next = if request().viewer.is_some() {
        Either::Left(view! {
            <a class="button primary" href="/auctions">
                "See the auctions"
            </a>
            <a class="button quiet" href="/auctions/new">
                "New auction"
            </a>
        })
    } else {
        Either::Right(view! {
            <a class="button primary" href="/register">
                "Register"
            </a>
            <a class="button quiet" href="/sign-in">
                "Sign in"
            </a>
        })
    };
    let_search_engines_list();
    html(view! {
        <PageTitle text="Auctions in any currency" />
        <PageDescription title="Farthing: auctions in any currency" text=ABOUT />
        <div class="start">
            <section class="start-head">
                <h1>"Auctions in any currency you can define."</h1>
                <p class="lead">
                    "Galleons and sickles, raffle tickets, guild points, pounds, shillings and pence: people bid in what they have, and every bid is converted exactly before it is compared."
                </p>
                <div class="actions">{next}</div>
                {demo}
            </section>
            <section class="start-demo" aria-labelledby="try">
                <h2 id="try">"Try a bid"</h2>
                <LoadBundle bundle=Bundle::Bench />
                <BidDemo />
            </section>
            <ol class="start-steps" role="list">
                <li>
                    <h2>"Define the money"</h2>
                    <p>"Name the denominations, say what each is worth and how fractions are rounded. Or simply sell in euros."</p>
                </li>
                <li>
                    <h2>"Set the rules"</h2>
                    <p>"How much more the next bid must be, how much of it in gold, when bidding ends. Everyone sees the same rules."</p>
                </li>
                <li>
                    <h2>"Watch it sell"</h2>
                    <p>"Bids appear as they are placed. While you type a bid you see which rules it breaks."</p>
                </li>
            </ol>
        </div>
    })
}
