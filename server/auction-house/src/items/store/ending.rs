//! Items that end soon, in SQL.

use crate::ids::{AuctionId, ItemId};
use platform::db::{Connection, DbError, Transaction, query};
use platform::time::Moment;

/// Items of both kinds by an index each: those with an end of their own, and those that end with their
/// auction. One condition for both would read all open items.
const DUE: &str = "SELECT auction_id, id FROM (
                SELECT i.auction_id, i.id
                FROM items i JOIN auctions a ON a.id = i.auction_id
                WHERE i.closed_at IS NULL AND i.end_date > $1 AND i.end_date <= $2 AND i.is_published
                  AND a.closed_at IS NULL AND a.item_end_mode <> 'NONE'
                UNION ALL
                SELECT i.auction_id, i.id
                FROM auctions a JOIN items i ON i.auction_id = a.id
                WHERE a.closed_at IS NULL AND a.end_date > $1 AND a.end_date <= $2 AND a.item_end_mode <> 'NONE'
                  AND i.closed_at IS NULL AND i.end_date IS NULL AND i.is_published
            ) AS due
            WHERE NOT EXISTS (SELECT 1 FROM ending_items e WHERE e.item_id = due.id)
            LIMIT $3";

/// Open published items that end by `until` and whose followers were not notified of it.
pub async fn due(
    conn: &mut Connection,
    now: Moment,
    until: Moment,
    limit: i64,
) -> Result<Vec<(AuctionId, ItemId)>, DbError> {
    query(DUE).bind(now).bind(until).bind(limit).fetch_all(conn).await
}

/// Records that the followers of an item are notified. False if another transaction has done so.
pub async fn record(conn: &mut Transaction, item_id: ItemId) -> Result<bool, DbError> {
    let sql = "INSERT INTO ending_items (item_id) SELECT id FROM items WHERE id = $1 ON CONFLICT DO NOTHING";
    Ok(query(sql).bind(item_id).execute(conn).await? == 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use platform::db::Database;

    #[tokio::test]
    async fn what_is_due_is_found_by_indexes_of_ends() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}", folder.path().join("ending.db").display());
        let database = Database::open(&url).await.unwrap();
        let mut conn = database.read().await.unwrap();
        let steps: Vec<(i64, i64, i64, String)> = query(platform::db::concatcp!("EXPLAIN QUERY PLAN ", DUE))
            .bind(0_i64)
            .bind(1_i64)
            .bind(1_i64)
            .fetch_all(&mut conn)
            .await
            .unwrap();
        let plan = steps.into_iter().map(|(.., step)| step).collect::<Vec<_>>().join("\n");
        assert!(plan.contains("items_by_end") && plan.contains("auctions_by_end"), "{plan}");
        assert!(!plan.contains("SCAN i") && !plan.contains("SCAN a"), "{plan}");
    }
}
