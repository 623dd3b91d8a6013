//! `/api/system/update`

mod archive;
mod back;
mod one_at_a_time;
mod pause;
mod run;
mod signed;

use installation::config::{Settings, Switch};
use serde_json::{Value, json};

use crate::harness::{Client, Events, Installation, TestApp};

const PATH: &str = "/api/system/update";

/// An installation with a running server, its Deployment Admin, and an item with a bid.
pub struct Site {
    pub installation: Installation,
    pub app: TestApp,
    pub admin: Client,
    pub bidder: Client,
    pub bids: String,
}

impl Site {
    pub async fn open(installation: Installation) -> Self {
        Self::open_with(installation, |_| {}).await
    }

    /// With the settings as changed by `choose`.
    pub async fn open_with(installation: Installation, choose: impl FnOnce(&mut Settings)) -> Self {
        let install_dir = installation.path();
        let app = TestApp::start_with(|settings| {
            settings.install_dir = install_dir;
            settings.rate_limits = Switch::Off;
            choose(settings);
        })
        .await;
        let (admin, bidder) = (app.user("ada").await, app.user("bob").await);
        let claim = json!({"deploymentAdminEmail": "ada@example.org"});
        admin.patch("/api/system/settings", claim).await.expect(200);
        let auction =
            admin.post("/api/auctions", json!({"name": "Fair", "joinMode": "FREE"})).await.expect(201);
        let auction = auction["id"].as_str().unwrap();
        bidder.post(&format!("/api/auctions/{auction}/join"), json!({})).await;
        let item = json!({"name": "A vase", "currencyCode": "EUR", "isPublished": true});
        let item = admin.post(&format!("/api/auctions/{auction}/items"), item).await.expect(201);
        let bids = format!("/api/auctions/{auction}/items/{}/bids", item["id"].as_str().unwrap());
        let site = Self { installation, app, admin, bidder, bids };
        site.bid(5).await;
        site
    }

    pub async fn bid(&self, amount: u64) {
        self.bidder.post(&self.bids, json!({"amount": amount})).await.expect(201);
    }

    /// The list of bids as bytes.
    pub async fn ledger(&self) -> String {
        self.admin.get(&self.bids).await.text
    }

    /// Waits for the end of the last run and returns it.
    pub async fn ended(&self) -> Value {
        let mut events = Events::open(&self.admin, "/api/system/update/events").await;
        loop {
            let event = events.next().await.expect("the stream goes on");
            assert_eq!(event.kind, "run");
            if event.data["status"] != "RUNNING" {
                return event.data;
            }
        }
    }

    /// Waits until this step runs.
    pub async fn reached(&self, step: &str) {
        let mut events = Events::open(&self.admin, "/api/system/update/events").await;
        loop {
            let run = events.next().await.expect("the stream goes on").data;
            assert_eq!(run["status"], "RUNNING", "{run}");
            if self::step(&run, step)["status"] == "RUNNING" {
                return;
            }
        }
    }

    /// Starts a run and waits for its end.
    pub async fn update(&self) -> Value {
        let begun = self.admin.post(PATH, json!({})).await.expect(202);
        assert_eq!(begun["status"], "RUNNING");
        let ended = self.ended().await;
        assert_eq!(ended["id"], begun["id"]);
        ended
    }

    /// Lets a [waiting](waiting) hook continue.
    pub fn go_on(&self) {
        std::fs::write(self.installation.path().join("go"), "").unwrap();
    }
}

/// A hook that waits for the file `go`.
pub fn waiting(place: &str) -> String {
    hook(place, "wait", "until [ -e go ]; do sleep 0.02; done")
}

/// A hook at a place such as `before = "build"` that runs a shell command.
pub fn hook(place: &str, name: &str, line: &str) -> String {
    format!("\n[[hooks]]\n{place}\nname = \"{name}\"\ncommand = [\"sh\", \"-c\", \"{line}\"]\n")
}

/// A step of a run.
#[track_caller]
pub fn step<'r>(run: &'r Value, name: &str) -> &'r Value {
    run["steps"]
        .as_array()
        .unwrap()
        .iter()
        .find(|step| step["name"] == name)
        .unwrap_or_else(|| panic!("{name}: {run}"))
}
