//! Every kind of mail, as it is sent. `cargo xtask test --all` reads the mails of this test with a filter of
//! spam.

use std::collections::BTreeSet;

use accounts::outbox::{AccountMail, NewMail, Outbox};
use accounts::preferences::kind::NotificationKind;
use auction_house::ids::UserId;
use expect_test::expect_file;
use platform::db::WriteBatch;
use platform::time::Clock;
use serde_json::{Value, json};

use super::Duel;
use crate::harness::{Answer, Mail};
use crate::routes::auctions::invite;

const OUTBOX: Outbox = Outbox { sends_mail: true };

#[tokio::test]
async fn every_kind_of_mail_is_sent_and_those_that_end_by_a_link_name_their_list() {
    let duel = Duel::open().await;
    let (app, owner) = (&duel.sale.app, &duel.sale.owner);
    let _kim = app.user("kim").await;
    app.confirm_emails().await;
    // Nobody has confirmed this one.
    let _eve = app.user("eve").await;
    let wanted: Value = NotificationKind::ALL.iter().map(|kind| (kind.as_str(), true)).collect();
    duel.ada.patch("/api/user/preferences", json!({ "mail": wanted })).await.expect(200);
    let ada = duel.ada.get("/api/user").await.expect(200)["user"]["id"].as_str().unwrap().to_owned();
    duel.bid(&duel.ada, 1).await;
    duel.bid(&duel.bob, 2).await;
    let ada: UserId = ada.parse().unwrap();

    let (auction, item) = (duel.sale.auction.parse().unwrap(), duel.sale.item.parse().unwrap());
    let of_item = |kind: &NotificationKind| {
        // The bid has caused the first, and an invite has a link of its own.
        let kind = Some(*kind)
            .filter(|kind| !matches!(kind, NotificationKind::Outbid | NotificationKind::Invited))?;
        let has_item = !matches!(
            kind,
            NotificationKind::Balance | NotificationKind::NewBrowser | NotificationKind::Upgraded
        );
        Some(NewMail {
            user_id: ada,
            kind,
            auction_id: has_item.then_some(auction),
            item_id: has_item.then_some(item),
            title: (!has_item).then(|| "Raid points".to_owned()),
            detail: None,
            sequence: None,
        })
    };
    let now = app.clock.now();
    let mut writes = WriteBatch::default();
    OUTBOX.add_all(&mut writes, NotificationKind::ALL.iter().filter_map(of_item), now);
    let mut transaction = app.state.context.db.write().await.unwrap();
    transaction.run(writes).await.unwrap();
    for kind in AccountMail::ALL {
        OUTBOX.add(&mut transaction, kind, ada, Some("former@example.org"), now).await.unwrap();
    }
    transaction.commit().await.unwrap();
    // One has an account, the other none.
    let path = format!("/api/auctions/{}", duel.sale.auction);
    for email in ["kim@example.org", "stranger@example.org"] {
        invite(owner, &path, email, "BIDDER").await;
    }
    let book = json!({"name": "Raid points", "baseUnit": {"name": "Point", "symbol": ""}});
    let book = owner.post("/api/books", book).await.expect(201);
    let import = format!("/api/books/{}/import?invite=true", book["id"].as_str().unwrap());
    let request =
        owner.request("POST", &import).header("content-type", "text/csv").header("idempotency-key", "1");
    Answer::of(request.body("email,amount,reason\nwaiting@example.org,7,Raid\n")).await.expect(201);
    duel.after(61).await;

    let mails = duel.smtp.mails().await;
    let subjects: BTreeSet<&str> = mails.iter().map(|mail| mail.headers["subject"].as_str()).collect();
    let lists: BTreeSet<String> =
        mails.iter().filter_map(|mail| mail.headers.get("list-id")).map(|list| label(list)).collect();
    let kinds: BTreeSet<String> = NotificationKind::ALL.iter().map(|kind| kind.as_str().to_owned()).collect();
    assert_eq!(lists, kinds);
    let of_accounts = mails.iter().filter(|mail| !mail.headers.contains_key("list-id"));
    assert_eq!(of_accounts.count(), AccountMail::ALL.len(), "{subjects:?}");
    // An invitation to a person with an account reads as one to a stranger; a balance that waits does not.
    assert_eq!(subjects.len(), NotificationKind::ALL.len() + AccountMail::ALL.len() + 1, "{subjects:?}");
    let mut texts: Vec<String> = mails.iter().map(in_words).collect();
    texts.sort();
    expect_file!["kinds.txt"].assert_eq(&texts.join("\n"));
}

/// What a person reads, with `…` for ids and secrets, which differ in each run.
fn in_words(mail: &Mail) -> String {
    let is_secret = |word: &&str| word.len() >= 20 && !word.contains(['.', ' ']);
    let mut text = mail.text.clone();
    for word in mail.text.split(|letter: char| letter.is_whitespace() || "/#?&=".contains(letter)) {
        if is_secret(&word) {
            text = text.replace(word, "…");
        }
    }
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    format!("# {}\nTo: {}\n\n{}\n", mail.headers["subject"], mail.to, lines.join("\n").trim())
}

/// `LEADING_AGAIN`, of a list's name and `<leading-again.bids.example.org>`.
fn label(list: &str) -> String {
    let (_, id) = list.split_once('<').expect("an id");
    id.strip_suffix(".bids.example.org>").expect("the host").to_ascii_uppercase().replace('-', "_")
}
