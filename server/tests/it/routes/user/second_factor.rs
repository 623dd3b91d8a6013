//! The second factor: codes of an app, and recovery codes.

use installation::config::Switch;
use serde_json::{Value, json};
use totp_rs::{Builder, Secret};

use crate::harness::{Answer, Client, PASSWORD, TestApp};
use crate::routes::auth::reset_password::link_for;
use crate::routes::system::settings::claim;

const PATH: &str = "/api/user/second-factor";
const CONFIRM: &str = "/api/user/second-factor/confirm";
const RENEW: &str = "/api/user/second-factor/recovery-codes";
const LOGIN: &str = "/api/auth/login";
const STEP_SECONDS: i64 = 30;

/// The app of a user.
pub struct App(String);

impl App {
    /// Sets up the app with the secret of a user's account.
    pub async fn begin(user: &Client) -> Self {
        let setup = user.post(PATH, json!({ "password": PASSWORD })).await.expect(201);
        let secret = setup["secret"].as_str().unwrap().to_owned();
        assert!(setup["uri"].as_str().unwrap().contains(&format!("secret={secret}")), "{setup}");
        Self(secret)
    }

    /// Turns the second factor of the user on. Returns the recovery codes as well.
    pub async fn turn_on(app: &TestApp, user: &Client) -> (Self, Vec<String>) {
        let phone = Self::begin(user).await;
        let answer = user.post(CONFIRM, json!({ "code": phone.code(app) })).await.expect(200);
        app.clock.advance_seconds(STEP_SECONDS);
        (phone, recovery_codes(&answer))
    }

    /// Sets up the app with a secret.
    pub fn of(secret: &str) -> Self {
        Self(secret.to_owned())
    }

    /// The code of the present time step.
    pub fn code(&self, app: &TestApp) -> String {
        let secret = Secret::try_from_base32(&self.0).unwrap();
        let totp = Builder::new().with_secret(secret).build().unwrap();
        totp.generate(u64::try_from(platform::time::Clock::now(&*app.clock).millis() / 1000).unwrap())
            .to_string()
    }
}

fn recovery_codes(answer: &Value) -> Vec<String> {
    let codes = answer["recoveryCodes"].as_array().unwrap();
    codes.iter().map(|code| code.as_str().unwrap().to_owned()).collect()
}

async fn sign_in(client: &Client, code: Option<&str>) -> Answer {
    let mut body = json!({ "email": "ada@example.org", "password": PASSWORD });
    if let Some(code) = code {
        body["code"] = code.into();
    }
    client.post(LOGIN, body).await
}

async fn has_second_factor(client: &Client) -> Value {
    client.get("/api/user").await.expect(200)["user"]["secondFactor"].clone()
}

#[tokio::test]
async fn the_first_code_turns_it_on_and_ends_every_other_session() {
    let app = TestApp::start().await;
    let (here, there) = (app.user("ada").await, app.anonymous());
    sign_in(&there, None).await.expect(200);
    here.post(CONFIRM, json!({ "code": "123456" })).await.expect_problem(409, "SECOND_FACTOR_OFF");
    here.post(PATH, json!({ "password": "wrong horse" })).await.expect_problem(403, "WRONG_PASSWORD");
    let replaced = App::begin(&here).await;
    let phone = App::begin(&here).await;
    for code in [replaced.code(&app), String::new(), "abcd-efgh-ijkl-mnop".to_owned()] {
        here.post(CONFIRM, json!({ "code": code })).await.expect_problem(403, "WRONG_CODE");
    }
    assert_eq!(has_second_factor(&here).await, false);
    sign_in(&there, None).await.expect(200);

    let codes = here.post(CONFIRM, json!({ "code": phone.code(&app) })).await.expect(200);
    assert_eq!(recovery_codes(&codes).len(), 10);
    assert_eq!(has_second_factor(&here).await, true);
    there.get("/api/user").await.expect_problem(401, "UNAUTHENTICATED");
    here.post(CONFIRM, json!({ "code": phone.code(&app) })).await.expect_problem(409, "SECOND_FACTOR_ON");
    here.post(PATH, json!({ "password": PASSWORD })).await.expect_problem(409, "SECOND_FACTOR_ON");
}

#[tokio::test]
async fn a_sign_in_takes_a_code_that_works_once() {
    let app = TestApp::start().await;
    let (phone, _) = App::turn_on(&app, &app.user("ada").await).await;
    let client = app.anonymous();
    let wrong = json!({ "email": "ada@example.org", "password": "wrong horse", "code": phone.code(&app) });
    client.post(LOGIN, wrong).await.expect_problem(401, "INVALID_CREDENTIALS");
    sign_in(&client, None).await.expect_problem(401, "SECOND_FACTOR_REQUIRED");
    for code in ["", "12345", "abcd-efgh-ijkl-mnop"] {
        sign_in(&client, Some(code)).await.expect_problem(401, "INVALID_CODE");
    }
    client.get("/api/user").await.expect_problem(401, "UNAUTHENTICATED");

    let code = phone.code(&app);
    sign_in(&client, Some(&code)).await.expect(200);
    client.get("/api/user").await.expect(200);
    sign_in(&app.anonymous(), Some(&code)).await.expect_problem(401, "INVALID_CODE");
    app.clock.advance_seconds(STEP_SECONDS);
    sign_in(&app.anonymous(), Some(&code)).await.expect_problem(401, "INVALID_CODE");
    sign_in(&app.anonymous(), Some(&phone.code(&app))).await.expect(200);
}

#[tokio::test]
async fn of_two_concurrent_sign_ins_with_one_code_one_succeeds() {
    let app = TestApp::start().await;
    let (phone, _) = App::turn_on(&app, &app.user("ada").await).await;
    let code = phone.code(&app);
    let (one, other) = (app.anonymous(), app.anonymous());
    let (one, other) = tokio::join!(sign_in(&one, Some(&code)), sign_in(&other, Some(&code)));
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 401]);
}

#[tokio::test]
async fn a_recovery_code_works_once() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let (_, codes) = App::turn_on(&app, &ada).await;
    let typed = codes[3].to_ascii_uppercase().replace('-', " ");
    sign_in(&app.anonymous(), Some(&typed)).await.expect(200);
    sign_in(&app.anonymous(), Some(&codes[3])).await.expect_problem(401, "INVALID_CODE");
    sign_in(&app.anonymous(), Some(&codes[4])).await.expect(200);

    let proof = |password: &str, code: &str| json!({ "password": password, "code": code });
    ada.post(RENEW, proof("wrong horse", &codes[6])).await.expect_problem(403, "WRONG_PASSWORD");
    ada.post(RENEW, proof(PASSWORD, "000000")).await.expect_problem(403, "WRONG_CODE");
    ada.post(RENEW, proof(PASSWORD, &codes[4])).await.expect_problem(403, "WRONG_CODE");
    ada.post(RENEW, json!({ "password": PASSWORD })).await.expect_problem(422, "INVALID_BODY");
    let renewed = recovery_codes(&ada.post(RENEW, proof(PASSWORD, &codes[6])).await.expect(200));
    assert_eq!(renewed.len(), 10);
    sign_in(&app.anonymous(), Some(&codes[5])).await.expect_problem(401, "INVALID_CODE");
    sign_in(&app.anonymous(), Some(&renewed[0])).await.expect(200);
}

#[tokio::test]
async fn it_is_turned_off_with_password_and_code() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let off = |password: &str, code: &str| json!({ "password": password, "code": code });
    ada.send("DELETE", PATH, off(PASSWORD, "123456")).await.expect_problem(409, "SECOND_FACTOR_OFF");
    ada.post(RENEW, off(PASSWORD, "123456")).await.expect_problem(409, "SECOND_FACTOR_OFF");
    let (phone, codes) = App::turn_on(&app, &ada).await;
    let there = app.anonymous();
    sign_in(&there, Some(&codes[0])).await.expect(200);
    let code = phone.code(&app);
    ada.send("DELETE", PATH, off("wrong horse", &code)).await.expect_problem(403, "WRONG_PASSWORD");
    ada.send("DELETE", PATH, off(PASSWORD, &codes[0])).await.expect_problem(403, "WRONG_CODE");
    assert_eq!(has_second_factor(&ada).await, true);
    ada.send("DELETE", PATH, off(PASSWORD, &code)).await.expect(204);
    assert_eq!(has_second_factor(&ada).await, false);
    there.get("/api/user").await.expect_problem(401, "UNAUTHENTICATED");
    sign_in(&there, None).await.expect(200);
    // What was left of the first one is gone.
    App::turn_on(&app, &ada).await;
    sign_in(&there, Some(&codes[1])).await.expect_problem(401, "INVALID_CODE");
}

#[tokio::test]
async fn a_new_password_does_not_end_it() {
    let app = TestApp::start().await;
    let (admin, ada) = (app.user("grace").await, app.user("ada").await);
    claim(&admin, "grace@example.org").await;
    let (phone, _) = App::turn_on(&app, &ada).await;
    let new = json!({ "token": link_for(&admin, &ada).await, "password": "another horse entirely" });
    let client = app.anonymous();
    client.post("/api/auth/reset-password", new).await.expect(204);
    let mut login = json!({ "email": "ada@example.org", "password": "another horse entirely" });
    client.post(LOGIN, login.clone()).await.expect_problem(401, "SECOND_FACTOR_REQUIRED");
    login["code"] = phone.code(&app).into();
    client.post(LOGIN, login).await.expect(200);
}

#[tokio::test]
async fn wrong_codes_are_few_from_anywhere_and_refuse_neither_a_known_browser_nor_a_recovery_code() {
    let app = TestApp::start_with(|settings| {
        settings.rate_limits = Switch::On;
        settings.trusted_proxies = "127.0.0.1".parse().unwrap();
    })
    .await;
    let known = app.user("ada").await;
    let (phone, codes) = App::turn_on(&app, &known).await;
    let sign_in_from = |address: String, code: String| {
        let body = json!({ "email": "ada@example.org", "password": PASSWORD, "code": code });
        let request = app.anonymous().request("POST", LOGIN).header("x-forwarded-for", address).json(&body);
        Answer::of(request)
    };
    for n in 0..10 {
        let answer = sign_in_from(format!("203.0.113.{n}"), "000000".to_owned()).await;
        answer.expect_problem(401, "INVALID_CODE");
    }
    let refused = sign_in_from("198.51.100.7".to_owned(), phone.code(&app)).await;
    refused.expect_problem(429, "TOO_MANY_REQUESTS");
    assert_eq!(refused.header("retry-after"), "600");
    sign_in_from("198.51.100.7".to_owned(), codes[0].clone()).await.expect(200);
    sign_in(&known, Some(&phone.code(&app))).await.expect(200);
    app.clock.advance_seconds(600);
    sign_in_from("198.51.100.7".to_owned(), phone.code(&app)).await.expect(200);
}
