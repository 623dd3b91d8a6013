//! One field of the bid form: the amount, or how many of one denomination.

use leptos::html;
use leptos::prelude::*;

/// `symbol` is on the coin beside the name, `worth` is what one piece counts for. A problem takes the place
/// of the worth, so that nothing moves. `steps` gives it buttons for one piece more and one fewer.
#[component]
pub fn BidField(
    id: String,
    name: String,
    label: String,
    symbol: String,
    worth: Option<String>,
    steps: bool,
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
    let name_id = format!("{id}-name");
    // Named without the piece, that only the field itself bears its name.
    let step = |down: bool, label: &'static str, sign: &'static str| {
        view! {
            <button
                class="step"
                type="button"
                aria-label=label
                aria-describedby=name_id.clone()
                on:click=move |_| value.update(|text| *text = stepped(text, down))
            >
                {sign}
            </button>
        }
    };
    let fewer = steps.then(|| step(true, "One fewer", "−"));
    let more = steps.then(|| step(false, "One more", "+"));
    let coin = (!symbol.is_empty()).then(|| view! { <span class="coin" aria-hidden="true">{symbol}</span> });
    view! {
        <div class="bid-field" class:invalid=move || problem.with(Option::is_some)>
            <label id=name_id.clone() for=id.clone()>{coin} <span>{label}</span></label>
            <div class="bid-field-entry">
                {fewer}
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
                {more}
            </div>
            <p class="bid-field-note" id=note_id>
                {move || problem.get().or_else(|| worth.clone())}
            </p>
        </div>
    }
}

/// The count one higher, or one lower and not below zero. Digits after the point stay, what is no count stays
/// whole, and none at all is an empty field.
fn stepped(text: &str, down: bool) -> String {
    let text = text.trim();
    let (whole, fraction) = text.find('.').map_or((text, ""), |point| text.split_at(point));
    let Ok(count) = (if whole.is_empty() { Ok(0) } else { whole.parse::<u64>() }) else {
        return text.to_owned();
    };
    let count = if down { count.saturating_sub(1) } else { count.saturating_add(1) };
    if count == 0 && fraction.is_empty() { String::new() } else { format!("{count}{fraction}") }
}

#[cfg(test)]
mod tests {
    use super::stepped;

    #[test]
    fn a_step_is_one_piece() {
        for (text, more, fewer) in [
            ("", "1", ""),
            ("1", "2", ""),
            (" 7 ", "8", "6"),
            ("0", "1", ""),
            ("2.5", "3.5", "1.5"),
            ("0.5", "1.5", "0.5"),
            ("x", "x", "x"),
            ("-1", "-1", "-1"),
        ] {
            assert_eq!(
                (stepped(text, false).as_str(), stepped(text, true).as_str()),
                (more, fewer),
                "{text}"
            );
        }
    }
}
