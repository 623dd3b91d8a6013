//! The page of the members, and the pages of links and invites, without JavaScript.

use installation::config::RegistrationPolicy;
use serde_json::json;

use crate::harness::{Answer, Client, PASSWORD, TestApp};
use crate::routes::auctions::{auction, invite, join, remove, user_id};

fn location(answer: &Answer) -> (u16, &str) {
    (answer.status.as_u16(), answer.header("location"))
}

/// The path of the page of an auction.
fn page_of(path: &str) -> String {
    path.replace("/api", "")
}

async fn link(owner: &Client, path: &str) -> String {
    let token = owner.get(path).await.expect(200)["inviteToken"].clone();
    format!("/join/{}", token.as_str().unwrap())
}

#[tokio::test]
async fn a_link_leads_through_registration_into_the_auction() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.user("ada").await, app.anonymous());
    let path = auction(&ada, json!({"joinMode": "LINK", "description": "Old brass"})).await;
    let link = link(&ada, &path).await;
    let shown = bob.get(&link).await;
    assert_eq!(shown.status, 200);
    for text in ["Spring sale", "ada invites you", "Old brass", &format!("/register?next={link}")] {
        assert!(shown.text.contains(text), "{text}: {}", shown.text);
    }
    assert_eq!(bob.post_form(&link, &[]).await.status, 401);
    let fields =
        [("name", "Bob"), ("email", "bob@example.org"), ("password", PASSWORD), ("next", link.as_str())];
    assert_eq!(location(&bob.post_form("/register", &fields).await), (303, link.as_str()));
    assert!(bob.get(&link).await.text.contains("Join this auction"));
    bob.get(&path).await.expect_problem(404, "NOT_FOUND");
    assert_eq!(location(&bob.post_form(&link, &[]).await), (303, page_of(&path).as_str()));
    assert_eq!(bob.get(&path).await.expect(200)["myRole"], "BIDDER");
    assert!(bob.get(&link).await.text.contains("You are a member of this auction already."));

    remove(&ada, &path, &bob).await;
    assert!(bob.get(&link).await.text.contains("You were removed from this auction"));
    let refused = bob.post_form(&link, &[]).await;
    assert!(refused.status == 403 && refused.text.contains("You were removed"), "{}", refused.text);
    ada.post(&format!("{path}/invite-token"), json!({})).await.expect(200);
    let old = bob.get(&link).await;
    assert!(old.status == 410 && old.text.contains("This link no longer works"), "{}", old.text);
}

#[tokio::test]
async fn an_invite_fills_in_the_e_mail_and_is_for_its_user_alone() {
    let app = TestApp::start().await;
    let (ada, eve, bob) = (app.user("ada").await, app.user("eve").await, app.anonymous());
    let path = auction(&ada, json!({})).await;
    let sent = invite(&ada, &path, "bob@example.org", "CREATOR").await;
    let page = format!("/invites/{}", sent["token"].as_str().unwrap());
    let shown = bob.get(&page).await;
    assert!(shown.text.contains("as a seller") && shown.text.contains("bob@example.org"), "{}", shown.text);
    let register = bob.get(&format!("/register?next={page}")).await;
    assert!(register.text.contains("value=\"bob@example.org\""), "{}", register.text);
    assert!(eve.get(&page).await.text.contains("This invitation is for"));
    let refused = eve.post_form(&page, &[]).await;
    assert!(refused.status == 403 && refused.text.contains("another e-mail"), "{}", refused.text);

    let bob = app.user("bob").await;
    assert_eq!(location(&bob.post_form(&page, &[]).await), (303, page_of(&path).as_str()));
    assert_eq!(bob.get(&page).await.status, 410);
}

#[tokio::test]
async fn managers_invite_change_roles_and_remove_members() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    let path = auction(&ada, json!({"joinMode": "FREE"})).await;
    join(&bob, &path).await;
    ada.patch(&path, json!({"joinMode": "LINK"})).await.expect(200);
    let members = format!("{}/members", page_of(&path));
    let page = ada.get(&members).await.text;
    let address = format!("http://{}{}", app.address, link(&ada, &path).await);
    for text in
        [&address, "QR code of the link to join", "Make a new link", "Change bob", "Transfer the auction"]
    {
        assert!(page.contains(text), "{text}: {page}");
    }
    assert!(page.contains("Choose one</option>"), "nobody is chosen: {page}");
    let page = bob.get(&members).await.text;
    assert!(page.contains("Leave the auction") && page.contains("(you)"), "{page}");
    for text in [address.as_str(), "Change ada", "Invitations", "Transfer the auction"] {
        assert!(!page.contains(text), "{text}: {page}");
    }

    let post = async |part: &str, fields: &[(&str, &str)]| {
        let answer = ada.post_form(&format!("{members}/{part}"), fields).await;
        (answer.status.as_u16(), answer.header("location").replace(&members, ""), answer.text)
    };
    let done = |word: &str| (303, format!("?done={word}"), String::new());
    let (status, _, refused) = post("invites", &[("email", "cleo"), ("role", "ADMIN")]).await;
    assert!(status == 422 && refused.contains("value=\"cleo\""), "{refused}");
    assert!(refused.contains("value=\"ADMIN\" selected"), "{refused}");
    assert_eq!(post("invites", &[("email", "cleo@example.org"), ("role", "ADMIN")]).await, done("invited"));
    let invites = ada.get(&format!("{path}/invites")).await.expect(200);
    let sent = &invites["invites"][0];
    assert!(ada.get(&members).await.text.contains(sent["url"].as_str().unwrap()));
    let delete = format!("invites/{}/delete", sent["id"].as_str().unwrap());
    assert_eq!(post(&delete, &[]).await, done("deleted"));
    assert_eq!(post("link", &[]).await, done("link"));
    assert!(!ada.get(&members).await.text.contains(&address));

    let bobs = user_id(&bob).await;
    assert_eq!(post(&format!("{bobs}/role"), &[("role", "CREATOR")]).await, done("role"));
    assert_eq!(bob.get(&path).await.expect(200)["myRole"], "CREATOR");
    assert_eq!(post("transfer", &[]).await.0, 422);
    let (status, _, refused) = post("transfer", &[("userId", "")]).await;
    assert!(status == 422 && refused.contains("Choose a member of the auction."), "{refused}");
    assert_eq!(post("transfer", &[("userId", &bobs)]).await, done("transferred"));
    assert_eq!(bob.get(&path).await.expect(200)["myRole"], "OWNER");
    let leave = format!("{members}/{}/remove", user_id(&ada).await);
    assert_eq!(location(&ada.post_form(&leave, &[]).await), (303, "/auctions"));
}

#[tokio::test]
async fn a_new_auction_says_how_people_get_in() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let form = ada.get("/auctions/new/settings").await.text;
    let option = form.split("<input").find(|input| input.contains("value=\"LINK\"")).unwrap();
    assert!(option.contains("checked"), "{option}");
    let made = ada.post_form("/auctions/new/settings", &[("name", "Fair"), ("joinMode", "LINK")]).await;
    let page = ada.get(made.header("location")).await.text;
    let path = format!("/api{}", made.header("location"));
    assert!(page.contains("Next steps") && page.contains(&link(&ada, &path).await), "{page}");
}

#[tokio::test]
async fn the_page_to_register_says_who_may() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({"joinMode": "LINK"})).await;
    let link = link(&ada, &path).await;
    let app = app.restart_with(|settings| settings.registration = RegistrationPolicy::Invited).await;
    let page = app.anonymous().get("/register").await.text;
    assert!(page.contains("Registration is by invitation"), "{page}");
    let page = app.anonymous().get(&format!("/register?next={link}")).await.text;
    assert!(!page.contains("Registration is by invitation"), "{page}");
    let fields = [("name", "Bob"), ("email", "bob@example.org"), ("password", PASSWORD)];
    let refused = app.anonymous().post_form("/register", &fields).await;
    assert!(refused.status == 403 && refused.text.contains("Registration is by invitation"));
    let [name, email, password] = fields;
    let admitted = app.anonymous().post_form("/register", &[name, email, password, ("next", &link)]).await;
    assert_eq!(location(&admitted), (303, link.as_str()));

    let app = app.restart_with(|settings| settings.registration = RegistrationPolicy::Closed).await;
    let page = app.anonymous().get("/register").await.text;
    assert!(page.contains("Registration is closed") && !page.contains("name=\"password\""), "{page}");
    let page = app.anonymous().get(&link).await.text;
    assert!(page.contains("/sign-in?next=/join/") && !page.contains("button primary"), "{page}");
}
