//! Each mail is sent once, whatever happens.

use std::time::Duration;

use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::{Duel, sends_through};
use crate::harness::{Smtp, SmtpServer, TestApp};

#[tokio::test]
async fn a_duel_produces_one_mail_after_a_minute() {
    let duel = Duel::open().await;
    duel.bid(&duel.ada, 1).await;
    duel.bid(&duel.bob, 2).await;
    duel.sale.app.clock.advance_seconds(30);
    duel.bid(&duel.ada, 3).await;
    duel.bid(&duel.bob, 4).await;
    assert_eq!(duel.after(59).await, 0, "it waits for a minute");
    assert_eq!(duel.after(1).await, 1);
    assert_eq!(duel.smtp.mails()[0].to, "ada@example.org");
    assert_eq!(duel.after(3600).await, 1);
}

#[tokio::test]
async fn a_user_who_leads_again_gets_no_mail() {
    let duel = Duel::open().await;
    duel.bid(&duel.ada, 1).await;
    duel.bid(&duel.bob, 2).await;
    duel.bid(&duel.ada, 3).await;
    assert_eq!(duel.after(61).await, 1, "to Bob");
    assert_eq!(duel.smtp.mails()[0].to, "bob@example.org");
}

#[tokio::test]
async fn a_refused_mail_is_dropped_and_a_deferred_one_is_sent_later() {
    let duel = Duel::open().await;
    duel.bid(&duel.ada, 1).await;
    duel.bid(&duel.bob, 2).await;
    duel.smtp.will(Smtp::Refuses);
    duel.after(61).await;
    duel.smtp.will(Smtp::Accepts);
    assert_eq!(duel.after(24 * 3600).await, 0, "the mailbox does not exist");

    duel.bid(&duel.ada, 3).await;
    duel.smtp.will(Smtp::Defers);
    duel.after(61).await;
    duel.smtp.will(Smtp::Closes);
    duel.after(31).await;
    duel.smtp.will(Smtp::Accepts);
    assert_eq!(duel.after(30).await, 0, "the second retry waits for a minute");
    assert_eq!(duel.after(31).await, 1);
    assert_eq!(duel.after(24 * 3600).await, 1);
}

#[tokio::test]
async fn retries_end_after_a_day() {
    let duel = Duel::open().await;
    duel.bid(&duel.ada, 1).await;
    duel.bid(&duel.bob, 2).await;
    duel.smtp.will(Smtp::Closes);
    for _ in 0..40 {
        duel.after(3600).await;
    }
    duel.smtp.will(Smtp::Accepts);
    assert_eq!(duel.after(3600).await, 0);
}

/// The server dies after the mail server has accepted the mail, before that is recorded.
#[tokio::test]
async fn a_mail_is_sent_at_most_twice_if_the_server_dies_before_it_is_recorded() {
    let duel = Duel::open().await;
    duel.bid(&duel.ada, 1).await;
    duel.bid(&duel.bob, 2).await;
    duel.sale.app.clock.advance_seconds(61);
    duel.smtp.will(Smtp::HangsAfterMessage);
    for attempt in 1..=2 {
        let job = duel.sale.app.state.mail_job().unwrap();
        let sending = tokio::spawn(async move { job.round(&CancellationToken::new()).await });
        duel.smtp.takes(attempt).await;
        sending.abort();
        assert!(sending.await.unwrap_err().is_cancelled());
        assert_eq!(duel.after(100).await, attempt, "the claim still holds");
        duel.sale.app.clock.advance_seconds(60);
    }
    duel.smtp.will(Smtp::Accepts);
    assert_eq!(duel.after(24 * 3600).await, 2, "no third attempt");
}

#[tokio::test]
async fn a_mail_server_that_dies_before_its_answer_gets_a_mail_twice_at_most() {
    let duel = Duel::open().await;
    duel.bid(&duel.ada, 1).await;
    duel.bid(&duel.bob, 2).await;
    duel.smtp.will(Smtp::DiesAfterMessage);
    assert_eq!(duel.after(61).await, 1);
    for _ in 0..10 {
        duel.after(3600).await;
    }
    assert_eq!(duel.smtp.mails().len(), 2);
}

#[tokio::test]
async fn two_servers_send_each_mail_once() {
    let smtp = SmtpServer::start().await;
    let app = TestApp::start_on_postgres_with(sends_through(&smtp)).await;
    let other = app.another().await;
    for n in 0..12 {
        let user = app.user(&format!("user{n}")).await;
        let body = json!({ "email": format!("user{n}@example.org") });
        user.post("/api/auth/forgot-password", body).await.expect(204);
    }
    let rounds = [&app, &other, &app, &other].map(|app| {
        let job = app.state.mail_job().unwrap();
        tokio::spawn(async move { job.round(&CancellationToken::new()).await })
    });
    for round in rounds {
        let _ = round.await.unwrap();
    }
    // A conflict between the servers ends a round.
    app.send_mails().await;
    let mut to: Vec<_> = smtp.mails().into_iter().map(|mail| mail.to).collect();
    to.sort();
    let mut expected: Vec<_> = (0..12).map(|n| format!("user{n}@example.org")).collect();
    expected.sort();
    assert_eq!(to, expected);
}

/// The real job, which stops with its server.
#[tokio::test]
async fn the_job_sends_by_itself_and_stops() {
    let smtp = SmtpServer::start().await;
    let app = TestApp::start_with(sends_through(&smtp)).await;
    let ada = app.user("ada").await;
    let job = app.state.mail_job().unwrap();
    let stopping = CancellationToken::new();
    let running = tokio::spawn(job.run(stopping.clone()));
    ada.post("/api/auth/forgot-password", json!({"email": "ADA@example.org"})).await.expect(204);
    smtp.takes(1).await;
    stopping.cancel();
    tokio::time::timeout(Duration::from_secs(5), running).await.expect("it stops").unwrap();
}
