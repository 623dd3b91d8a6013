//! The form that grants or takes an amount.

use app::bounds::MAX_REASON_CHARS;
use app::components::field::{Field, RadioField, TextField, field_error, field_id, refused_value};
use app::components::name::Name;
use app::model::Refused;
use app::request::request;
use leptos::either::Either;
use leptos::prelude::*;

use super::holders::HolderEntry;

const AMOUNT: Field = Field::new("amount", "Amount", "Enter an amount other than 0, such as 50 or -50.");
const REASON: Field = Field::new("reason", "Reason", "Say why. The people can read it.");
const TO_WHOM: Field = Field::new("whom", "To whom", "Choose to whom it is given.");
const HOLDERS: Field = Field::new("holders", "People", "Tick at least one person, or choose everyone.");
pub(super) const FIELDS: &[Field] = &[AMOUNT, REASON, TO_WHOM, HOLDERS];

/// Name of the checkboxes that choose holders.
const HOLDER: &str = "holder";

/// Value, label and sentence of a radio button.
const WHOM: &[(&str, &str, &str)] = &[
    ("ALL", "Everyone", "One entry for each person, all of them or none."),
    ("SOME", "The people ticked below", "Only people that this page lists can be ticked."),
];

/// `holders` are those that the page lists.
#[component]
pub fn Grant(path: String, holders: Vec<HolderEntry>) -> impl IntoView {
    let key = refused_value("idempotencyKey").filter(|key| !key.is_empty());
    let key = key.unwrap_or_else(|| request().new_key.clone());
    let error = field_error(&HOLDERS).map(|error| view! { <p class="field-error">{error}</p> });
    let ticked: Vec<String> = use_context::<Refused>().map_or_else(Vec::new, |refused| {
        refused.values.into_iter().filter(|(name, _)| name == HOLDER).map(|(_, value)| value).collect()
    });
    let boxes = holders.into_iter().map(|holder| {
        let checked = ticked.contains(&holder.id);
        view! {
            <label class="holder-choice">
                <input type="checkbox" name=HOLDER value=holder.id checked=checked />
                <Name text=holder.name />
            </label>
        }
    });
    let boxes = boxes.collect::<Vec<_>>();
    let choice = if boxes.is_empty() {
        Either::Left(view! { <p class="hint">"Nobody has a balance yet. Add people below."</p> })
    } else {
        Either::Right(view! {
            <RadioField field=TO_WHOM choices=WHOM />
            <fieldset class="field" id=field_id(HOLDERS.name)>
                <legend>{HOLDERS.label}</legend>
                {error}
                <div class="holder-choices">{boxes}</div>
            </fieldset>
        })
    };
    view! {
        <section aria-labelledby="grant">
            <h2 id="grant">"Give or take away"</h2>
            <form class="grant-form" method="post" action=format!("{path}/entries") novalidate>
                <input type="hidden" name="idempotencyKey" value=key />
                <div class="field-row">
                    <TextField
                        field=AMOUNT
                        hint="A negative amount takes from the balance."
                        inputmode="decimal"
                        class="amount short"
                        required=true
                    />
                    <TextField
                        field=REASON
                        hint="The people can read it."
                        maxlength=MAX_REASON_CHARS
                        required=true
                    />
                </div>
                {choice}
                <button class="button primary" type="submit">
                    "Give"
                </button>
            </form>
        </section>
    }
}
