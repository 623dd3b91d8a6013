//! What is being typed into a bid form, and what the engine says to it. The item's page and the example on
//! the start page share it.

use std::sync::Arc;

use leptos::prelude::*;
use rules_engine::Violation;
use serde::{Deserialize, Serialize};

use crate::components::money::{in_words, unit_word};
use crate::model::{BidCurrency, BidDesk, CurrencyNames};
use crate::pages::items::advice;
use crate::pages::items::judgement::{Judge, Judgement};

/// How the form begins: empty, or as it was sent and refused.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Begin {
    /// Field name and value.
    pub values: Vec<(String, String)>,
    /// Why the server refused it.
    pub refusal: Option<String>,
}

/// The state of the form. Copies are the same form.
#[derive(Clone)]
pub struct Entry {
    pub judges: Arc<Vec<Judge>>,
    /// Index in `judges`.
    pub selected: RwSignal<usize>,
    /// For each currency its fields, so that nothing typed is lost by a look at another currency.
    pub typed: Arc<Vec<Vec<RwSignal<String>>>>,
    /// An empty form was sent: from now on it is told that something is missing.
    pub tried: RwSignal<bool>,
    pub judgement: Memo<Judgement>,
    pub unit: String,
    highest: Signal<Option<String>>,
}

impl Entry {
    pub fn new(desk: &BidDesk, begin: &Begin, highest: Signal<Option<String>>) -> Self {
        let judges = Arc::new(Judge::all(desk));
        let selected = RwSignal::new(desk.selected.min(judges.len().saturating_sub(1)));
        let typed = judges.iter().enumerate().map(|(at, judge)| {
            let begun = at == desk.selected;
            let first = |slot| if begun { begun_with(begin, &judge.currency, slot) } else { String::new() };
            (0..judge.fields()).map(|slot| RwSignal::new(first(slot))).collect()
        });
        let typed: Arc<Vec<Vec<RwSignal<String>>>> = Arc::new(typed.collect());
        let judgement = Memo::new({
            let (judges, typed) = (judges.clone(), typed.clone());
            move |_| {
                let at = selected.get();
                let (Some(judge), Some(fields)) = (judges.get(at), typed.get(at)) else {
                    return Judgement::default();
                };
                let texts: Vec<String> = fields.iter().map(|field| field.get()).collect();
                judge.judge(&texts, highest.get().as_deref())
            }
        });
        let tried = RwSignal::new(begin.refusal.is_some());
        Self { judges, selected, typed, tried, judgement, unit: unit_word(&desk.base_unit), highest }
    }

    /// The judge of the currency at hand.
    pub fn with_judge<T>(&self, at: usize, read: impl FnOnce(&Judge) -> T) -> Option<T> {
        self.judges.get(at).map(read)
    }

    /// What is shown as broken: nothing before anything is typed.
    pub fn shown(&self) -> Vec<Violation> {
        let judgement = self.judgement.get();
        if judgement.empty && !self.tried.get() { Vec::new() } else { judgement.violations }
    }

    /// The shown violations as sentences.
    pub fn sentences(&self) -> Vec<String> {
        let shown = self.shown();
        let sentences = |judge: &Judge| {
            shown.iter().map(|violation| advice::sentence(violation, &judge.currency, &self.unit)).collect()
        };
        self.with_judge(self.selected.get(), sentences).unwrap_or_default()
    }

    /// What is wrong with one field, in a few words.
    pub fn beside(&self, currency: usize, slot: usize) -> Option<String> {
        if self.selected.get() != currency {
            return None;
        }
        let shown = self.shown();
        let judge = self.judges.get(currency)?;
        let own = shown.iter().find(|violation| {
            // The single field of an amount speaks for itself only where the list has no better sentence.
            judge.slot(violation) == Some(slot)
                && (judge.currency.by_denomination() || judge_input(violation))
        });
        own.map(|violation| advice::beside_field(violation, &judge.currency))
    }

    /// The least bid that is accepted now: what to type.
    pub fn least(&self) -> Option<Vec<String>> {
        let highest = self.highest.get();
        self.judges.get(self.selected.get())?.least(highest.as_deref())
    }

    /// The least bid in words.
    pub fn least_in_words(&self) -> Option<String> {
        let least = self.least()?;
        self.with_judge(self.selected.get(), |judge| words(&judge.currency, &least))
    }

    /// Types the least bid.
    pub fn fill_in_least(&self) {
        if let Some(least) = self.least() {
            self.fill_in(least);
        }
    }

    /// Types nothing.
    pub fn clear(&self) {
        self.tried.set(false);
        self.fill_in(Vec::new());
    }

    fn fill_in(&self, texts: Vec<String>) {
        let fields = self.typed.get(self.selected.get_untracked());
        let mut texts = texts.into_iter();
        for field in fields.into_iter().flatten() {
            field.set(texts.next().unwrap_or_default());
        }
    }

    /// What is typed now.
    pub fn texts(&self) -> Vec<String> {
        let fields = self.typed.get(self.selected.get_untracked());
        fields.into_iter().flatten().map(|field| field.get_untracked()).collect()
    }

    /// The field that the first problem is about; the first field where it is about the whole bid.
    pub fn first_problem(&self) -> String {
        let at = self.selected.get_untracked();
        let violations = self.judgement.get_untracked().violations;
        let slot = |judge: &Judge| violations.iter().find_map(|violation| judge.slot(violation));
        field_id(at, self.with_judge(at, slot).flatten().unwrap_or_default())
    }
}

/// The id of a field of the form.
pub fn field_id(currency: usize, slot: usize) -> String {
    format!("bid-{currency}-{slot}")
}

/// The name under which a field is sent.
pub fn field_name(currency: &BidCurrency, slot: usize) -> String {
    if !currency.by_denomination() {
        return "amount".to_owned();
    }
    let code = currency.denominations.get(slot).map(|denomination| denomination.code.as_str());
    format!("count.{}", code.unwrap_or_default())
}

fn begun_with(begin: &Begin, currency: &BidCurrency, slot: usize) -> String {
    let name = field_name(currency, slot);
    let sent = begin.values.iter().find(|(field, _)| *field == name);
    sent.map_or_else(String::new, |(_, value)| value.clone())
}

/// Violations of the number itself rather than of what it is worth.
fn judge_input(violation: &Violation) -> bool {
    violation.code <= rules_engine::ViolationCode::AmountOutOfRange
}

/// Typed texts in words.
pub fn words(currency: &BidCurrency, typed: &[String]) -> String {
    let names = CurrencyNames {
        profile_id: currency.profile_id.clone(),
        name: currency.name.clone(),
        symbol: currency.symbol.clone(),
        denominations: currency.denominations.clone(),
    };
    let filled = typed.iter().map(|text| text.trim()).enumerate().filter(|(_, text)| !text.is_empty());
    if currency.by_denomination() {
        let counts =
            filled.filter_map(|(slot, text)| Some((currency.denominations.get(slot)?.code.as_str(), text)));
        in_words(&names, None, counts)
    } else {
        in_words(&names, typed.first().map(|text| text.trim()), [])
    }
}
