//! Which items of an auction a catalogue page shows, and how.

use percent_encoding::NON_ALPHANUMERIC;
use percent_encoding::utf8_percent_encode;

/// The items that the address of a catalogue page asks for. The server ignores what it can't read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CatalogueQuery {
    /// Order of the items, by the names of the API; by lot number if it is empty.
    pub sort: String,
    pub text: Option<String>,
    pub status: Option<String>,
    pub watched: bool,
    /// Cards instead of rows.
    pub grid: bool,
    pub cursor: Option<String>,
}

impl CatalogueQuery {
    /// Some items are left out.
    pub fn is_filtered(&self) -> bool {
        self.text.is_some() || self.status.is_some() || self.watched
    }

    pub fn is_by_lot(&self) -> bool {
        self.sort.is_empty() || self.sort == "lot"
    }

    /// The address of the first page of these items.
    pub fn address(&self, path: &str) -> String {
        let parameters = [
            ("q", self.text.as_deref()),
            ("sort", Some(self.sort.as_str()).filter(|_| !self.is_by_lot())),
            ("status", self.status.as_deref()),
            ("watched", self.watched.then_some("true")),
            ("view", self.grid.then_some("grid")),
        ];
        let given = parameters.into_iter().filter_map(|(name, value)| Some((name, value?)));
        let query: Vec<String> = given
            .map(|(name, value)| format!("{name}={}", utf8_percent_encode(value, NON_ALPHANUMERIC)))
            .collect();
        if query.is_empty() { path.to_owned() } else { format!("{path}?{}", query.join("&")) }
    }
}

#[cfg(test)]
mod tests {
    use super::CatalogueQuery;

    #[test]
    fn an_address_names_only_what_is_not_the_default() {
        let query = CatalogueQuery { sort: "lot".to_owned(), ..CatalogueQuery::default() };
        assert_eq!(query.address("/auctions/a"), "/auctions/a");
        let text = Some("50 % off & more".to_owned());
        let query = CatalogueQuery {
            sort: "end".to_owned(),
            text,
            watched: true,
            grid: true,
            ..CatalogueQuery::default()
        };
        let expected = "/auctions/a?q=50%20%25%20off%20%26%20more&sort=end&watched=true&view=grid";
        assert_eq!(query.address("/auctions/a"), expected);
    }
}
