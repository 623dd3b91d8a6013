//! Handing the auction over to another member.

use app::components::field::{Field, SelectField};
use app::model::SelectOption;
use leptos::either::Either;
use leptos::prelude::*;

use super::list::MemberEntry;

pub(super) const NEW_OWNER: Field = Field::new("userId", "New owner", "Choose a member of the auction.");

#[component]
pub fn Transfer(others: Vec<MemberEntry>, path: String) -> impl IntoView {
    let others: Vec<_> =
        others.into_iter().map(|member| SelectOption { value: member.id, label: member.name }).collect();
    let content = if others.is_empty() {
        Either::Left(view! { <p>"Once there is another member, you can make them the owner."</p> })
    } else {
        Either::Right(view! {
            <form class="danger" method="post" action=format!("{path}/transfer") novalidate>
                <p>"The new owner can change, close and delete the auction, and remove you. You become an admin, and only the new owner can undo this."</p>
                <SelectField field=NEW_OWNER options=others />
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
