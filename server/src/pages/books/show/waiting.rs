//! Grants of imports that wait for people without a balance, for the keepers of the book.

use app::components::moment::{date_and_time, stamp};
use app::components::money::StaticValue;
use app::components::name::Name;
use app::model::BaseUnit;
use auction_house::waiting::WaitingGrant;
use leptos::prelude::*;

/// The first grants of a book that wait for people.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WaitingList {
    pub entries: Vec<WaitingGrant>,
    /// Number of the others.
    pub more: i64,
}

#[component]
pub fn Waiting(waiting: WaitingList, unit: BaseUnit, path: String) -> impl IntoView {
    let WaitingList { entries, more } = waiting;
    let is_empty = entries.is_empty();
    let rows = entries.into_iter().map(|grant| {
        view! { <Row grant unit=unit.clone() path=path.clone() /> }
    });
    let rows = rows.collect::<Vec<_>>();
    let more = (more > 0).then(|| view! { <p class="hint">{format!("And {more} more.")}</p> });
    (!is_empty).then(|| {
        view! {
            <section aria-labelledby="waiting">
                <h2 id="waiting">"Waiting for people"</h2>
                <p>"Each amount is granted as soon as the person with the e-mail takes part by the link."</p>
                <ul class="member-rows" role="list">
                    {rows}
                </ul>
                {more}
            </section>
        }
    })
}

#[component]
fn Row(grant: WaitingGrant, unit: BaseUnit, path: String) -> impl IntoView {
    let WaitingGrant { id, email, amount, reason, expires_at, mail_failed_at, .. } = grant;
    let (email, expires_at) = (email.as_typed().to_owned(), expires_at.millis());
    let label = format!("Take back what waits for {email}");
    let failed = mail_failed_at.map(|_| {
        view! { <span class="field-error">"The mail could not be sent: pass the link on yourself."</span> }
    });
    view! {
        <li>
            <div>
                <p class="member-name">
                    <Name text=email />
                    " "
                    <StaticValue amount=amount.to_string() unit />
                </p>
                <p class="facts">
                    <span>{reason}</span>
                    <span>"Waits until " <time datetime=stamp(expires_at)>{date_and_time(expires_at)}</time></span>
                    {failed}
                </p>
            </div>
            <form method="post" action=format!("{path}/waiting/{id}/delete")>
                <button class="button quiet" type="submit" aria-label=label>
                    "Take back"
                </button>
            </form>
        </li>
    }
}
