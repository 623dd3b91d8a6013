//! Handing the auction over to another member.

use leptos::either::Either;
use leptos::prelude::*;

use crate::components::field::SelectField;
use crate::model::{MemberEntry, SelectOption};

#[component]
pub fn Transfer(others: Vec<MemberEntry>, path: String) -> impl IntoView {
    let options: Vec<_> =
        others.into_iter().map(|member| SelectOption { value: member.id, label: member.name }).collect();
    let content = if options.is_empty() {
        Either::Left(view! { <p>"Once there is another member, you can make them the owner."</p> })
    } else {
        Either::Right(view! {
            <form class="danger" method="post" action=format!("{path}/transfer") novalidate>
                <p>"The new owner can change, close and delete the auction, and remove you. You become an admin, and only the new owner can undo this."</p>
                <SelectField name="userId" label="New owner" options />
                <button class="button" type="submit">
                    "Transfer the auction"
                </button>
            </form>
        })
    };
    view! {
        <section aria-labelledby="transfer">
            <h2 id="transfer">"New owner"</h2>
            {content}
        </section>
    }
}
