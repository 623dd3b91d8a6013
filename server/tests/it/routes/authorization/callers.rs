//! Clients of each kind, and an auction for their requests.

use std::net::SocketAddr;

use installation::config::Switch;
use reqwest::Response;
use serde_json::{Value, json};
use server::http::layers::Site;

use super::Answered;
use crate::harness::{Answer, Client, PASSWORD, TestApp};
use crate::routes::auctions::items::images::{add_picture, png};
use crate::routes::auctions::{auction, give_role, invite, join, tickets, user_id};

/// The columns of the table. A member of the auction has the role that the name says; the seller is a
/// CREATOR, whose item it is. All members are people of the group, of which owner and ADMIN are keepers.
pub const CALLERS: [&str; 10] = [
    "anonymous",
    "elsewhere",
    "bidder",
    "creator",
    "seller",
    "admin",
    "owner",
    "deployment",
    "hall-clerk",
    "managed",
];
pub const ELSEWHERE: usize = 1;
pub const BIDDER: usize = 2;
pub const CREATOR: usize = 3;
pub const SELLER: usize = 4;
pub const ADMIN: usize = 5;
pub const OWNER: usize = 6;
pub const DEPLOYMENT: usize = 7;
pub const CLERK: usize = 8;
pub const MANAGED: usize = 9;
/// Members besides the owner.
const MEMBERS: [usize; 5] = [BIDDER, CREATOR, SELLER, ADMIN, CLERK];

pub struct Callers {
    app: TestApp,
    clients: Vec<Client>,
    /// The auction of `elsewhere`.
    other_auction: String,
    target: Target,
}

/// Ids that replace the parameters of a path.
#[derive(Default, Clone)]
struct Target {
    auction: String,
    currency: String,
    rule: String,
    item: String,
    image: String,
    user: String,
    session: String,
    invite: String,
    token: String,
    book: String,
    /// A grant of the book that waits.
    waiting: String,
    /// Imports of the owner into the auction, the group and the book.
    item_import: String,
    group_import: String,
    book_import: String,
    group: String,
    number: String,
    /// Code, number and PIN of the managed user.
    door: Value,
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
        for name in &CALLERS[1..MANAGED] {
            clients.push(app.user(name).await);
        }
        clients.push(app.anonymous());
        let other = auction(&clients[ELSEWHERE], json!({"name": "Another auction"})).await;
        let claim = json!({"deploymentAdminEmail": "deployment@example.org"});
        clients[DEPLOYMENT].patch("/api/system/settings", claim).await.expect(200);
        let other_auction = other.rsplit('/').next().unwrap().to_owned();
        let mut callers = Self { app, clients, other_auction, target: Target::default() };
        callers.renew_group().await;
        callers.target = callers.new_target().await;
        callers
    }

    /// The routes, without a connection.
    pub fn site(&self) -> Site {
        server::router::site(self.app.state.clone())
    }

    pub fn client(&self, caller: usize) -> &Client {
        &self.clients[caller]
    }

    /// The path with the ids of what the requests are about.
    pub fn fill(&self, path: &str) -> String {
        self.target.fill(path)
    }

    /// The item of the auction.
    pub fn item(&self) -> String {
        self.target.item.clone()
    }

    /// Adds published items to the auction.
    pub async fn add_items(&self, count: usize) {
        let path = format!("/api/auctions/{}/items/import", self.target.auction);
        let request = self.clients[OWNER].request("POST", &path).header("idempotency-key", "many");
        let rows: String = (0..count).map(|number| format!("Lot {number},yes\n")).collect();
        let request = request.header("content-type", "text/csv").body(format!("name,published\n{rows}"));
        Answer::of(request).await.expect(201);
    }

    /// The cookie of a session of the owner.
    pub async fn cookie_of_owner(&self) -> String {
        self.app.cookie_of(CALLERS[OWNER]).await
    }

    pub fn address(&self) -> SocketAddr {
        self.app.address
    }

    /// The address of a listener whose pages are made anew.
    pub async fn without_kept_pages(&self) -> SocketAddr {
        self.app.without_kept_pages().await
    }

    /// Opens the auction to readers.
    pub async fn let_anyone_read(&self) {
        let path = format!("/api/auctions/{}", self.target.auction);
        self.clients[OWNER].patch(&path, json!({"readableBy": "ANYONE"})).await.expect(200);
    }

    /// Sends a request without a body and with an outdated version, which changes nothing even if it is
    /// allowed. A form has no version: after an accepted form there is a new auction.
    pub async fn request(&mut self, caller: usize, method: &str, path: &str) -> (Answered, u16) {
        let response = self.respond(caller, method, path).await;
        (classify(&response), response.status().as_u16())
    }

    /// The response to such a request.
    pub async fn respond(&mut self, caller: usize, method: &str, path: &str) -> Response {
        let path = self.target.fill(path);
        let response = self.send(caller, method, path.clone()).await;
        let status = response.status().as_u16();
        let has_changed = |id: &str| method != "get" && status < 400 && path.contains(id);
        if path.ends_with("out") || has_changed(&self.target.session) {
            self.sign_in(caller).await;
            self.target.session = current_session(&self.clients[SELLER]).await;
        }
        if (path.ends_with("/leave") || has_changed(&self.target.waiting)) && status < 400 {
            let NewBook { book, waiting, import } = self.new_book(&self.target.user).await;
            (self.target.book, self.target.waiting, self.target.book_import) = (book, waiting, import);
        }
        if has_changed(&self.target.group) {
            self.renew_group().await;
            self.target = self.new_target().await;
        }
        if has_changed(&self.target.auction) || has_changed(&self.target.book_import) {
            self.target = self.new_target().await;
        }
        response
    }

    /// Sends the request as the OWNER of another auction: the path names that auction, and what is in this
    /// one.
    pub async fn request_across(&self, method: &str, path: &str) -> (Answered, u16) {
        let mixed = Target { auction: self.other_auction.clone(), ..self.target.clone() };
        let response = self.send(ELSEWHERE, method, mixed.fill(path)).await;
        (classify(&response), response.status().as_u16())
    }

    async fn send(&self, caller: usize, method: &str, mut path: String) -> Response {
        if path.ends_with("/currency-rules/new") {
            path.push_str("?type=MIN_INCREMENT");
        }
        let is_api = path.starts_with("/api/");
        let mut request = self.clients[caller].request(&method.to_ascii_uppercase(), &path);
        if method != "get" && is_api {
            request = request.header("if-match", "\"0\"");
        } else if method == "post" {
            request = request.header("content-type", "application/x-www-form-urlencoded");
        }
        // Only the head: a stream of events does not end.
        request.send().await.unwrap()
    }

    async fn sign_in(&self, caller: usize) {
        let body = json!({"email": format!("{}@example.org", CALLERS[caller]), "password": PASSWORD});
        if caller == MANAGED {
            self.clients[caller].post("/api/auth/number", self.target.door.clone()).await.expect(200);
        } else if caller > 0 {
            self.clients[caller].post("/api/auth/login", body).await.expect(200);
        }
    }

    /// An auction by invitation with a currency, a rule, and an item with a bid.
    async fn new_target(&self) -> Target {
        let (owner, seller) = (&self.clients[OWNER], &self.clients[SELLER]);
        let path = auction(owner, json!({"joinMode": "FREE", "groupId": self.target.group})).await;
        for member in MEMBERS {
            join(&self.clients[member], &path).await;
        }
        give_role(owner, &path, &self.clients[CREATOR], "CREATOR").await;
        give_role(owner, &path, &self.clients[ADMIN], "ADMIN").await;
        give_role(owner, &path, &self.clients[CLERK], "CLERK").await;
        give_role(owner, &path, seller, "CREATOR").await;
        let sent = invite(owner, &path, "nobody@example.org", "BIDDER").await;
        let rule = json!({"type": "MIN_INCREMENT", "params": {"amount": 1}});
        let user = user_id(seller).await;
        let NewBook { book, waiting, import: book_import } = self.new_book(&user).await;
        let mut target = Target {
            image: String::new(),
            auction: path.rsplit('/').next().unwrap().to_owned(),
            currency: create(owner, &format!("{path}/currencies"), tickets(json!({}))).await,
            rule: create(owner, &format!("{path}/currency-rules"), rule).await,
            item: create(seller, &format!("{path}/items"), json!({"name": "A vase", "isPublished": true}))
                .await,
            book,
            waiting,
            book_import,
            item_import: import(owner, &format!("{path}/items/import"), "name\nAn urn\n").await,
            group_import: self.target.group_import.clone(),
            user,
            session: current_session(seller).await,
            invite: sent["id"].as_str().unwrap().to_owned(),
            token: sent["token"].as_str().unwrap().to_owned(),
            group: self.target.group.clone(),
            number: self.target.number.clone(),
            door: self.target.door.clone(),
        };
        let bids = format!("{path}/items/{}/bids", target.item);
        self.clients[BIDDER].post(&bids, json!({"amount": 1})).await.expect(201);
        let image =
            add_picture(seller, &format!("{path}/items/{}", target.item), &png(4, 3)).await.expect(201);
        target.image = image["id"].as_str().unwrap().to_owned();
        owner.patch(&path, json!({"joinMode": "INVITE_ONLY"})).await.expect(200);
        target
    }

    /// A group that owner and ADMIN keep, with the other members and a managed user, who signs in.
    async fn renew_group(&mut self) {
        let owner = &self.clients[OWNER];
        let made = owner.post("/api/groups", json!({"name": "Class 4b", "joinable": true})).await.expect(201);
        let path = format!("/api/groups/{}", made["id"].as_str().unwrap());
        for member in [ADMIN, BIDDER, CREATOR, SELLER, CLERK] {
            let code = json!({"code": made["code"]});
            self.clients[member].post("/api/groups/join", code).await.expect(200);
        }
        owner.patch(&format!("{path}/people/1"), json!({"role": "KEEPER"})).await.expect(200);
        let people = owner.request("POST", &format!("{path}/people")).header("idempotency-key", "managed");
        let people = people.json(&json!({"people": [{"name": "managed"}]}));
        let added = Answer::of(people).await.expect(201);
        let person = &added["people"][0];
        self.target.door = json!({"code": made["code"], "number": person["number"], "pin": person["pin"]});
        self.target.group_import = import(owner, &format!("{path}/import"), "name\nMia\n").await;
        self.target.group = made["id"].as_str().unwrap().to_owned();
        // That of the CREATOR.
        self.target.number = "3".to_owned();
        self.sign_in(MANAGED).await;
    }

    /// A book that the owner owns and the ADMIN keeps, and an import into it, of which a grant waits. The
    /// members of the auction are holders, the user is the first.
    async fn new_book(&self, user: &str) -> NewBook {
        let owner = &self.clients[OWNER];
        let unit = json!({"name": "Ticket", "symbol": ""});
        let terms = json!({"name": "Class 4b", "baseUnit": unit, "startingBalance": 300});
        let book = create(owner, "/api/books", terms).await;
        let holders = format!("/api/books/{book}/holders");
        owner.post(&holders, json!({"userId": user})).await.expect(201);
        for member in [BIDDER, CREATOR, ADMIN, MANAGED, CLERK] {
            let id = user_id(&self.clients[member]).await;
            owner.post(&holders, json!({"userId": id})).await.expect(201);
        }
        let teller = format!("{holders}/{}", user_id(&self.clients[ADMIN]).await);
        owner.patch(&teller, json!({"role": "TELLER"})).await.expect(200);
        let table = format!("email,amount,reason\n{}@example.org,1,Cakes\n", CALLERS[OWNER]);
        let table = format!("{table}nobody@example.org,1,Cakes\n");
        let import = import(owner, &format!("/api/books/{book}/import?invite=true"), &table).await;
        let waiting = owner.get(&format!("/api/books/{book}/waiting")).await.expect(200);
        let waiting = waiting["grants"][0]["id"].as_str().unwrap().to_owned();
        NewBook { book, waiting, import }
    }
}

impl Target {
    fn fill(&self, path: &str) -> String {
        let import = if path.contains("{group_id}") {
            &self.group_import
        } else if path.contains("{book_id}") {
            &self.book_import
        } else {
            &self.item_import
        };
        path.replace("{import_id}", import)
            .replace("{auction_id}", &self.auction)
            .replace("{currency_id}", &self.currency)
            .replace("{rule_id}", &self.rule)
            .replace("{item_id}", &self.item)
            .replace("{image_id}", &self.image)
            .replace("{size}", "full")
            .replace("{template}", "gold")
            .replace("{sequence}", "1")
            .replace("{number}", "1")
            .replace("{user_id}", &self.user)
            .replace("{session_id}", &self.session)
            .replace("{invite_id}", &self.invite)
            .replace("{token}", &self.token)
            .replace("{book_id}", &self.book)
            .replace("{grant_id}", &self.waiting)
            .replace("{group_id}", &self.group)
            .replace("{person}", &self.number)
            .replace("{kind}", "WON")
    }
}

async fn current_session(client: &Client) -> String {
    let found = client.get("/api/user/sessions").await.expect(200);
    let mut sessions = found["sessions"].as_array().unwrap().iter();
    let current = sessions.find(|session| session["current"] == true).unwrap();
    current["id"].as_str().unwrap().to_owned()
}

/// Ids of a book, of a grant that waits in it, and of an import into it.
struct NewBook {
    book: String,
    waiting: String,
    import: String,
}

/// The id of the import of a table.
async fn import(client: &Client, path: &str, table: &str) -> String {
    let request = client.request("POST", path).header("idempotency-key", "import");
    let request = request.header("content-type", "text/csv").body(table.to_owned());
    Answer::of(request).await.expect(201)["importId"].as_str().unwrap().to_owned()
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
