//! The mails about changes of the second factor.

use serde_json::json;

use super::sends_through;
use crate::harness::{PASSWORD, SmtpServer, TestApp};
use crate::routes::user::second_factor::App;

#[tokio::test]
async fn a_user_is_told_of_each_change_of_the_second_factor_at_an_address_that_is_confirmed() {
    let smtp = SmtpServer::start().await;
    let app = TestApp::start_with(sends_through(&smtp.url())).await;
    let ada = app.user("ada").await;
    app.confirm_emails().await;
    let bob = app.user("bob").await;
    app.send_mails().await;
    let before = smtp.mails().await.len();
    let path = "/api/user/second-factor";
    for user in [&ada, &bob] {
        let (_, codes) = App::turn_on(&app, user).await;
        let renew = json!({ "password": PASSWORD, "code": codes[0] });
        let renewed = user.post(&format!("{path}/recovery-codes"), renew).await.expect(200);
        let off = json!({ "password": PASSWORD, "code": renewed["recoveryCodes"][0] });
        user.send("DELETE", path, off).await.expect(204);
    }
    app.send_mails().await;
    let mails = smtp.mails().await;
    let mut subjects: Vec<_> = mails[before..]
        .iter()
        .filter(|mail| mail.headers["to"].contains("ada@"))
        .map(|mail| mail.headers["subject"].as_str())
        .collect();
    subjects.sort_unstable();
    assert_eq!(
        subjects,
        [
            "You have new recovery codes (bids.example.org)",
            "Your second factor was turned off (bids.example.org)",
            "Your second factor was turned on (bids.example.org)",
        ]
    );
    let is_of_bob = |headers: &str| headers.contains("bob@");
    assert!(!mails[before..].iter().any(|mail| is_of_bob(&mail.headers["to"])), "nobody confirmed it");
}
