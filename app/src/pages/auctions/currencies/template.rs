//! Templates of currencies.

/// A common currency, as the fields of its form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Template {
    /// Value of `?template=` in the address.
    pub key: &'static str,
    pub title: &'static str,
    /// Description in one line.
    pub about: &'static str,
    code: &'static str,
    name: &'static str,
    symbol: &'static str,
    /// Code, name, symbol and factor of each. Empty if bids are entered as one amount.
    denominations: &'static [(&'static str, &'static str, &'static str, &'static str)],
}

pub const TEMPLATES: &[Template] = &[
    Template {
        key: "galleons",
        title: "Galleons, sickles, knuts",
        about: "17 sickles to the galleon, 29 knuts to the sickle",
        code: "GSK",
        name: "Wizarding money",
        symbol: "",
        denominations: &[
            ("GALLEON", "Galleon", "G", "493"),
            ("SICKLE", "Sickle", "s", "29"),
            ("KNUT", "Knut", "k", "1"),
        ],
    },
    Template {
        key: "shillings",
        title: "Pounds, shillings, pence",
        about: "20 shillings to the pound, 12 pence to the shilling",
        code: "LSD",
        name: "Old money",
        symbol: "£",
        denominations: &[
            ("POUND", "Pound", "£", "240"),
            ("SHILLING", "Shilling", "s", "12"),
            ("PENNY", "Penny", "d", "1"),
        ],
    },
    Template {
        key: "gold",
        title: "Gold, silver, copper",
        about: "A hundred of each to the next",
        code: "GUILD",
        name: "Guild money",
        symbol: "",
        denominations: &[
            ("GOLD", "Gold", "g", "10000"),
            ("SILVER", "Silver", "s", "100"),
            ("COPPER", "Copper", "c", "1"),
        ],
    },
    Template {
        key: "tickets",
        title: "Tickets",
        about: "Raffle tickets, counted",
        code: "TICKET",
        name: "Ticket",
        symbol: "tk",
        denominations: &[],
    },
    Template {
        key: "points",
        title: "Points",
        about: "House points, merits, stars",
        code: "POINT",
        name: "Point",
        symbol: "pt",
        denominations: &[],
    },
];

impl Template {
    pub fn find(key: &str) -> Option<Self> {
        TEMPLATES.iter().find(|template| template.key == key).copied()
    }

    /// Names and values of the form's fields.
    pub fn fields(&self) -> Vec<(String, String)> {
        let mode = if self.denominations.is_empty() { "SCALAR" } else { "DENOMINATION" };
        let fields = [
            ("code", self.code),
            ("name", self.name),
            ("symbol", self.symbol),
            ("rateToBase", "1"),
            ("inputMode", mode),
        ];
        let mut fields: Vec<_> =
            fields.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
        for (row, (code, name, symbol, factor)) in self.denominations.iter().enumerate() {
            for (part, value) in [("code", code), ("name", name), ("symbol", symbol), ("factor", factor)] {
                fields.push((format!("denominations.{row}.{part}"), (*value).to_owned()));
            }
        }
        fields
    }
}

#[cfg(test)]
mod tests {
    use rules_engine::money::{FractionPolicy, Literal};
    use rules_engine::{DenominationDefinition, InputMode, Profile, ProfileDefinition};

    use super::*;

    #[test]
    fn every_template_is_a_valid_currency() {
        for template in TEMPLATES {
            let denominations = template.denominations.iter().map(|(code, _, _, factor)| {
                DenominationDefinition { code: (*code).to_owned(), factor: Literal::from(*factor) }
            });
            let definition = ProfileDefinition {
                id: "p".to_owned(),
                input_mode: if template.denominations.is_empty() {
                    InputMode::Scalar
                } else {
                    InputMode::Denomination
                },
                rate_to_base: Literal::from("1"),
                precision: 0,
                fraction_policy: FractionPolicy::Reject,
                denominations: denominations.collect(),
            };
            assert!(Profile::parse(&definition).is_ok(), "{}", template.key);
        }
    }

    #[test]
    fn a_template_is_found_by_its_key() {
        assert_eq!(Template::find("gold").map(|template| template.code), Some("GUILD"));
        assert_eq!(Template::find("lead"), None);
    }
}
