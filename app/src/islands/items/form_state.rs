//! The state of a bid form: the typed texts and their evaluation by the engine. Shared by the item's page,
//! the example on the start page and the test bench.

use std::sync::Arc;

use leptos::prelude::*;
use rules_engine::{Violation, ViolationCode};

use crate::components::money::{amount_in, in_words, said, says_the_same};
use crate::islands::items::advice;
use crate::islands::items::evaluation::{Evaluation, Evaluator};
use crate::model::{BaseUnit, BidCurrency, BidFormData, wire_struct};

/// The parameter of an item's address that names the bid to fill in.
pub const BID: &str = "bid";
/// The least bid, as a value of [`BID`].
pub const LEAST: &str = "least";

wire_struct! {
    /// The initial contents of the form: empty, or the bid that the server refused.
    #[derive(Debug, Clone, Default, PartialEq)]
    #[cfg_attr(feature = "ssr", derive(serde::Serialize))]
    pub struct InitialBid {
        /// Field name and value.
        pub values: Vec<(String, String)>,
        /// The server refused the bid, so that an empty form shows what is missing.
        pub refused: bool,
    }
}

/// Copies share the state.
#[derive(Clone)]
pub struct BidFormState {
    pub evaluators: Arc<Vec<Evaluator>>,
    /// Index in `evaluators`.
    pub selected: RwSignal<usize>,
    /// Texts of each currency. Switching to another currency and back loses none.
    pub typed: Arc<Vec<Vec<RwSignal<String>>>>,
    /// The form was submitted, so that from now on an empty form shows what is missing.
    pub submitted: RwSignal<bool>,
    /// Normalized amount of the unusual bid that was asked about last.
    pub asked: RwSignal<String>,
    pub evaluation: Memo<Evaluation>,
    pub unit: BaseUnit,
    /// What the bidder has available for the item, in base units; absent in an auction without a book.
    pub available: Signal<Option<String>>,
    highest: Signal<Option<String>>,
}

impl BidFormState {
    pub fn new(
        data: &BidFormData,
        initial: &InitialBid,
        highest: Signal<Option<String>>,
        available: Signal<Option<String>>,
        leads: Signal<bool>,
    ) -> Self {
        let evaluators = Arc::new(Evaluator::all(data));
        let selected = RwSignal::new(data.selected.min(evaluators.len().saturating_sub(1)));
        let typed = evaluators.iter().enumerate().map(|(at, evaluator)| {
            let is_selected = at == data.selected;
            let first = |slot| {
                if is_selected { initial_text(initial, &evaluator.currency, slot) } else { String::new() }
            };
            (0..evaluator.fields()).map(|slot| RwSignal::new(first(slot))).collect()
        });
        let typed: Arc<Vec<Vec<RwSignal<String>>>> = Arc::new(typed.collect());
        let evaluation = Memo::new({
            let (evaluators, typed) = (evaluators.clone(), typed.clone());
            move |_| {
                let at = selected.get();
                let (Some(evaluator), Some(fields)) = (evaluators.get(at), typed.get(at)) else {
                    return Evaluation::default();
                };
                let texts: Vec<String> = fields.iter().map(|field| field.get()).collect();
                evaluator.evaluate(&texts, highest.get().as_deref(), available.get().as_deref(), leads.get())
            }
        });
        let submitted = RwSignal::new(initial.refused);
        let refused = evaluation.get_untracked().unusual.filter(|_| initial.refused);
        Self {
            evaluators,
            selected,
            typed,
            submitted,
            asked: RwSignal::new(refused.map(|unusual| unusual.amount).unwrap_or_default()),
            evaluation,
            unit: data.base_unit.clone(),
            available,
            highest,
        }
    }

    /// Applies `read` to the evaluator of one currency.
    pub fn with_evaluator<T>(&self, at: usize, read: impl FnOnce(&Evaluator) -> T) -> Option<T> {
        self.evaluators.get(at).map(read)
    }

    /// The violations to show: none before anything is typed.
    pub fn shown(&self) -> Vec<Violation> {
        let evaluation = self.evaluation.get();
        if evaluation.empty && !self.submitted.get() { Vec::new() } else { evaluation.violations }
    }

    /// The violations to show, each with its sentence.
    pub fn sentences(&self) -> Vec<(Violation, String)> {
        let sentences = |evaluator: &Evaluator| {
            let sentence = |violation| {
                let sentence = advice::sentence(&violation, &evaluator.currency, &self.unit);
                (violation, sentence)
            };
            self.shown().into_iter().map(sentence).collect()
        };
        self.with_evaluator(self.selected.get(), sentences).unwrap_or_default()
    }

    /// The least bid as one headline, if several violations say how high a bid must be.
    pub fn headline(&self) -> Option<String> {
        if self.shown().iter().filter(|violation| is_minimum(violation)).count() < 2 {
            return None;
        }
        Some(format!("Least bid: {}", self.least_in_words()?))
    }

    /// The problem of one field, in a few words.
    pub fn field_problem(&self, currency: usize, slot: usize) -> Option<String> {
        if self.selected.get() != currency {
            return None;
        }
        let shown = self.shown();
        let evaluator = self.evaluators.get(currency)?;
        let own = shown.iter().find(|violation| {
            // The list below has a better sentence for an amount, unless the number itself is invalid.
            evaluator.slot(violation) == Some(slot)
                && (evaluator.currency.by_denomination() || is_about_number(violation))
        });
        own.map(|violation| advice::field_note(violation, &evaluator.currency))
    }

    /// Texts of the least bid that is accepted now.
    pub fn least(&self) -> Option<Vec<String>> {
        let (highest, available) = (self.highest.get(), self.available.get());
        self.evaluators.get(self.selected.get())?.least(highest.as_deref(), available.as_deref())
    }

    /// The least bid as the fields of the form, by their names. Empty if no bid is accepted.
    pub fn least_fields(&self) -> Vec<(String, String)> {
        let least = self.least().unwrap_or_default();
        let named = |evaluator: &Evaluator| {
            let name = |slot| field_name(&evaluator.currency, slot);
            least.into_iter().enumerate().map(|(slot, text)| (name(slot), text)).collect()
        };
        self.with_evaluator(self.selected.get(), named).unwrap_or_default()
    }

    /// The least bid as text.
    pub fn least_in_words(&self) -> Option<String> {
        let least = self.least()?;
        self.with_evaluator(self.selected.get(), |evaluator| words(&evaluator.currency, &self.unit, &least))
    }

    /// The highest bid in the selected currency, as text. Empty in the unit in which bids are compared.
    pub fn highest_in_words(&self) -> Option<String> {
        let highest = self.highest.get()?;
        let evaluator = self.evaluators.get(self.selected.get())?;
        let (texts, is_exact) = evaluator.converted(&highest)?;
        let words = words(&evaluator.currency, &self.unit, &texts);
        let about = if is_exact { "" } else { "about " };
        (!says_the_same(&words, &said(&highest, &self.unit))).then(|| format!("{about}{words}"))
    }

    /// A sentence that says why the typed bid is unusual.
    pub fn unusual(&self) -> Option<String> {
        let unusual = self.evaluation.get().unusual?;
        Some(unusual.sentence(|amount| amount_in(amount, &self.unit)))
    }

    /// The typed bid in words, once it is unusual and was asked about: the next press places it.
    pub fn confirms(&self) -> Option<String> {
        let unusual = self.evaluation.get().unusual?;
        if unusual.amount != self.asked.get() {
            return None;
        }
        let typed: Vec<String> =
            self.typed.get(self.selected.get())?.iter().map(|field| field.get()).collect();
        self.with_evaluator(self.selected.get(), |evaluator| words(&evaluator.currency, &self.unit, &typed))
    }

    /// Fills in the least bid.
    pub fn fill_in_least(&self) {
        if let Some(least) = self.least() {
            self.fill_in(least);
        }
    }

    /// Empties the fields of all currencies.
    pub fn clear(&self) {
        self.submitted.set(false);
        self.asked.set(String::new());
        self.typed.iter().flatten().for_each(|field| field.set(String::new()));
    }

    fn fill_in(&self, texts: Vec<String>) {
        let fields = self.typed.get(self.selected.get_untracked());
        let mut texts = texts.into_iter();
        for field in fields.into_iter().flatten() {
            field.set(texts.next().unwrap_or_default());
        }
    }

    /// The typed texts.
    pub fn texts(&self) -> Vec<String> {
        let fields = self.typed.get(self.selected.get_untracked());
        fields.into_iter().flatten().map(|field| field.get_untracked()).collect()
    }

    /// Id of the field of the first violation. The first field if the violation is about the whole bid.
    pub fn first_problem(&self) -> String {
        let at = self.selected.get_untracked();
        let violations = self.evaluation.get_untracked().violations;
        let slot = |evaluator: &Evaluator| violations.iter().find_map(|violation| evaluator.slot(violation));
        field_id(at, self.with_evaluator(at, slot).flatten().unwrap_or_default())
    }
}

/// Element id of a field.
pub fn field_id(currency: usize, slot: usize) -> String {
    format!("bid-{currency}-{slot}")
}

/// Name of a field in the submitted form.
pub fn field_name(currency: &BidCurrency, slot: usize) -> String {
    if !currency.by_denomination() {
        return "amount".to_owned();
    }
    let code = currency.denominations.get(slot).map(|denomination| denomination.code.as_str());
    format!("count.{}", code.unwrap_or_default())
}

fn initial_text(initial: &InitialBid, currency: &BidCurrency, slot: usize) -> String {
    let name = field_name(currency, slot);
    let submitted = initial.values.iter().find(|(field, _)| *field == name);
    submitted.map_or_else(String::new, |(_, value)| value.clone())
}

/// Whether the violation says how high a bid must be.
pub fn is_minimum(violation: &Violation) -> bool {
    matches!(
        violation.code,
        ViolationCode::MinBid
            | ViolationCode::EqualNotHigher
            | ViolationCode::MinIncrement
            | ViolationCode::Step
    )
}

/// Whether the violation is about the number itself, not about its value.
fn is_about_number(violation: &Violation) -> bool {
    violation.code <= ViolationCode::AmountOutOfRange
}

/// The typed texts as one text with names.
fn words(currency: &BidCurrency, unit: &BaseUnit, typed: &[String]) -> String {
    let names = currency.names();
    let filled = typed.iter().map(|text| text.trim()).enumerate().filter(|(_, text)| !text.is_empty());
    if currency.by_denomination() {
        let counts =
            filled.filter_map(|(slot, text)| Some((currency.denominations.get(slot)?.code.as_str(), text)));
        in_words(&names, unit, None, counts)
    } else {
        in_words(&names, unit, typed.first().map(|text| text.trim()), [])
    }
}
