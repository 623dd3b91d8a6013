//! A typed bid survives a reload and a session that ran out. The browser keeps it for its tab until the bid
//! is placed. It is never placed by itself.

use leptos::prelude::*;

use crate::islands::items::form_state::BidFormState;
use crate::live::browser;

/// Keeps what is typed under `key`, after it has restored what was typed before. A form that is filled
/// already, such as one that the server refused, keeps its values.
pub fn keep_draft(form: BidFormState, key: String) {
    Effect::new(move |before: Option<()>| {
        let is_empty = || form.typed.iter().flatten().all(|text| text.with_untracked(String::is_empty));
        if before.is_none() && is_empty() {
            restore(&form, &browser::draft(&key).unwrap_or_default());
        }
        browser::keep_draft(&key, &written(&form));
    });
}

/// Lines: the index of the selected currency and the text of each of its fields. Empty if no field is filled.
fn written(form: &BidFormState) -> String {
    let at = form.selected.get();
    let (mut lines, mut filled) = (at.to_string(), false);
    for field in form.typed.get(at).into_iter().flatten() {
        let text = field.get();
        filled |= !text.is_empty();
        lines = format!("{lines}\n{text}");
    }
    if filled { lines } else { String::new() }
}

/// A draft of other fields is ignored: the currencies have changed.
fn restore(form: &BidFormState, draft: &str) {
    let mut lines = draft.split('\n');
    let selected = lines.next().and_then(|line| line.parse().ok());
    let fields = selected.and_then(|at: usize| form.typed.get(at));
    let (Some(selected), Some(fields)) = (selected, fields) else { return };
    if lines.clone().count() == fields.len() {
        form.selected.set(selected);
        fields.iter().zip(lines).for_each(|(field, text)| field.set(text.to_owned()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::islands::items::form_state::InitialBid;
    use crate::model::{BaseUnit, BidCurrency, BidFormData, Denomination};
    use rules_engine::{FractionPolicy, InputMode, Literal};

    fn currency(id: &str, code: Option<&str>) -> BidCurrency {
        let denomination = |code: &str| Denomination {
            code: code.to_owned(),
            name: code.to_owned(),
            plural: None,
            symbol: String::new(),
            factor: Literal::from("1"),
            written: true,
        };
        BidCurrency {
            profile_id: Some(id.to_owned()),
            name: id.to_owned(),
            plural: None,
            symbol: String::new(),
            input_mode: if code.is_some() { InputMode::Denomination } else { InputMode::Scalar },
            rate_to_base: Literal::from("1"),
            precision: 0,
            fraction_policy: FractionPolicy::Reject,
            denominations: code.into_iter().map(denomination).collect(),
        }
    }

    fn form() -> BidFormState {
        let data = BidFormData {
            currencies: vec![currency("coins", Some("KNUT")), currency("points", None)],
            base_unit: BaseUnit::default(),
            ..BidFormData::default()
        };
        BidFormState::new(
            &data,
            &InitialBid::default(),
            Signal::stored(None),
            Signal::stored(None),
            Signal::stored(false),
        )
    }

    #[test]
    fn what_is_typed_is_restored_with_its_currency() {
        Owner::new().with(|| {
            let typed = form();
            assert_eq!(written(&typed), "", "nothing is typed");
            typed.selected.set(1);
            typed.typed[1][0].set(" 12,5 and more".to_owned());
            let restored = form();
            restore(&restored, &written(&typed));
            assert_eq!(restored.selected.get_untracked(), 1);
            assert_eq!(restored.texts(), [" 12,5 and more"]);
        });
    }

    #[test]
    fn a_draft_of_other_fields_is_ignored() {
        Owner::new().with(|| {
            let restored = form();
            for draft in ["", "x", "2\n5", "1\n5\n6", "1"] {
                restore(&restored, draft);
                assert_eq!(restored.selected.get_untracked(), 0, "{draft}");
                assert_eq!(restored.texts(), [""], "{draft}");
            }
        });
    }
}
