//! Mail servers that the installation must not trust, and one on its own machine.

use serde_json::json;

use super::sends_through;
use crate::harness::{SmtpServer, TestApp, certificate};

/// A certificate that the system does not trust may be an attacker's: the password and the mail stay here.
#[tokio::test]
async fn a_mail_server_with_an_untrusted_certificate_learns_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let certificate = certificate(folder.path(), "127.0.0.1");
    for (tls, scheme) in [("starttls", "smtp"), ("implicit", "smtps")] {
        let certificate = certificate.to_str().unwrap();
        let smtp =
            SmtpServer::start_with(&["--tls", tls, "--certificate", certificate, "--user", "ada:secret"])
                .await;
        let app = TestApp::start_with(sends_through(&smtp.url_of(scheme, "ada:secret"))).await;
        let ada = app.user("ada").await;
        app.confirm_emails().await;
        ada.post("/api/auth/forgot-password", json!({"email": "ada@example.org"})).await.expect(204);
        app.send_mails().await;
        assert!(smtp.mails().await.is_empty());
        assert!(smtp.sign_ins().await.is_empty());
    }
}

/// A mail server as Debian installs it has a certificate of the machine's name that nobody has signed.
#[tokio::test]
async fn a_mail_server_of_this_machine_needs_no_trusted_certificate_without_a_password() {
    let folder = tempfile::tempdir().unwrap();
    let certificate = certificate(folder.path(), "mail.example.org");
    let certificate = certificate.to_str().unwrap();
    for (end, is_encrypted) in [("", true), ("?tls=off", false)] {
        let smtp = SmtpServer::start_with(&["--tls", "offered", "--certificate", certificate]).await;
        let app = TestApp::start_with(sends_through(&format!("{}{end}", smtp.url()))).await;
        let _ada = app.user("ada").await;
        app.confirm_emails().await;
        let forgot = json!({"email": "ada@example.org"});
        app.anonymous().post("/api/auth/forgot-password", forgot).await.expect(204);
        app.send_mails().await;
        let mails = smtp.mails().await;
        assert_eq!(mails.iter().map(|mail| mail.is_encrypted).collect::<Vec<_>>(), [is_encrypted], "{end}");
    }
}
