//! Form fields, each with its label, hint and error. A field of a refused form shows the submitted value
//! again.

mod words;

use leptos::prelude::*;

pub use words::{Field, capitalized, sentences};

use crate::components::escaped::escaped;
use crate::model::{Filled, Refused, SelectOption};

/// The first option of a list without a default. A form that sends it is asked for a choice.
const CHOOSE: &str = "Choose one";

/// Element id of the field with this name.
pub fn field_id(name: &str) -> String {
    format!("field-{name}")
}

/// Initial value of a field: the submitted one if the form was refused, else the one that the page provides.
pub fn field_value(name: &str) -> Option<String> {
    match refused_form() {
        Some(refused) => refused.value(name).map(str::to_owned),
        None => use_context::<Filled>()?.value(name).map(str::to_owned),
    }
}

/// Error of a field of the refused form.
pub fn field_error(field: &Field) -> Option<String> {
    error_at(field, field.name)
}

/// Error of the refused form at this path, which is that of a field or of a part of it.
pub fn error_at(field: &Field, path: &str) -> Option<String> {
    use_context::<Refused>()?.problem(path).map(|problem| field.sentence(path, problem))
}

/// Submitted value of a field of the refused form.
pub fn refused_value(name: &str) -> Option<String> {
    refused_form()?.value(name).map(str::to_owned)
}

/// All values of a name that the form had as it was refused.
pub fn refused_values(name: &str) -> Vec<String> {
    let values = refused_form().map(|refused| refused.values).unwrap_or_default();
    values.into_iter().filter(|(field, _)| field == name).map(|(_, value)| value).collect()
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
    fn of(field: &Field, has_hint: bool) -> Self {
        Self::at(field, field.name, has_hint)
    }

    fn at(field: &Field, name: &str, has_hint: bool) -> Self {
        let value = field_value(name);
        let error = error_at(field, name);
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

/// Label, hint and error around an input.
#[component]
fn Labelled(
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
    field: Field,
    /// Name and label of one of several inputs of the field.
    #[prop(optional)]
    part: Option<(String, String)>,
    #[prop(optional, into)] hint: Option<String>,
    #[prop(default = "text")] kind: &'static str,
    #[prop(optional)] autocomplete: Option<&'static str>,
    #[prop(optional)] inputmode: Option<&'static str>,
    #[prop(optional)] maxlength: Option<usize>,
    #[prop(optional)] required: bool,
    #[prop(optional)] readonly: bool,
    /// The field has the focus when the page is shown, unless a form was refused.
    #[prop(optional)]
    autofocus: bool,
    #[prop(optional, into)] class: Option<String>,
    /// The value of a form that is shown for the first time.
    #[prop(optional_no_strip)]
    value: Option<String>,
) -> impl IntoView {
    let (name, label) = part.unwrap_or_else(|| (field.name.to_owned(), field.label.to_owned()));
    let state = FieldState::at(&field, &name, hint.is_some());
    // The server never sends a password back.
    let value =
        state.value.or_else(|| value.filter(|_| refused_form().is_none())).filter(|_| kind != "password");
    view! {
        <Labelled id=state.id.clone() label hint error=state.error>
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
                autofocus=autofocus && refused_form().is_none()
                aria-invalid=state.invalid
                aria-describedby=state.described_by
            />
        </Labelled>
    }
}

/// Several lines of text.
#[component]
pub fn TextArea(field: Field, #[prop(optional, into)] hint: Option<String>) -> impl IntoView {
    let state = FieldState::of(&field, hint.is_some());
    view! {
        <Labelled id=state.id.clone() label=field.label hint error=state.error>
            <textarea
                id=state.id
                name=field.name
                rows="6"
                aria-invalid=state.invalid
                aria-describedby=state.described_by
            >
                {state.value.as_deref().map(inside_textarea)}
            </textarea>
        </Labelled>
    }
}

/// The text as HTML inside `<textarea>`, where Leptos does not escape it. Browsers ignore a newline at the
/// start, so one is added to keep the user's.
fn inside_textarea(text: &str) -> String {
    format!("\n{}", escaped(text))
}

/// One of several options. `chosen` is the default, also where it is none of them.
#[component]
pub fn SelectField(
    field: Field,
    #[prop(optional, into)] hint: Option<String>,
    options: Vec<SelectOption>,
    #[prop(optional, into)] chosen: Option<String>,
) -> impl IntoView {
    let state = FieldState::of(&field, hint.is_some());
    let chosen = state.value.or(chosen).unwrap_or_default();
    // Where no option is selected the browser would send the first one, unasked.
    let unlisted = options.iter().all(|option| option.value != chosen).then(|| SelectOption {
        label: if chosen.is_empty() { CHOOSE.to_owned() } else { chosen.clone() },
        value: chosen.clone(),
    });
    let options = unlisted.into_iter().chain(options).map(|option| {
        let selected = chosen == option.value;
        view! {
            <option value=option.value selected=selected>
                {option.label}
            </option>
        }
    });
    let options = options.collect::<Vec<_>>();
    view! {
        <Labelled id=state.id.clone() label=field.label hint error=state.error>
            <select id=state.id name=field.name aria-invalid=state.invalid aria-describedby=state.described_by>
                {options}
            </select>
        </Labelled>
    }
}

/// A checkbox. `checked` is the default.
#[component]
pub fn CheckField(
    name: &'static str,
    label: &'static str,
    #[prop(into)] hint: String,
    checked: bool,
) -> impl IntoView {
    let has_values = refused_form().is_some() || use_context::<Filled>().is_some();
    let checked = if has_values { field_value(name).is_some() } else { checked };
    let field = Field::new(name, label, "Tick the box.");
    let FieldState { id, error, invalid, described_by, .. } = FieldState::of(&field, true);
    let class = if error.is_some() { "field choice invalid" } else { "field choice" };
    view! {
        <div class=class>
            <input
                id=id.clone()
                name=name
                type="checkbox"
                value="true"
                checked=checked
                aria-invalid=invalid
                aria-describedby=described_by
            />
            <label for=id.clone()>{label}</label>
            <p class="hint" id=format!("{id}-hint")>
                {hint}
            </p>
            {error.map(|error| view! { <p class="field-error" id=format!("{id}-error")>{error}</p> })}
        </div>
    }
}

/// Radio buttons, each with a sentence that explains it: value, label, sentence. The first one is the
/// default.
#[component]
pub fn RadioField(
    field: Field,
    choices: &'static [(&'static str, &'static str, &'static str)],
) -> impl IntoView {
    let state = FieldState::of(&field, false);
    let first = choices.first().map(|choice| choice.0.to_owned());
    let chosen = state.value.or(first);
    let choices = choices.iter().enumerate().map(|(index, &(value, label, sentence))| {
        // The first has the id of the field, which the error summary links to.
        let id = if index == 0 { state.id.clone() } else { format!("{}-{index}", state.id) };
        let hint_id = format!("{id}-hint");
        let checked = chosen.as_deref() == Some(value);
        view! {
            <div class="choice">
                <input id=id.clone() name=field.name type="radio" value=value checked=checked aria-describedby=hint_id.clone() />
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
            <legend>{field.label}</legend>
            {state.error.map(|error| view! { <p class="field-error">{error}</p> })}
            {choices}
        </fieldset>
    }
}
