//! An update of this workspace to another version, which the update builds from a tag of the origin.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::crash::{AcceptedBid, Sale, check, get, open_sale, post, start_bidding};
use super::{Process, command, sqlite};
use crate::harness::git;

const THIS: &str = env!("CARGO_PKG_VERSION");
const NEXT: &str = "9.1.0";
const MIGRATION: &str = "migrations/9001_next.sql";
/// Includes compiling the workspace.
const UPDATE_MAX: Duration = Duration::from_secs(60 * 60);

/// All steps are those of a real installation. Only the target folder is kept after the test, so that the
/// next run compiles less.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "compiles the workspace: `cargo xtask test --all` runs it"]
async fn one_version_is_updated_to_the_next_during_bids() {
    let root = tempfile::tempdir().unwrap();
    let installation = installation(root.path());
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("two-versions");
    std::fs::create_dir_all(&target).unwrap();
    let hook = format!(
        "[[hooks]]\nafter = \"fetch\"\nname = \"share-target\"\ncommand = [\"ln\", \"-s\", \"{}\", \"releases/v{NEXT}/target\"]\n",
        target.display()
    );
    std::fs::write(installation.join("update.toml"), hook).unwrap();
    let database_url = sqlite(root.path());
    let mut serve = command(&database_url, &installation, "127.0.0.1:0");
    // Otherwise the steps would compile into the target folder of the tests.
    serve.env_remove("CARGO_TARGET_DIR");
    let mut process = Process::run(serve).await;
    let sale = Arc::new(open_sale(&process.url).await);
    let claim = json!({"deploymentAdminEmail": "owner@example.org"});
    let settings = format!("{}/api/system/settings", process.url);
    assert_eq!(sale.owner.patch(settings).json(&claim).send().await.unwrap().status(), 200);

    let update = format!("{}/api/system/update", process.url);
    post(&sale.owner, update.clone(), json!({})).await;
    // Bids during compilation would fill the ledger with millions of rows.
    run(&sale, &update, |run| {
        let steps = run["steps"].as_array().unwrap();
        let built = steps.iter().any(|step| step["name"] == "build" && step["status"] == "DONE");
        built || run["status"] != "RUNNING"
    })
    .await;
    let (next, enough) = (Arc::new(AtomicU64::new(1)), Arc::default());
    let mut bidding = start_bidding(&process.url, &sale, &next, 20, &enough);
    enough.notified().await;
    let run = run(&sale, &update, |run| run["status"] != "RUNNING").await;
    assert_eq!((&run["status"], &run["toVersion"]), (&"SUCCEEDED".into(), &NEXT.into()), "{run:#}");
    let skipped = run["steps"].as_array().unwrap().iter().filter(|step| step["status"] != "DONE").count();
    assert_eq!(skipped, 0, "{run:#}");
    let version = get(&sale.owner, format!("{}/api/version", process.url)).await;
    assert_eq!(version["currentVersion"], NEXT);

    let reached = next.load(Ordering::SeqCst) + 100;
    while next.load(Ordering::SeqCst) < reached {
        assert!(bidding.try_join_next().is_none(), "a bid was interrupted");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    process.kill();
    let told: Vec<AcceptedBid> = bidding.join_all().await.into_iter().flatten().collect();
    let process = Process::start(&database_url, &installation).await;
    check(&process.url, &sale, &told).await;
    let database = rusqlite::Connection::open(root.path().join("farthing.db")).unwrap();
    database.execute("INSERT INTO next (id) VALUES ('migrated')", []).unwrap();
}

/// The run once it satisfies a condition.
async fn run(sale: &Sale, update: &str, is_there: impl Fn(&Value) -> bool) -> Value {
    let begun = Instant::now();
    loop {
        let run = get(&sale.owner, update.to_owned()).await;
        if is_there(&run) {
            return run;
        }
        assert!(begun.elapsed() < UPDATE_MAX, "{run:#}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// A clone of an origin with this workspace and a newer release that has another version and a migration.
fn installation(root: &Path) -> PathBuf {
    let origin = root.join("origin");
    std::fs::create_dir(&origin).unwrap();
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    for path in git(workspace, &["ls-files", "-z"]).split_terminator('\0') {
        let (from, to) = (workspace.join(path), origin.join(path));
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        // Files that were removed but not committed are left out.
        if from.is_file() {
            std::fs::copy(from, to).unwrap();
        }
    }
    git(&origin, &["init", "--quiet", "-b", "main"]);
    commit(&origin);
    git(root, &["clone", "--quiet", "origin", "installation"]);

    let manifest = std::fs::read_to_string(origin.join("Cargo.toml")).unwrap();
    let version = |number: &str| format!("[workspace.package]\nversion = \"{number}\"");
    assert!(manifest.contains(&version(THIS)));
    std::fs::write(origin.join("Cargo.toml"), manifest.replace(&version(THIS), &version(NEXT))).unwrap();
    std::fs::write(origin.join(MIGRATION), "CREATE TABLE next (id TEXT PRIMARY KEY NOT NULL);\n").unwrap();
    let locked = Command::new("cargo")
        .args(["update", "--workspace", "--offline", "--quiet"])
        .current_dir(&origin)
        .env_remove("CARGO_TARGET_DIR")
        .status();
    assert!(locked.unwrap().success());
    commit(&origin);
    git(&origin, &["tag", &format!("v{NEXT}")]);
    root.join("installation")
}

fn commit(folder: &Path) {
    git(folder, &["add", "--all"]);
    let identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
    git(folder, &[&identity[..], &["commit", "--quiet", "-m", "A version"]].concat());
}
