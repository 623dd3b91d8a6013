//! The forms of a share and of a decay. Three fields suffice; the others have defaults.

use app::components::field::{Field, RadioField, SelectField, TextArea, TextField, field_value};
use app::components::money::amount_in;
use app::islands::runs::live::LiveRunPreview;
use app::islands::runs::{ALL, CHOSEN, DECAY, OTHER, PRESENT, field};
use app::model::{BaseUnit, SelectOption};
use leptos::prelude::*;

const FROM: Field = Field::new(field::FROM, "Spent in", "Choose an auction.");
const LOT: Field = Field::new(field::LOT, "Only for the lot", "Enter the number of a lot, or nothing.");
const AMOUNT: Field = Field::new(field::AMOUNT, "Amount", "Enter the amount to share.");
const TO: Field = Field::new(field::TO, "Share among", "Choose among whom it is shared.");
const PEOPLE: Field = Field::new(field::PEOPLE, "These people", "Name each on a line of its own.");
const CUTS: Field =
    Field::new(field::CUTS, "Cuts, taken before", "Name each on a line of its own, with a percentage.");
const REST: Field = Field::new(field::REST, "What can’t be split evenly", "Choose what becomes of the rest.");
const DIGITS: Field =
    Field::new(field::DIGITS, "Digits after the point", "Enter a whole number from 0 to 6, or nothing.");
const PERCENT: Field =
    Field::new(field::PERCENT, "Percent", "Enter a number above 0, at most 100, such as 10.");
const FLOOR: Field =
    Field::new(field::FLOOR, "But not below", "Enter a number from 0, such as 50, or nothing.");
const BASE: Field = Field::new(field::BASE, "Taken of", "Choose of what it is taken.");
const DEBTS: Field = Field::new(field::DEBTS, "Balances below zero", "Choose what becomes of them.");
const PERIOD: Field =
    Field::new(field::PERIOD, "For the week or month", "Enter at most 64 characters, or nothing.");
pub const REASON: Field = Field::new(field::REASON, "Reason", "Say why. The people can read it.");

/// The fields of both forms, for the summary of errors.
pub const FIELDS: &[Field] =
    &[FROM, LOT, AMOUNT, TO, PEOPLE, CUTS, REST, DIGITS, PERCENT, FLOOR, BASE, DEBTS, PERIOD, REASON];

const AMONG: &[(&str, &str, &str)] = &[
    (PRESENT, "Those who are present", "The people who are marked as present in the auction."),
    (ALL, "Everyone", "Everyone who has a balance here."),
    (CHOSEN, "Certain people", "Those who are named below, each with a part."),
];
const RESTS: &[(&str, &str, &str)] = &[
    ("KEEP", "Keep it for the next time", "Everyone gets the same."),
    ("SPREAD", "Give it out", "Some get one unit of the last digit more."),
];
const BASES: &[(&str, &str, &str)] = &[
    ("ABOVE", "What a balance has above the floor", "15 % of 83 above 20 are 9.45."),
    ("WHOLE", "The whole balance", "15 % of 83 are 12.45; the floor only stops it."),
];
const DEBT_WAYS: &[(&str, &str, &str)] = &[
    ("LEAVE", "Leave them", "Who owes something goes on owing it."),
    ("SHRINK", "Let them shrink too", "The same part of what is owed is forgiven."),
];

/// The form of a share. `auctions` have their pots.
#[component]
pub fn Share(action: String, auctions: Vec<(SelectOption, String)>, unit: BaseUnit) -> impl IntoView {
    let first = auctions.first().map_or(OTHER, |(option, _)| option.value.as_str()).to_owned();
    let options = auctions.into_iter().map(|(SelectOption { value, label }, pot)| {
        let label = format!("{label}: {} not shared yet", amount_in(&pot, &unit));
        SelectOption { value, label }
    });
    let other = SelectOption { value: OTHER.to_owned(), label: "Nowhere: an amount of its own".to_owned() };
    let options: Vec<SelectOption> = options.chain([other]).collect();
    let hint = format!("In {}", unit.asked());
    view! {
        <RunForm title="Share what was spent" action kind="SHARE">
            <SelectField field=FROM options chosen=first />
            <div class="only-other">
                <TextField field=AMOUNT hint inputmode="decimal" class="amount short" />
            </div>
            <RadioField field=TO choices=AMONG />
            <div class="only-chosen">
                <TextArea
                    field=PEOPLE
                    hint="One on each line. Who gets more parts than one has their number behind the name: Ada 2"
                />
            </div>
            <Further names=&[field::LOT, field::CUTS, field::REST, field::DIGITS]>
                <div class="only-spent">
                    <TextField field=LOT hint="Shares what one lot has brought" class="short" />
                </div>
                <TextArea field=CUTS hint="One on each line, with the percentage behind the name: Bank 6 %" />
                <RadioField field=REST choices=RESTS />
                <TextField
                    field=DIGITS
                    hint="Shares are rounded down to them. 0 for whole numbers, 2 if it is empty."
                    inputmode="numeric"
                    class="amount short"
                />
            </Further>
        </RunForm>
    }
}

/// The form of a decay.
#[component]
pub fn Decay(action: String, unit: BaseUnit) -> impl IntoView {
    let hint = format!("Only what a balance has above it decays. Empty for 0. In {}", unit.asked());
    view! {
        <RunForm title="Decay" action kind=DECAY>
            <div class="field-row">
                <TextField
                    field=PERCENT
                    hint="Taken of each balance"
                    inputmode="decimal"
                    class="amount short"
                    required=true
                />
                <TextField field=FLOOR hint inputmode="decimal" class="amount short" />
            </div>
            <TextField
                field=PERIOD
                hint="Such as 2026-W48. The same one decays once. Leave it empty if that does not matter."
                maxlength=64
            />
            <Further names=&[field::BASE, field::DEBTS, field::PEOPLE, field::DIGITS]>
                <RadioField field=BASE choices=BASES />
                <RadioField field=DEBTS choices=DEBT_WAYS />
                <TextArea field=PEOPLE hint="Only their balances decay. One on each line; empty for everyone." />
                <TextField
                    field=DIGITS
                    hint="What is taken is rounded down to them. 0 for whole numbers, 2 if it is empty."
                    inputmode="numeric"
                    class="amount short"
                />
            </Further>
        </RunForm>
    }
}

/// The form, at whose end the preview stands.
#[component]
fn RunForm(title: &'static str, action: String, kind: &'static str, children: Children) -> impl IntoView {
    view! {
        <section aria-labelledby="run">
            <h2 id="run">{title}</h2>
            <form class="run-form" id=app::islands::runs::live::FORM method="get" action=action novalidate>
                <input type="hidden" name=field::KIND value=kind />
                {children()}
                <LiveRunPreview />
            </form>
        </section>
    }
}

/// Fields that have defaults. They are in sight if one of `names` has another value.
#[component]
fn Further(names: &'static [&'static str], children: Children) -> impl IntoView {
    let is_chosen = |value: &String| !["", "KEEP", "ABOVE", "LEAVE"].contains(&value.as_str());
    let is_filled = names.iter().any(|name| field_value(name).is_some_and(|value| is_chosen(&value)));
    view! {
        <details class="run-further" open=is_filled>
            <summary>"More choices"</summary>
            {children()}
        </details>
    }
}
