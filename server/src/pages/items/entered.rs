//! An amount as the fields of a form hold it.

use auction_house::engine::{BidForm, EnteredCount, Literal};

use crate::pages::form::Form;

/// What was typed: `amount`, or a field `count.<CODE>` for each denomination, each after `prefix`.
pub fn entered(form: &Form, prefix: &str) -> BidForm {
    let typed = |text: &str| Some(form.typed(text)).filter(|text| !text.is_empty()).map(Literal::from);
    let counts = form.fields().iter().filter_map(|(name, value)| {
        let denomination = name.strip_prefix(prefix)?.strip_prefix("count.")?.to_owned();
        Some(EnteredCount { denomination, count: typed(value)? })
    });
    let counts: Vec<_> = counts.collect();
    BidForm {
        amount: form.get(&format!("{prefix}amount")).and_then(typed),
        entered_representation: (!counts.is_empty()).then_some(counts),
    }
}
