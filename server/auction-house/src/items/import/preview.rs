//! What the import of a table would write, without writing it.

use super::plan::ImportPlan;
use super::table::ItemTable;
use super::{ImportTarget, Planned, may_add, planned};
use crate::context::Context;
use crate::imports::ImportedBefore;
use platform::http::problem::Problem;
use platform::table::{Layout, Unreadable};
use platform::time::Moment;

/// What an import would write.
#[derive(Debug, Default)]
pub struct Preview {
    pub plan: ImportPlan,
    pub layout: Layout,
    pub imported_before: Option<ImportedBefore>,
}

/// Returns what the import of a table would write, without writing it. Its rows cost as many writes.
pub async fn preview_items(
    context: &Context,
    target: ImportTarget,
    text: impl FnOnce() -> Result<String, Problem> + Send + 'static,
) -> Result<Preview, Problem> {
    let now = context.clock.now();
    may_add(&mut context.db.read().await?, &target, now).await?;
    let _permit = context.work.begin_bulk_write(target.user).await?;
    let (times, reading) = (target.times.clone(), target.reading.clone());
    let read =
        context.work.compute(move || text().map(|csv| (ItemTable::read(&csv, times, &reading), csv.len())));
    let (table, bytes) = read.await??;
    if let Ok(table) = &table {
        context.work.charge(target.user, table.row_count(), bytes)?;
    }
    previewed(context, &target, table, now).await
}

/// Returns what the import of a table would write whose rows were counted when it was refused.
pub async fn preview_refused_items(
    context: &Context,
    target: ImportTarget,
    csv: String,
) -> Result<Preview, Problem> {
    let (times, reading) = (target.times.clone(), target.reading.clone());
    let table = context.work.compute(move || ItemTable::read(&csv, times, &reading)).await?;
    previewed(context, &target, table, context.clock.now()).await
}

async fn previewed(
    context: &Context,
    target: &ImportTarget,
    table: Result<ItemTable, Unreadable>,
    now: Moment,
) -> Result<Preview, Problem> {
    match table {
        Ok(table) => {
            let (planned, table) = planned(context, target, table, now).await?;
            let Planned { plan, imported_before, .. } = planned;
            Ok(Preview { plan, layout: table.layout().clone(), imported_before })
        }
        Err(Unreadable::Table(error)) => {
            let plan = ImportPlan { rows: Vec::new(), errors: vec![error] };
            Ok(Preview { plan, ..Preview::default() })
        }
        Err(Unreadable::Column(error, layout)) => {
            let plan = ImportPlan { rows: Vec::new(), errors: vec![error] };
            Ok(Preview { plan, layout: *layout, ..Preview::default() })
        }
        Err(Unreadable::Request(error)) => Err(Problem::fields(vec![error])),
    }
}
