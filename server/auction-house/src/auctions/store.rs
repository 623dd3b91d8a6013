//! Auctions in SQL.

use std::sync::Arc;

use super::access::AuctionView;
use super::group::OfGroup;
use super::list::Scope;
use super::money::{Goal, IsoCode};
use super::{
    AntiSnipe, Auction, AuctionTerms, BaseUnit, BidderVisibility, ItemEndMode, JoinMode, ReadableBy,
};
use crate::access::{self, Role};
use crate::events;
use crate::ids::{AuctionId, BookId, GroupId, ItemId, UserId};
use platform::db::{
    self, BulkStatement, Connection, DbError, Parsed, Transaction, WriteBatch, bulk_statement, columns,
    for_each_row, query, query_scalar, row, rows, table_columns,
};
use platform::time::Moment;
use platform::token::{LinkToken, TokenHash};
use rules_engine::money::Normalized;

table_columns! {
    auction_columns;
    /// The columns that only an INSERT writes.
    fn inserted(auction: &Auction) {
        id: auction.id,
        link_token: &auction.link_token,
        created_at: auction.created_at,
    }
    /// The columns that a change of an auction writes, except the description.
    fn changed(auction: &Auction) {
        name: &auction.terms.name,
        join_mode: auction.terms.join_mode,
        member_can_invite: auction.terms.member_can_invite,
        bidder_visibility: auction.terms.bidder_visibility,
        readable_by: auction.terms.readable_by,
        end_date: auction.terms.end_date,
        item_end_mode: auction.terms.item_end_mode,
        base_unit_name: auction.terms.base_unit.as_ref().map(|unit| &unit.name),
        base_unit_plural: auction.terms.base_unit.as_ref().and_then(|unit| unit.plural.as_ref()),
        base_unit_symbol: auction.terms.base_unit.as_ref().map(|unit| &unit.symbol),
        book_id: auction.terms.book_id,
        group_id: auction.terms.group_id,
        default_anti_snipe: auction.terms.default_anti_snipe.enabled,
        default_anti_snipe_threshold: auction.terms.default_anti_snipe.threshold_seconds,
        default_anti_snipe_extension: auction.terms.default_anti_snipe.extension_seconds,
        currency_code: auction.terms.currency.map(|code| code.to_string()),
        goal: auction.terms.goal.map(|goal| goal.amount().to_string()),
        collection: &auction.terms.collection,
        version: auction.version,
        updated_at: auction.updated_at,
    }
}

/// The columns of an [`AuctionRow`] from the auction `a`, with its viewer's membership as `m` and the moment
/// as `$1`. Lists read the beginning of a description.
macro_rules! selected {
    () => {
        crate::auctions::store::selected!("a.description")
    };
    (listed) => {
        // One character more than lists show, to know whether it goes on.
        crate::auctions::store::selected!("substr(a.description, 1, 301)")
    };
    ($description:literal) => {
        concat!(
            auction_columns!("a."),
            ", ",
            $description,
            " AS description, a.closed_at, a.revision, a.published_items, m.role,
         (SELECT k.id FROM items k WHERE k.id = a.block_item_id AND k.is_published) AS block_item_id,
         CASE WHEN a.closed_at IS NULL AND a.end_date <= $1 THEN EXISTS (
             SELECT 1 FROM items i
             WHERE i.auction_id = a.id AND i.is_published AND i.closed_at IS NULL
               AND a.item_end_mode <> 'NONE' AND i.end_date > $1
         ) ELSE FALSE END AS outlasted"
        )
    };
}

pub(crate) use selected;

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

/// An auction with the viewer's role in it. Whether they may see it is not asked here.
pub async fn find(
    conn: &mut Connection,
    auction_id: AuctionId,
    viewer: UserId,
    now: Moment,
) -> Result<Option<AuctionView>, DbError> {
    let row: Option<AuctionRow> = query(concat!(
        "SELECT ",
        selected!(),
        " FROM auctions a LEFT JOIN members m ON m.auction_id = a.id AND m.user_id = $2 WHERE a.id = $3"
    ))
    .bind(now)
    .bind(viewer)
    .bind(auction_id)
    .fetch_optional(conn)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let mut seen = row.seen_by(viewer);
    read_numbers(conn, &mut seen.auction).await?;
    Ok(Some(seen))
}

/// Adds the numbers of the members of an auction with a group.
pub async fn read_numbers(conn: &mut Connection, auction: &mut Auction) -> Result<(), DbError> {
    if auction.terms.group_id.is_some() {
        auction.numbers = Some(Arc::new(access::store::numbers::of_auction(conn, auction.id).await?));
    }
    Ok(())
}

/// An auction without a viewer.
pub async fn by_id(
    conn: &mut Connection,
    auction_id: AuctionId,
    now: Moment,
) -> Result<Option<Auction>, DbError> {
    let row: Option<AuctionRow> = query(concat!(
        "SELECT ",
        selected!(),
        " FROM auctions a LEFT JOIN members m ON FALSE WHERE a.id = $2"
    ))
    .bind(now)
    .bind(auction_id)
    .fetch_optional(conn)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let mut auction = Auction::from(row);
    read_numbers(conn, &mut auction).await?;
    Ok(Some(auction))
}

/// The auction whose link has this token, whatever its join mode is.
pub async fn by_link(conn: &mut Connection, token: &str) -> Result<Option<AuctionId>, DbError> {
    query_scalar("SELECT id FROM auctions WHERE link_token = $1").bind(token).fetch_optional(conn).await
}

/// The books of these auctions; `None` for an auction without one.
pub async fn books(
    conn: &mut Connection,
    auction_ids: &[AuctionId],
) -> Result<Vec<(AuctionId, Option<BookId>)>, DbError> {
    if auction_ids.is_empty() {
        return Ok(Vec::new());
    }
    query(for_each_row!("SELECT a.id, a.book_id FROM", [id id], "JOIN auctions a ON a.id = given.id"))
        .bind(rows(auction_ids.iter().map(|id| [id]))?)
        .fetch_all(conn)
        .await
}

/// The newest auctions of a book that a user may see, with their names.
pub async fn of_book(
    conn: &mut Connection,
    book_id: BookId,
    viewer: UserId,
) -> Result<Vec<(AuctionId, String)>, DbError> {
    query(
        "SELECT a.id, a.name FROM auctions a
         LEFT JOIN members m ON m.auction_id = a.id AND m.user_id = $2
         WHERE a.book_id = $1 AND (a.join_mode = 'FREE' OR m.role IS NOT NULL) ORDER BY a.id DESC LIMIT 50",
    )
    .bind(book_id)
    .bind(viewer)
    .fetch_all(conn)
    .await
}

/// The auctions of a group that are not closed, by id.
pub async fn open_of_group(conn: &mut Connection, group_id: GroupId) -> Result<Vec<OfGroup>, DbError> {
    query("SELECT id, book_id FROM auctions WHERE group_id = $1 AND closed_at IS NULL ORDER BY id")
        .bind(group_id)
        .fetch_all(conn)
        .await
}

/// All auctions of a group, by id.
pub async fn of_group(conn: &mut Connection, group_id: GroupId) -> Result<Vec<AuctionId>, DbError> {
    query_scalar("SELECT id FROM auctions WHERE group_id = $1 ORDER BY id")
        .bind(group_id)
        .fetch_all(conn)
        .await
}

/// The newest auctions of a group that a user may see, with their names.
pub async fn seen_of_group(
    conn: &mut Connection,
    group_id: GroupId,
    viewer: UserId,
) -> Result<Vec<(AuctionId, String)>, DbError> {
    query(
        "SELECT a.id, a.name FROM auctions a
         LEFT JOIN members m ON m.auction_id = a.id AND m.user_id = $2
         WHERE a.group_id = $1 AND (a.join_mode = 'FREE' OR m.role IS NOT NULL) ORDER BY a.id DESC LIMIT 50",
    )
    .bind(group_id)
    .bind(viewer)
    .fetch_all(conn)
    .await
}

/// Takes the group from its auctions, which stay.
pub async fn forget_group(conn: &mut Transaction, group_id: GroupId, now: Moment) -> Result<(), DbError> {
    let sql =
        "UPDATE auctions SET group_id = NULL, version = version + 1, updated_at = $2 WHERE group_id = $1";
    query(sql).bind(group_id).bind(now).execute(conn).await?;
    Ok(())
}

/// Up to `limit` auctions of the scope, newest first, older than `before`.
pub async fn list(
    conn: &mut Connection,
    viewer: UserId,
    scope: Scope,
    now: Moment,
    before: Option<AuctionId>,
    limit: i64,
) -> Result<Vec<AuctionView>, DbError> {
    macro_rules! listed {
        ($members:literal, $condition:literal) => {
            concat!(
                "SELECT ",
                selected!(listed),
                " FROM auctions a ",
                $members,
                " JOIN members m ON m.auction_id = a.id AND m.user_id = $2 WHERE ",
                $condition,
                " AND ($3 IS NULL OR a.id < $3) ORDER BY a.id DESC LIMIT $4"
            )
        };
    }
    let sql = match scope {
        Scope::Visible => listed!("LEFT", "(a.join_mode = 'FREE' OR m.role IS NOT NULL)"),
        Scope::Member => listed!("", "TRUE"),
        Scope::Joinable => listed!(
            "LEFT",
            "a.join_mode = 'FREE' AND m.role IS NULL AND a.closed_at IS NULL
             AND (a.end_date IS NULL OR a.end_date > $1)"
        ),
    };
    let rows: Vec<AuctionRow> =
        query(sql).bind(now).bind(viewer).bind(before).bind(limit).fetch_all(conn).await?;
    Ok(rows.into_iter().map(|row| row.seen_by(viewer)).collect())
}

/// Writes the terms of an auction.
pub async fn update(conn: &mut Transaction, auction: &Auction) -> Result<(), DbError> {
    let mut columns = columns! { description: &auction.terms.description };
    columns.extend(changed(auction)?);
    db::update(conn, "auctions", auction.id, columns).await
}

/// Gives the auction another link, as part of a new version.
pub async fn update_link(conn: &mut Transaction, auction: &Auction) -> Result<(), DbError> {
    let columns = columns! {
        link_token: &auction.link_token,
        version: auction.version,
        updated_at: auction.updated_at,
    };
    db::update(conn, "auctions", auction.id, columns).await
}

/// Puts an item on the block or takes it from there, as part of a new version.
pub async fn update_block(conn: &mut Transaction, auction: &Auction) -> Result<(), DbError> {
    let columns = columns! {
        block_item_id: auction.block_item_id,
        version: auction.version,
        updated_at: auction.updated_at,
    };
    db::update(conn, "auctions", auction.id, columns).await
}

/// The auction whose screen has this token.
pub async fn by_screen(conn: &mut Connection, token: &TokenHash) -> Result<Option<AuctionId>, DbError> {
    query_scalar("SELECT id FROM auctions WHERE screen_token_hash = $1")
        .bind(token.to_string())
        .fetch_optional(conn)
        .await
}

/// Gives the screen of an auction another token, or none.
pub async fn set_screen(
    conn: &mut Transaction,
    auction_id: AuctionId,
    token: Option<TokenHash>,
) -> Result<(), DbError> {
    query("UPDATE auctions SET screen_token_hash = $2 WHERE id = $1")
        .bind(auction_id)
        .bind(token.map(|token| token.to_string()))
        .execute(conn)
        .await?;
    Ok(())
}

/// Adds to the number of the auction's published items, in the transaction that publishes or hides them.
pub async fn add_published(conn: &mut Transaction, auction_id: AuctionId, more: i64) -> Result<(), DbError> {
    query("UPDATE auctions SET published_items = published_items + $2 WHERE id = $1")
        .bind(auction_id)
        .bind(more)
        .execute(conn)
        .await?;
    Ok(())
}

/// Adds to the number of all items of the auction, in the transaction that creates or deletes them. `false`
/// if there would be more than `max`.
pub async fn add_items(
    conn: &mut Transaction,
    auction_id: AuctionId,
    more: i64,
    max: i64,
) -> Result<bool, DbError> {
    let sql = "UPDATE auctions SET all_items = all_items + $2 WHERE id = $1 AND all_items + $2 <= $3";
    Ok(query(sql).bind(auction_id).bind(more).bind(max).execute(conn).await? == 1)
}

/// The number of all items of the auction. That of a copy includes the items that are still to be copied.
pub async fn all_items(conn: &mut Connection, auction_id: AuctionId) -> Result<i64, DbError> {
    query_scalar("SELECT all_items FROM auctions WHERE id = $1").bind(auction_id).fetch_one(conn).await
}

/// Whether the user has created `count` auctions or more that are still open.
pub async fn has_open(conn: &mut Connection, creator: UserId, count: i64) -> Result<bool, DbError> {
    let sql = "SELECT COUNT(*) >= $2 FROM
        (SELECT 1 FROM auctions WHERE creator_id = $1 AND closed_at IS NULL LIMIT $2) AS open";
    query_scalar(sql).bind(creator).bind(count).fetch_one(conn).await
}

/// Removes an auction without bids, with everything in it.
pub async fn delete(conn: &mut Transaction, auction_id: AuctionId) -> Result<(), DbError> {
    query("DELETE FROM auctions WHERE id = $1").bind(auction_id).execute(conn).await?;
    Ok(())
}

/// Adds an auction with its owner.
pub async fn insert(conn: &mut Transaction, auction: &Auction, owner: UserId) -> Result<(), DbError> {
    let mut columns = columns! { creator_id: owner, description: &auction.terms.description };
    columns.extend(inserted(auction)?);
    columns.extend(changed(auction)?);
    db::insert(conn, "auctions", columns).await?;
    events::store::insert_head(conn, auction.id).await?;
    access::store::insert(conn, auction.id, owner, Role::Owner, auction.created_at).await
}

/// Closes an auction; its items are closed apart.
pub fn close(writes: &mut WriteBatch, auction_id: AuctionId, now: Moment) {
    const STATEMENT: BulkStatement = bulk_statement!(
        "UPDATE auctions
         SET closed_at = given.now, version = auctions.version + 1, revision = auctions.revision + 1,
             updated_at = given.now
         FROM",
        [id uuid, now bigint],
        "WHERE auctions.id = given.id"
    );
    writes.add(STATEMENT, [row![auction_id, now]]);
}

/// The revision of an auction, if it is there.
pub async fn revision(conn: &mut Connection, auction_id: AuctionId) -> Result<Option<i64>, DbError> {
    query_scalar("SELECT revision FROM auctions WHERE id = $1").bind(auction_id).fetch_optional(conn).await
}

/// Raises the revisions of auctions in which something changed besides bids.
pub fn raise_revisions(writes: &mut WriteBatch, auction_ids: impl IntoIterator<Item = AuctionId>) {
    const STATEMENT: BulkStatement = bulk_statement!(
        "UPDATE auctions SET revision = auctions.revision + 1 FROM",
        [id uuid],
        "WHERE auctions.id = given.id"
    );
    writes.add(STATEMENT, auction_ids.into_iter().map(|id| row![id]));
}

/// Auctions that have ended with their last item and are not closed yet. Drafts without an end keep no
/// auction open.
pub async fn ended(conn: &mut Connection, now: Moment, limit: i64) -> Result<Vec<AuctionId>, DbError> {
    query_scalar(
        "SELECT a.id FROM auctions a
         WHERE a.closed_at IS NULL AND a.end_date <= $1 AND NOT EXISTS (
             SELECT 1 FROM items i
             WHERE i.auction_id = a.id AND i.closed_at IS NULL
               AND (i.is_published OR a.item_end_mode <> 'NONE'))
         ORDER BY a.end_date, a.id LIMIT $2",
    )
    .bind(now)
    .bind(limit)
    .fetch_all(conn)
    .await
}

/// Whether an auction has ended with its last item and is not closed yet.
pub async fn has_ended(conn: &mut Connection, auction_id: AuctionId, now: Moment) -> Result<bool, DbError> {
    query_scalar(
        "SELECT EXISTS (SELECT 1 FROM auctions a
         WHERE a.id = $1 AND a.closed_at IS NULL AND a.end_date <= $2 AND NOT EXISTS (
             SELECT 1 FROM items i
             WHERE i.auction_id = a.id AND i.closed_at IS NULL
               AND (i.is_published OR a.item_end_mode <> 'NONE')))",
    )
    .bind(auction_id)
    .bind(now)
    .fetch_one(conn)
    .await
}
