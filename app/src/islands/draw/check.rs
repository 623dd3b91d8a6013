//! The fields of a draw, and its winners, as they are typed. Nothing is sent.

use leptos::either::EitherOf3;
use leptos::prelude::*;
use rules_engine::draw::Again;

use super::repeat::{Repeated, repeat};
use crate::components::island_state::initial_state;
use crate::model::wire_struct;

wire_struct! {
    /// The initial values of the fields.
    #[derive(Debug, Default)]
    #[cfg_attr(feature = "ssr", derive(serde::Serialize))]
    pub struct DrawFields {
        pub seed: String,
        pub item: String,
        pub copies: String,
        pub again: String,
        pub tickets: String,
    }
}

/// Its state is [`DrawFields`].
#[island]
pub fn DrawCheck() -> impl IntoView {
    initial_state().map(|fields| view! { <Check fields /> })
}

/// A form, so that it works without JavaScript too: its button requests the page with the values.
#[component]
fn Check(fields: DrawFields) -> impl IntoView {
    let is_ticket = fields.again == Again::Ticket.as_str();
    let [seed, item, copies, again, tickets] =
        [fields.seed, fields.item, fields.copies, fields.again, fields.tickets].map(RwSignal::new);
    let result = Memo::new(move |_| {
        let texts = [seed, item, copies, again, tickets].map(|field| field.get());
        repeat(texts.each_ref().map(String::as_str))
    });
    let hydrated = RwSignal::new(false);
    Effect::new(move |_| hydrated.set(true));
    view! {
        <form
            class="bid-form"
            class:hydrated=hydrated
            method="get"
            action="/draw"
            aria-label="Draw"
            on:submit=move |event| event.prevent_default()
        >
            <Line name="seed" label="Seed" hint="64 digits, which the item shows after the draw" value=seed />
            <Line name="item" label="Item" hint="Its id" value=item />
            <Line name="copies" label="Copies" hint="How many tickets win. Empty for one" value=copies />
            <div class="field">
                <label for="draw-again">"After a win"</label>
                <select id="draw-again" name="again" on:change:target=move |event| again.set(event.target().value())>
                    <option value=Again::Person.as_str()>"all tickets of the winner leave"</option>
                    <option value=Again::Ticket.as_str() selected=is_ticket>
                        "only the drawn ticket leaves"
                    </option>
                </select>
            </div>
            <div class="field">
                <label for="draw-tickets">"Tickets"</label>
                <p class="hint" id="draw-tickets-hint">
                    "A line for each purchase, in the order of receipt: whose they are, a blank, and how many"
                </p>
                <textarea
                    id="draw-tickets"
                    name="tickets"
                    rows="8"
                    spellcheck="false"
                    aria-describedby="draw-tickets-hint"
                    on:input:target=move |event| tickets.set(event.target().value())
                >
                    {tickets.get_untracked()}
                </textarea>
            </div>
            <div class="actions">
                <button class="button primary show-fields" type="submit">
                    "Draw"
                </button>
            </div>
            <div role="status" aria-label="Winners">
                {move || match result.get() {
                    Ok(None) => EitherOf3::A(view! { <p class="hint">"Enter the seed and the tickets."</p> }),
                    Ok(Some(repeated)) => EitherOf3::B(view! { <Winners repeated /> }),
                    Err(problem) => EitherOf3::C(view! { <p class="field-error">{problem}</p> }),
                }}
            </div>
        </form>
    }
}

/// A field of one line.
#[component]
fn Line(
    name: &'static str,
    label: &'static str,
    hint: &'static str,
    value: RwSignal<String>,
) -> impl IntoView {
    let id = format!("draw-{name}");
    let hint_id = format!("{id}-hint");
    view! {
        <div class="field">
            <label for=id.clone()>{label}</label>
            <p class="hint" id=hint_id.clone()>
                {hint}
            </p>
            <input
                id=id
                name=name
                type="text"
                autocomplete="off"
                spellcheck="false"
                aria-describedby=hint_id
                value=value.get_untracked()
                on:input:target=move |event| value.set(event.target().value())
            />
        </div>
    }
}

#[component]
fn Winners(repeated: Repeated) -> impl IntoView {
    let Repeated { seed_hash, tickets, winners } = repeated;
    let rows = winners.into_iter().map(|winner| {
        view! {
            <tr>
                <td>{winner.copy}</td>
                <td>{winner.ticket}</td>
                <td><bdi>{winner.holder}</bdi></td>
            </tr>
        }
    });
    view! {
        <p>{format!("Of {tickets} tickets these win:")}</p>
        <table>
            <thead>
                <tr>
                    <th scope="col">"Copy"</th>
                    <th scope="col">"Ticket"</th>
                    <th scope="col">"Holder"</th>
                </tr>
            </thead>
            <tbody>{rows.collect_view()}</tbody>
        </table>
        <p>
            "SHA-256 of the seed, which the item showed before the first ticket: " <code>{seed_hash}</code>
        </p>
    }
}
