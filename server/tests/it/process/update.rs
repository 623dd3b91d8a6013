//! Complete updates of the binary under its supervisor, from a git origin.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::crash::{AcceptedBid, check, post, start_bidding};
use super::site::{DECIDED_MAX, NEXT, Site, THIS, UPDATE_MAX, next_version};
use super::{Process, command, family};
use crate::dice::Dice;
use crate::harness::{git, times};

/// During bids, the site switches to the new release: no connection is refused or aborted, and every accepted
/// bid is stored.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_update_refuses_no_connection_and_loses_no_bid() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::with_release(&next_version(folder.path()), "").await;
    let (next, counted) = (Arc::new(AtomicU64::new(1)), Arc::default());
    let mut bidding = start_bidding(&site.process.url, &site.sale, &next, 20, &counted);
    counted.notified().await;
    site.begin().await;
    let run = site.ended(UPDATE_MAX).await;
    assert_eq!(run["status"], "SUCCEEDED", "{run:#}");
    assert_eq!(site.version().await, NEXT);
    assert_eq!(site.installation.current().unwrap(), format!("releases/v{NEXT}"));
    let reached = next.load(Ordering::SeqCst) + 100;
    while next.load(Ordering::SeqCst) < reached {
        assert!(bidding.try_join_next().is_none(), "a bid was broken off");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    family::signal(site.process.server(), "KILL");
    let told: Vec<AcceptedBid> = bidding.join_all().await.into_iter().flatten().collect();
    check(&site.process.url, &site.sale, &told).await;
    assert_eq!(site.version().await, NEXT, "it is what starts from now on");
}

/// The previous release serves again, and the run names the reason.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_release_that_does_not_serve_is_rolled_back() {
    // It passes the rehearsal and fails when it has to serve.
    let this = env!("CARGO_BIN_EXE_farthing");
    let configured = "rehearse = [\"true\"]\nschema = [\"true\"]\n[health]\ntimeout_seconds = 3\n";
    for (binary, words) in [
        ("#!/bin/sh\nexit 3\n".to_owned(), "exit status: 3"),
        ("#!/bin/sh\nexec sleep 60\n".to_owned(), "was not healthy within"),
        (format!("#!/bin/sh\nexec '{this}' \"$@\"\n"), THIS),
    ] {
        let mut site = Site::with_release(&binary, configured).await;
        site.bids(5).await;
        site.begin().await;
        let run = site.ended(UPDATE_MAX).await;
        assert_eq!(run["status"], "ROLLED_BACK", "{run:#}");
        assert!(run["reason"].as_str().unwrap().contains(words), "{run:#}");
        assert_eq!(site.installation.current(), None);
        assert_eq!(site.version().await, THIS);
        site.bids(6).await;
        site.check().await;
    }
}

/// An update from the shell beside the server: the server restarts and finishes the run.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_command_updates_a_running_site() {
    let folder = tempfile::tempdir().unwrap();
    let mut site = Site::with_release(&next_version(folder.path()), "").await;
    site.bids(5).await;
    let done = site.farthing(&["update"]).await;
    let said = String::from_utf8(done.stdout).unwrap();
    assert!(done.status.success(), "{said}{}", String::from_utf8_lossy(&done.stderr));
    assert!(
        said.contains("build: done\n") && said.ends_with(&format!("health: done\nupdated to {NEXT}\n")),
        "{said}"
    );
    assert_eq!(site.version().await, NEXT);
    let again = site.farthing(&["update"]).await;
    let said = String::from_utf8(again.stdout).unwrap();
    assert!(again.status.success() && said.contains("is the latest release"), "{said}");
    site.bids(6).await;
    site.check().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_command_reports_why_the_update_was_rolled_back() {
    let mut site =
        Site::with_release("#!/bin/sh\nexit 3\n", "rehearse = [\"true\"]\nschema = [\"true\"]\n").await;
    site.bids(5).await;
    let done = site.farthing(&["update"]).await;
    let complaint = String::from_utf8(done.stderr).unwrap();
    assert_eq!(done.status.code(), Some(1));
    assert!(complaint.contains("was rolled back") && complaint.contains("exit status: 3"), "{complaint}");
    assert_eq!(site.version().await, THIS);
    site.check().await;
}

/// A process manager restarts the site, by a command or as systemd does.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_manager_restarts_the_site() {
    let folder = tempfile::tempdir().unwrap();
    let binary = next_version(folder.path());
    let manager = folder.path().join("systemctl");
    let asked = folder.path().join("asked");
    let script = format!("#!/bin/sh\necho \"$*\" > '{0}.partial'\nmv '{0}.partial' '{0}'\n", asked.display());
    std::fs::write(&manager, script).unwrap();
    std::fs::set_permissions(&manager, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let by_command =
        format!("[restart]\nkind = \"command\"\ncommand = [\"{}\", \"now\"]\n", manager.display());
    let by_systemd = "[restart]\nkind = \"systemd\"\nunit = \"farthing.service\"\n".to_owned();
    for (configured, words) in [(by_command, "now"), (by_systemd, "restart --no-block -- farthing.service")] {
        let mut site = Site::with_release(&binary, &configured).await;
        site.bids(5).await;
        site.process.kill();
        let path = format!("{}:/usr/local/bin:/usr/bin:/bin", folder.path().display());
        let start = || {
            let mut command = command(&site.database_url, &site.installation.path(), "127.0.0.1:0");
            command.env("PATH", &path);
            Process::run(command)
        };
        let first = start().await;
        let run = post(&site.sale.owner, format!("{}/api/system/update", first.url), json!({})).await;
        assert_eq!(run["status"], "RUNNING");
        let begun = Instant::now();
        while !asked.exists() {
            assert!(begun.elapsed() < UPDATE_MAX, "nobody asked the process manager");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        assert_eq!(std::fs::read_to_string(&asked).unwrap().trim(), words);
        std::fs::remove_file(&asked).unwrap();
        let mut first = first;
        first.signal("TERM");
        first.ends_within(Duration::from_secs(20)).await;
        site.process = start().await;
        let run = site.ended(UPDATE_MAX).await;
        assert_eq!(run["status"], "SUCCEEDED", "{run:#}");
        assert_eq!(site.version().await, NEXT);
        site.bids(6).await;
        site.check().await;
    }
}

/// After a kill of server and supervisor at any step, the next start decides the run: the site serves in
/// either version.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_next_start_decides_a_killed_run() {
    let folder = tempfile::tempdir().unwrap();
    let binary = next_version(folder.path());
    let steps = ["fetch", "dependencies", "build", "rehearse", "backup", "schema", "switch", "restart"];
    let every = usize::try_from(times(4, 1)).unwrap();
    for step in steps.into_iter().rev().step_by(every) {
        let hook =
            format!("[[hooks]]\nbefore = \"{step}\"\nname = \"wait\"\ncommand = [\"sleep\", \"10\"]\n");
        let mut site = Site::with_release(&binary, &hook).await;
        site.bids(5).await;
        site.begin().await;
        site.reached("wait").await;
        site.start_again().await;
        let run = site.ended(DECIDED_MAX).await;
        site.bids(6).await;
        site.check().await;
        let (status, version) = if step == "restart" { ("SUCCEEDED", NEXT) } else { ("ROLLED_BACK", THIS) };
        assert_eq!(
            (run["status"].as_str(), site.version().await.as_str()),
            (Some(status), Some(version)),
            "{run:#}"
        );
    }
}

/// A step that fails after the backup: the supervisor restores the database while no server runs.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failed_step_after_the_backup_is_rolled_back() {
    let quick = "rehearse = [\"true\"]\n";
    let fails = "command = [\"sh\", \"-c\", \"echo the reason; exit 3\"]\n";
    for (failed, configured) in [
        ("schema", format!("{quick}schema = [\"sh\", \"-c\", \"echo the reason; exit 3\"]\n")),
        ("hook", format!("{quick}[[hooks]]\nafter = \"switch\"\nname = \"hook\"\n{fails}")),
        ("restart", format!("{quick}[restart]\nkind = \"command\"\ncommand = [\"false\"]\n")),
    ] {
        let mut site = Site::with_release("#!/bin/sh\nexit 0\n", &configured).await;
        site.bids(5).await;
        site.begin().await;
        let run = site.ended(UPDATE_MAX).await;
        assert_eq!(run["status"], "ROLLED_BACK", "{run:#}");
        let reason = run["reason"].as_str().unwrap();
        assert!(reason.starts_with(&format!("`{failed}` failed: ")), "{reason}");
        assert!(failed == "restart" || reason.contains("exit code 3: the reason"), "{reason}");
        assert_eq!(site.installation.current(), None);
        site.bids(6).await;
        site.check().await;
    }
}

/// The server hands each run over to the supervisor and stops, while its watch looks for runs without a
/// process every five seconds.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rollback_that_restores_the_database_ends_well_at_any_moment() {
    let mut site = Site::with_release("#!/bin/sh\nexit 0\n", "rehearse = [\"true\"]\n").await;
    site.bids(5).await;
    let configured = std::fs::read_to_string(site.folder().join("update.toml")).unwrap();
    let mut dice = Dice(36);
    for round in 0..times(3, 40) {
        let millis = dice.below(5000);
        let seconds = format!("{}.{:03}", millis / 1000, millis % 1000);
        let fails = format!("schema = [\"sh\", \"-c\", \"sleep {seconds}; exit 3\"]\n[health]");
        site.installation.configure_all(&configured.replace("[health]", &fails));
        site.begin().await;
        let run = site.ended(UPDATE_MAX).await;
        assert_eq!(run["status"], "ROLLED_BACK", "after {millis} ms: {run:#}");
        site.bids(6 + round).await;
    }
    site.check().await;
}

/// A release that ends after it has answered is rolled back, and the bids since then stay.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_release_that_ends_while_it_is_observed_is_rolled_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut site = Site::with_release(&next_version(folder.path()), "[health]\nobserve_seconds = 60\n").await;
    site.bids(5).await;
    site.begin().await;
    let observed = |run: &Value| {
        let steps = run["steps"].as_array().unwrap();
        steps.iter().any(|step| step["output"].as_str().unwrap().contains("writes are open"))
    };
    let run = site.run(UPDATE_MAX, observed).await;
    assert_eq!(run["status"], "RUNNING");
    site.bids(6).await;
    assert_eq!(site.version().await, NEXT);
    family::signal(site.process.server(), "KILL");
    let run = site.ended(UPDATE_MAX).await;
    assert_eq!(run["status"], "ROLLED_BACK", "{run:#}");
    assert!(run["reason"].as_str().unwrap().contains("the new version ended"), "{run:#}");
    assert_eq!(site.version().await, THIS);
    site.bids(7).await;
    site.check().await;
}

/// After a stop and start of the installed binary, supervisor and commands are those of the release that
/// runs. The update never moves down, and a rollback returns to the release before.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_current_release_supervises_and_can_be_rolled_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut site = Site::with_release(&next_version(folder.path()), "").await;
    let rollback = format!("{}/api/system/rollback", site.process.url);
    let none = site.sale.owner.post(&rollback).json(&json!({})).send().await.unwrap();
    assert_eq!(none.status(), 409);
    assert_eq!(none.json::<Value>().await.unwrap()["code"], "NOTHING_TO_ROLL_BACK");
    site.bids(5).await;
    site.begin().await;
    assert_eq!(site.ended(UPDATE_MAX).await["status"], "SUCCEEDED");
    site.process.signal("TERM");
    site.process.ends_within(Duration::from_secs(20)).await;
    site.process = Process::start(&site.database_url, &site.installation.path()).await;
    assert!(site.process.supervisor_binary().ends_with("next-farthing"));

    // The release was withdrawn: the latest one is below the current one.
    git(
        &site.installation.path().join("../origin.git"),
        &["update-ref", "-d", &format!("refs/tags/v{NEXT}")],
    );
    site.installation.release("v9.0.0");
    let done = site.farthing(&["update"]).await;
    let said = String::from_utf8(done.stdout).unwrap();
    assert!(done.status.success() && said.contains(&format!("{NEXT} is the latest release")), "{said}");
    assert_eq!(site.version().await, NEXT);

    site.bids(6).await;
    let done = site.farthing(&["rollback"]).await;
    let said = String::from_utf8(done.stdout).unwrap();
    assert!(done.status.success(), "{said}{}", String::from_utf8_lossy(&done.stderr));
    assert!(said.ends_with(&format!("health: done\nreturned to {THIS}\n")), "{said}");
    assert_eq!((site.version().await, site.installation.current()), (json!(THIS), None));
    let again = site.farthing(&["rollback"]).await;
    let complaint = String::from_utf8(again.stderr).unwrap();
    assert!(!again.status.success() && complaint.contains("no previous release"), "{complaint}");
    site.bids(7).await;
    site.check().await;
}

/// To the store of the pictures, the copy that the rehearsal serves would be another installation.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rehearsal_leaves_the_store_of_the_pictures_alone() {
    let folder = tempfile::tempdir().unwrap();
    let mut site = Site::with_release(&next_version(folder.path()), "").await;
    let pictures = site.folder().join("pictures");
    site.process.kill();
    let address = site.process.url.trim_start_matches("http://").to_owned();
    let mut served = command(&site.database_url, &site.folder(), &address);
    served.env("FARTHING_IMAGES", &pictures);
    site.process = Process::run(served).await;
    site.begin().await;
    assert_eq!(site.ended(UPDATE_MAX).await["status"], "SUCCEEDED");
    let kept = std::fs::read_dir(&pictures).unwrap().map(|entry| entry.unwrap().file_name());
    assert_eq!(kept.collect::<Vec<_>>(), ["farthing-owner"]);
}

/// Commands of a run die with it, also when server and supervisor are killed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_commands_of_a_killed_run_die_with_it() {
    let hook = "rehearse = [\"true\"]\n[[hooks]]\nbefore = \"fetch\"\nname = \"wait\"\n\
                command = [\"sh\", \"-c\", \"sleep 1000 & echo $! > pids.partial; echo $$ >> pids.partial; mv pids.partial pids; wait\"]\n";
    let mut site = Site::with_release("#!/bin/sh\nexit 0\n", hook).await;
    site.begin().await;
    let pids = site.installation.path().join("pids");
    let begun = Instant::now();
    while !pids.exists() {
        assert!(begun.elapsed() < UPDATE_MAX, "the hook does not run");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    site.process.kill();
    let pids = std::fs::read_to_string(pids).unwrap();
    for pid in pids.lines().map(|pid| pid.parse().unwrap()) {
        while family::lives(pid) {
            assert!(begun.elapsed() < UPDATE_MAX, "{pid} still runs");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}
