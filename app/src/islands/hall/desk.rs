//! The desk of a clerk: three fields that are answered as they are typed. What is entered is kept in this
//! browser until the server has answered it. Before hydration and without JavaScript it is an ordinary form.

use leptos::prelude::*;

use crate::components::island_state::initial_state;
use crate::islands::hall::calls::Calls;
use crate::islands::hall::desk_state::DeskState;
use crate::islands::hall::typed::Line;
use crate::model::{Desk, Trouble};

/// The form of the desk. The children are its fields and buttons.
#[island]
pub fn ClerkDesk(children: Children) -> impl IntoView {
    initial_state().map(|desk: Desk| view! { <DeskForm desk>{children()}</DeskForm> })
}

#[component]
fn DeskForm(desk: Desk, children: Children) -> impl IntoView {
    let state = DeskState::follow(desk);
    let hydrated = RwSignal::new(false);
    Effect::new(move |_| {
        state.read();
        state.complete();
        hydrated.set(true);
    });
    view! {
        <form
            class="clerk-form"
            class:hydrated=hydrated
            class:troubled=move || state.outbox.with(|outbox| outbox.trouble.is_some())
            method="post"
            aria-label="Call a lot"
            novalidate
            on:input=move |_| state.read()
            on:change=move |_| state.read()
            on:keydown=move |event| state.press(&event)
            on:submit=move |event| state.submit(&event)
        >
            {children()}
            <Answers state />
            <div class="clerk-undo">
                <button class="button quiet" type="button" aria-keyshortcuts="F9" on:click=move |_| state.undo()>
                    "Undo the last"
                    <kbd aria-hidden="true">"F9"</kbd>
                </button>
            </div>
            <Calls state />
        </form>
    }
}

/// What the desk says to each field, and to the last key. Its space is reserved.
#[component]
fn Answers(state: DeskState) -> impl IntoView {
    let picture = Memo::new(move |_| state.judge(|it| it.lot.and_then(|lot| lot.picture.clone())));
    let line = |words: Memo<Line>, id: &'static str, live: Option<&'static str>| {
        view! {
            <p id=id class=move || words.with(|line| line.tone) role=live>
                {move || words.with(|line| line.words.clone())}
            </p>
        }
    };
    let lot = Memo::new(move |_| state.judge(|it| it.lot_line()));
    let buyer = Memo::new(move |_| state.judge(|it| it.buyer_line()));
    let price = Memo::new(move |_| state.judge(|it| it.price_line()));
    let said = state.said;
    let said = Memo::new(move |_| said.get());
    let trouble = Memo::new(move |_| state.outbox.with(|outbox| outbox.trouble));
    let trouble = move || trouble.get().map(|trouble| state.desk.with(|desk| in_words(trouble, desk)));
    view! {
        <div class="clerk-answers">
            <div class="clerk-picture">
                {move || picture.get().map(|src| view! { <img src=src alt="" width="64" height="64" /> })}
            </div>
            <div>
                {line(lot, "clerk-lot", Some("status"))} {line(buyer, "clerk-buyer", Some("status"))}
                {line(price, "clerk-price", None)} {line(said, "clerk-said", Some("status"))}
                <p class="clerk-trouble warning" role="status">
                    {trouble}
                </p>
            </div>
        </div>
    }
}

/// Why calls are not sent.
fn in_words(trouble: Trouble, desk: &Desk) -> String {
    match trouble {
        Trouble::Offline => format!(
            "No connection: this is the page of {}. Calls are kept here and sent once it is back.",
            desk.as_of
        ),
        Trouble::SignedOut => {
            "You are signed out. Calls are kept: sign in again in another tab, and they are sent.".to_owned()
        }
        Trouble::OtherUser => {
            "Another user is signed in. Calls are kept: sign in again in another tab, and they are sent."
                .to_owned()
        }
    }
}
