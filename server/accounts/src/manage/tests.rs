//! Lost passwords and disabled accounts, on a SQLite database.

use std::net::Ipv4Addr;
use std::sync::Arc;

use platform::db::Database;
use platform::fields::Object;
use platform::http::HttpSettings;
use platform::low_priority::LowPriority;
use platform::net::ClientAddress;
use platform::signals::Signals;
use platform::time::{Clock, ManualClock};
use platform::token::Token;
use platform::verb::VerbError;

use super::disable::{DisableRefusal, set_disabled};
use super::list::list_users;
use super::reset_link::create_reset_link;
use crate::administration::appoint::appoint;
use crate::audit;
use crate::change_password::change_password;
use crate::context::Accounts;
use crate::erase::erase;
use crate::failed_sign_ins::FailedSignIns;
use crate::hashing::Passwords;
use crate::ids::UserId;
use crate::limits::RateLimits;
use crate::locks::write_as;
use crate::outbox::Outbox;
use crate::register::register;
use crate::registration::{Registration, RegistrationMode};
use crate::reset_password::{ResetRefusal, reset_password};
use crate::session::SessionCache;
use crate::session::Visitor;
use crate::sign_in::{SignInRefusal, sign_in};

const OLD: &str = "correct horse battery";
const NEW: &str = "another horse entirely";

struct House {
    accounts: Accounts,
    clock: Arc<ManualClock>,
    _folder: tempfile::TempDir,
}

impl House {
    async fn open() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let address = format!("sqlite://{}", folder.path().join("farthing.db").display());
        let db = Database::open(&address).await.unwrap();
        let clock = Arc::new(ManualClock::at("2026-05-01T18:00:00Z".parse().unwrap()));
        let sessions = Arc::<SessionCache>::default();
        let accounts = Accounts {
            db,
            clock: Arc::clone(&clock) as _,
            signals: Signals::new(vec![Box::new(Arc::clone(&sessions))]),
            limits: Arc::new(RateLimits::new(false, Arc::clone(&clock) as _)),
            passwords: Passwords::new(Arc::new(LowPriority::start().unwrap())),
            failed_sign_ins: FailedSignIns::default(),
            sessions,
            http: Arc::new(HttpSettings::default()),
            registration: RegistrationMode::Open,
            outbox: Outbox { sends_mail: false },
            new_browser: None,
        };
        Self { accounts, clock, _folder: folder }
    }

    /// Registers a user with the old password. The session is the user's first.
    async fn add(&self, name: &str) -> (UserId, Token) {
        self.add_as(&format!("{name}@example.org"), name).await
    }

    async fn add_as(&self, email: &str, name: &str) -> (UserId, Token) {
        let registration = Registration::parse(email, OLD, name, &[]).unwrap();
        let entry = register(&self.accounts, &visitor(), registration, false)
            .await
            .unwrap_or_else(|error| panic!("{error}"));
        (entry.user.id, entry.session)
    }

    async fn is_alive(&self, session: &Token) -> bool {
        self.accounts.find_session(session.hash()).await.unwrap().is_some()
    }

    async fn signs_in(&self, name: &str, password: &str) -> bool {
        let email = format!("{name}@example.org");
        match sign_in(&self.accounts, &visitor(), &email, password.to_owned(), None).await {
            Ok(_) => true,
            Err(VerbError::Refused(SignInRefusal::InvalidCredentials)) => false,
            Err(error) => panic!("{error}"),
        }
    }

    /// The secret part of a new link.
    async fn link(&self, user: UserId) -> String {
        let link = create_reset_link(&self.accounts, None, (user, None)).await.unwrap();
        link.path().strip_prefix("/reset-password/").unwrap().to_owned()
    }

    /// Whether the link sets the new password.
    async fn resets(&self, token: &str) -> bool {
        match reset_password(&self.accounts, &visitor(), token, NEW.parse().unwrap()).await {
            Ok(_) => true,
            Err(VerbError::Refused(ResetRefusal::TokenInvalid)) => false,
            Err(error) => panic!("{error}"),
        }
    }

    /// Entries of the audit log, newest first: actor, action and subject.
    async fn log(&self) -> Vec<String> {
        let entries = audit::latest(&mut self.accounts.db.read().await.unwrap(), 20).await.unwrap();
        let name = |name: Option<String>| name.unwrap_or_else(|| "-".to_owned());
        let words = entries
            .into_iter()
            .map(|entry| format!("{} {} {}", name(entry.actor), entry.action, name(entry.subject)));
        words.collect()
    }
}

fn visitor() -> Visitor {
    let address = ClientAddress::of(Ipv4Addr::LOCALHOST.into());
    Visitor { address, session: None, user_agent: None, device: None }
}

fn body(members: &[(&str, &str)]) -> Object {
    let mut body = Object::default();
    for (name, value) in members {
        body.set(name, value);
    }
    body
}

/// A change of the old password.
fn password_body(new: &str) -> Object {
    body(&[("currentPassword", OLD), ("newPassword", new)])
}

#[tokio::test]
async fn a_link_sets_the_password_once_and_ends_every_session() {
    let house = House::open().await;
    let (ada, session) = house.add("ada").await;
    let (_, of_bob) = house.add("bob").await;
    assert!(house.is_alive(&session).await);
    let token = house.link(ada).await;
    assert!(house.resets(&token).await);
    assert!(!house.is_alive(&session).await);
    assert!(house.is_alive(&of_bob).await);
    assert!(!house.signs_in("ada", OLD).await);
    assert!(house.signs_in("ada", NEW).await);
    assert!(!house.resets(&token).await);
    assert!(!house.resets("").await);
    assert_eq!(house.log().await, ["- RESET_LINK ada"]);
}

#[tokio::test]
async fn one_of_two_concurrent_uses_of_a_link_counts() {
    let house = House::open().await;
    let (ada, _) = house.add("ada").await;
    let token = house.link(ada).await;
    let (one, other) = tokio::join!(house.resets(&token), house.resets(&token));
    assert!(one != other);
}

#[tokio::test]
async fn a_link_works_for_an_hour_unless_a_later_one_replaces_it() {
    let house = House::open().await;
    let (ada, _) = house.add("ada").await;
    let earlier = house.link(ada).await;
    let later = house.link(ada).await;
    assert!(!house.resets(&earlier).await);
    house.clock.advance_seconds(3599);
    assert!(house.resets(&later).await);
    let expired = house.link(ada).await;
    house.clock.advance_seconds(3600);
    assert!(!house.resets(&expired).await);
}

#[tokio::test]
async fn a_link_ends_with_a_change_of_the_password_or_of_the_account() {
    let house = House::open().await;
    let (ada, _) = house.add("ada").await;
    let accounts = &house.accounts;
    let token = house.link(ada).await;
    change_password(accounts, &visitor(), ada, password_body(OLD)).await.unwrap();
    assert!(!house.resets(&token).await);
    let token = house.link(ada).await;
    for is_disabled in [true, false] {
        set_disabled(accounts, None, ada, is_disabled).await.unwrap();
    }
    assert!(!house.resets(&token).await);
    let token = house.link(ada).await;
    let mut db = write_as(&accounts.db, ada).await.unwrap();
    erase(&mut db, ada, house.clock.now()).await.unwrap();
    db.commit().await.unwrap();
    assert!(!house.resets(&token).await);
    assert!(matches!(create_reset_link(accounts, None, (ada, None)).await, Err(VerbError::NotFound)));
}

#[tokio::test]
async fn a_disabled_user_has_no_session_until_the_account_is_enabled() {
    let house = House::open().await;
    let (ada, session) = house.add("ada").await;
    let (bob, _) = house.add("bob").await;
    assert!(house.is_alive(&session).await);
    for _ in 0..2 {
        assert!(set_disabled(&house.accounts, Some(bob), ada, true).await.unwrap().is_disabled);
    }
    assert!(!house.is_alive(&session).await);
    assert!(!house.signs_in("ada", OLD).await);
    let changed = change_password(&house.accounts, &visitor(), ada, password_body(NEW)).await;
    assert!(matches!(changed, Err(VerbError::Refused(_))));
    for _ in 0..2 {
        assert!(!set_disabled(&house.accounts, None, ada, false).await.unwrap().is_disabled);
    }
    assert!(!house.is_alive(&session).await);
    assert!(house.signs_in("ada", OLD).await);
    assert_eq!(house.log().await, ["- ACCOUNT_ENABLED ada", "bob ACCOUNT_DISABLED ada"]);
}

#[tokio::test]
async fn the_deployment_admin_can_not_be_disabled() {
    let house = House::open().await;
    let (ada, session) = house.add("ada").await;
    appoint(&house.accounts.db, &*house.clock, &"ada@example.org".parse().unwrap()).await.unwrap();
    let refused = set_disabled(&house.accounts, None, ada, true).await;
    assert!(matches!(refused, Err(VerbError::Refused(DisableRefusal::DeploymentAdmin))));
    assert!(house.is_alive(&session).await && house.signs_in("ada", OLD).await);
    assert_eq!(house.log().await, ["- APPOINTED ada"]);
}

#[tokio::test]
async fn accounts_are_found_by_a_part_of_the_name_or_e_mail_in_any_case() {
    let house = House::open().await;
    house.add("zoë").await;
    house.add_as("countess@example.org", "ÄNNA").await;
    house.add("bob").await;
    house.clock.advance_seconds(60);
    assert!(house.signs_in("bob", OLD).await);
    let mut db = house.accounts.db.read().await.unwrap();
    for (wanted, found) in [
        (None, &["zoë", "ÄNNA", "bob"][..]),
        (Some("änn"), &["ÄNNA"]),
        (Some("zoe\u{308}"), &["zoë"]),
        (Some("Countess"), &["ÄNNA"]),
        (Some("BOB@"), &["bob"]),
        (Some("%"), &[]),
        (Some("example.org"), &["zoë", "ÄNNA", "bob"]),
    ] {
        let users = list_users(&mut db, wanted, None, 100).await.unwrap();
        let names: Vec<_> = users.iter().map(|one| one.user.name.as_str()).collect();
        assert_eq!(names, found, "{wanted:?}");
    }
    let first = list_users(&mut db, None, None, 2).await.unwrap();
    let rest = list_users(&mut db, None, Some(first[1].user.id), 2).await.unwrap();
    assert_eq!((first.len(), rest.len(), rest[0].user.name.as_str()), (2, 1, "bob"));
    assert_eq!(rest[0].last_sign_in_at, Some(rest[0].user.created_at.plus_seconds(60)));
}
