//! The update of a package's installation by an archive, during a sale, and the way back.

use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use super::Packages;
use super::machine::{INSTALLATION, Machine};
use super::person::FirstUser;
use crate::dist;
use crate::path_context::PathContext;
use crate::process;
use crate::python::Python;

/// From the click to the first bid that the new release accepts.
const FIRST_BID_MAX: Duration = Duration::from_secs(30);
/// For a run with the observation of the new release.
const RUN_MAX: Duration = Duration::from_secs(180);

/// The observation of a minute would make the step slow.
const SHORT_OBSERVATION: &str = "\n[health]\nobserve_seconds = 5\n";

pub fn check(machine: &Machine, python: &Python, packages: &Packages) -> Result<()> {
    machine.install(&packages.this)?;
    let server = ReleaseServer::start(python, packages)?;
    let settings = machine.within("/etc/farthing/farthing.toml");
    let text = fs::read_to_string(&settings).on_path("read", &settings)?;
    let text = text.replace("releases-url = \"off\"", &format!("releases-url = \"{}/latest\"", server.url));
    fs::write(&settings, text).on_path("write", &settings)?;
    let update = machine.within(&format!("{INSTALLATION}/update.toml"));
    let text = fs::read_to_string(&update).on_path("read", &update)? + SHORT_OBSERVATION;
    fs::write(&update, text).on_path("write", &update)?;

    let service = machine.start()?;
    let admin = FirstUser::register(&service.address, "ada@example.org")?;
    let code = machine.as_farthing("farthing admin claim-code")?;
    let claim = json!({"deploymentAdminEmail": "ada@example.org", "claimCode": code});
    ensure!(admin.send("PATCH", "/api/system/settings", &claim)? == 200, "the claim was refused");
    let mut sale = Sale::open(&admin, &service.address)?;

    let clicked = Instant::now();
    admin.post("/api/system/update", &json!({}))?;
    loop {
        let runs_next =
            admin.read("/api/version").is_ok_and(|it| it["currentVersion"] == *packages.next_version);
        // Bids before the switch are refused during the pause only.
        if sale.bid() && runs_next {
            break;
        }
        fail_if_ended(&admin)?;
        thread::sleep(Duration::from_millis(100));
    }
    let took = clicked.elapsed();
    println!("package: first bid on the new release {:.1} s after the click", took.as_secs_f64());
    ensure!(took <= FIRST_BID_MAX, "it took longer than {} s", FIRST_BID_MAX.as_secs());
    let run = ended(&admin)?;
    ensure!(run["status"] == "SUCCEEDED", "the update ended so: {run:#}");

    admin.post("/api/system/rollback", &json!({}))?;
    let run = ended(&admin)?;
    ensure!(run["status"] == "SUCCEEDED", "the rollback ended so: {run:#}");
    let version = admin.read("/api/version")?;
    ensure!(version["currentVersion"] == dist::version(), "after the rollback {version} runs");
    ensure!(sale.bid(), "after the rollback no bid is accepted");
    println!("package: updated by archive and rolled back in {:.1} s", clicked.elapsed().as_secs_f64());
    service.stop()
}

/// The last run. During a restart there is no answer.
fn run(admin: &FirstUser) -> Option<Value> {
    admin.read("/api/system/update").ok().filter(|run| !run.is_null())
}

fn fail_if_ended(admin: &FirstUser) -> Result<()> {
    match run(admin) {
        Some(run) if run["status"] != "RUNNING" && run["status"] != "SUCCEEDED" => {
            bail!("the update ended so: {run:#}")
        }
        _ => Ok(()),
    }
}

fn ended(admin: &FirstUser) -> Result<Value> {
    let begun = Instant::now();
    loop {
        match run(admin) {
            Some(run) if run["status"] != "RUNNING" => return Ok(run),
            _ if begun.elapsed() > RUN_MAX => bail!("the run did not end within {} s", RUN_MAX.as_secs()),
            _ => thread::sleep(Duration::from_millis(200)),
        }
    }
}

/// An auction with one item, and a bidder.
struct Sale {
    bidder: FirstUser,
    bids: String,
    next: u64,
}

impl Sale {
    fn open(owner: &FirstUser, address: &str) -> Result<Self> {
        let id = |created: Value| created["id"].as_str().map(str::to_owned).context("nothing was created");
        let auction = json!({
            "name": "Spring fair", "joinMode": "FREE", "baseUnit": {"name": "Knut", "symbol": "K"},
        });
        let auction = id(owner.post("/api/auctions", &auction)?)?;
        let currency = json!({
            "code": "KNT", "name": "Wizard money", "rateToBase": 1, "inputMode": "DENOMINATION",
            "denominations": [{"code": "KNUT", "name": "Knut", "factor": 1}],
        });
        owner.post(&format!("/api/auctions/{auction}/currencies"), &currency)?;
        let item = json!({"name": "A brass telescope", "isPublished": true});
        let item = id(owner.post(&format!("/api/auctions/{auction}/items"), &item)?)?;
        let bidder = FirstUser::register(address, "kim@example.org")?;
        bidder.post(&format!("/api/auctions/{auction}/join"), &json!({}))?;
        Ok(Self { bidder, bids: format!("/api/auctions/{auction}/items/{item}/bids"), next: 1 })
    }

    /// Whether the next bid is accepted.
    fn bid(&mut self) -> bool {
        let bid = json!({"enteredRepresentation": [{"denomination": "KNUT", "count": self.next}]});
        self.next += 1;
        self.bidder.send("POST", &self.bids, &bid).is_ok_and(|status| status == 201)
    }
}

/// A release API with the next version, on this machine.
struct ReleaseServer {
    child: Child,
    url: String,
}

impl ReleaseServer {
    fn start(python: &Python, packages: &Packages) -> Result<Self> {
        let folder = &packages.published;
        let mut command = python.module("http.server");
        command
            .args(["--bind", "127.0.0.1", "--directory"])
            .arg(folder)
            .arg("0")
            .env("PYTHONUNBUFFERED", "1");
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().context("cannot start Python")?;
        let output = child.stdout.take().context("Python has no output")?;
        let found = process::wait_for_line(output, |line| {
            let (_, address) = line.split_once("(http://")?;
            Some(format!("http://{}", address.split('/').next()?))
        });
        let url = match found {
            Ok(url) => url,
            Err(printed) => bail!("the release server ended: {printed}"),
        };
        let server = Self { child, url };
        let latest = server.latest(packages)?;
        let path = folder.join("latest");
        fs::write(&path, latest.to_string()).on_path("write", &path)?;
        Ok(server)
    }

    fn latest(&self, packages: &Packages) -> Result<Value> {
        let archive = &packages.archive;
        let names = [archive.clone(), format!("{archive}.minisig"), "SHA256SUMS".to_owned()];
        let assets = names.map(|name| -> Result<Value> {
            let path: &Path = &packages.published.join(&name);
            let size = fs::metadata(path).on_path("read", path)?.len();
            Ok(json!({"name": name, "browser_download_url": format!("{}/{name}", self.url), "size": size}))
        });
        Ok(json!({
            "tag_name": format!("v{}", packages.next_version),
            "html_url": "https://releases.example.org/latest",
            "body": "Nothing but another number.",
            "assets": assets.into_iter().collect::<Result<Vec<_>>>()?,
        }))
    }
}

impl Drop for ReleaseServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
