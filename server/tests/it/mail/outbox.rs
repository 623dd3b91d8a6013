//! Each mail is sent once, whatever happens.

use std::time::Duration;

use platform::mail::SendTimeouts;
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
    assert_eq!(duel.smtp.mails().await[0].to, "ada@example.org");
    assert_eq!(duel.after(3600).await, 1);
}

#[tokio::test]
async fn a_user_who_leads_again_gets_no_mail() {
    let duel = Duel::open().await;
    duel.bid(&duel.ada, 1).await;
    duel.bid(&duel.bob, 2).await;
    duel.bid(&duel.ada, 3).await;
    assert_eq!(duel.after(61).await, 1, "to Bob");
    assert_eq!(duel.smtp.mails().await[0].to, "bob@example.org");
}

#[tokio::test]
async fn a_refused_mail_is_dropped_and_a_deferred_one_is_sent_later() {
    let duel = Duel::open().await;
    duel.bid(&duel.ada, 1).await;
    duel.bid(&duel.bob, 2).await;
    duel.smtp.will(Smtp::Refuses).await;
    duel.after(61).await;
    duel.smtp.will(Smtp::Accepts).await;
    assert_eq!(duel.after(24 * 3600).await, 0, "the mailbox does not exist");

    duel.bid(&duel.ada, 3).await;
    duel.smtp.will(Smtp::Defers).await;
    duel.after(61).await;
    duel.smtp.will(Smtp::Closes).await;
    duel.after(31).await;
    duel.smtp.will(Smtp::Accepts).await;
    assert_eq!(duel.after(30).await, 0, "the second retry waits for a minute");
    assert_eq!(duel.after(31).await, 1);
    assert_eq!(duel.after(24 * 3600).await, 1);
}

#[tokio::test]
async fn retries_end_after_a_day() {
    let duel = Duel::open().await;
    duel.bid(&duel.ada, 1).await;
    duel.bid(&duel.bob, 2).await;
    duel.smtp.will(Smtp::Closes).await;
    for _ in 0..40 {
        duel.after(3600).await;
    }
    duel.smtp.will(Smtp::Accepts).await;
    assert_eq!(duel.after(3600).await, 0);
}

/// The server dies after the mail server has accepted the mail, before that is recorded.
#[tokio::test]
async fn a_mail_is_sent_at_most_twice_if_the_server_dies_before_it_is_recorded() {
    let duel = Duel::open().await;
    duel.bid(&duel.ada, 1).await;
    duel.bid(&duel.bob, 2).await;
    duel.sale.app.clock.advance_seconds(61);
    duel.smtp.will(Smtp::HangsAfterMessage).await;
    for attempt in 1..=2 {
        let job = duel.sale.app.state.mail_job().unwrap();
        let sending = tokio::spawn(async move { job.round(&CancellationToken::new()).await });
        duel.smtp.takes(attempt).await;
        sending.abort();
        assert!(sending.await.unwrap_err().is_cancelled());
        assert_eq!(duel.after(100).await, attempt, "the claim still holds");
        duel.sale.app.clock.advance_seconds(60);
    }
    duel.smtp.will(Smtp::Accepts).await;
    assert_eq!(duel.after(24 * 3600).await, 2, "no third attempt");
}

#[tokio::test]
async fn a_mail_server_that_dies_before_its_answer_gets_a_mail_twice_at_most() {
    let duel = Duel::open().await;
    duel.bid(&duel.ada, 1).await;
    duel.bid(&duel.bob, 2).await;
    duel.smtp.will(Smtp::DiesAfterMessage).await;
    assert_eq!(duel.after(61).await, 1);
    for _ in 0..10 {
        duel.after(3600).await;
    }
    assert_eq!(duel.smtp.mails().await.len(), 2);
}

#[tokio::test]
async fn a_mail_server_that_hangs_is_tried_again() {
    let duel = Duel::open().await;
    duel.bid(&duel.ada, 1).await;
    duel.bid(&duel.bob, 2).await;
    let round_with = async |timeouts| {
        let mut job = duel.sale.app.state.mail_job().unwrap();
        job.mailer = job.mailer.with_timeouts(timeouts);
        job.round(&CancellationToken::new()).await.unwrap();
    };
    duel.sale.app.clock.advance_seconds(61);
    duel.smtp.will(Smtp::Hangs).await;
    round_with(SendTimeouts { begin: Duration::from_millis(300), ..SendTimeouts::default() }).await;
    duel.sale.app.clock.advance_seconds(31);
    duel.smtp.will(Smtp::HangsAfterMessage).await;
    round_with(SendTimeouts { message: Duration::from_secs(1), ..SendTimeouts::default() }).await;
    assert_eq!(duel.smtp.mails().await.len(), 1, "it may be sent");
    duel.smtp.will(Smtp::Accepts).await;
    assert_eq!(duel.after(61).await, 2);
    assert_eq!(duel.after(24 * 3600).await, 2);
}

/// The real job, which stops with its server.
#[tokio::test]
async fn the_job_sends_by_itself_and_stops() {
    let smtp = SmtpServer::start().await;
    let app = TestApp::start_with(sends_through(&smtp.url())).await;
    let ada = app.user("ada").await;
    app.confirm_emails().await;
    let job = app.state.mail_job().unwrap();
    let stopping = CancellationToken::new();
    let running = tokio::spawn(job.run(stopping.clone()));
    ada.post("/api/auth/forgot-password", json!({"email": "ADA@example.org"})).await.expect(204);
    smtp.takes(1).await;
    stopping.cancel();
    tokio::time::timeout(Duration::from_secs(5), running).await.expect("it stops").unwrap();
}
