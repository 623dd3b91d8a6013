//! The fields of an auction, for the forms that create and change it.

use app::bounds::{MAX_COLLECTION_CHARS, MAX_TITLE_CHARS};
use app::components::description_field::{DESCRIPTION, DescriptionField};
use app::components::field::{CheckField, Field, RadioField, SelectField, TextField};
use app::components::moment_field::MomentField;
use app::components::unit_fields::UnitFields;
use app::model::{BaseUnit, SelectOption};
use leptos::either::Either;
use leptos::prelude::*;

const NAME: Field = Field::new("name", "Name", "Enter a name for the auction.");
const JOIN_MODE: Field =
    Field::new("joinMode", "Who may join", "Choose who may join.").called("who may join");
const BIDDER_VISIBILITY: Field =
    Field::new("bidderVisibility", "Names of bidders", "Choose who sees the names of bidders.")
        .called("whose names are shown");
const READABLE_BY: Field =
    Field::new("readableBy", "Who may read", "Choose who may read the auction.").called("who may read");
const ITEM_END_MODE: Field =
    Field::new("itemEndMode", "How items end", "Choose how items end.").called("how items end");
const END: Field =
    Field::new("endDate", "End of the auction", "Enter the end as a date and a time, or leave it empty.")
        .called("the end");
const THRESHOLD: Field = Field::new(
    "defaultAntiSnipeThreshold",
    "Late means the last … seconds",
    "Enter whole seconds, such as 300.",
)
.called("the seconds before the end");
const EXTENSION: Field = Field::new(
    "defaultAntiSnipeExtension",
    "Then at least … seconds remain",
    "Enter whole seconds, such as 300.",
)
.called("the seconds after the bid");
pub const GROUP: Field = Field::new("groupId", "Group", "Choose a group that you keep, or none.");
const BOOK: Field = Field::new("bookId", "Balances", "Choose balances that you keep, or none.");
const COLLECTION: Field =
    Field::new("collection", "Where to pay and collect", "Use at most 500 characters.").called("the place");
const ISO: Field = Field::new("currencyCode", "Ordinary money", "Choose a currency of the list.");
const GOAL: Field =
    Field::new("goal", "Goal", "Enter an amount above 0, such as 500, or leave it empty.").called("the goal");
pub const FIELDS: &[Field] = &[
    NAME,
    DESCRIPTION,
    JOIN_MODE,
    BIDDER_VISIBILITY,
    READABLE_BY,
    ITEM_END_MODE,
    END,
    THRESHOLD,
    EXTENSION,
    GROUP,
    BOOK,
    COLLECTION,
    ISO,
    GOAL,
];

/// Value, label and sentence of a radio button.
type Choice = (&'static str, &'static str, &'static str);

const JOIN_MODES: &[Choice] = &[
    ("LINK", "Anyone with the link", "You get a link and a QR code to pass on."),
    ("INVITE_ONLY", "Private", "Only people you invite."),
    ("FREE", "Open", "Every signed-in user sees it, and joins with the first bid."),
];

const READERS: &[Choice] = &[
    ("MEMBERS", "Those who may join", "Nobody else learns that the auction exists."),
    (
        "ANYONE",
        "Anyone",
        "Everyone on the internet sees items, pictures and prices, search engines too, without the names of people.",
    ),
];

/// In the order in which they hide more names.
const VISIBILITIES: &[Choice] = &[
    ("VISIBLE", "Shown", "Everyone in the auction sees the name of each bidder."),
    ("PER_BID", "Bidders choose", "With each bid, its bidder may hide their name from other bidders."),
    (
        "NUMBERS",
        "By number",
        "Bidders of the auction’s group are shown by their number alone. You and the admins see all names.",
    ),
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
        <TextField field=NAME maxlength=MAX_TITLE_CHARS required=true />
        <DescriptionField about="What is sold, and for whom." save />
    }
}

#[component]
pub fn JoinField() -> impl IntoView {
    view! { <RadioField field=JOIN_MODE choices=JOIN_MODES /> }
}

#[component]
pub fn ReadersField() -> impl IntoView {
    view! { <RadioField field=READABLE_BY choices=READERS /> }
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
            field=END
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
                <legend>{ITEM_END_MODE.label}</legend>
                <input type="hidden" name=ITEM_END_MODE.name value=value />
                <p>
                    <strong>{label}</strong> ". " {sentence}
                </p>
                <p class="hint">"This can’t be changed while the auction has bids."</p>
            </fieldset>
        }),
        None => Either::Right(view! { <RadioField field=ITEM_END_MODE choices=END_MODES /> }),
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
                    field=THRESHOLD
                    hint="Seconds before the end, 5 to 3600"
                    inputmode="numeric"
                    class="amount short"
                />
                <TextField
                    field=EXTENSION
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
            <RadioField field=BIDDER_VISIBILITY choices />
            {why}
        </div>
    }
}

/// Where buyers pay and collect, which their statements say.
#[component]
pub fn CollectionField() -> impl IntoView {
    view! {
        <TextField
            field=COLLECTION
            hint="Such as: the school hall, Saturday 10 to 12. It stands on the statements of buyers."
            maxlength=MAX_COLLECTION_CHARS
        />
    }
}

/// The ordinary money that lots begin with. Without choices there is no field.
#[component]
pub fn IsoField(currencies: Vec<SelectOption>) -> impl IntoView {
    (!currencies.is_empty()).then(|| {
        let none = SelectOption { value: String::new(), label: "Each item its own".to_owned() };
        let options = [none].into_iter().chain(currencies).collect();
        view! { <SelectField field=ISO hint="New items begin with it." options /> }
    })
}

/// The sum that the auction is to bring in. `unit` is the unit of its bids, if it has one.
#[component]
pub fn GoalField(#[prop(optional_no_strip)] unit: Option<BaseUnit>) -> impl IntoView {
    let hint = match unit {
        Some(unit) => format!("In {}. The page of the auction shows how much of it is bid.", unit.asked()),
        None => "Choose the ordinary money first: the goal counts in it.".to_owned(),
    };
    view! { <TextField field=GOAL hint inputmode="decimal" class="amount" /> }
}

/// How people join, in one sentence.
pub fn join_words(mode: &str) -> &'static str {
    match mode {
        "LINK" => "Anyone with the link may join.",
        "FREE" => "Every signed-in user may join.",
        _ => "Only people who are invited may join.",
    }
}

/// Who may read without joining, in one sentence.
pub fn reader_words(readable_by: &str) -> &'static str {
    match readable_by {
        "ANYONE" => "Anyone may read it, without the names of people.",
        _ => "Nobody else sees it.",
    }
}

/// Whose names are shown, in one sentence.
pub fn visibility_words(visibility: &str) -> &'static str {
    match visibility {
        "ANONYMOUS" => "Names of bidders are hidden from other bidders.",
        "PER_BID" => "Bidders choose whether others see their names.",
        "NUMBERS" => "Bidders see numbers in place of names.",
        _ => "Names of bidders are shown.",
    }
}

/// How items end, in one sentence.
pub fn end_mode_words(mode: &str) -> &'static str {
    match mode {
        "AUCTION_END" => "All items end with it.",
        "NONE" => "You close each item.",
        _ => "An item may have its own end.",
    }
}

/// The group whose people are members. `groups` are those that the viewer keeps.
#[component]
pub fn GroupField(
    groups: Vec<SelectOption>,
    #[prop(optional_no_strip)] chosen: Option<String>,
) -> impl IntoView {
    (!groups.is_empty()).then(|| {
        let none = SelectOption { value: String::new(), label: "None".to_owned() };
        let options = [none].into_iter().chain(groups).collect();
        view! {
            <SelectField
                field=GROUP
                hint="All of its people are members, also those whom you add to it later. Others may be members, too."
                options
                chosen=chosen.unwrap_or_default()
            />
        }
    })
}

/// The book with which bidders bid. `books` are those that the viewer keeps.
#[component]
pub fn BookField(
    books: Vec<SelectOption>,
    #[prop(optional_no_strip)] chosen: Option<String>,
) -> impl IntoView {
    (!books.is_empty()).then(|| {
        let none = SelectOption { value: String::new(), label: "None: people promise to pay".to_owned() };
        let options = [none].into_iter().chain(books).collect();
        view! {
            <SelectField
                field=BOOK
                hint="People bid with what they have, and never more. Bids are then counted in its unit."
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
            <legend>"Counted in"</legend>
            <p class="hint">
                "If you define your own currencies, every bid is converted to this unit before it is compared. Leave it empty to sell in euros, pounds or another ISO currency."
            </p>
            <UnitFields name_hint="Such as Knut or Point" symbol_hint="Such as ʞ or pt" />
        </fieldset>
    }
}
