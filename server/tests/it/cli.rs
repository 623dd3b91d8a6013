//! Commands of the binary that end by themselves.

use std::path::Path;
use std::process::{Command, Output};

use crate::harness::{Client, PASSWORD, database};
use crate::process::Process;

/// Runs `farthing` in `folder` with nothing in its environment.
fn farthing(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_farthing")).args(args).current_dir(folder).env_clear().output().unwrap()
}

/// The error that a failing command prints, in one line.
#[track_caller]
fn error_message(output: &Output) -> String {
    let message = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert_eq!(message.lines().count(), 1, "{message}");
    assert!(message.starts_with("farthing: "), "{message}");
    message
}

#[test]
fn an_unknown_key_of_the_file_is_named() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("farthing.toml"), "listen = \"127.0.0.1:0\"\nlissen = \"x\"\n")
        .unwrap();
    let message = error_message(&farthing(folder.path(), &["migrate"]));
    assert!(message.contains("`farthing.toml`, line 2") && message.contains("`lissen`"), "{message}");
}

#[test]
fn help_lists_every_setting_with_its_variable() {
    let folder = tempfile::tempdir().unwrap();
    for args in [["help"], ["--help"]] {
        let output = farthing(folder.path(), &args);
        let help = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success());
        for (flag, variable) in [
            ("--listen", "FARTHING_LISTEN"),
            ("--database-url", "DATABASE_URL"),
            ("--data-dir", "FARTHING_DATA_DIR"),
            ("--install-dir", "FARTHING_INSTALL_DIR"),
            ("--public-url", "FARTHING_PUBLIC_URL"),
            ("--releases-url", "FARTHING_RELEASES_URL"),
            ("--rate-limits", "FARTHING_RATE_LIMITS"),
            ("--trusted-proxies", "FARTHING_TRUSTED_PROXIES"),
            ("--log-format", "FARTHING_LOG_FORMAT"),
        ] {
            assert!(help.contains(flag) && help.contains(variable), "{flag}: {help}");
        }
    }
}

#[test]
fn migrate_creates_the_file_and_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    for _ in 0..2 {
        assert!(farthing(folder.path(), &["migrate"]).status.success());
    }
    assert!(folder.path().join("data/farthing.db").is_file());
}

#[test]
fn a_folder_that_cannot_be_created_is_named() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("file"), "").unwrap();
    let output = farthing(folder.path(), &["--data-dir", "file/data"]);
    assert!(error_message(&output).contains("`file/data`"));
    let output = farthing(folder.path(), &["--database-url", "sqlite://file/x.db"]);
    assert!(error_message(&output).contains("`file/x.db`"));
    let output = farthing(folder.path(), &["--database-url", "mysql://x"]);
    assert!(error_message(&output).contains("`mysql://x`"));
}

#[tokio::test]
async fn the_admin_can_be_shown_and_set_while_a_server_runs() {
    let folder = tempfile::tempdir().unwrap();
    let url = database::fresh(folder.path()).await;
    let process = Process::start(&url, folder.path()).await;
    let ada = Client::new(process.url.strip_prefix("http://").unwrap().parse().unwrap());
    let body = serde_json::json!({ "email": "Ada@example.org", "password": PASSWORD, "name": "Ada" });
    ada.post("/api/auth/register", body).await.expect(201);
    let run = |args: &[&str]| {
        let output = farthing(folder.path(), &[&["--database-url", &url, "admin"], args].concat());
        (String::from_utf8(output.stdout.clone()).unwrap(), output)
    };
    assert_eq!(run(&["show"]).0, "Nobody is the Deployment Admin yet.\n");
    assert!(error_message(&run(&["set", "bob@example.org"]).1).contains("`bob@example.org`"));
    assert!(error_message(&run(&["set", "bob"]).1).contains("`bob` is not a valid e-mail"));
    for _ in 0..2 {
        let (message, output) = run(&["set", "ada@EXAMPLE.org"]);
        assert!(output.status.success());
        assert_eq!(message, "Ada@example.org is the Deployment Admin now.\n");
    }
    let settings = ada.get("/api/system/settings").await.expect(200);
    assert_eq!(settings["deploymentAdminEmail"], "Ada@example.org");
    drop(process);
    assert_eq!(run(&["show"]).0, "Ada@example.org\n");
}
