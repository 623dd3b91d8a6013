//! Deleting an auction, confirmed by its name.

use app::bounds::MAX_TITLE_CHARS;
use app::components::field::{Field, TextField};
use leptos::either::Either;
use leptos::prelude::*;

const NAME: Field = Field::new("confirmedName", "Name of the auction", "Type the name of the auction.");
pub(super) const FIELDS: &[Field] = &[NAME];

#[component]
pub fn Delete(path: String, name: String, has_bids: bool) -> impl IntoView {
    let form = if has_bids {
        Either::Left(
            view! { <p>"The auction has bids. Their record stays, so the auction can’t be deleted."</p> },
        )
    } else {
        Either::Right(view! {
            <p>"The auction is deleted at once with its items, currencies, rules and members. This can’t be undone."</p>
            <form class="danger" method="post" action=format!("{path}/settings/delete") novalidate>
                <TextField
                    field=NAME
                    hint=format!("Type “{name}” to confirm.")
                    maxlength=MAX_TITLE_CHARS
                    autocomplete="off"
                    required=true
                />
                <button class="button" type="submit">
                    "Delete the auction"
                </button>
            </form>
        })
    };
    view! {
        <section aria-labelledby="delete">
            <h2 id="delete">"Delete"</h2>
            {form}
        </section>
    }
}
