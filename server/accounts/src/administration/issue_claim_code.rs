//! Issues the code with which a user becomes the first Deployment Admin.

use super::claim_code::ClaimCode;
use super::store;
use platform::db::{Database, DbError};
use platform::time::Moment;

/// The code of this installation, created if there is none; `None` if there is a Deployment Admin. All
/// servers on one database have the same code.
pub async fn issue_claim_code(db: &Database, now: Moment) -> Result<Option<ClaimCode>, DbError> {
    let mut connection = db.read().await?;
    if store::admin_id(&mut connection).await?.is_some() {
        return Ok(None);
    }
    if let Some(code) = store::claim_code(&mut connection).await? {
        return Ok(Some(code));
    }
    drop(connection);
    let mut transaction = db.write().await?;
    store::add_claim_code(&mut transaction, &ClaimCode::new()?, now).await?;
    let code = store::claim_code(&mut transaction).await?;
    transaction.commit().await?;
    Ok(code)
}
