//! Writes JSON without a serializer, which would take a sixth of a bundle.

use rules_engine::{BidForm, EnteredCount, push_json_text};

/// An object, written member by member.
pub struct JsonObject {
    json: String,
}

impl Default for JsonObject {
    fn default() -> Self {
        Self { json: "{".to_owned() }
    }
}

impl JsonObject {
    pub fn text(&mut self, name: &str, text: &str) {
        push_json_text(self.member(name), text);
    }

    /// A text, or nothing.
    pub fn given(&mut self, name: &str, text: Option<&str>) {
        if let Some(text) = text {
            self.text(name, text);
        }
    }

    pub fn number(&mut self, name: &str, number: u64) {
        self.json(name, &number.to_string());
    }

    pub fn boolean(&mut self, name: &str, value: bool) {
        self.json(name, if value { "true" } else { "false" });
    }

    /// A value that is JSON already.
    pub fn json(&mut self, name: &str, value: &str) {
        self.member(name).push_str(value);
    }

    /// A price as it was entered: the members of a bid.
    pub fn price(&mut self, currency_profile_id: Option<&str>, price: &BidForm) {
        self.given("currencyProfileId", currency_profile_id);
        self.given("amount", price.amount.as_ref().map(|amount| amount.as_str()));
        if let Some(counts) = &price.entered_representation {
            push_counts(self.member("enteredRepresentation"), counts);
        }
    }

    pub fn finish(mut self) -> String {
        self.json.push('}');
        self.json
    }

    fn member(&mut self, name: &str) -> &mut String {
        if self.json.len() > 1 {
            self.json.push(',');
        }
        push_json_text(&mut self.json, name);
        self.json.push(':');
        &mut self.json
    }
}

fn push_counts(json: &mut String, counts: &[EnteredCount]) {
    json.push('[');
    for (at, EnteredCount { denomination, count }) in counts.iter().enumerate() {
        json.push_str(if at == 0 { "{\"denomination\":" } else { ",{\"denomination\":" });
        push_json_text(json, denomination);
        json.push_str(",\"count\":");
        push_json_text(json, count.as_str());
        json.push('}');
    }
    json.push(']');
}
