//! The whole site at a glance.

use leptos::prelude::*;
use leptos_router::SsrMode::Async;
use leptos_router::components::{Route, Router, Routes};
use leptos_router::path;

use crate::components::error_page::NotFound;
use crate::components::footer::Footer;
use crate::components::header::Header;
use crate::pages::account::{register::Register, sign_in::SignIn};
use crate::pages::admin::show::Admin;
use crate::pages::auctions::currencies::{Currencies, form::EditCurrency, form::NewCurrency};
use crate::pages::auctions::rules::form::{EditRule, NewRule};
use crate::pages::auctions::{list::AuctionList, new::NewAuction, show::ShowAuction};
use crate::pages::items::{bids::ShowBids, new::NewItem, show::ShowItem};
use crate::pages::start::Start;

/// Every page, in its frame. `Async` everywhere: a page is sent whole, so it also works without scripts,
/// and its status is known before its first byte.
#[component]
pub fn App() -> impl IntoView {
    view! {
        <Router>
            <a class="skip" href="#content">
                "Skip to content"
            </a>
            <Header />
            <main id="content" tabindex="-1">
                <Routes fallback=NotFound>
                    <Route path=path!("/") view=Start ssr=Async />
                    <Route path=path!("/register") view=Register ssr=Async />
                    <Route path=path!("/sign-in") view=SignIn ssr=Async />
                    <Route path=path!("/admin") view=Admin ssr=Async />
                    <Route path=path!("/auctions") view=AuctionList ssr=Async />
                    <Route path=path!("/auctions/new") view=NewAuction ssr=Async />
                    <Route path=path!("/auctions/:auction_id") view=ShowAuction ssr=Async />
                    <Route path=path!("/auctions/:auction_id/currencies") view=Currencies ssr=Async />
                    <Route path=path!("/auctions/:auction_id/currencies/new") view=NewCurrency ssr=Async />
                    <Route path=path!("/auctions/:auction_id/currencies/:currency_id") view=EditCurrency ssr=Async />
                    <Route path=path!("/auctions/:auction_id/currency-rules/new") view=NewRule ssr=Async />
                    <Route path=path!("/auctions/:auction_id/currency-rules/:rule_id") view=EditRule ssr=Async />
                    <Route path=path!("/auctions/:auction_id/items/new") view=NewItem ssr=Async />
                    <Route path=path!("/auctions/:auction_id/items/:item_id") view=ShowItem ssr=Async />
                    <Route path=path!("/auctions/:auction_id/items/:item_id/bids") view=ShowBids ssr=Async />
                </Routes>
            </main>
            <Footer />
        </Router>
    }
}
