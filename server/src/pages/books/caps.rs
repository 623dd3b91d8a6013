//! The caps of a book: limits on what is given.

use app::bundles::{Bundle, LoadBundle};
use app::components::field::{Field, SelectField, TextField};
use app::components::island_state::island_state;
use app::islands::runs::caps as names;
use app::islands::runs::live::LiveCaps;
use app::model::{BaseUnit, LiveRun, SelectOption};
use leptos::prelude::*;

const SOFT: Field = Field::new(names::SOFT, "Less from", "Enter a balance from 0, such as 500, or nothing.");
const SOFT_PERCENT: Field = Field::new(
    names::SOFT_PERCENT,
    "Percent given above it",
    "Enter a number from 0 to 100, such as 10, or nothing.",
);
const HARD: Field =
    Field::new(names::HARD, "No more from", "Enter a balance from 0, such as 1000, or nothing.");
const WEEKLY: Field =
    Field::new(names::WEEKLY, "At most in a week", "Enter a number from 0, such as 50, or nothing.");
const WEEK_START: Field = Field::new("weekStart", "The week begins on", "Choose a day.");
pub(super) const TIME_ZONE: Field =
    Field::new("timeZone", "Time zone of the week", "Choose a time zone of the list.");
pub(super) const FIELDS: &[Field] = &[SOFT, SOFT_PERCENT, HARD, WEEKLY, WEEK_START, TIME_ZONE];

const DAYS: [(&str, &str); 7] = [
    ("MONDAY", "Monday"),
    ("TUESDAY", "Tuesday"),
    ("WEDNESDAY", "Wednesday"),
    ("THURSDAY", "Thursday"),
    ("FRIDAY", "Friday"),
    ("SATURDAY", "Saturday"),
    ("SUNDAY", "Sunday"),
];

/// The form with the caps. `zones` are the names of time zones.
#[component]
pub fn Caps(path: String, zones: Vec<String>, unit: BaseUnit) -> impl IntoView {
    let option = |value: &str, label: &str| SelectOption { value: value.to_owned(), label: label.to_owned() };
    let days = DAYS.iter().map(|(value, label)| option(value, label)).collect::<Vec<_>>();
    let zones = zones.iter().map(|zone| option(zone, &zone.replace('_', " "))).collect::<Vec<_>>();
    let live = LiveRun {
        action: format!("{path}/runs"),
        unit,
        is_share: false,
        key: String::new(),
        reason: String::new(),
    };
    view! {
        <section aria-labelledby="caps">
            <h2 id="caps">"Caps"</h2>
            <p>"Limits on what is given and shared. They take nothing: a balance above a cap stays as it is. Leave a field empty for no limit."</p>
            <form method="post" action=format!("{path}/settings/caps") id=names::FORM novalidate>
                <div class="field-row">
                    <TextField
                        field=SOFT
                        hint="From this balance on only a part is given."
                        inputmode="decimal"
                        class="amount short"
                    />
                    <TextField field=SOFT_PERCENT hint="Such as 10" inputmode="decimal" class="amount short" />
                </div>
                <TextField
                    field=HARD
                    hint="Nothing that is given takes a balance above this."
                    inputmode="decimal"
                    class="amount short"
                />
                <TextField
                    field=WEEKLY
                    hint="What one person is given in a week, all in all."
                    inputmode="decimal"
                    class="amount short"
                />
                <div class="field-row">
                    <SelectField field=WEEK_START options=days chosen="MONDAY" />
                    <SelectField field=TIME_ZONE options=zones chosen="UTC" />
                </div>
                <LoadBundle bundle=Bundle::Pot />
                {island_state(live)}
                <LiveCaps />
                <button class="button primary" type="submit">
                    "Save caps"
                </button>
            </form>
        </section>
    }
}
