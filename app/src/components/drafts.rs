//! How many lots of an auction bidders do not see yet, and the button that shows them all.

use leptos::prelude::*;

/// `auction` is the address of the auction's page.
#[component]
pub fn Drafts(drafts: usize, auction: String) -> impl IntoView {
    (drafts > 0).then(|| {
        let (words, button) = match drafts {
            1 => ("1 lot is a draft: bidders don’t see it.".to_owned(), "Show the draft".to_owned()),
            _ => (
                format!("{drafts} lots are drafts: bidders don’t see them."),
                format!("Show all {drafts} drafts"),
            ),
        };
        view! {
            <form class="drafts" method="post" action=format!("{auction}/drafts/show")>
                <p>{words}</p>
                <button class="button" type="submit">
                    {button}
                </button>
            </form>
        }
    })
}
