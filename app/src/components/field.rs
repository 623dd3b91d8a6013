//! One field of a form with its label, what helps to fill it in, and what is wrong with it. What was typed
//! into a form that was refused is filled in again.

use leptos::prelude::*;

use crate::components::escaped::escaped;
use crate::model::{CurrencyChoice, Filled, Refused};

/// The id of the field that has this name.
pub fn field_id(name: &str) -> String {
    format!("field-{name}")
}

/// How a field begins: as it was sent, if the form was, else as the page fills it in.
pub fn field_value(name: &str) -> Option<String> {
    match refused_form() {
        Some(refused) => refused.value(name).map(str::to_owned),
        None => use_context::<Filled>()?.value(name).map(str::to_owned),
    }
}

fn refused_form() -> Option<Refused> {
    use_context::<Refused>().filter(|refused| !refused.is_button)
}

struct FieldState {
    id: String,
    value: Option<String>,
    error: Option<String>,
    invalid: Option<&'static str>,
    described_by: Option<String>,
}

impl FieldState {
    fn of(name: &str, has_hint: bool) -> Self {
        let value = field_value(name);
        let refused = use_context::<Refused>();
        let error = refused.as_ref().and_then(|refused| refused.error(name)).map(str::to_owned);
        let id = field_id(name);
        let hint = has_hint.then(|| format!("{id}-hint"));
        let problem = error.as_ref().map(|_| format!("{id}-error"));
        let described_by = [hint, problem].into_iter().flatten().collect::<Vec<_>>().join(" ");
        Self {
            invalid: error.as_ref().map(|_| "true"),
            described_by: (!described_by.is_empty()).then_some(described_by),
            id,
            value,
            error,
        }
    }
}

#[component]
fn Around(
    id: String,
    #[prop(into)] label: String,
    hint: Option<String>,
    error: Option<String>,
    children: Children,
) -> impl IntoView {
    let class = if error.is_some() { "field invalid" } else { "field" };
    view! {
        <div class=class>
            <label for=id.clone()>{label}</label>
            {hint.map(|hint| view! { <p class="hint" id=format!("{id}-hint")>{hint}</p> })}
            {error.map(|error| view! { <p class="field-error" id=format!("{id}-error")>{error}</p> })}
            {children()}
        </div>
    }
}

/// A line of text. `kind` is the input's type.
#[component]
pub fn TextField(
    #[prop(into)] name: String,
    #[prop(into)] label: String,
    #[prop(optional, into)] hint: Option<String>,
    #[prop(default = "text")] kind: &'static str,
    #[prop(optional)] autocomplete: Option<&'static str>,
    #[prop(optional)] inputmode: Option<&'static str>,
    #[prop(optional)] maxlength: Option<&'static str>,
    #[prop(optional)] required: bool,
    #[prop(optional)] readonly: bool,
    #[prop(optional, into)] class: Option<String>,
) -> impl IntoView {
    let state = FieldState::of(&name, hint.is_some());
    // A password is never sent back.
    let value = state.value.filter(|_| kind != "password");
    view! {
        <Around id=state.id.clone() label hint error=state.error>
            <input
                id=state.id
                name=name
                class=class
                type=kind
                value=value
                autocomplete=autocomplete
                inputmode=inputmode
                maxlength=maxlength
                required=required
                readonly=readonly
                aria-invalid=state.invalid
                aria-describedby=state.described_by
            />
        </Around>
    }
}

/// Several lines of text.
#[component]
pub fn TextArea(
    name: &'static str,
    #[prop(into)] label: String,
    #[prop(optional, into)] hint: Option<String>,
) -> impl IntoView {
    let state = FieldState::of(name, hint.is_some());
    view! {
        <Around id=state.id.clone() label hint error=state.error>
            <textarea
                id=state.id
                name=name
                rows="6"
                aria-invalid=state.invalid
                aria-describedby=state.described_by
            >
                {state.value.as_deref().map(inside_textarea)}
            </textarea>
        </Around>
    }
}

/// Leptos writes the text of a textarea as it is given, and people write it. The browser drops a line end at
/// its beginning: that one is ours.
fn inside_textarea(text: &str) -> String {
    format!("\n{}", escaped(text))
}

/// One of several values, or none yet.
#[component]
pub fn SelectField(
    name: &'static str,
    #[prop(into)] label: String,
    #[prop(optional, into)] hint: Option<String>,
    choices: Vec<CurrencyChoice>,
    #[prop(optional, into)] chosen: Option<String>,
) -> impl IntoView {
    let state = FieldState::of(name, hint.is_some());
    let chosen = state.value.or(chosen);
    let choices = choices.into_iter().map(|choice| {
        let selected = chosen.as_deref() == Some(choice.value.as_str());
        view! {
            <option value=choice.value selected=selected>
                {choice.label}
            </option>
        }
    });
    let choices = choices.collect::<Vec<_>>();
    view! {
        <Around id=state.id.clone() label hint error=state.error>
            <select id=state.id name=name aria-invalid=state.invalid aria-describedby=state.described_by>
                {choices}
            </select>
        </Around>
    }
}

/// Yes or no. `checked` is how it stands before anything was sent.
#[component]
pub fn CheckField(
    name: &'static str,
    #[prop(into)] label: String,
    #[prop(into)] hint: String,
    checked: bool,
) -> impl IntoView {
    let known = refused_form().is_some() || use_context::<Filled>().is_some();
    let checked = if known { field_value(name).is_some() } else { checked };
    let id = field_id(name);
    let hint_id = format!("{id}-hint");
    view! {
        <div class="field choice">
            <input id=id.clone() name=name type="checkbox" value="true" checked=checked aria-describedby=hint_id.clone() />
            <label for=id>{label}</label>
            <p class="hint" id=hint_id>
                {hint}
            </p>
        </div>
    }
}

/// One of a few values, each with a sentence of what it means: value, label, sentence.
#[component]
pub fn RadioField(
    name: &'static str,
    legend: &'static str,
    choices: &'static [(&'static str, &'static str, &'static str)],
) -> impl IntoView {
    let state = FieldState::of(name, false);
    let first = choices.first().map(|choice| choice.0.to_owned());
    let chosen = state.value.or(first);
    let choices = choices.iter().enumerate().map(|(index, &(value, label, sentence))| {
        // The first bears the field's own id: the error summary leads there.
        let id = if index == 0 { state.id.clone() } else { format!("{}-{index}", state.id) };
        let hint_id = format!("{id}-hint");
        let checked = chosen.as_deref() == Some(value);
        view! {
            <div class="choice">
                <input id=id.clone() name=name type="radio" value=value checked=checked aria-describedby=hint_id.clone() />
                <label for=id>{label}</label>
                <p class="hint" id=hint_id>
                    {sentence}
                </p>
            </div>
        }
    });
    let choices = choices.collect::<Vec<_>>();
    view! {
        <fieldset class="field">
            <legend>{legend}</legend>
            {state.error.map(|error| view! { <p class="field-error">{error}</p> })}
            {choices}
        </fieldset>
    }
}
