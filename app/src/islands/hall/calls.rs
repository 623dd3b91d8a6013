//! What a clerk entered and the server has not answered, or has refused.

use leptos::prelude::*;

use crate::islands::hall::desk_state::DeskState;
use crate::model::{CallState, PendingCall};

/// The list, with a button for each call. Nothing without calls. It stands below the fields while calls are
/// not sent, and elsewhere below the buttons, which it does not move.
#[component]
pub fn Calls(state: DeskState) -> impl IntoView {
    // The newest first.
    let shown = Memo::new(move |_| {
        let mut calls = state.outbox.with(|outbox| state.desk.with(|desk| outbox.unanswered(desk)));
        calls.reverse();
        calls
    });
    view! {
        <section class="clerk-calls" aria-labelledby="clerk-unsent" hidden=move || shown.with(Vec::is_empty)>
            <h2 id="clerk-unsent">"Not sent yet"</h2>
            <ul role="list">
                <For each=move || shown.get() key=|call| (call.order, call.state.as_str()) let:call>
                    <CallRow call state />
                </For>
            </ul>
        </section>
    }
}

#[component]
fn CallRow(call: PendingCall, state: DeskState) -> impl IntoView {
    let order = call.order;
    let (class, words) = match call.state {
        CallState::Waiting => ("", "Kept in this browser, not sent yet.".to_owned()),
        CallState::Sending => ("", "Being sent.".to_owned()),
        CallState::Sent => ("good", "Sent.".to_owned()),
        CallState::Refused => ("bad", format!("Refused: {}", call.reason.clone().unwrap_or_default())),
    };
    let label = match call.state {
        CallState::Waiting => Some("Take back"),
        CallState::Refused => Some("Enter again"),
        CallState::Sending | CallState::Sent => None,
    };
    // `next.js` leaves out what is called.
    let closes = !call.is_correction && !call.places_bid() && call.state != CallState::Refused;
    let item = closes.then(|| call.item_id.clone());
    let again = call.clone();
    let again = label.map(|label| {
        view! {
            <button class="button quiet" type="button" on:click=move |_| state.take_back(again.clone())>
                {label}
            </button>
        }
    });
    let dismiss = (call.state == CallState::Refused).then(|| {
        view! {
            <button class="button quiet" type="button" on:click=move |_| DeskState::dismiss(order)>
                "Dismiss"
            </button>
        }
    });
    view! {
        <li class="clerk-call" data-item=item>
            <div>
                <p>{call.words}</p>
                <p class=class>{words}</p>
            </div>
            <div class="actions">{again} {dismiss}</div>
        </li>
    }
}
