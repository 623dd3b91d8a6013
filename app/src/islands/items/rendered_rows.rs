//! A cache of rendered rows of bids, on the server: viewers to whom a row shows the same share it. The key of
//! a row is everything that it shows, and it is rendered without access to the request, so that nothing of
//! one viewer gets into the page of another.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use hydration_context::SsrSharedContext;
use leptos::prelude::*;
use leptos::reactive::owner::Owner;
use quick_cache::sync::Cache;

use crate::islands::items::board::{RowParts, row};
use crate::model::{BaseUnit, BidRow};

/// Rows that are kept: those of the items that are looked at, several times over, in about three megabytes.
const ROWS_MAX: usize = 4096;

/// All that a row shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowFacts {
    pub bid: BidRow,
    pub fresh: bool,
    pub of_list: Arc<ListFacts>,
    /// How long ago the bid was placed, in words.
    pub ago: String,
    /// Path of the page that withdraws the bid, if the viewer may.
    pub withdraw: Option<String>,
}

/// Facts that all rows of a list share.
#[derive(Debug, PartialEq, Eq)]
pub struct ListFacts {
    pub unit: Arc<BaseUnit>,
    /// IANA name of the viewer's time zone.
    pub zone: String,
}

/// The rest is compared.
impl Hash for RowFacts {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Self { bid, ago, .. } = self;
        (bid.sequence, bid.placed_at, &bid.normalized_amount, &bid.bidder, bid.mine, ago).hash(state);
    }
}

/// The rows that were rendered, as HTML.
#[derive(Debug)]
pub struct RenderedRows(Cache<RowFacts, Arc<str>>);

impl Default for RenderedRows {
    fn default() -> Self {
        Self(Cache::new(ROWS_MAX))
    }
}

impl RenderedRows {
    /// The row as HTML. `written` writes a moment in the time zone of the facts.
    pub fn html(&self, facts: RowFacts, written: &dyn Fn(i64) -> String) -> String {
        if let Some(html) = self.0.get(&facts) {
            return html.as_ref().to_owned();
        }
        let html = rendered(facts.clone(), written(facts.bid.placed_at));
        self.0.insert(facts, html.as_str().into());
        html
    }
}

/// Renders without the contexts of a request.
fn rendered(RowFacts { bid, fresh, of_list, ago, withdraw }: RowFacts, placed_at: String) -> String {
    let current = Owner::current();
    // It becomes the current one.
    let owner = Owner::new_root(Some(Arc::new(SsrSharedContext::new_islands())));
    let html = owner.with(|| {
        let (ago, withdraw) = (Signal::stored(ago), Signal::stored(withdraw));
        let parts = RowParts { bid, fresh, unit: Arc::clone(&of_list.unit), placed_at, ago, withdraw };
        row(parts).into_view().to_html()
    });
    owner.unset_with_forced_cleanup();
    if let Some(current) = current {
        current.set();
    }
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(bid: BidRow) -> RowFacts {
        let unit =
            BaseUnit { name: "Knut".to_owned(), plural: Some("Knuts".to_owned()), ..BaseUnit::default() };
        let of_list = Arc::new(ListFacts { unit: Arc::new(unit), zone: "UTC".to_owned() });
        RowFacts { bid, fresh: false, of_list, ago: "just now".to_owned(), withdraw: None }
    }

    fn bid() -> BidRow {
        BidRow {
            sequence: 7,
            bidder: Some("Ada <b>".to_owned()),
            mine: false,
            normalized_amount: "12345".to_owned(),
            entered: "5\u{a0}Galleons".to_owned(),
            placed_at: 1_777_658_400_123,
            withdrawn: None,
            by_clerk: None,
        }
    }

    /// Facts that differ in one thing each.
    fn different() -> Vec<RowFacts> {
        let with = |change: fn(&mut BidRow)| {
            let mut bid = bid();
            change(&mut bid);
            facts(bid)
        };
        let own = || facts(bid());
        let elsewhere = ListFacts { unit: Arc::clone(&own().of_list.unit), zone: "Europe/Berlin".to_owned() };
        let other_unit = ListFacts { unit: Arc::default(), zone: "UTC".to_owned() };
        vec![
            own(),
            with(|bid| bid.mine = true),
            with(|bid| bid.bidder = None),
            with(|bid| bid.sequence = 8),
            with(|bid| bid.normalized_amount = "12346".to_owned()),
            with(|bid| bid.entered = "6\u{a0}Galleons".to_owned()),
            with(|bid| bid.placed_at += 60_000),
            with(|bid| bid.withdrawn = Some("Withdrawn by a manager".to_owned())),
            with(|bid| bid.by_clerk = Some("Entered by Esme".to_owned())),
            RowFacts { ago: "1 min ago".to_owned(), ..own() },
            RowFacts { withdraw: Some("/withdraw".to_owned()), ..own() },
            RowFacts { fresh: true, ..own() },
            RowFacts { of_list: Arc::new(elsewhere), ..own() },
            RowFacts { of_list: Arc::new(other_unit), ..own() },
        ]
    }

    #[test]
    fn a_kept_row_is_that_of_its_facts_alone() {
        let rows = RenderedRows::default();
        for _ in 0..2 {
            for facts in different() {
                let written = |moment: i64| format!("{moment} in {}", facts.of_list.zone);
                let expected = RenderedRows::default().html(facts.clone(), &written);
                assert_eq!(rows.html(facts.clone(), &written), expected, "{facts:?}");
            }
        }
        assert_eq!(rows.0.len(), different().len(), "each kept for itself");
    }
}
