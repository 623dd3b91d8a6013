//! An auction as queries select and read it.

use crate::access::Role;
use crate::auctions::access::AuctionView;
use crate::auctions::money::{Goal, IsoCode};
use crate::auctions::{
    AntiSnipe, Auction, AuctionTerms, BaseUnit, BidderVisibility, ItemEndMode, JoinMode, ReadableBy,
};
use crate::ids::{AuctionId, BookId, GroupId, ItemId, UserId};
use platform::db::{Parsed, concatcp};
use platform::time::Moment;
use platform::token::LinkToken;
use rules_engine::money::Normalized;

/// The columns of an [`AuctionRow`] from the auction `a`, with its viewer's membership as `m` and the moment
/// as `$1`.
pub(crate) const COLUMNS: &str = concatcp!(auction_columns!("a."), ", a.description", AFTER_DESCRIPTION);
/// The same with the beginning of the description, and one character more than lists show, to know whether
/// it goes on.
pub(crate) const LISTED_COLUMNS: &str =
    concatcp!(auction_columns!("a."), ", substr(a.description, 1, 301)", AFTER_DESCRIPTION);

const AFTER_DESCRIPTION: &str = " AS description, a.closed_at, a.revision, a.published_items, m.role,
         NOT EXISTS (SELECT 1 FROM currency_profiles p WHERE p.auction_id = a.id) AS is_legacy,
         (SELECT k.id FROM items k WHERE k.id = a.block_item_id AND k.is_published) AS block_item_id,
         CASE WHEN a.closed_at IS NULL AND a.end_date <= $1 THEN EXISTS (
             SELECT 1 FROM items i
             WHERE i.auction_id = a.id AND i.is_published AND i.closed_at IS NULL
               AND a.item_end_mode <> 'NONE' AND i.end_date > $1
         ) ELSE FALSE END AS outlasted";

/// An auction and its viewer's role in it, as they are stored.
#[derive(sqlx_macros::FromRow)]
pub struct AuctionRow {
    id: AuctionId,
    name: String,
    description: String,
    join_mode: JoinMode,
    member_can_invite: bool,
    bidder_visibility: BidderVisibility,
    readable_by: ReadableBy,
    end_date: Option<Moment>,
    item_end_mode: ItemEndMode,
    base_unit_name: Option<String>,
    base_unit_plural: Option<String>,
    base_unit_symbol: Option<String>,
    book_id: Option<BookId>,
    group_id: Option<GroupId>,
    default_anti_snipe: bool,
    default_anti_snipe_threshold: i64,
    default_anti_snipe_extension: i64,
    currency_code: Option<Parsed<IsoCode>>,
    goal: Option<Parsed<Normalized>>,
    collection: String,
    link_token: LinkToken,
    closed_at: Option<Moment>,
    is_legacy: bool,
    version: i64,
    revision: i64,
    published_items: i64,
    block_item_id: Option<ItemId>,
    created_at: Moment,
    updated_at: Moment,
    role: Option<Role>,
    outlasted: bool,
}

impl AuctionRow {
    pub fn seen_by(self, viewer: UserId) -> AuctionView {
        AuctionView { viewer, role: self.role, auction: self.into() }
    }
}

impl From<AuctionRow> for Auction {
    fn from(row: AuctionRow) -> Self {
        let symbol = row.base_unit_symbol.unwrap_or_default();
        let plural = row.base_unit_plural;
        let base_unit = row.base_unit_name.map(|name| BaseUnit { name, plural, symbol });
        let terms = AuctionTerms {
            name: row.name,
            description: row.description,
            join_mode: row.join_mode,
            member_can_invite: row.member_can_invite,
            bidder_visibility: row.bidder_visibility,
            readable_by: row.readable_by,
            end_date: row.end_date,
            item_end_mode: row.item_end_mode,
            base_unit,
            book_id: row.book_id,
            group_id: row.group_id,
            default_anti_snipe: AntiSnipe {
                enabled: row.default_anti_snipe,
                threshold_seconds: row.default_anti_snipe_threshold,
                extension_seconds: row.default_anti_snipe_extension,
            },
            currency: row.currency_code.map(|code| code.0),
            goal: row.goal.and_then(|goal| Goal::new(goal.0)),
            collection: row.collection,
        };
        Self {
            id: row.id,
            terms,
            is_legacy: row.is_legacy,
            link_token: row.link_token,
            closed_at: row.closed_at,
            outlasted: row.outlasted,
            version: row.version,
            revision: row.revision,
            published_items: row.published_items,
            block_item_id: row.block_item_id,
            numbers: None,
            created_at: row.created_at,
            updated_at: row.updated_at,
        }
    }
}
