use alloc::{string::String, vec::Vec};

use serde::{Serialize, Serializer};

use super::form::Entered;
use crate::{
    money::{Amount, Normalized},
    rules::Violation,
};

/// Accepted or refused, with every violation.
///
/// In JSON it is the verdict of section 7: `accepted`, `normalizedAmount`, `amount`, `enteredRepresentation`
/// and `violations`, in this order; the middle three are null if they are none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The bid's value in base units; none if the input phase refused it.
    pub normalized: Option<Normalized>,
    /// The entered bid, rounded to the precision; none if the bid is refused.
    pub entered: Option<Entered>,
    /// All violations, in the order of SPEC, section 6. Empty if the bid is accepted.
    pub violations: Vec<Violation>,
}

impl Verdict {
    /// Whether the bid is accepted.
    #[must_use]
    pub fn accepted(&self) -> bool {
        self.violations.is_empty()
    }
}

impl Serialize for Verdict {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (amount, entered_representation) = match &self.entered {
            Some(Entered::Amount(amount)) => (Some(*amount), None),
            Some(Entered::Representation(counts)) => {
                (None, Some(counts.iter().map(CountJson::from).collect()))
            }
            None => (None, None),
        };
        let json = VerdictJson {
            accepted: self.accepted(),
            normalized_amount: self.normalized,
            amount,
            entered_representation,
            violations: &self.violations,
        };
        json.serialize(serializer)
    }
}

#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct VerdictJson<'a> {
    accepted: bool,
    normalized_amount: Option<Normalized>,
    amount: Option<Amount>,
    entered_representation: Option<Vec<CountJson<'a>>>,
    violations: &'a [Violation],
}

#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "AcceptedCount"))]
#[derive(Serialize)]
struct CountJson<'a> {
    denomination: &'a str,
    count: Amount,
}

impl<'a> From<&'a (String, Amount)> for CountJson<'a> {
    fn from((denomination, count): &'a (String, Amount)) -> Self {
        Self { denomination, count: *count }
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Verdict {
    fn schema_name() -> alloc::borrow::Cow<'static, str> {
        "Verdict".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        VerdictJson::json_schema(generator)
    }
}
