//! `/auctions/{auction_id}/currency-rules/new` and `…/currency-rules/{rule_id}`: the form of a rule.

use app::bounds::MAX_TIERS;
use app::components::field::{CheckField, Field, RadioField, SelectField, TextField};
use app::components::field_rows::{CellInput, FieldColumn, FieldRows};
use app::components::money::{shown_amount, shown_number};
use app::components::saved_form::{Existing, SavedForm};
use app::html::{Html, html};
use app::model::{Filled, SelectOption};
use app::request::{query_fields, query_part};
use leptos::either::EitherOf5;
use leptos::prelude::*;
use rules_engine::{Fixed, Literal, Ratio, RuleDefinition, RuleType};

use crate::pages::currencies::list::CurrenciesLayout;
use crate::pages::currencies::rules::words::{
    AMOUNT, CURRENCY, DENOMINATION, FIELDS, LADDER, PERCENT, STEP, TIER_AMOUNT, TIER_FROM, TIER_STEP, TIERS,
    TypeWords, parameter_field, type_words,
};
use crate::pages::currencies::{CurrenciesPage, RuleEntry};

const INCREMENT_KIND: Field = Field::new("kind", "How far above the highest bid", "Choose one of them.");
const STEP_KIND: Field = Field::new("kind", "Which amounts may be bid", "Choose one of them.");

const INCREMENTS: &[(&str, &str, &str)] = &[
    ("amount", "A fixed amount", "The same for every highest bid."),
    ("percent", "A percentage", "Of the highest bid."),
    ("tiers", "Tiers", "More for higher bids."),
];

const RISE_KIND: Field = Field::new("kind", "How far above the highest bid at most", "Choose one of them.");

const STEPS: &[(&str, &str, &str)] = &[
    ("step", "One step", "The same for every bid."),
    ("ladder", "A ladder", "Values that repeat in each decade, as auctioneers call them."),
    ("tiers", "Tiers", "Larger steps for higher bids."),
];

const RISES: &[(&str, &str, &str)] = &[
    ("amount", "A fixed amount", "The same for every highest bid."),
    ("percent", "A percentage", "Of the highest bid."),
];

/// The steps of an auctioneer: 2-5-8 up to 400, then fifties.
const HALL_LADDER: &str =
    "100 120 150 180 200 220 250 280 300 320 350 380 400 450 500 550 600 650 700 750 800 850 900 950";

pub fn new_rule_page(page: CurrenciesPage, kind: RuleType) -> Html {
    fill(new_fields(kind, query_part("template").as_deref() == Some("hall")));
    html(view! {
        <CurrenciesLayout page=page.clone() title="New rule">
            <RuleForm page kind rule=None />
        </CurrenciesLayout>
    })
}

pub fn edit_rule_page(page: CurrenciesPage, rule: RuleEntry) -> Html {
    fill(stored_fields(&rule.definition, &page));
    let kind = rule.definition.rule_type;
    let existing = Some((rule.definition.id, rule.version));
    html(view! {
        <CurrenciesLayout page=page.clone() title="Edit rule">
            <RuleForm page kind rule=existing />
        </CurrenciesLayout>
    })
}

/// Fills in the form with these values, or with those typed so far if it is requested again with more rows.
fn fill(fields: Vec<(String, String)>) {
    provide_context(Filled(if query_part("rows").is_some() { query_fields() } else { fields }));
}

/// `rule` is the id and version of an existing rule.
#[component]
fn RuleForm(page: CurrenciesPage, kind: RuleType, rule: Option<(String, i64)>) -> impl IntoView {
    let back = format!("{}/currencies", page.path());
    let TypeWords { title, about } = type_words(kind);
    let existing = rule.map(|(id, version)| Existing {
        version,
        name: "rule".to_owned(),
        delete: format!("{}/currency-rules/{id}/delete", page.path()),
        delete_blocked: None,
    });
    let fields = match kind {
        RuleType::MinIncrement => EitherOf5::A(view! { <IncrementFields page /> }),
        RuleType::Step => EitherOf5::B(view! { <StepFields page /> }),
        RuleType::MaxIncrement => EitherOf5::D(view! { <RiseFields page /> }),
        RuleType::MaxBid => EitherOf5::E(view! { <MostFields page /> }),
        RuleType::MinComponentRatio | RuleType::RequiredDenomination => {
            EitherOf5::C(view! { <DenominationFields page kind /> })
        }
    };
    view! {
        <SavedForm fields=&[FIELDS, &[INCREMENT_KIND, STEP_KIND, RISE_KIND]] class="rule-form" save="Save rule" back existing>
            <input type="hidden" name="type" value=kind.as_str() />
            <p class="lead">{format!("{title}. {about}.")}</p>
            {fields}
            <CheckField
                name="enabled"
                label="Switched on"
                hint="It applies from the next bid on. Bids that were already accepted are kept."
                checked=true
            />
        </SavedForm>
    }
}

/// The denomination of a rule, and a text field for each further parameter of its type.
#[component]
fn DenominationFields(page: CurrenciesPage, kind: RuleType) -> impl IntoView {
    let parameters = kind.parameters().filter_map(|parameter| {
        let (field, hint) = parameter_field(parameter.name)?;
        Some(view! { <TextField field hint inputmode="decimal" class="amount medium" /> })
    });
    view! {
        <DenominationField page />
        {parameters.collect::<Vec<_>>()}
    }
}

/// Selects a denomination of a currency.
#[component]
fn DenominationField(page: CurrenciesPage) -> impl IntoView {
    let several = page.currencies.len() > 1;
    let choices = page.currencies.iter().flat_map(|entry| {
        entry.currency.denominations.iter().map(move |denomination| SelectOption {
            value: format!("{} {}", entry.id, denomination.code),
            label: if several {
                format!("{} · {}", entry.currency.name, denomination.name)
            } else {
                denomination.name.clone()
            },
        })
    });
    let choices = choices.collect::<Vec<_>>();
    view! { <SelectField field=DENOMINATION options=choices /> }
}

#[component]
fn IncrementFields(page: CurrenciesPage) -> impl IntoView {
    let unit = page.base_unit.asked();
    view! {
        <CurrencyField page />
        <RadioField field=INCREMENT_KIND choices=INCREMENTS />
        <div class="by-amount">
            <TextField field=AMOUNT hint=format!("In {unit}") inputmode="decimal" class="amount medium" />
        </div>
        <div class="by-percent">
            <TextField field=PERCENT hint="Of the highest bid, up to 100" inputmode="decimal" class="amount medium" />
        </div>
        <Tiers unit from="From a highest bid of" amount=(TIER_AMOUNT, "Minimum increment") />
    }
}

#[component]
fn StepFields(page: CurrenciesPage) -> impl IntoView {
    let (unit, bare) = (page.base_unit.asked(), page.base_unit.noun().several().to_owned());
    view! {
        <CurrencyField page />
        <RadioField field=STEP_KIND choices=STEPS />
        <div class="by-step">
            <TextField
                field=STEP
                hint=format!("In {unit}. With a step of 5, bids are 5, 10, 15 and so on.")
                inputmode="decimal"
                class="amount medium"
            />
        </div>
        <div class="by-ladder">
            <TextField
                field=LADDER
                hint=format!("In {bare}, with spaces between. 100 120 150 200 500 goes on with 1000 1200 1500 and so on; below 100 every amount may be bid.")
                class="amount"
            />
        </div>
        <Tiers unit from="From a bid of" amount=(TIER_STEP, "Step") />
    }
}

#[component]
fn RiseFields(page: CurrenciesPage) -> impl IntoView {
    let unit = page.base_unit.asked();
    view! {
        <CurrencyField page />
        <RadioField field=RISE_KIND choices=RISES />
        <div class="by-amount">
            <TextField field=AMOUNT hint=format!("In {unit}") inputmode="decimal" class="amount medium" />
        </div>
        <div class="by-percent">
            <TextField field=PERCENT hint="Of the highest bid, up to 1000" inputmode="decimal" class="amount medium" />
        </div>
    }
}

#[component]
fn MostFields(page: CurrenciesPage) -> impl IntoView {
    let unit = page.base_unit.asked();
    view! {
        <CurrencyField page />
        <TextField field=AMOUNT hint=format!("In {unit}") inputmode="decimal" class="amount medium" />
    }
}

/// Selects the currency whose bids a rule judges, or all of them.
#[component]
fn CurrencyField(page: CurrenciesPage) -> impl IntoView {
    let every = SelectOption { value: String::new(), label: "Every currency".to_owned() };
    let own = page
        .currencies
        .iter()
        .map(|entry| SelectOption { value: entry.id.clone(), label: entry.currency.name.clone() });
    let currencies = std::iter::once(every).chain(own).collect::<Vec<_>>();
    view! { <SelectField field=CURRENCY options=currencies /> }
}

/// `from` is the heading of the starts of the tiers; `amount` is the field that depends on the tier, and its
/// heading.
#[component]
fn Tiers(unit: String, from: &'static str, amount: (Field, &'static str)) -> impl IntoView {
    let column =
        |field, head| FieldColumn { field, head, maxlength: None, cell: CellInput::Decimal, readonly: false };
    let (field, head) = amount;
    let columns = vec![column(TIER_FROM, from), column(field, head)];
    view! {
        <FieldRows
            field=TIERS
            hint=format!("In {unit}. The first tier starts at 0. Empty rows are ignored.")
            more="More tiers"
            class="by-tiers"
            columns
            max=MAX_TIERS
        />
    }
}

/// A new rule is enabled, and its first tier starts at 0. `in_hall` fills in an auctioneer's ladder.
fn new_fields(kind: RuleType, in_hall: bool) -> Vec<(String, String)> {
    let (choice, ladder) = match kind {
        RuleType::Step if in_hall => ("ladder", HALL_LADDER),
        RuleType::Step => ("step", ""),
        _ => ("amount", ""),
    };
    let fields =
        [("enabled", "true"), ("kind", choice), ("params.ladder", ladder), ("params.tiers.0.from", "0")];
    fields.map(|(name, value)| (name.to_owned(), value.to_owned())).into()
}

/// The ratio in percent, with all of its digits.
fn in_percent(ratio: &Literal) -> Option<String> {
    let ratio = Ratio::try_from(ratio).ok()?;
    Fixed::<{ Ratio::SCALE - 2 }>::from_mantissa(ratio.mantissa()).map(|percentage| percentage.to_string())
}

/// The amounts are in pieces, as they may be typed.
fn stored_fields(rule: &RuleDefinition, page: &CurrenciesPage) -> Vec<(String, String)> {
    let params = &rule.params;
    let given = [
        ("amount", params.amount.is_some()),
        ("percent", params.percent.is_some()),
        ("step", params.step.is_some()),
        ("ladder", params.ladder.is_some()),
    ];
    let kind = given.into_iter().find(|(_, given)| *given).map_or("tiers", |(kind, _)| kind);
    let ladder = params.ladder.as_ref().map(|ladder| {
        let values = ladder.iter().map(|value| shown_number(value.as_str()));
        values.collect::<Vec<_>>().join(" ")
    });
    let currency = rule.currency_profile_id.clone().unwrap_or_default();
    let denomination = params.denomination.as_ref().map(|code| format!("{currency} {code}"));
    let mut fields = vec![("kind".to_owned(), kind.to_owned()), ("currencyProfileId".to_owned(), currency)];
    let number = |text: &str| shown_number(text);
    let text = |literal: &Option<Literal>| literal.as_ref().map(|literal| number(literal.as_str()));
    let shown = |literal: &Literal| shown_amount(&page.base_unit, literal.as_str());
    let amount = |literal: &Option<Literal>| literal.as_ref().map(shown);
    let given = [
        ("params.amount", amount(&params.amount)),
        ("params.percent", text(&params.percent)),
        ("params.step", amount(&params.step)),
        ("params.ladder", ladder),
        ("params.minPercent", params.min_ratio.as_ref().and_then(in_percent).as_deref().map(number)),
        ("params.minCount", text(&params.min_count)),
        ("params.denomination", denomination),
        ("enabled", rule.enabled.then(|| "true".to_owned())),
    ];
    fields.extend(given.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))));
    for (row, tier) in params.tiers.iter().flatten().enumerate() {
        fields.push((TIER_FROM.in_row(row), shown(&tier.from)));
        for (field, given) in [(TIER_AMOUNT, &tier.amount), (TIER_STEP, &tier.step)] {
            fields.extend(amount(given).map(|amount| (field.in_row(row), amount)));
        }
    }
    fields
}
