//! Closing an auction.

use leptos::prelude::*;

#[component]
pub fn Close(path: String) -> impl IntoView {
    view! {
        <section aria-labelledby="close">
            <h2 id="close">"Close"</h2>
            <form class="danger" method="post" action=format!("{path}/settings/close")>
                <p>"Bidding ends at once on every item, and the highest bid on each of them wins. A closed auction never opens again."</p>
                <button class="button" type="submit">
                    "Close the auction now"
                </button>
            </form>
        </section>
    }
}
