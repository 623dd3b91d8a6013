//! The header of every page: navigation and the viewer.

use leptos::either::Either;
use leptos::prelude::*;

use crate::components::account_links::{register_link, sign_in_link};
use crate::components::bell::Bell;
use crate::components::logo::Logo;
use crate::components::name::Name;
use crate::model::{Pause, Viewer};
use crate::request::request;

#[component]
pub fn Header() -> impl IntoView {
    let request = request();
    let path = request.path.clone();
    let sign_in = sign_in_link(&path, &request.search);
    let register = register_link(&path);
    let in_auctions = path.starts_with("/auctions").then_some("true");
    let in_dashboard = path.starts_with("/dashboard").then_some("true");
    let dashboard = request.viewer.as_ref().map(|_| {
        view! {
            <a class="nav-link" href="/dashboard" aria-current=in_dashboard>
                "Dashboard"
            </a>
        }
    });
    let account = match request.viewer.clone() {
        Some(viewer) => {
            let (inbox, is_current) = (viewer.inbox.clone(), path == "/notifications");
            Either::Left(view! {
                <Bell inbox current=is_current />
                <AccountMenu viewer path />
            })
        }
        None => Either::Right(view! {
            <a class="nav-link" href=sign_in>
                "Sign in"
            </a>
            <a class="nav-link" href=register>
                "Register"
            </a>
        }),
    };
    let banner = request.newer_release.clone().map(|version| {
        view! {
            <p class="release-banner">
                <a href="/admin?subject=update">{format!("Farthing {version} is available: see what’s new")}</a>
            </p>
        }
    });
    let pause = request.pause.map(|pause| {
        let words = match pause {
            Pause::Announced => "An update of this site is being prepared. Bidding will pause for about a minute when it is installed. No bid is lost.",
            Pause::Begun => "An update is being installed. Bidding pauses for about a minute; pages still load. No bid is lost.",
            Pause::Failed => "An update of this site has failed. Nobody can bid or change anything until its operator has restored it; pages still load. No bid is lost.",
        };
        view! { <p class="pause-notice" role="status">{words}</p> }
    });
    view! {
        <header class="site-header">
            {pause}
            {banner}
            <div class="site-header-row" class:signed-in=request.viewer.is_some()>
                <a class="wordmark" href="/">
                    <Logo />
                    <span>"Farthing"</span>
                </a>
                <nav aria-label="Site">
                    {dashboard}
                    <a class="nav-link" href="/auctions" aria-current=in_auctions>
                        "Auctions"
                    </a>
                </nav>
                <div class="account">{account}</div>
            </div>
        </header>
    }
}

/// The viewer's name, which opens a menu. Without JavaScript, too.
#[component]
fn AccountMenu(viewer: Viewer, path: String) -> impl IntoView {
    let current = move |page: &str| path.starts_with(page).then_some("true");
    let administration = viewer.may_administer.then(|| {
        view! {
            <a class="nav-link" href="/admin" aria-current=current("/admin")>
                "Administration"
            </a>
        }
    });
    view! {
        <details class="account-menu">
            <summary title="Your account">
                <span class="viewer"><Name text=viewer.name /></span>
            </summary>
            <div class="account-menu-entries">
                <a class="nav-link" href="/account" aria-current=current("/account")>
                    "Account"
                </a>
                <a class="nav-link" href="/books" aria-current=current("/books")>
                    "Balances"
                </a>
                <a class="nav-link" href="/groups" aria-current=current("/groups")>
                    "Groups"
                </a>
                {administration}
                <form method="post" action="/sign-out">
                    <button class="button quiet" type="submit">
                        "Sign out"
                    </button>
                </form>
            </div>
        </details>
    }
}
