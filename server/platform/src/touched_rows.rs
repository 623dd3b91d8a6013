//! Rows of tables that the transactions of a request have changed. They cost the user who sent it writes,
//! wherever they are changed (SPEC, section 9): one place counts them, and no verb can forget it.

use std::collections::HashMap;
use std::future::Future;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use parking_lot::Mutex;

/// Rows of one table that cost as much as one request that writes.
pub const ROWS_OF_A_WRITE: u64 = 100;

/// Rows of one table that a transaction changes, at most, unless all of its rows are written or none.
pub const ROWS_OF_A_PART: u64 = 200;

tokio::task_local! {
    // Most requests change few rows: what is shared is allocated once it is needed.
    static CURRENT: OnceLock<Arc<TouchedRows>>;
}

/// What one request has changed so far, and the account that pays for it.
#[derive(Default)]
pub struct TouchedRows(Mutex<State>);

#[derive(Default)]
struct State {
    /// Committed rows by their tables.
    rows: HashMap<String, u64>,
    /// Writes that are paid.
    paid: u64,
    payer: Option<Payer>,
    /// How long the transactions of the turn to change many rows have kept others waiting, while it lasts.
    turn: Option<Duration>,
}

/// Takes so many writes from an account.
type Payer = Box<dyn Fn(u64) + Send + Sync>;

impl TouchedRows {
    /// Runs the handler of a request, whose rows count together.
    pub async fn scope<T>(handler: impl Future<Output = T>) -> T {
        CURRENT.scope(OnceLock::new(), handler).await
    }

    /// The rows of the current request, if there is one.
    pub fn of_request() -> Option<Arc<Self>> {
        current()
    }

    /// The request has the turn to change many rows from now on.
    pub fn begin_turn(&self) {
        self.0.lock().turn = Some(Duration::ZERO);
    }

    /// How long the transactions of the turn have kept others waiting.
    pub fn end_turn(&self) -> Duration {
        self.0.lock().turn.take().unwrap_or_default()
    }

    /// The handler for another task, whose rows then count for the request of this task.
    pub fn inherit<T>(handler: impl Future<Output = T>) -> impl Future<Output = T> {
        let current = current();
        async move {
            match current {
                Some(current) => CURRENT.scope(current.into(), handler).await,
                None => handler.await,
            }
        }
    }
}

fn current() -> Option<Arc<TouchedRows>> {
    CURRENT.try_with(|current| Arc::clone(current.get_or_init(Arc::default))).ok()
}

/// The rows of the current request are paid by `payer`, beyond what the request itself has cost.
pub fn pay_with(payer: impl Fn(u64) + Send + Sync + 'static) {
    if let Some(current) = current() {
        current.0.lock().payer.get_or_insert_with(|| Box::new(payer));
    }
}

/// So many writes of the current request are paid already, since its rows were counted before.
pub fn paid(writes: u64) {
    if let Some(current) = current() {
        current.0.lock().paid += writes;
    }
}

/// Whether the current request has the turn to change many rows.
pub(crate) fn has_turn() -> bool {
    current().is_some_and(|current| current.0.lock().turn.is_some())
}

/// Counts that a transaction has kept others waiting for so long, for the turn of the request if it has one.
pub(crate) fn hold(held: Duration) {
    let current = CURRENT.try_with(|current| current.get().cloned()).ok().flatten();
    if let Some(current) = current
        && let Some(of_turn) = &mut current.0.lock().turn
    {
        *of_turn += held;
    }
}

/// Counts the rows of a transaction that was committed. The table of which most rows were changed decides:
/// the row of an item has others that belong to it.
pub(crate) fn add(tables: &HashMap<String, u64>) {
    if tables.is_empty() {
        return;
    }
    let Some(current) = current() else { return };
    let mut state = current.0.lock();
    for (table, rows) in tables {
        *state.rows.entry(table.clone()).or_default() += rows;
    }
    let owed = state.rows.values().max().map_or(0, |rows| rows / ROWS_OF_A_WRITE).saturating_sub(state.paid);
    if owed > 0
        && let Some(payer) = &state.payer
    {
        payer(owed);
        state.paid += owed;
    }
}

/// The table that a statement changes.
pub(crate) fn table_of(sql: &str) -> &str {
    let mut words = sql.split_ascii_whitespace().peekable();
    while let Some(word) = words.next() {
        let table = match word {
            "INSERT" | "DELETE" => words.nth(1),
            "UPDATE" => words.next(),
            _ => continue,
        };
        return table.unwrap_or_default();
    }
    ""
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    #[test]
    fn the_table_of_a_statement_is_the_one_that_it_changes() {
        for sql in [
            "INSERT INTO items (id) VALUES ($1)",
            "UPDATE items SET name = $1 WHERE id = $2",
            "DELETE FROM items WHERE id = $1",
            "WITH given (id, name) AS (VALUES ($1, $2)) UPDATE items SET name = given.name FROM given",
        ] {
            assert_eq!(table_of(sql), "items", "{sql}");
        }
        assert_eq!(table_of("SELECT 1"), "");
    }

    #[tokio::test]
    async fn a_hundred_rows_of_a_table_cost_a_write_and_what_is_paid_costs_nothing_again() {
        let taken = Arc::new(AtomicU64::new(0));
        let account = Arc::clone(&taken);
        let rows = |items: u64, texts: u64| HashMap::from([("items".into(), items), ("texts".into(), texts)]);
        let held = Duration::from_millis(3);
        TouchedRows::scope(async {
            pay_with(move |writes| {
                account.fetch_add(writes, Ordering::Relaxed);
            });
            add(&rows(99, 99));
            assert_eq!(taken.load(Ordering::Relaxed), 0);
            add(&rows(1, 0));
            assert_eq!(taken.load(Ordering::Relaxed), 1);
            paid(5);
            TouchedRows::inherit(async { add(&rows(700, 700)) }).await;
            assert_eq!(taken.load(Ordering::Relaxed), 3, "eight in all, of which five were paid");
            let request = TouchedRows::of_request().unwrap();
            hold(held);
            request.begin_turn();
            hold(held);
            assert_eq!(request.end_turn(), held, "what was before the turn does not count");
            assert_eq!(request.end_turn(), Duration::ZERO);
        })
        .await;
        add(&rows(1_000, 0));
        assert_eq!(taken.load(Ordering::Relaxed), 3, "no request changes them");
    }
}
