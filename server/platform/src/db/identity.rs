//! The identity of a database: an id that it keeps for life, also when it is replaced by its own backup. A
//! copy that is restored elsewhere gets another one. A store of files names the database that it belongs to
//! by this id.

use super::{Database, DbError, query, query_scalar};
use crate::random;

const READ: &str = "SELECT name FROM database_identity";

impl Database {
    /// The id of this database, which is made at the first call.
    pub async fn identity(&self) -> Result<String, DbError> {
        if let Some(name) = self.read_identity().await? {
            return Ok(name);
        }
        let mut transaction = self.write_always().await?;
        query("INSERT INTO database_identity (id, name) VALUES ('identity', $1) ON CONFLICT (id) DO NOTHING")
            .bind(random::new_token()?)
            .execute(&mut transaction)
            .await?;
        transaction.commit().await?;
        self.read_identity().await?.ok_or_else(|| DbError::Corrupt("the database has no identity".to_owned()))
    }

    async fn read_identity(&self) -> Result<Option<String>, DbError> {
        query_scalar(READ).fetch_optional(&mut self.read().await?).await
    }
}
