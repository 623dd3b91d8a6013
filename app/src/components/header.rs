//! The header of every page: navigation and the viewer.

use leptos::either::Either;
use leptos::prelude::*;
use leptos_router::hooks::use_location;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::components::loaded::services;
use crate::components::logo::Logo;
use crate::components::name::Name;
use crate::model::{Pause, Viewer};

/// Characters that are encoded in a query.
const QUERY: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'/');

#[component]
pub fn Header() -> impl IntoView {
    let here = use_location();
    let path = here.pathname.get_untracked();
    let sign_in = sign_in_link(&path, &here.search.get_untracked());
    let register = register_link(&path);
    let in_auctions = path.starts_with("/auctions").then_some("true");
    let services = services();
    let in_dashboard = path.starts_with("/dashboard").then_some("true");
    let dashboard = services.viewer().map(|_| {
        view! {
            <a class="nav-link" href="/dashboard" aria-current=in_dashboard>
                "Dashboard"
            </a>
        }
    });
    let account = match services.viewer() {
        Some(viewer) => Either::Left(view! { <AccountMenu viewer path /> }),
        None => Either::Right(view! {
            <a class="nav-link" href=sign_in>
                "Sign in"
            </a>
            <a class="nav-link" href=register>
                "Register"
            </a>
        }),
    };
    let banner = services.newer_release().map(|version| {
        view! {
            <p class="release-banner">
                <a href="/admin">{format!("Farthing {version} is available: see what’s new")}</a>
            </p>
        }
    });
    let pause = services.pause().map(|pause| {
        let words = match pause {
            Pause::Announced => "An update of this site is being prepared. Bidding will pause for about a minute when it is installed. No bid is lost.",
            Pause::Begun => "An update is being installed. Bidding pauses for about a minute; pages still load. No bid is lost.",
        };
        view! { <p class="pause-notice" role="status">{words}</p> }
    });
    view! {
        <header class="site-header">
            {pause}
            {banner}
            <div class="site-header-row">
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
                    "Books"
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

/// Link to the sign-in page that leads back to this address. The start page and the pages for signing in lead to the
/// default page instead, as does a link to set a new password, whose path is secret.
pub fn sign_in_link(path: &str, search: &str) -> String {
    if matches!(path, "/" | "/sign-in" | "/register") || path.starts_with("/reset-password/") {
        return "/sign-in".to_owned();
    }
    let search = search.trim_start_matches('?');
    let mark = if search.is_empty() { "" } else { "?" };
    account_link("/sign-in", &format!("{path}{mark}{search}"))
}

/// Link to a page for signing in or registering that leads on to `next`, an address of this site.
pub fn account_link(page: &str, next: &str) -> String {
    format!("{page}?next={}", utf8_percent_encode(next, QUERY))
}

/// Link to the page for registering. From an invitation it leads back there.
fn register_link(path: &str) -> String {
    let is_invitation = path.starts_with("/join/") || path.starts_with("/invites/");
    if is_invitation { account_link("/register", path) } else { "/register".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::{register_link, sign_in_link};

    #[test]
    fn registering_leads_back_to_an_invitation() {
        assert_eq!(register_link("/join/secret"), "/register?next=/join/secret");
        assert_eq!(register_link("/invites/secret"), "/register?next=/invites/secret");
        assert_eq!(register_link("/auctions"), "/register");
    }

    #[test]
    fn the_link_leads_back() {
        assert_eq!(sign_in_link("/auctions/1", "?cursor=a&b"), "/sign-in?next=/auctions/1%3Fcursor%3Da%26b");
        assert_eq!(sign_in_link("/auctions", ""), "/sign-in?next=/auctions");
    }

    #[test]
    fn the_link_does_not_lead_back_to_pages_without_a_session() {
        assert_eq!(sign_in_link("/register", ""), "/sign-in");
        assert_eq!(sign_in_link("/reset-password/secret", ""), "/sign-in");
    }
}
