//! The form of a rule, as the API takes it.

pub(super) mod view;

use auction_house::engine::{Fixed, Ratio, RuleType};
use platform::fields::{Fault, Object};
use platform::http::problem::Problem;
use serde::Serialize;

use crate::pages::amounts::Amounts;
use crate::pages::form::{Form, renamed, renamed_rows, texts};

/// The parameter of rules about one denomination.
const DENOMINATION: &str = "denomination";
/// The parameter whose values stand in one field.
const LADDER: &str = "ladder";
/// The parameter that is no amount.
const PERCENT: &str = "percent";
/// The parameter that forms show in percent, and their field for it.
const RATIO: &str = "minRatio";
const RATIO_FIELD: &str = "params.minPercent";
/// A percentage with as many digits as a ratio has.
type Percentage = Fixed<{ Ratio::SCALE - 2 }>;

/// The API's body for a form.
pub struct RuleForm {
    pub object: Object,
    pub source: ParameterSource,
}

/// The fields of the form that the parameters come from.
#[derive(Default)]
pub struct ParameterSource {
    /// The parameter that the form asks for, of those that exclude one another.
    parameter: String,
    /// The rows of the tiers.
    rows: Vec<usize>,
    /// One field holds the currency and its denomination.
    is_by_denomination: bool,
}

impl ParameterSource {
    /// The problem with the names of the form's fields.
    pub fn in_form(&self, problem: Problem) -> Problem {
        let field = format!("params.{}", self.parameter);
        let mut problem = renamed(problem, &[("params", &field), ("params.minRatio", RATIO_FIELD)]);
        // One field holds all values of a ladder.
        for error in &mut problem.fields {
            if error.path.starts_with("params.ladder.") {
                "params.ladder".clone_into(&mut error.path);
                error.fault = Fault::Invalid;
            }
        }
        // The bounds in the error are those of the ratio.
        for error in problem.fields.iter_mut().filter(|error| error.path == RATIO_FIELD) {
            error.fault = Fault::Invalid;
        }
        if self.is_by_denomination {
            problem = renamed(problem, &[("currencyProfileId", "params.denomination")]);
        }
        renamed_rows(problem, "params.tiers", &self.rows)
    }
}

#[derive(Serialize)]
struct Tier {
    from: Option<String>,
    amount: Option<String>,
    step: Option<String>,
}

impl RuleForm {
    /// `amounts` are those of the auction.
    pub fn read(form: &Form, amounts: &Amounts) -> Self {
        let mut object = texts(form, &["type"]);
        object.set("enabled", &form.get("enabled").is_some());
        let (mut params, mut source) = (Object::default(), ParameterSource::default());
        let rule_type = form.get("type").and_then(|text| text.parse::<RuleType>().ok());
        match rule_type {
            Some(rule_type) if rule_type.takes(DENOMINATION) => {
                source.is_by_denomination = true;
                // The form has one field for a currency and one of its denominations.
                let (currency, code) = form.text("params.denomination").split_once(' ').unwrap_or_default();
                object.set("currencyProfileId", &currency);
                for parameter in rule_type.parameters() {
                    let name = parameter.name;
                    let value = match name {
                        DENOMINATION => code.to_owned(),
                        RATIO => ratio(&percentage(form, RATIO_FIELD)),
                        name => number(form, name),
                    };
                    params.set(name, &value);
                }
            }
            Some(rule_type) => {
                object.set("currencyProfileId", &form.get("currencyProfileId"));
                // The form has one of these parameters, which its field `kind` names.
                let first = rule_type.parameters().next().map_or("amount", |parameter| parameter.name);
                let kind = form.get("kind").filter(|kind| rule_type.takes(kind)).unwrap_or(first);
                kind.clone_into(&mut source.parameter);
                if kind == "tiers" {
                    let (rows, tiers): (Vec<_>, Vec<_>) = tiers(form, amounts).unzip();
                    source.rows = rows;
                    params.set(kind, &tiers);
                } else if kind == LADDER {
                    params.set(kind, &ladder(form, amounts));
                } else if kind == PERCENT {
                    params.set(kind, &percentage(form, "params.percent"));
                } else {
                    let field = format!("params.{kind}");
                    params.set(kind, &amounts.number(form, &field).unwrap_or_default());
                }
            }
            // The API reports the type.
            None => {}
        }
        object.set("params", &params);
        Self { object, source }
    }
}

/// The ratio that a percentage is. The API reports a text that is no number.
fn ratio(percentage: &str) -> String {
    let number = Percentage::parse(percentage.trim()).ok();
    let ratio = number.and_then(|number| Ratio::from_mantissa(number.mantissa()));
    ratio.map_or_else(|| percentage.to_owned(), |ratio| ratio.to_string())
}

/// The values in the field of a ladder: with spaces between, or with semicolons where names stand beside the
/// numbers.
fn ladder(form: &Form, amounts: &Amounts) -> Vec<String> {
    let text = form.text("params.ladder");
    let values: Vec<&str> = match text.contains(';') {
        true => text.split(';').filter(|value| !value.trim().is_empty()).collect(),
        false => text.split_whitespace().collect(),
    };
    values.into_iter().map(|value| amounts.read(value)).collect()
}

/// The number in a field for a percentage, which may have its sign: `5 %`.
fn percentage(form: &Form, field: &str) -> String {
    let text = form.text(field).trim_end();
    form.typed(text.strip_suffix(['%', '٪', '％']).unwrap_or(text))
}

/// The number in the field of a parameter. An empty field is an empty text, which the API reports.
fn number(form: &Form, parameter: &str) -> String {
    form.number(&format!("params.{parameter}")).unwrap_or_default()
}

/// The tiers of the rows that are not empty.
fn tiers(form: &Form, amounts: &Amounts) -> impl Iterator<Item = (usize, Tier)> {
    form.rows("params.tiers").filter_map(|row| {
        let part = |part: &str| amounts.number(form, &format!("params.tiers.{row}.{part}"));
        let tier = Tier { from: part("from"), amount: part("amount"), step: part("step") };
        let filled = tier.from.is_some() || tier.amount.is_some() || tier.step.is_some();
        filled.then_some((row, tier))
    })
}
