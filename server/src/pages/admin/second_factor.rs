//! Whether the Deployment Admin needs a second factor.

use leptos::prelude::*;

#[component]
pub fn SecondFactor(has_second_factor: bool, needs_second_factor: bool) -> impl IntoView {
    let (state, label) = if needs_second_factor {
        (
            "The Deployment Admin needs a second factor: only an account with one can take the role, and yours can’t be turned off.",
            "Stop requiring a second factor",
        )
    } else {
        (
            "If the Deployment Admin needs a second factor, a stolen password alone does not open this page.",
            "Require a second factor",
        )
    };
    let set_up = (!has_second_factor).then(|| {
        view! {
            <p class="notice">
                "Your account has no second factor. " <a href="/account/second-factor">"Set it up"</a> "."
            </p>
        }
    });
    view! {
        <section class="admin-section" aria-labelledby="second-factor">
            <h2 id="second-factor">"Second factor"</h2>
            <p>{state}</p>
            {set_up}
            <form class="admin-form" method="post" action="/admin/second-factor">
                <input type="hidden" name="adminSecondFactor" value=(!needs_second_factor).to_string() />
                <button class="button" type="submit">
                    {label}
                </button>
            </form>
        </section>
    }
}
