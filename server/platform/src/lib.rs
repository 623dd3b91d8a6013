//! What any server of this kind needs: time, ids, randomness, the database, HTTP, connections, fields of a body, limits,
//! the log. No noun of the sale.

pub mod body;
pub mod db;
pub mod email;
pub mod fields;
pub mod http;
pub mod idempotency;
pub mod ids;
pub mod limits;
pub mod logging;
pub mod net;
pub mod paging;
pub mod precondition;
pub mod random;
pub mod retry;
pub mod shape;
pub mod time;
pub mod token;
pub mod verb;
