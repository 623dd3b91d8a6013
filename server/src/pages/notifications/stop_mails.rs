//! The button that ends mails, without signing in, or that it is done.

use app::request::query_part;
use leptos::either::Either;
use leptos::prelude::*;

/// `done` says what has ended.
#[component]
pub fn StopMails(done: &'static str) -> impl IntoView {
    if query_part("done").is_some() {
        return Either::Left(view! {
            <p class="done" role="status">
                {done}
            </p>
        });
    }
    Either::Right(view! {
        <form method="post">
            <div class="actions">
                <button class="button primary" type="submit">
                    "Stop these mails"
                </button>
            </div>
        </form>
    })
}
