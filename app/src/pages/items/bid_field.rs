//! One field of the bid form: the amount, or how many of one denomination.

use leptos::html;
use leptos::prelude::*;

/// `symbol` is on the coin beside the name, `worth` is what one piece counts for. A problem takes the place
/// of the worth, so that nothing moves.
#[component]
pub fn BidField(
    id: String,
    name: String,
    label: String,
    symbol: String,
    worth: Option<String>,
    value: RwSignal<String>,
    #[prop(into)] problem: Signal<Option<String>>,
) -> impl IntoView {
    let input = NodeRef::<html::Input>::new();
    // Returns whether the field was taken over: what was typed before the page woke up stays.
    Effect::new(move |taken: Option<bool>| {
        let Some(element) = input.get() else {
            return false;
        };
        let text = value.get();
        if taken == Some(true) {
            if element.value() != text {
                element.set_value(&text);
            }
        } else if element.value() != text {
            value.set(element.value());
        }
        true
    });
    let note_id = format!("{id}-note");
    let coin = (!symbol.is_empty()).then(|| view! { <span class="coin" aria-hidden="true">{symbol}</span> });
    view! {
        <div class="bid-field" class:invalid=move || problem.with(Option::is_some)>
            <label for=id.clone()>{coin} <span>{label}</span></label>
            <input
                id=id
                name=name
                type="text"
                inputmode="decimal"
                autocomplete="off"
                value=value.get_untracked()
                node_ref=input
                aria-describedby=note_id.clone()
                aria-invalid=move || problem.with(Option::is_some).then_some("true")
                on:input:target=move |event| value.set(event.target().value())
            />
            <p class="bid-field-note" id=note_id>
                {move || problem.get().or_else(|| worth.clone())}
            </p>
        </div>
    }
}
