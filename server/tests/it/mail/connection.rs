//! A mail server that the installation must not trust.

use serde_json::json;

use super::sends_through;
use crate::harness::{SmtpServer, TestApp, certificate};

/// A certificate that the system does not trust may be an attacker's: the password and the mail stay here.
#[tokio::test]
async fn a_mail_server_with_an_untrusted_certificate_learns_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let certificate = certificate(folder.path());
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
