//! The form “Place a bid”. Before hydration and without JavaScript it is an ordinary form.

use leptos::ev::SubmitEvent;
use leptos::html;
use leptos::prelude::*;

use crate::components::figures::Figures;
use crate::components::money::{Value, amount_in, base_amount};
use crate::islands::items::bid_field::BidField;
use crate::islands::items::board::amount;
use crate::islands::items::confirmation::{CONFIRMED, PLACE_ID};
use crate::islands::items::draft::keep_draft;
use crate::islands::items::evaluation::Evaluation;
use crate::islands::items::form_state::{BidFormState, InitialBid, field_id, field_name};
use crate::islands::items::send::{SendStatus, Sender};
use crate::islands::items::verdict::Verdict;
use crate::live::board::LiveBoard;
use crate::model::BidFormData;

/// The form of the item's page.
#[component]
pub fn PlaceBidForm(
    data: BidFormData,
    initial: InitialBid,
    #[prop(into)] available: Signal<Option<String>>,
    live: LiveBoard,
) -> impl IntoView {
    let highest = Signal::derive(move || live.board.with(|board| board.highest().map(str::to_owned)));
    let leads = Signal::derive(move || live.leads());
    let form = BidFormState::new(&data, &initial, highest, available, leads);
    let sender = Sender::new(form.clone(), live);
    let draft_key = live.board.with_untracked(|board| {
        format!("{}{}", board.item_id, board.viewer_id.as_deref().unwrap_or_default())
    });
    let hydrated = RwSignal::new(false);
    Effect::new(move |_| hydrated.set(true));
    let anonymous = NodeRef::<html::Input>::new();
    let send = {
        let sender = sender.clone();
        move |event: SubmitEvent| {
            event.prevent_default();
            let hidden = anonymous.get_untracked().map(|field| field.checked());
            sender.send(hidden);
        }
    };
    let profile_id = {
        let form = form.clone();
        move || {
            form.with_evaluator(form.selected.get(), |evaluator| evaluator.currency.profile_id.clone())
                .flatten()
        }
    };
    // Without the entered bid of the leader, which the page shows anyway.
    let converted = Signal::derive({
        let form = form.clone();
        move || {
            let words = form.highest_in_words().unwrap_or_default();
            let is_shown = live.board.with(|board| board.leading().is_some_and(|bid| bid.entered == words));
            if words.is_empty() || is_shown { String::new() } else { format!("= {words}") }
        }
    });
    let converts = form.evaluators.iter().any(|evaluator| evaluator.currency.profile_id.is_some());
    let price = Signal::derive(move || live.board.with(|board| amount(board).unwrap_or_default().to_owned()));
    let may_be_anonymous = data.may_be_anonymous;
    let was_anonymous = initial.values.iter().any(|(name, _)| name == "isAnonymous");
    let (busy, status) = (sender.busy, sender.status);
    let asks = Signal::derive({
        let form = form.clone();
        move || form.confirms()
    });
    let page = view! {
        <form
            class="bid-form"
            class:hydrated=hydrated
            method="post"
            aria-label="Place a bid"
            aria-busy=move || busy.get().then_some("true")
            novalidate
            on:submit=send
            on:input=move |_| status.set(SendStatus::None)
        >
            {converts
                .then(|| {
                    view! {
                        <p class="bid-highest">
                            <Figures text=converted />
                        </p>
                    }
                })}
            <input type="hidden" name="idempotencyKey" value=data.idempotency_key.clone() />
            <input type="hidden" name="currencyProfileId" value=profile_id />
            <input type="hidden" name=CONFIRMED value=form.asked />
            <CurrencySelect form=form.clone() submit="Place bid" />
            <BidFields form=form.clone() />
            <Total form=form.clone() costs=data.costs.clone() />
            <Available form=form.clone() />
            {may_be_anonymous
                .then(|| {
                    view! {
                        <div class="choice bid-anonymous">
                            <input
                                id="bid-anonymous"
                                name="isAnonymous"
                                type="checkbox"
                                value="true"
                                checked=was_anonymous
                                node_ref=anonymous
                            />
                            <label for="bid-anonymous">"Hide my name with this bid"</label>
                        </div>
                    }
                })}
            <div class="bid-actions" class:asking=move || asks.get().is_some()>
                // On phones these are a bar at the lower edge, wherever the page is scrolled to.
                <p class="bid-bar-price" aria-hidden="true">
                    <Value amount=price unit=live.board.with_untracked(|board| board.base_unit.clone()) />
                </p>
                <button
                    id=PLACE_ID
                    class="button primary"
                    type="submit"
                    on:click=move |event| {
                        // The second click of a double click does not answer the question of the first one.
                        if event.detail() > 1 && asks.get_untracked().is_some() {
                            event.prevent_default();
                        }
                    }
                >
                    {move || asks.get().map_or_else(|| "Place bid".to_owned(), |bid| format!("Yes, place {bid}"))}
                </button>
                <LeastBidButton form=form.clone() />
            </div>
            <Verdict form=form.clone() sender=sender.clone() />
        </form>
    };
    // After the effects of the fields, which adopt what was typed before hydration.
    keep_draft(form, draft_key);
    page
}

/// The list of currencies, if there are several. Without JavaScript its button shows the fields of the
/// selected one. `submit` is the label of the button that Enter presses.
#[component]
pub fn CurrencySelect(form: BidFormState, submit: &'static str) -> impl IntoView {
    let select = NodeRef::<html::Select>::new();
    let selected = form.selected;
    // Returns whether the signal controls the list. The first run adopts a selection made before hydration.
    Effect::new(move |controlled: Option<bool>| {
        let Some(select) = select.get() else {
            return false;
        };
        let at = selected.get();
        if controlled == Some(true) {
            select.set_selected_index(i32::try_from(at).unwrap_or_default());
        } else if let Ok(shown) = usize::try_from(select.selected_index()) {
            selected.set(shown);
        }
        true
    });
    let first = selected.get_untracked();
    (form.evaluators.len() > 1).then(|| {
        let options = form.evaluators.iter().enumerate().map(|(at, evaluator)| {
            view! {
                <option value=evaluator.currency.profile_id.clone() selected=at == first>
                    {evaluator.currency.name.clone()}
                </option>
            }
        });
        let options = options.collect_view();
        view! {
            // Enter presses the first button of a form.
            <button class="default-button" type="submit" tabindex="-1" aria-hidden="true">
                {submit}
            </button>
            <div class="bid-currency">
                <label for="bid-currency">"Currency"</label>
                <select
                        id="bid-currency"
                        name="currency"
                        node_ref=select
                        on:change:target=move |event| {
                            if let Ok(at) = usize::try_from(event.target().selected_index()) {
                                selected.set(at);
                            }
                        }
                    >
                        {options}
                    </select>
                <button class="button quiet show-fields" type="submit" formmethod="get">
                    "Show"
                </button>
            </div>
        }
    })
}

/// The fields of the selected currency.
#[component]
pub fn BidFields(form: BidFormState) -> impl IntoView {
    let rendered = form.selected.get_untracked();
    let switched = StoredValue::new(false);
    view! {
        <div class="bid-fields">
            {move || {
                let at = form.selected.get();
                let adopts = at == rendered && !switched.get_value();
                switched.update_value(|switched| *switched |= at != rendered);
                let evaluator = form.evaluators.get(at)?;
                let currency = &evaluator.currency;
                let fields = form.typed.get(at)?.iter().enumerate().map(|(slot, value)| {
                    let denomination = currency.denominations.get(slot);
                    let symbol = denomination.map_or(&currency.symbol, |denomination| &denomination.symbol).clone();
                    let label = denomination
                        .map_or_else(|| "Amount".to_owned(), |denomination| denomination.name.clone());
                    let one = evaluator.value_of_one(slot).filter(|value| value != "1");
                    let note = one.map(|value| format!("1 = {}", base_amount(&value, &form.unit)));
                    let state = form.clone();
                    let problem = Signal::derive(move || state.field_problem(at, slot));
                    let id = field_id(at, slot);
                    let name = field_name(currency, slot);
                    view! { <BidField id name label symbol note steps=denomination.is_some() adopts value=*value problem /> }
                });
                Some(fields.collect_view())
            }}
        </div>
    }
}

/// The value of the typed bid.
#[component]
pub fn Total(
    form: BidFormState,
    /// What stands before the value.
    #[prop(optional_no_strip)]
    costs: Option<String>,
) -> impl IntoView {
    let unit = form.unit.bare();
    let evaluation = form.evaluation;
    let value =
        Signal::derive(move || evaluation.with(|it| it.normalized.clone()).unwrap_or_else(|| "–".to_owned()));
    // Money is typed as it is written: its value would say it twice. It stays for assistive technology.
    let repeats = unit.zero.is_some() && costs.is_none();
    let accepted = Signal::derive(move || evaluation.with(Evaluation::accepted));
    view! {
        <div class="bid-total" class:accepted=accepted class:visually-hidden=repeats>
            <span class="bid-total-label" aria-hidden="true">
                {costs.unwrap_or_else(|| "Value".to_owned())}
            </span>
            // It changes with each key: only what a bid comes to break is announced.
            <span class="bid-total-value" role="status" aria-live="off" aria-label="Normalized amount">
                <Value amount=value unit />
            </span>
        </div>
    }
}

/// What the bidder has available, and what the typed bid leaves of it. Without JavaScript it is the available
/// amount.
#[component]
pub fn Available(form: BidFormState) -> impl IntoView {
    let BidFormState { evaluation, available, unit, .. } = form;
    let text = move || {
        let has = amount_in(&available.get()?, &unit);
        Some(match evaluation.with(|it| it.left.clone()) {
            Some(left) => {
                format!("Up to {has} on this item, {} left after this bid", amount_in(&left, &unit))
            }
            None => format!("Up to {has} on this item"),
        })
    };
    view! { <p class="bid-available">{text}</p> }
}

/// Fills in the least accepted bid. Its space is reserved, and it appears with the hydration.
#[component]
pub fn LeastBidButton(form: BidFormState) -> impl IntoView {
    let missing = Signal::derive({
        let form = form.clone();
        move || form.least().is_none()
    });
    view! {
        <button
            class="button quiet least-bid"
            type="button"
            disabled=missing
            on:click=move |_| form.fill_in_least()
        >
            "Least bid"
        </button>
    }
}
