//! Which members are present, on the page of a clerk: a book shares among them what was spent.

use leptos::either::Either;
use leptos::prelude::*;

use crate::components::field::{Field, TextField, refused_value};
use crate::model::PresentMembers;
use crate::request::query_part;

/// The numbers of members who have come or gone.
pub const NUMBERS: Field = Field::new("numbers", "Numbers", "Enter numbers of members, such as 3, 17, 20.");

/// How many are present, and the form that records it by number. `path` is that of the page.
#[component]
pub fn Present(present: PresentMembers, auction: String, path: String) -> impl IntoView {
    let PresentMembers { count, have_numbers } = present;
    let said = match query_part("done").as_deref() {
        Some("present") => Some("Recorded: they are present."),
        Some("absent") => Some("Recorded: they are not present any more."),
        _ => None,
    };
    let is_open = said.is_some() || refused_value(NUMBERS.name).is_some();
    let members = view! { <a href=format!("{auction}/members")>"All members"</a> };
    let form = if have_numbers {
        Either::Left(view! {
            <form method="post" action=format!("{path}/present") novalidate>
                <TextField field=NUMBERS hint="Such as 3, 17, 20–29. A card can be scanned." inputmode="text" autocomplete="off" />
                <div class="actions">
                    <button class="button" type="submit" name="present" value="true">
                        "They are here"
                    </button>
                    <button class="button quiet" type="submit" name="present" value="false">
                        "They have left"
                    </button>
                </div>
            </form>
        })
    } else {
        Either::Right(view! { <p class="hint">"Mark them on the page of the members."</p> })
    };
    view! {
        <details class="clerk-present" open=is_open>
            <summary>{format!("Present: {count}")}</summary>
            {said.map(|said| view! { <p class="done" role="status">{said}</p> })}
            <p class="hint">"What is spent is shared among the people who are present." " " {members}</p>
            {form}
        </details>
    }
}
