//! The form “Place a bid”. Before hydration and without JavaScript it is an ordinary form.

use leptos::ev::SubmitEvent;
use leptos::html;
use leptos::prelude::*;

use crate::components::figures::Figures;
use crate::components::money::{counted, plural};
use crate::live::board::LiveBoard;
use crate::model::BidFormData;
use crate::pages::items::bid_field::BidField;
use crate::pages::items::evaluation::Evaluation;
use crate::pages::items::form_state::{BidFormState, InitialBid, field_id, field_name};
use crate::pages::items::send::{SendStatus, SendStatusLine, Sender};

/// The form of the item's page.
#[component]
pub fn PlaceBidForm(data: BidFormData, initial: InitialBid, live: LiveBoard) -> impl IntoView {
    let highest = Signal::derive(move || live.board.with(|board| board.highest().map(str::to_owned)));
    let form = BidFormState::new(&data, &initial, highest);
    let sender = Sender::new(form.clone(), live);
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
    let may_be_anonymous = data.may_be_anonymous;
    let was_anonymous = initial.values.iter().any(|(name, _)| name == "isAnonymous");
    let (busy, status) = (sender.busy, sender.status);
    view! {
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
            <input type="hidden" name="idempotencyKey" value=data.idempotency_key.clone() />
            <input type="hidden" name="currencyProfileId" value=profile_id />
            {initial.refusal.clone().map(|refusal| view! { <p class="bid-refusal" role="alert">{refusal}</p> })}
            <CurrencySelect form=form.clone() submit="Place bid" />
            <BidFields form=form.clone() />
            <Total form=form.clone() sender=sender.clone() />
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
            <div class="bid-actions">
                <button class="button primary" type="submit">
                    "Place bid"
                </button>
                <LeastBidButton form=form.clone() />
            </div>
        </form>
    }
}

/// The list of currencies, if there are several. Without JavaScript its button shows the fields of the selected one.
/// `submit` is the label of the button that Enter presses.
#[component]
pub fn CurrencySelect(form: BidFormState, submit: &'static str) -> impl IntoView {
    let select = NodeRef::<html::Select>::new();
    let selected = form.selected;
    // Adopts a selection made before hydration.
    Effect::new(move |_| {
        if let Some(at) = select.get().and_then(|select| usize::try_from(select.selected_index()).ok()) {
            selected.set(at);
        }
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
    view! {
        <div class="bid-fields">
            {move || {
                let at = form.selected.get();
                let evaluator = form.evaluators.get(at)?;
                let currency = &evaluator.currency;
                let fields = form.typed.get(at)?.iter().enumerate().map(|(slot, value)| {
                    let denomination = currency.denominations.get(slot);
                    let symbol = denomination.map_or(&currency.symbol, |denomination| &denomination.symbol).clone();
                    let label = denomination
                        .map_or_else(|| "Amount".to_owned(), |denomination| denomination.name.clone());
                    let one = evaluator.value_of_one(slot).filter(|value| value != "1");
                    let note = one.map(|value| format!("1 = {}", counted(&value, &form.unit)));
                    let state = form.clone();
                    let problem = Signal::derive(move || state.field_problem(at, slot));
                    let id = field_id(at, slot);
                    let name = field_name(currency, slot);
                    view! { <BidField id name label symbol note steps=denomination.is_some() value=*value problem /> }
                });
                Some(fields.collect_view())
            }}
        </div>
    }
}

/// The value of the typed bid, its violations, and the result of the last one sent. Space is reserved for all of them, so
/// that nothing moves.
#[component]
pub fn Total(form: BidFormState, #[prop(optional)] sender: Option<Sender>) -> impl IntoView {
    let (singular, plural) = (form.unit.clone(), plural(&form.unit));
    let evaluation = form.evaluation;
    let figures =
        Signal::derive(move || evaluation.with(|it| it.normalized.clone()).unwrap_or_else(|| "–".to_owned()));
    let status = sender.as_ref().map(|sender| sender.status);
    let answered = move || status.is_some_and(|status| status.with(|status| *status != SendStatus::None));
    let hint = {
        let form = form.clone();
        move || {
            let empty = evaluation.with(|it| it.empty);
            if evaluation.with(Evaluation::accepted) {
                (!answered()).then(|| "This bid would lead.".to_owned())
            } else if empty && !form.submitted.get() {
                Some(match form.least_in_words() {
                    Some(least) => format!("The least bid is {least}."),
                    None => "Enter a bid to see its value.".to_owned(),
                })
            } else {
                None
            }
        }
    };
    view! {
        <div class="bid-total" class:accepted=move || evaluation.with(Evaluation::accepted)>
            <p class="bid-total-row">
                <span class="bid-total-label" aria-hidden="true">
                    "Value"
                </span>
                <span class="bid-total-value" role="status" aria-label="Normalized amount">
                    <Figures text=figures />
                    " "
                    <span class="unit">
                        {move || figures.with(|figures| if figures == "1" { singular.clone() } else { plural.clone() })}
                    </span>
                </span>
            </p>
            <div class="bid-verdict">
                {sender.map(|sender| view! { <SendStatusLine sender /> })}
                <p class="bid-hint">{hint}</p>
                <ul class="violations" role="list" aria-label="Violations">
                    {move || {
                        form.sentences().into_iter().map(|sentence| view! { <li>{sentence}</li> }).collect_view()
                    }}
                </ul>
            </div>
        </div>
    }
}

/// Fills in the least accepted bid. Its space is reserved, and it appears with the hydration.
#[component]
pub fn LeastBidButton(form: BidFormState) -> impl IntoView {
    let exists = {
        let form = form.clone();
        move || form.least().is_some()
    };
    view! {
        <button
            class="button quiet least-bid"
            type="button"
            disabled=move || !exists()
            on:click=move |_| form.fill_in_least()
        >
            "Least bid"
        </button>
    }
}
