use std::path::PathBuf;
use std::sync::Arc;

use installation::backups::restore::restore;
use installation::config::Settings;
use installation::journal::{self, RunFeed, RunStatus, UpdateLock};
use installation::updates::{Caller, RunTarget, Update, roll_back_unfinished, settle_abandoned};
use platform::db::Database;
use serde_json::{Value, json};

use super::{PATH, Site, hook, step, waiting};
use crate::harness::Installation;

/// Checks that a rollback restored everything, left nothing behind, and opened the writes.
async fn is_as_before(site: &Site, ledger: &str, current: Option<&str>) {
    assert_eq!(site.ledger().await, ledger, "to the byte");
    assert_eq!(site.installation.current().as_deref(), current);
    assert!(site.installation.releases().is_empty(), "{:?}", site.installation.releases());
    let data_dir = &site.app.state.installation.settings.data_dir;
    assert!(!data_dir.join("update/rehearsal").exists());
    let amount = ledger.matches("\"sequence\"").count() as u64 + 5;
    site.bid(amount).await;
}

#[track_caller]
fn rolled_back(run: &Value, failed: &str, word: &str) {
    assert_eq!(run["status"], "ROLLED_BACK", "{run:#}");
    assert_eq!(step(run, failed)["status"], "FAILED", "{run:#}");
    let reason = run["reason"].as_str().unwrap();
    assert!(reason.starts_with(&format!("`{failed}` failed: ")) && reason.contains(word), "{reason}");
}

#[tokio::test]
async fn a_failed_step_is_rolled_back() {
    let fails = "exit 3";
    for (failed, configured) in [
        (
            "dependencies",
            "[steps]\nbuild = [\"./build.sh\"]\nrehearse = [\"true\"]\ndependencies = [\"false\"]\n"
                .to_owned(),
        ),
        ("data_layer", format!("{QUICK}data_layer = [\"sh\", \"-c\", \"{fails}\"]\n")),
        (
            "build",
            "[steps]\nbuild = [\"./no-such.sh\"]\nrehearse = [\"true\"]\ndependencies = [\"true\"]\n"
                .to_owned(),
        ),
        (
            "build",
            "[steps]\nbuild = [\"true\"]\nrehearse = [\"true\"]\ndependencies = [\"true\"]\n".to_owned(),
        ),
        (
            "rehearse",
            "[steps]\nbuild = [\"./build.sh\"]\nrehearse = [\"false\"]\ndependencies = [\"true\"]\n"
                .to_owned(),
        ),
        ("hook", format!("{QUICK}{}", hook("after = \"fetch\"", "hook", fails))),
        ("hook", format!("{QUICK}{}", hook("after = \"backup\"", "hook", fails))),
    ] {
        let installation = Installation::new();
        installation.release("v0.2.0");
        installation.configure_all(&configured);
        let site = Site::open(installation).await;
        let before = site.ledger().await;
        rolled_back(&site.update().await, failed, "");
        is_as_before(&site, &before, None).await;
    }
}

const QUICK: &str = "[steps]\nbuild = [\"./build.sh\"]\nrehearse = [\"true\"]\ndependencies = [\"true\"]\n";

#[tokio::test]
async fn obstacles_are_reported_before_the_first_step() {
    let unknown = Installation::new();
    unknown.release("v0.2.0");
    unknown.configure_all("[steps]\nbiuld = []\n");
    let small = Installation::new();
    small.release("v0.2.0");
    small.configure_all("[limits]\nbuild_disk_mb = 1000000000\n");
    let bare = Installation::new();
    std::fs::remove_dir_all(bare.path().join(".git")).unwrap();
    let unreachable = Installation::new();
    std::fs::remove_dir_all(unreachable.path().join("../origin.git")).unwrap();
    let guarded = Installation::new();
    guarded.release("v0.2.0");
    // The superuser ignores permissions, so a file in place of the folder prevents writing.
    std::fs::write(guarded.path().join("releases"), "").unwrap();
    for (installation, failed, word) in [
        (unknown, "determine", "line 2: unknown field `biuld`"),
        (small, "determine", "too little free disk"),
        (bare, "determine", "not a git checkout"),
        (unreachable, "determine", "could not list the tags"),
    ] {
        let site = Site::open(installation).await;
        let before = site.ledger().await;
        rolled_back(&site.update().await, failed, word);
        is_as_before(&site, &before, None).await;
    }
    let site = Site::open(guarded).await;
    let before = site.ledger().await;
    rolled_back(&site.update().await, "fetch", "releases");
    assert_eq!(site.ledger().await, before);
    site.bid(6).await;
}

/// Simulates a crash of the process at each step.
#[tokio::test]
async fn a_crashed_run_is_rolled_back() {
    for (place, found) in [
        ("before = \"fetch\"", Found::Shell),
        ("after = \"build\"", Found::Server),
        ("after = \"backup\"", Found::Shell),
        ("after = \"backup\"", Found::Next),
    ] {
        let installation = Installation::new();
        installation.release("v0.2.0");
        installation.configure(&waiting(place));
        let site = Site::open(installation).await;
        let before = site.ledger().await;
        let (state, settings) =
            (site.app.state.clone(), Settings::clone(&site.app.state.installation.settings));
        let (db, clock) = (state.context.db.clone(), Arc::clone(&state.context.clock));
        // The feed of another process: the viewers of the server follow the run by its file.
        let feed = RunFeed::new(settings.data_dir.clone());
        // The binary of this test is not that of Farthing, which guards commands.
        let caller = Caller { actor: None, installation: None, guard: None };
        let update = Update::begin(settings.clone(), db, Arc::clone(&clock), feed, RunTarget::Latest, caller);
        let update = update.await.unwrap();
        let going = tokio::spawn(update.perform(None));
        site.reached("wait").await;
        assert!(
            !settle_abandoned(&site.app.state.installation).await.unwrap(),
            "as long as it lives it is left alone"
        );
        going.abort();
        assert!(going.await.unwrap_err().is_cancelled());
        // A write in progress is completed and holds the lock until then.
        while UpdateLock::take(&settings.data_dir).is_err() {
            tokio::task::yield_now().await;
        }
        match found {
            Found::Shell => {
                let run =
                    roll_back_unfinished(&settings, Arc::clone(&clock), "the server ended").await.unwrap();
                assert_eq!(
                    (run.status, run.reason.as_deref()),
                    (RunStatus::RolledBack, Some("the server ended"))
                );
                // A rollback can be repeated.
                assert_eq!(roll_back_unfinished(&settings, clock, "once more").await.unwrap(), run);
            }
            Found::Server => {
                assert!(settle_abandoned(&site.app.state.installation).await.unwrap());
                assert!(!settle_abandoned(&site.app.state.installation).await.unwrap());
            }
            Found::Next => {
                site.go_on();
                site.app.clock.advance_seconds(60);
                assert_eq!(site.update().await["status"], "SUCCEEDED", "the stale lock is taken over");
                continue;
            }
        }
        is_as_before(&site, &before, None).await;
    }
}

#[derive(Clone, Copy)]
enum Found {
    Shell,
    Server,
    Next,
}

/// A run that has died while the new release was migrating the database, with writes closed; `None` on
/// PostgreSQL, whose database no rollback replaces.
async fn died_in_schema() -> Option<Site> {
    let installation = Installation::new();
    installation.release("v0.2.0");
    installation
        .configure_all(&format!("{QUICK}schema = [\"sleep\", \"100\"]\n[restart]\nkind = \"none\"\n"));
    let site = Site::open(installation).await;
    if site.app.state.context.db.is_remote() {
        return None;
    }
    let (state, settings) = (&site.app.state, Settings::clone(&site.app.state.installation.settings));
    let feed = RunFeed::new(settings.data_dir.clone());
    let caller = Caller { actor: None, installation: None, guard: None };
    let (db, clock) = (state.context.db.clone(), Arc::clone(&state.context.clock));
    let update = Update::begin(settings.clone(), db, clock, feed, RunTarget::Latest, caller).await.unwrap();
    let going = tokio::spawn(update.perform(None));
    site.reached("schema").await;
    going.abort();
    assert!(going.await.unwrap_err().is_cancelled());
    while UpdateLock::take(&settings.data_dir).is_err() {
        tokio::task::yield_now().await;
    }
    Some(site)
}

/// The watch of a server that is closing its database finds a run that the next start has to roll back.
#[tokio::test]
async fn a_run_whose_lease_cannot_be_read_is_left_to_the_next_start() {
    let Some(site) = died_in_schema().await else { return };
    let state = &site.app.state;
    let settings = &state.installation.settings;
    state.context.db.close().await;
    settle_abandoned(&state.installation).await.unwrap();
    let left = journal::read(&settings.data_dir).unwrap().unwrap().run;
    assert_eq!((left.status, left.reason), (RunStatus::Running, None));
    let clock = Arc::clone(&state.context.clock);
    let ended = roll_back_unfinished(settings, clock, "the server ended").await.unwrap();
    assert_eq!(ended.status, RunStatus::RolledBack, "{:?}", ended.reason);
    let db = Database::open(&settings.database_url).await.unwrap();
    assert!(!db.is_paused().await.unwrap());
}

#[tokio::test]
async fn after_a_failed_rollback_the_backup_is_restored_before_the_next_update() {
    let Some(site) = died_in_schema().await else { return };
    let state = &site.app.state;
    let settings = &state.installation.settings;
    let mut failed = journal::read(&settings.data_dir).unwrap().unwrap();
    (failed.run.status, failed.run.reason) = (RunStatus::Failed, Some("the disk is full".to_owned()));
    failed.run.finished_at = Some(failed.run.started_at);
    journal::write(&UpdateLock::take(&settings.data_dir).unwrap(), &settings.data_dir, &failed).unwrap();

    site.app.clock.advance_seconds(2);
    let notice = site.app.anonymous().get("/sign-in").await.text;
    assert!(notice.contains("An update of this site has failed."), "{notice}");
    assert!(!notice.contains("is being installed"), "{notice}");
    site.admin.post(PATH, json!({})).await.expect_problem(409, "RESTORE_REQUIRED");
    site.admin.post("/api/system/rollback", json!({})).await.expect_problem(409, "RESTORE_REQUIRED");
    let page = site.admin.get("/admin?subject=update").await.text;
    let backup: PathBuf = failed.rollback.backup.unwrap();
    let name = backup.file_name().unwrap().to_str().unwrap();
    let offered = page.split("Nothing can be written").nth(1).unwrap_or_else(|| panic!("{page}"));
    assert!(offered.contains(name) && offered.contains("Restore the backup of this update"), "{offered}");

    state.context.db.close().await;
    restore(settings, &backup, &*state.context.clock, None).await.unwrap();
    let ended = journal::read(&settings.data_dir).unwrap().unwrap().run;
    assert_eq!(ended.status, RunStatus::RolledBack);
    assert!(ended.reason.unwrap().ends_with("before that: the disk is full"));
    let db = Database::open(&settings.database_url).await.unwrap();
    assert!(!db.is_paused().await.unwrap());
}
