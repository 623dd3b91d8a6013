//! Every page of the site, once: the path of its address and the component that renders it.

use leptos::prelude::*;
use leptos_router::SsrMode::Async;
use leptos_router::components::{Route, Router, Routes};
use leptos_router::path;

use crate::components::error_page::NotFound;
use crate::components::footer::Footer;
use crate::components::header::Header;
use crate::pages::account::{
    register::Register, reset_password::ResetPassword, show::Account, sign_in::SignIn,
};
use crate::pages::admin::show::Admin;
use crate::pages::auctions::currencies::{Currencies, form::EditCurrency, form::NewCurrency};
use crate::pages::auctions::results::Results;
use crate::pages::auctions::rules::form::{EditRule, NewRule};
use crate::pages::auctions::{list::Auctions, new::NewAuction, settings::Settings, show::ShowAuction};
use crate::pages::books::{
    import::ImportEntries, list::Books, new::NewBook, settings::EditBook, show::ShowBook,
};
use crate::pages::dashboard::lists::{OwnBids, SoldItems, WatchedItems};
use crate::pages::dashboard::show::Dashboard;
use crate::pages::items::{
    bids::ShowBids, edit::EditItem, new::NewItem, show::ShowItem, withdraw::WithdrawBid,
};
use crate::pages::joining::{Invite, Join};
use crate::pages::members::Members;
use crate::pages::start::Start;

/// Makes [`PATHS`] and the component [`Pages`] from the same list. Every page has the mode `Async`: it is sent as
/// a whole, so it works without JavaScript, and its status is known before its first byte.
macro_rules! pages {
    ($($path:tt => $view:ident,)+) => {
        /// The path pattern of every page. A part that begins with `:` is a parameter.
        pub const PATHS: &[&str] = &[$($path),+];

        #[component]
        fn Pages() -> impl IntoView {
            view! {
                <Routes fallback=NotFound>
                    $(<Route path=path!($path) view=$view ssr=Async />)+
                </Routes>
            }
        }
    };
}

pages! {
    "/" => Start,
    "/register" => Register,
    "/sign-in" => SignIn,
    "/reset-password/:token" => ResetPassword,
    "/account" => Account,
    "/admin" => Admin,
    "/dashboard" => Dashboard,
    "/dashboard/bids" => OwnBids,
    "/dashboard/items" => SoldItems,
    "/dashboard/watched" => WatchedItems,
    "/join/:token" => Join,
    "/invites/:token" => Invite,
    "/auctions" => Auctions,
    "/auctions/new" => NewAuction,
    "/auctions/:auction_id" => ShowAuction,
    "/auctions/:auction_id/settings" => Settings,
    "/auctions/:auction_id/members" => Members,
    "/auctions/:auction_id/results" => Results,
    "/auctions/:auction_id/currencies" => Currencies,
    "/auctions/:auction_id/currencies/new" => NewCurrency,
    "/auctions/:auction_id/currencies/:currency_id" => EditCurrency,
    "/auctions/:auction_id/currency-rules/new" => NewRule,
    "/auctions/:auction_id/currency-rules/:rule_id" => EditRule,
    "/auctions/:auction_id/items/new" => NewItem,
    "/auctions/:auction_id/items/:item_id" => ShowItem,
    "/auctions/:auction_id/items/:item_id/edit" => EditItem,
    "/auctions/:auction_id/items/:item_id/bids" => ShowBids,
    "/auctions/:auction_id/items/:item_id/bids/:sequence/withdraw" => WithdrawBid,
    "/books" => Books,
    "/books/new" => NewBook,
    "/books/:book_id" => ShowBook,
    "/books/:book_id/import" => ImportEntries,
    "/books/:book_id/settings" => EditBook,
}

/// The page of the current address between the site's header and footer.
#[component]
pub fn App() -> impl IntoView {
    view! {
        <Router>
            <a class="skip" href="#content">
                "Skip to content"
            </a>
            <Header />
            <main id="content" tabindex="-1">
                <Pages />
            </main>
            <Footer />
        </Router>
    }
}
