//! The mails about an upgrade of a managed user, and about its undoing.

use serde_json::json;

use super::sends_through;
use crate::harness::{Mail, SmtpServer, TestApp};
use crate::routes::groups::Group;

#[tokio::test]
async fn the_keeper_learns_of_an_upgrade_and_the_former_address_of_its_undoing() {
    let smtp = SmtpServer::start().await;
    let group = Group::start_in(TestApp::start_with(sends_through(&smtp.url())).await).await;
    let app = &group.app;
    app.confirm_emails().await;
    group.keeper.patch("/api/user/preferences", json!({"mail": {"UPGRADED": true}})).await.expect(200);
    app.send_mails().await;
    let before = smtp.mails().await.len();
    for name in ["Ada", "Bob"] {
        let person = &group.add(&[name]).await[0];
        let pupil = group.signed_in(person).await;
        let email = format!("{}@example.org", name.to_ascii_lowercase());
        let body = json!({"email": email, "password": "a long pass phrase", "pin": person["pin"]});
        pupil.post("/api/user/upgrade", body).await.expect(200);
        if name == "Ada" {
            app.confirm_emails().await;
        }
    }
    app.send_mails().await;
    let mails = smtp.mails().await.split_off(before);
    let told = to(&mails, "keeper@");
    assert_eq!(told.len(), 2, "{mails:?}");
    let of_ada = told.iter().find(|mail| mail.text.contains("Number 2, Ada")).unwrap();
    assert_eq!(of_ada.headers["subject"], "An account of their own: Class 4b (bids.example.org)");
    assert!(of_ada.text.contains("undo it within a day on the page of the group"), "{}", of_ada.text);
    assert!(of_ada.text.contains("http://bids.example.org/groups"), "{}", of_ada.text);
    assert_eq!(group.keeper.get("/groups").await.status, 200, "the link");
    let page = group.keeper.get(&format!("/groups/{}", group.id)).await.text;
    assert!(page.contains(&format!("action=\"/groups/{}/people/2/undo-upgrade\"", group.id)), "{page}");

    let before = smtp.mails().await.len();
    for number in [2, 3] {
        group.keeper.post(&format!("{}/undo-upgrade", group.person(number)), json!({})).await.expect(200);
    }
    app.send_mails().await;
    let mails = smtp.mails().await.split_off(before);
    let subject = "Your account belongs to its group again (bids.example.org)";
    let undone = mails.iter().filter(|mail| mail.headers["subject"] == subject).collect::<Vec<_>>();
    let [mail] = undone[..] else { panic!("one mail: {mails:?}") };
    assert!(mail.to.contains("ada@example.org"), "{}: nobody confirmed the other address", mail.to);
    for words in
        ["The keeper of the group took back the account", "ask the keeper", "http://bids.example.org"]
    {
        assert!(mail.text.contains(words), "{}", mail.text);
    }
    assert!(mail.defects.is_empty(), "{:?}", mail.defects);
}

fn to<'m>(mails: &'m [Mail], address: &str) -> Vec<&'m Mail> {
    mails.iter().filter(|mail| mail.to.contains(address)).collect()
}
