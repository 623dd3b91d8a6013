//! A form field for a date and a time in the viewer's time zone.

use leptos::prelude::*;

use crate::assets::BuiltFile;
use crate::components::field::{Field, TextField, field_value};
use crate::request::request;
use crate::scripts::LoadScript;

/// Name of the hidden field with the time zone of a field.
pub fn zone_field(name: &str) -> String {
    format!("{name}.zone")
}

/// Name of the hidden field with the moment that a field showed at first.
pub fn shown_field(name: &str) -> String {
    format!("{name}.shown")
}

/// A date and a time. `hint` says what the moment is for and is followed by the time zone, in which the
/// server reads the field.
#[component]
pub fn MomentField(
    field: Field,
    hint: &'static str,
    /// The moment that the form changes.
    #[prop(optional_no_strip)]
    moment: Option<i64>,
    /// The value of the field in a new form.
    #[prop(optional, into)]
    suggested: Option<String>,
) -> impl IntoView {
    let request = request();
    let name = field.name;
    let zone = request.zone.name.clone();
    let local = moment.map(|moment| (request.zone.local)(moment));
    let (shown, value) = local.map(|local| (local.stamp, local.local)).unzip();
    // A refused form is shown again with its own zone and moment.
    let zone = field_value(&zone_field(name)).unwrap_or(zone);
    let shown = field_value(&shown_field(name)).or(shown);
    let value = value.or(suggested);
    let hint = format!("{hint} {}", in_zone(&zone)).trim_start().to_owned();
    view! {
        <LoadScript script=BuiltFile::FromNowScript />
        <TextField field hint kind="datetime-local" class="medium" value />
        <input type="hidden" name=zone_field(name) value=zone />
        {shown.map(|shown| view! { <input type="hidden" name=shown_field(name) value=shown /> })}
    }
}

/// The zone as a sentence.
fn in_zone(zone: &str) -> String {
    match zone {
        "UTC" => "In UTC.".to_owned(),
        zone => format!("In your time zone, {}.", zone.replace('_', " ")),
    }
}
