//! Ending the items of an auction one after the other.

use app::components::field::{Field, TextField};
use app::components::moment_field::MomentField;
use app::components::timeline::Timeline;
use leptos::prelude::*;

const TOO_LATE: &str = "The last item would end after the auction: choose an earlier end, or fewer seconds.";
const FIRST_END: Field =
    Field::new("firstEnd", "End of the first item", "Enter the end of the first item, a date and a time.")
        .too_late(TOO_LATE);
const INTERVAL: Field =
    Field::new("intervalSeconds", "Seconds from one end to the next", "Enter whole seconds, such as 60.")
        .called("the seconds between two ends")
        .too_late(TOO_LATE);
pub(super) const FIELDS: &[Field] = &[FIRST_END, INTERVAL];

#[component]
pub fn Schedule(path: String, ends: Vec<i64>) -> impl IntoView {
    view! {
        <section aria-labelledby="schedule">
            <h2 id="schedule">"End the items one after the other"</h2>
            <p>"Sets the end of every item that is not closed, in the order of the lot numbers. No item ends after the auction."</p>
            <Timeline ends />
            <form method="post" action=format!("{path}/settings/schedule") novalidate>
                <MomentField
                    field=FIRST_END
                    hint="Leave it empty to count from now: the first item ends one interval after you press the button."
                />
                <TextField
                    field=INTERVAL
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
