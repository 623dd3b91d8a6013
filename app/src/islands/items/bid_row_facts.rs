//! Rows of bids as fragments: those of a list that has one more bid are the same.

use std::sync::Arc;

use leptos::prelude::*;
use serde::Serialize;

use crate::components::moment::date_and_time;
use crate::fragments::{Fragment, WithJson};
use crate::islands::items::board::{RowParts, row};
use crate::model::{BaseUnit, BidRow};

/// All that a row shows.
#[derive(Debug, Clone, Serialize)]
pub struct BidRowFacts {
    pub bid: BidRow,
    pub fresh: bool,
    pub unit: WithJson<Arc<BaseUnit>>,
    /// How long ago the bid was placed, in words.
    pub ago: String,
    /// Path of the page that withdraws the bid, if the viewer may.
    pub withdraw: Option<String>,
}

impl Fragment for BidRowFacts {
    fn view(self) -> impl IntoView {
        let Self { bid, fresh, unit, ago, withdraw } = self;
        let placed_at = date_and_time(bid.placed_at);
        let (ago, withdraw) = (Signal::stored(ago), Signal::stored(withdraw));
        row(RowParts { bid, fresh, unit: unit.value, placed_at, ago, withdraw })
    }
}
