//! A field of the bid form: an amount, or the count of one denomination.

use leptos::html;
use leptos::prelude::*;

/// `symbol` is shown next to the label, `note` below it. A problem replaces the note, so that nothing moves.
/// The arrow keys change the number by one. With `steps` there are buttons for one more and one fewer, too.
#[component]
pub fn BidField(
    id: String,
    name: String,
    label: String,
    symbol: String,
    note: Option<String>,
    steps: bool,
    /// Whether the field adopts a text that was typed before hydration. The fields of another currency do
    /// not: they take over the elements of the first one with their content.
    adopts: bool,
    value: RwSignal<String>,
    #[prop(into)] problem: Signal<Option<String>>,
) -> impl IntoView {
    let input = NodeRef::<html::Input>::new();
    // Returns whether the signal controls the input. The first run adopts what was typed before hydration,
    // which differs from what the server rendered.
    Effect::new(move |controlled: Option<bool>| {
        let Some(element) = input.get() else {
            return false;
        };
        let text = value.get();
        if adopts && controlled != Some(true) && element.value() != element.default_value() {
            value.set(element.value());
        } else if element.value() != text {
            element.set_value(&text);
        }
        true
    });
    let note_id = format!("{id}-note");
    let name_id = format!("{id}-name");
    // The name of the denomination is the description, not the label: only the input has it as its label.
    let step = |down: bool, label: &'static str, sign: &'static str| {
        view! {
            <button
                class="step"
                type="button"
                // The arrow keys of the field do the same.
                tabindex="-1"
                aria-label=label
                aria-describedby=name_id.clone()
                on:click=move |_| value.update(|text| *text = stepped(text, down))
            >
                {sign}
            </button>
        }
    };
    let invalid = Signal::derive(move || problem.with(Option::is_some));
    let said = Signal::derive(move || problem.get().or_else(|| note.clone()).unwrap_or_default());
    let fewer = steps.then(|| step(true, "One fewer", "−"));
    let more = steps.then(|| step(false, "One more", "+"));
    let symbol = (!symbol.is_empty())
        .then(|| view! { <span class="denomination-symbol" aria-hidden="true">{symbol}</span> });
    view! {
        <div class="bid-field" class:invalid=invalid>
            <label id=name_id.clone() for=id.clone()>{symbol} <span>{label}</span></label>
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
                    on:keydown=move |event| {
                        let key = event.key();
                        if matches!(key.as_str(), "ArrowUp" | "ArrowDown") {
                            event.prevent_default();
                            value.update(|text| *text = stepped(text, key == "ArrowDown"));
                        }
                    }
                />
                {more}
            </div>
            <p class="bid-field-note" id=note_id>
                {said}
            </p>
        </div>
    }
}

/// The count plus one, or minus one but not below zero. Digits after the point or comma are kept, a text that
/// is not a count is unchanged, and zero is an empty field.
fn stepped(text: &str, down: bool) -> String {
    let text = text.trim();
    let (whole, fraction) = text.find(['.', ',']).map_or((text, ""), |point| text.split_at(point));
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
    fn a_step_changes_the_count_by_one() {
        for (text, more, fewer) in [
            ("", "1", ""),
            ("1", "2", ""),
            (" 7 ", "8", "6"),
            ("0", "1", ""),
            ("2.5", "3.5", "1.5"),
            ("2,5", "3,5", "1,5"),
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
