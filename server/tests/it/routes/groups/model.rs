//! Compares memberships and holders with a simple model, while groups, auctions and books change at random
//! (SPEC, section 14). A failure names the seed of its run.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::dice::Dice;
use crate::harness::{Answer, Client, TestApp, times};
use crate::routes::auctions::user_id;

const STEPS: usize = 60;
/// Users with an e-mail, besides the keeper.
const USERS: usize = 3;
const AUCTIONS: usize = 3;

/// Role and number of each member, by id.
type Members = BTreeMap<String, (String, Option<i64>)>;

#[derive(Default)]
struct Group {
    id: String,
    code: String,
    /// By number: the id.
    people: BTreeMap<i64, String>,
    /// Users whom the keeper has removed.
    removed: BTreeSet<String>,
}

#[derive(Default)]
struct Auction {
    path: String,
    group: Option<usize>,
    has_book: bool,
    is_closed: bool,
    members: Members,
    /// Users whom a manager has removed.
    removed: BTreeSet<String>,
}

struct Run {
    _app: TestApp,
    keeper: Client,
    users: Vec<(String, Client)>,
    groups: Vec<Group>,
    auctions: Vec<Auction>,
    book: String,
    holders: BTreeSet<String>,
    managed: BTreeSet<String>,
    dice: Dice,
    keys: usize,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[expect(clippy::print_stderr, reason = "a run that fails is found again by its seed")]
async fn memberships_and_holders_follow_the_groups() {
    for run in 0..times(3, 60) {
        let seed = 0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(run + 1);
        eprintln!("seed {seed:#x}");
        let mut run = Run::begin(seed).await;
        for step in 0..STEPS {
            run.step().await;
            run.check(step).await;
        }
    }
}

impl Run {
    async fn begin(seed: u64) -> Self {
        let app = TestApp::start().await;
        let keeper = app.user("keeper").await;
        let keeper_id = user_id(&keeper).await;
        let mut groups = Vec::new();
        for name in ["Class 4b", "Choir"] {
            let made = keeper.post("/api/groups", json!({"name": name, "joinable": true})).await.expect(201);
            let text = |member: &str| made[member].as_str().unwrap().to_owned();
            let own = format!("/api/groups/{}/people/{keeper_id}", text("id"));
            keeper.patch(&own, json!({"number": 1})).await.expect(200);
            groups.push(Group {
                id: text("id"),
                code: text("code"),
                people: [(1, keeper_id.clone())].into(),
                removed: BTreeSet::new(),
            });
        }
        let unit = json!({"name": "Ticket", "symbol": ""});
        let book = json!({"name": "Tickets", "baseUnit": unit, "startingBalance": 30});
        let book = keeper.post("/api/books", book).await.expect(201)["id"].as_str().unwrap().to_owned();
        let mut users = Vec::new();
        for n in 0..USERS {
            let client = app.user(&format!("user{n}")).await;
            users.push((user_id(&client).await, client));
        }
        let listed = keeper.get(&format!("/api/books/{book}/holders")).await.expect(200);
        let holders = ids(&listed["holders"]);
        let (auctions, managed) = (Vec::new(), BTreeSet::new());
        let dice = Dice(seed);
        let mut run =
            Self { _app: app, keeper, users, groups, auctions, book, holders, managed, dice, keys: 0 };
        for _ in 0..AUCTIONS {
            run.new_auction(&keeper_id).await;
        }
        run
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.dice.below(bound as u64)).unwrap()
    }

    async fn new_auction(&mut self, keeper: &str) {
        let group = Some(self.below(3)).filter(|group| *group < 2);
        let has_book = self.below(2) == 0;
        let mut terms = json!({"name": "Sale", "joinMode": "FREE"});
        if let Some(group) = group {
            terms["groupId"] = json!(self.groups[group].id);
        }
        if has_book {
            terms["bookId"] = json!(self.book);
        }
        let made = self.keeper.post("/api/auctions", terms).await.expect(201);
        let path = format!("/api/auctions/{}", made["id"].as_str().unwrap());
        let owner = ("OWNER".to_owned(), None);
        let members = [(keeper.to_owned(), owner)].into();
        self.auctions.push(Auction { path, has_book, members, ..Auction::default() });
        let at = self.auctions.len() - 1;
        self.set_group(at, group);
    }

    async fn step(&mut self) {
        let (group, auction, user) = (self.below(2), self.below(self.auctions.len()), self.below(USERS));
        match self.dice.below(100) {
            0..20 => self.add(group).await,
            20..35 => self.join_group(group, user).await,
            35..50 => self.remove_from_group(group).await,
            50..65 => self.change_group(auction).await,
            65..75 => self.join(auction, user).await,
            75..80 => self.leave(auction, user).await,
            80..87 => self.give_role(auction, user).await,
            87..94 => self.remove_member(auction).await,
            94..97 => self.take_book(auction).await,
            _ => self.close(auction).await,
        }
    }

    /// A managed user is added to a group, and becomes a member of its open auctions.
    async fn add(&mut self, group: usize) {
        self.keys += 1;
        let path = format!("/api/groups/{}/people", self.groups[group].id);
        let request = self.keeper.request("POST", &path).header("content-type", "application/json");
        let request = request.header("idempotency-key", format!("add-{}", self.keys));
        let body = json!({"people": [{"name": "Ada"}]}).to_string();
        let added = Answer::of(request.body(body)).await.expect(201);
        let id = added["people"][0]["user"]["id"].as_str().unwrap().to_owned();
        let number = self.lowest_free(group);
        assert_eq!(added["people"][0]["number"], number);
        self.managed.insert(id.clone());
        self.enter(group, number, id);
    }

    async fn join_group(&mut self, group: usize, user: usize) {
        let (id, client) = &self.users[user];
        let answer = client.post("/api/groups/join", json!({"code": self.groups[group].code})).await;
        if self.groups[group].removed.contains(id) {
            answer.expect_problem(403, "FORBIDDEN");
            return;
        }
        answer.expect(200);
        if !self.groups[group].people.values().any(|person| person == id) {
            let (id, number) = (id.clone(), self.lowest_free(group));
            self.enter(group, number, id);
        }
    }

    fn lowest_free(&self, group: usize) -> i64 {
        (1..).find(|number| !self.groups[group].people.contains_key(number)).unwrap()
    }

    /// In the model.
    fn enter(&mut self, group: usize, number: i64, id: String) {
        self.groups[group].people.insert(number, id.clone());
        for at in 0..self.auctions.len() {
            if self.auctions[at].group == Some(group) && !self.auctions[at].is_closed {
                self.make_member(at, id.clone(), Some(number));
            }
        }
    }

    /// In the model: a member keeps the role.
    fn make_member(&mut self, auction: usize, id: String, number: Option<i64>) {
        let Auction { members, removed, has_book, .. } = &mut self.auctions[auction];
        removed.remove(&id);
        if *has_book {
            self.holders.insert(id.clone());
        }
        members.entry(id).or_insert_with(|| ("BIDDER".to_owned(), None)).1 = number;
    }

    /// In the model.
    fn set_group(&mut self, auction: usize, group: Option<usize>) {
        self.auctions[auction].group = group;
        self.auctions[auction].members.values_mut().for_each(|member| member.1 = None);
        let people = group.map(|group| self.groups[group].people.clone()).unwrap_or_default();
        for (number, id) in people {
            self.make_member(auction, id, Some(number));
        }
    }

    /// A managed user is erased, another one leaves the open auctions of the group unless with another role.
    async fn remove_from_group(&mut self, group: usize) {
        let people: Vec<(i64, String)> =
            self.groups[group].people.iter().skip(1).map(|(number, id)| (*number, id.clone())).collect();
        if people.is_empty() {
            return;
        }
        let (number, id) = people[self.below(people.len())].clone();
        let path = format!("/api/groups/{}/people/{number}", self.groups[group].id);
        self.keeper.delete(&path).await.expect(204);
        self.groups[group].people.remove(&number);
        self.groups[group].removed.insert(id.clone());
        let is_managed = self.managed.remove(&id);
        if is_managed {
            self.holders.remove(&id);
        }
        for auction in &mut self.auctions {
            let is_of_group = auction.group == Some(group) && !auction.is_closed;
            let role = auction.members.get(&id).map(|member| member.0.clone());
            if is_managed || (is_of_group && role.as_deref() == Some("BIDDER")) {
                auction.members.remove(&id);
            } else if is_of_group && let Some(member) = auction.members.get_mut(&id) {
                member.1 = None;
            }
        }
    }

    async fn change_group(&mut self, auction: usize) {
        let group = Some(self.below(3)).filter(|group| *group < 2);
        let id = group.map(|group| self.groups[group].id.clone());
        let changed = self.keeper.patch(&self.auctions[auction].path, json!({ "groupId": id })).await;
        if self.auctions[auction].is_closed {
            changed.expect_problem(409, "CLOSED");
        } else {
            changed.expect(200);
            if group != self.auctions[auction].group {
                self.set_group(auction, group);
            }
        }
    }

    async fn join(&mut self, auction: usize, user: usize) {
        let (id, client) = &self.users[user];
        let found = &self.auctions[auction];
        let answer = client.post(&format!("{}/join", found.path), json!({})).await;
        if found.members.contains_key(id) {
            answer.expect(200);
        } else if found.removed.contains(id) {
            answer.expect_problem(403, "FORBIDDEN");
        } else if found.is_closed {
            answer.expect_problem(409, "CLOSED");
        } else {
            answer.expect(200);
            let people = found.group.map(|group| self.groups[group].people.iter());
            let number = people.and_then(|mut people| people.find(|(_, person)| *person == id));
            let number = number.map(|(number, _)| *number);
            self.make_member(auction, id.clone(), number);
        }
    }

    async fn leave(&mut self, auction: usize, user: usize) {
        let (id, client) = &self.users[user];
        let Auction { path, members, .. } = &mut self.auctions[auction];
        if members.contains_key(id) {
            client.delete(&format!("{path}/members/{id}")).await.expect(204);
            members.remove(id);
        }
    }

    async fn give_role(&mut self, auction: usize, user: usize) {
        let role = if self.below(2) == 0 { "CREATOR" } else { "BIDDER" };
        let Auction { path, members, is_closed, .. } = &mut self.auctions[auction];
        let id = &self.users[user].0;
        if let Some(member) = members.get_mut(id).filter(|_| !*is_closed) {
            self.keeper.patch(&format!("{path}/members/{id}"), json!({"role": role})).await.expect(200);
            role.clone_into(&mut member.0);
        }
    }

    async fn remove_member(&mut self, auction: usize) {
        let members = self.auctions[auction].members.iter();
        let others: Vec<String> =
            members.filter(|(_, member)| member.0 != "OWNER").map(|(id, _)| id.clone()).collect();
        if others.is_empty() {
            return;
        }
        let id = others[self.below(others.len())].clone();
        let Auction { path, members, removed, .. } = &mut self.auctions[auction];
        self.keeper.delete(&format!("{path}/members/{id}")).await.expect(204);
        members.remove(&id);
        removed.insert(id);
    }

    /// All members become holders.
    async fn take_book(&mut self, auction: usize) {
        let Auction { path, members, has_book, is_closed, .. } = &mut self.auctions[auction];
        if !*has_book && !*is_closed {
            self.keeper.patch(path, json!({"bookId": self.book})).await.expect(200);
            *has_book = true;
            self.holders.extend(members.keys().cloned());
        }
    }

    async fn close(&mut self, auction: usize) {
        let Auction { path, is_closed, .. } = &mut self.auctions[auction];
        if !*is_closed {
            self.keeper.post(&format!("{path}/close"), json!({})).await.expect(200);
            *is_closed = true;
            let keeper = user_id(&self.keeper).await;
            self.new_auction(&keeper).await;
        }
    }

    async fn check(&self, step: usize) {
        for auction in &self.auctions {
            let listed = self.keeper.get(&format!("{}/members", auction.path)).await.expect(200);
            let members = listed["members"].as_array().unwrap().iter().map(|member| {
                let user = &member["user"];
                let role = member["role"].as_str().unwrap().to_owned();
                (user["id"].as_str().unwrap().to_owned(), (role, user["number"].as_i64()))
            });
            let members: Members = members.collect();
            assert_eq!(members, auction.members, "step {step}, {}", auction.path);
        }
        let listed = self.keeper.get(&format!("/api/books/{}/holders", self.book)).await.expect(200);
        let mut holders = ids(&listed["holders"]);
        // The account of an erased holder stays in the record of the book.
        holders.retain(|id| self.is_known(id));
        assert_eq!(holders, self.holders, "step {step}");
    }

    fn is_known(&self, id: &str) -> bool {
        self.managed.contains(id)
            || self.groups[0].people[&1] == id
            || self.users.iter().any(|(user, _)| user == id)
    }
}

fn ids(holders: &Value) -> BTreeSet<String> {
    let holders = holders.as_array().unwrap().iter();
    holders.map(|holder| holder["user"]["id"].as_str().unwrap().to_owned()).collect()
}
