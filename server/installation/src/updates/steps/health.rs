//! The new release has to answer with its own version. Then writes open, and it is observed.

use std::sync::Arc;

use crate::Installation;
use crate::updates::end;
use crate::updates::health::{check, default_url, observe};
use crate::updates::run::{Outcome, StepError, Update};
use platform::db::{DbError, lease};

pub(super) async fn health(
    update: &mut Update,
    installation: Option<&Arc<Installation>>,
) -> Result<Outcome, StepError> {
    if end::is_restart_skipped(update.run()) {
        open_writes(update).await.map_err(StepError::because)?;
        return Ok(Outcome::Skipped("the new release does not run yet".to_owned()));
    }
    let address = installation.and_then(|installation| installation.control.address());
    let Some(url) = update.plan().health_url.clone().or_else(|| address.map(default_url)) else {
        return Err(StepError::Failed("the address of the server is not known".to_owned()));
    };
    let wanted = update.run().to_version.clone().unwrap_or_default();
    let version = wanted.parse().map_err(StepError::because)?;
    check(&url, &version, update.health_timeout()).await.map_err(StepError::because)?;
    // From here on a rollback keeps what is written.
    open_writes(update).await.map_err(StepError::because)?;
    if let Some(installation) = installation {
        // Fails without a supervisor, in which case there is no probation.
        let _ = installation.control.answered();
    }
    let observed = update.observe_time();
    let line =
        format!("it answers as {version}; writes are open; it is observed for {} s", observed.as_secs());
    update.recorder.write_line(&line).await;
    update.recorder.save().await?;
    observe(&url, &version, observed).await.map_err(StepError::because)?;
    Ok(Outcome::Done)
}

async fn open_writes(update: &Update) -> Result<(), DbError> {
    let mut transaction = update.db.write_always().await?;
    lease::open_writes(&mut transaction, &update.run().id.to_string()).await?;
    transaction.commit().await
}
