//! Clients of each kind, and an auction for their requests.

use installation::config::Switch;
use reqwest::Response;
use serde_json::{Value, json};

use super::Answered;
use crate::harness::{Client, PASSWORD, TestApp};
use crate::routes::auctions::{auction, give_role, invite, join, tickets, user_id};

/// The columns of the table. A member of the auction has the role that the name says.
pub const CALLERS: [&str; 7] =
    ["anonymous", "elsewhere", "bidder", "creator", "admin", "owner", "deployment"];
const BIDDER: usize = 2;
const CREATOR: usize = 3;
const ADMIN: usize = 4;
const OWNER: usize = 5;
/// Members besides the owner. A separate CREATOR is the seller, so that every caller may bid on the item.
const MEMBERS: [&str; 4] = ["bidder", "creator", "admin", "seller"];

pub struct Callers {
    _app: TestApp,
    clients: Vec<Client>,
    seller: Client,
    target: Target,
}

/// Ids that replace the parameters of a path.
#[derive(Default)]
struct Target {
    auction: String,
    currency: String,
    rule: String,
    item: String,
    user: String,
    session: String,
    invite: String,
    token: String,
}

impl Callers {
    pub async fn start() -> Self {
        let app = TestApp::start_with(|settings| {
            settings.rate_limits = Switch::Off;
            // Not a checkout: an update that is started fails in its first step.
            settings.install_dir = settings.data_dir.clone();
        })
        .await;
        let mut clients = vec![app.anonymous()];
        for name in &CALLERS[1..] {
            clients.push(app.user(name).await);
        }
        auction(&clients[1], json!({"name": "Another auction"})).await;
        let claim = json!({"deploymentAdminEmail": "deployment@example.org"});
        clients[6].patch("/api/system/settings", claim).await.expect(200);
        let seller = app.user("seller").await;
        let mut callers = Self { _app: app, clients, seller, target: Target::default() };
        callers.target = callers.new_target().await;
        callers
    }

    /// Sends a request without a body and with an outdated version, which changes nothing even if it is allowed. A form has
    /// no version: after an accepted form there is a new auction.
    pub async fn request(&mut self, caller: usize, method: &str, path: &str) -> (Answered, u16) {
        let mut path = self.target.fill(path);
        if path.ends_with("/currency-rules/new") {
            path.push_str("?type=MIN_INCREMENT");
        }
        let is_api = path.starts_with("/api/");
        let mut request = self.clients[caller].request(&method.to_uppercase(), &path);
        if method != "get" && is_api {
            request = request.header("if-match", "\"0\"");
        } else if method == "post" {
            request = request.header("content-type", "application/x-www-form-urlencoded");
        }
        // Only the head: a stream of events does not end.
        let response = request.send().await.unwrap();
        let (answered, status) = (classify(&response), response.status().as_u16());
        drop(response);
        if path.ends_with("out") {
            self.sign_in(caller).await;
        }
        if method != "get" && status < 400 && path.contains(&self.target.auction) {
            self.target = self.new_target().await;
        }
        (answered, status)
    }

    async fn sign_in(&self, caller: usize) {
        let body = json!({"email": format!("{}@example.org", CALLERS[caller]), "password": PASSWORD});
        if caller > 0 {
            self.clients[caller].post("/api/auth/login", body).await.expect(200);
        }
    }

    /// An auction by invitation with a currency, a rule, and an item with a bid.
    async fn new_target(&self) -> Target {
        let owner = &self.clients[OWNER];
        let path = auction(owner, json!({"joinMode": "FREE"})).await;
        for name in MEMBERS {
            let place = CALLERS.iter().position(|caller| *caller == name);
            join(place.map_or(&self.seller, |place| &self.clients[place]), &path).await;
        }
        give_role(owner, &path, &self.clients[CREATOR], "CREATOR").await;
        give_role(owner, &path, &self.clients[ADMIN], "ADMIN").await;
        give_role(owner, &path, &self.seller, "CREATOR").await;
        let sent = invite(owner, &path, "nobody@example.org", "BIDDER").await;
        let rule = json!({"type": "MIN_INCREMENT", "params": {"amount": 1}});
        let target = Target {
            auction: path.rsplit('/').next().unwrap().to_owned(),
            currency: create(owner, &format!("{path}/currencies"), tickets(json!({}))).await,
            rule: create(owner, &format!("{path}/currency-rules"), rule).await,
            item: create(
                &self.seller,
                &format!("{path}/items"),
                json!({"name": "A vase", "isPublished": true}),
            )
            .await,
            user: user_id(&self.seller).await,
            session: self.seller.get("/api/user/sessions").await.expect(200)["sessions"][0]["id"]
                .as_str()
                .unwrap()
                .to_owned(),
            invite: sent["id"].as_str().unwrap().to_owned(),
            token: sent["token"].as_str().unwrap().to_owned(),
        };
        let bids = format!("{path}/items/{}/bids", target.item);
        self.clients[BIDDER].post(&bids, json!({"amount": 1})).await.expect(201);
        owner.patch(&path, json!({"joinMode": "INVITE_ONLY"})).await.expect(200);
        target
    }
}

impl Target {
    fn fill(&self, path: &str) -> String {
        path.replace("{auction_id}", &self.auction)
            .replace("{currency_id}", &self.currency)
            .replace("{rule_id}", &self.rule)
            .replace("{item_id}", &self.item)
            .replace("{sequence}", "1")
            .replace("{user_id}", &self.user)
            .replace("{session_id}", &self.session)
            .replace("{invite_id}", &self.invite)
            .replace("{token}", &self.token)
    }
}

async fn create(client: &Client, path: &str, body: Value) -> String {
    client.post(path, body).await.expect(201)["id"].as_str().unwrap().to_owned()
}

fn classify(response: &Response) -> Answered {
    let location = response.headers().get("location").map_or("", |location| location.to_str().unwrap());
    match response.status().as_u16() {
        401 => Answered::SignIn,
        303 if location.starts_with("/sign-in") => Answered::SignIn,
        303 if location == "/admin" => Answered::Back,
        403 => Answered::Forbidden,
        404 => Answered::Hidden,
        _ => Answered::Allowed,
    }
}
