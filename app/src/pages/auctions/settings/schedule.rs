//! Ending the items of an auction one after the other.

use leptos::prelude::*;

use crate::components::field::TextField;
use crate::components::moment_field::MomentField;

#[component]
pub fn Schedule(path: String) -> impl IntoView {
    view! {
        <section aria-labelledby="schedule">
            <h2 id="schedule">"End the items one after the other"</h2>
            <p>"Sets the end of every item that is not closed, in the order of the lot numbers. No item ends after the auction."</p>
            <form method="post" action=format!("{path}/settings/schedule") novalidate>
                <MomentField
                    name="firstEnd"
                    label="End of the first item"
                    hint="Leave it empty to count from now: the first item ends one interval after you press the button."
                />
                <TextField
                    name="intervalSeconds"
                    label="Seconds from one end to the next"
                    hint="0 to 86400. 60 is a minute."
                    inputmode="numeric"
                    class="amount short"
                />
                <button class="button" type="submit">
                    "Set the ends"
                </button>
            </form>
        </section>
    }
}
