//! The head of every page: where one is, and who one is.

use leptos::either::Either;
use leptos::prelude::*;
use leptos_router::hooks::use_location;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::components::logo::Logo;
use crate::services::ServicesHandle;

/// What may stand in a query as it is.
const QUERY: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'/');

#[component]
pub fn Header() -> impl IntoView {
    let here = use_location();
    let path = here.pathname.get_untracked();
    let sign_in = sign_in_link(&path, &here.search.get_untracked());
    let in_auctions = path.starts_with("/auctions").then_some("true");
    // Nobody asks while the list of routes is being made.
    let viewer = use_context::<ServicesHandle>().and_then(|services| services.viewer());
    let account = match viewer {
        Some(viewer) => Either::Left(view! {
            <span class="viewer">{viewer.name}</span>
            <form method="post" action="/sign-out">
                <button class="button quiet" type="submit">
                    "Sign out"
                </button>
            </form>
        }),
        None => Either::Right(view! {
            <a class="nav-link" href=sign_in>
                "Sign in"
            </a>
            <a class="nav-link" href="/register">
                "Register"
            </a>
        }),
    };
    let newer = use_context::<ServicesHandle>().and_then(|services| services.newer_release());
    let banner = newer.map(|version| {
        view! {
            <p class="release-banner">
                <a href="/admin">{format!("Farthing {version} is there: see what is new")}</a>
            </p>
        }
    });
    view! {
        <header class="site-header">
            {banner}
            <div class="site-header-row">
                <a class="wordmark" href="/">
                    <Logo />
                    <span>"Farthing"</span>
                </a>
                <nav aria-label="Site">
                    <a class="nav-link" href="/auctions" aria-current=in_auctions>
                        "Auctions"
                    </a>
                </nav>
                <div class="account">{account}</div>
            </div>
        </header>
    }
}

/// Where to sign in and come back from. Pages about entering are not worth coming back to.
pub fn sign_in_link(path: &str, search: &str) -> String {
    if matches!(path, "/" | "/sign-in" | "/register") {
        return "/sign-in".to_owned();
    }
    let search = search.trim_start_matches('?');
    let mark = if search.is_empty() { "" } else { "?" };
    let target = format!("{path}{mark}{search}");
    format!("/sign-in?next={}", utf8_percent_encode(&target, QUERY))
}

#[cfg(test)]
mod tests {
    use super::sign_in_link;

    #[test]
    fn leads_back_to_where_one_was() {
        assert_eq!(sign_in_link("/auctions/1", "?cursor=a&b"), "/sign-in?next=/auctions/1%3Fcursor%3Da%26b");
        assert_eq!(sign_in_link("/auctions", ""), "/sign-in?next=/auctions");
    }

    #[test]
    fn does_not_lead_back_to_the_door() {
        assert_eq!(sign_in_link("/register", ""), "/sign-in");
    }
}
