//! The fields of an auction, for the forms that create and change it.

use leptos::either::Either;
use leptos::prelude::*;

use crate::bounds::{MAX_TITLE_CHARS, MAX_UNIT_NAME_CHARS, MAX_UNIT_SYMBOL_CHARS};
use crate::components::description_field::DescriptionField;
use crate::components::field::{CheckField, RadioField, SelectField, TextField};
use crate::components::moment_field::MomentField;
use crate::model::SelectOption;

/// Value, label and sentence of a radio button.
type Choice = (&'static str, &'static str, &'static str);

const JOIN_MODES: &[Choice] = &[
    (
        "LINK",
        "Anyone with the link",
        "You get a link and a QR code to pass on. Nobody else sees the auction.",
    ),
    ("INVITE_ONLY", "Private", "Only people you invite see it."),
    ("FREE", "Open", "Every signed-in user sees it, and joins with the first bid."),
];

/// In the order in which they hide more names.
const VISIBILITIES: &[Choice] = &[
    ("VISIBLE", "Shown", "Everyone in the auction sees the name of each bidder."),
    ("PER_BID", "Bidders choose", "With each bid, its bidder may hide their name from other bidders."),
    ("ANONYMOUS", "Hidden", "Bidders see only their own name. You and the admins see all of them."),
];

const END_MODES: &[Choice] = &[
    ("CUSTOM", "Each on its own", "An item may have its own end, and otherwise ends with the auction."),
    ("AUCTION_END", "All with the auction", "No item has an end of its own."),
    ("NONE", "When you close them", "Items have no end: you close each of them, or the auction."),
];

/// `save` is the label of the form's button.
#[component]
pub fn AboutFields(save: &'static str) -> impl IntoView {
    view! {
        <TextField name="name" label="Name" maxlength=MAX_TITLE_CHARS required=true />
        <DescriptionField about="What is sold, and for whom." save />
    }
}

#[component]
pub fn JoinField() -> impl IntoView {
    view! { <RadioField name="joinMode" legend="Who may join" choices=JOIN_MODES /> }
}

#[component]
pub fn InviteField() -> impl IntoView {
    view! {
        <CheckField
            name="memberCanInvite"
            label="Members may invite bidders"
            hint="Otherwise only the owner and the admins may."
            checked=false
        />
    }
}

/// The end of the auction. `moment` is the present one.
#[component]
pub fn EndField(#[prop(optional_no_strip)] moment: Option<i64>) -> impl IntoView {
    view! {
        <MomentField
            name="endDate"
            label="End of the auction"
            hint="Leave it empty to close the auction yourself."
            moment
        />
    }
}

/// How the items end. While the auction has a standing bid, `frozen` is the present way.
#[component]
pub fn EndModeField(#[prop(optional_no_strip)] frozen: Option<String>) -> impl IntoView {
    let choice = frozen.and_then(|value| END_MODES.iter().find(|choice| choice.0 == value));
    match choice {
        Some(&(value, label, sentence)) => Either::Left(view! {
            <fieldset class="field">
                <legend>"How items end"</legend>
                <input type="hidden" name="itemEndMode" value=value />
                <p>
                    <strong>{label}</strong> ". " {sentence}
                </p>
                <p class="hint">"This can’t be changed while the auction has bids."</p>
            </fieldset>
        }),
        None => Either::Right(
            view! { <RadioField name="itemEndMode" legend="How items end" choices=END_MODES /> },
        ),
    }
}

/// The default of new items for late bids.
#[component]
pub fn AntiSnipeFields() -> impl IntoView {
    view! {
        <fieldset class="field-group">
            <legend>"Late bids"</legend>
            <p class="hint">"For new items. Each item can have its own values."</p>
            <CheckField
                name="defaultAntiSnipe"
                label="A late bid moves the end"
                hint="Nobody wins by bidding in the last second: the others always have time to answer."
                checked=false
            />
            <div class="field-row">
                <TextField
                    name="defaultAntiSnipeThreshold"
                    label="A bid is late within"
                    hint="Seconds before the end, 5 to 3600"
                    inputmode="numeric"
                    class="amount short"
                />
                <TextField
                    name="defaultAntiSnipeExtension"
                    label="It moves the end to"
                    hint="Seconds after the bid, 5 to 3600"
                    inputmode="numeric"
                    class="amount short"
                />
            </div>
        </fieldset>
    }
}

/// Whose names bidders see. Once the auction has bids, `at_least` is the present choice: names are never
/// revealed.
#[component]
pub fn VisibilityField(#[prop(optional_no_strip)] at_least: Option<String>) -> impl IntoView {
    let least = at_least.and_then(|value| VISIBILITIES.iter().position(|choice| choice.0 == value));
    let choices = VISIBILITIES.get(least.unwrap_or(0)..).unwrap_or_default();
    let why = least.map(|_| {
        view! { <p class="hint">"The auction has bids: names that are hidden stay hidden."</p> }
    });
    view! {
        <div class="field-group">
            <RadioField name="bidderVisibility" legend="Names of bidders" choices />
            {why}
        </div>
    }
}

/// The book with which bidders bid. `books` are those that the viewer keeps.
#[component]
pub fn BookField(
    books: Vec<SelectOption>,
    #[prop(optional_no_strip)] chosen: Option<String>,
) -> impl IntoView {
    (!books.is_empty()).then(|| {
        let none = SelectOption { value: String::new(), label: "None: bidders promise to pay".to_owned() };
        let options = [none].into_iter().chain(books).collect();
        view! {
            <SelectField
                name="bookId"
                label="Book"
                hint="Bidders bid with what they have in it, and never more. Its unit becomes the base unit."
                options
                chosen=chosen.unwrap_or_default()
            />
        }
    })
}

#[component]
pub fn BaseUnitFields() -> impl IntoView {
    view! {
        <fieldset class="field-group">
            <legend>"Base unit"</legend>
            <p class="hint">
                "If you define your own currencies, every bid is converted to this unit before it is compared. Leave it empty to sell in euros, pounds or another ISO currency."
            </p>
            <div class="field-row">
                <TextField name="baseUnitName" label="Unit name" hint="Such as Knut or Point" maxlength=MAX_UNIT_NAME_CHARS />
                <TextField
                    name="baseUnitSymbol"
                    label="Unit symbol"
                    hint="Such as ʞ or pt"
                    maxlength=MAX_UNIT_SYMBOL_CHARS
                    class="short"
                />
            </div>
        </fieldset>
    }
}
