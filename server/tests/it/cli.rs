//! Commands of the binary that end by themselves.

use std::path::Path;
use std::process::{Command, Output};

use installation::config::SETTINGS;

use crate::harness::{Answer, Client, PASSWORD, database};
use crate::process::{Process, command, sqlite};

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
fn check_reports_every_error_and_creates_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let files = || std::fs::read_dir(folder.path()).unwrap().count();
    // As the supervisor calls it, with its own command line.
    let of_service = ["serve", "--listen", "127.0.0.1:0", "--check-settings"];
    for args in [&["check"][..], &of_service] {
        let output = farthing(folder.path(), args);
        assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(0), &b"ok\n"[..]), "{output:?}");
        assert_eq!(files(), 0);
    }
    let text =
        "publik-url = \"https://bids.example\"\nlisten = \"3000\"\ndatabase-url = \"mysql://u:s3cret@h/x\"\n";
    std::fs::write(folder.path().join("farthing.toml"), text).unwrap();
    std::fs::write(folder.path().join("update.toml"), "[steps]\nbiuld = []\n").unwrap();
    for args in [&["check"][..], &of_service] {
        let output = farthing(folder.path(), args);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), said.lines().count()), (Some(1), 4), "{said}");
        for words in ["`farthing.toml`, line 1", "`farthing.toml`, line 2", "`mysql://u@h/x`", "`biuld`"] {
            assert!(said.contains(words), "{words}: {said}");
        }
        assert!(
            said.lines().all(|line| line.starts_with("farthing: ")) && !said.contains("s3cret"),
            "{said}"
        );
        assert_eq!(files(), 2);
    }
}

#[test]
fn a_password_in_an_address_is_never_quoted() {
    let folder = tempfile::tempdir().unwrap();
    let address = "ftp://user:s3cret@mail.example.org/";
    for (flag, variable, words) in [
        ("--releases-url", "FARTHING_RELEASES_URL", "neither `git` nor `off`"),
        ("--smtp-url", "FARTHING_SMTP_URL", "must be an address such as"),
    ] {
        let mut by_variable = Command::new(env!("CARGO_BIN_EXE_farthing"));
        by_variable.arg("migrate").current_dir(folder.path()).env_clear().env(variable, address);
        for output in [
            farthing(folder.path(), &["migrate", flag, address]),
            farthing(folder.path(), &[flag, address]),
            by_variable.output().unwrap(),
        ] {
            let said = String::from_utf8(output.stderr).unwrap();
            assert!(!output.status.success() && said.contains(flag), "{said}");
            assert!(said.contains(words) && !said.contains("s3cret"), "{said}");
        }
    }
}

#[test]
fn help_lists_every_setting_with_its_variable() {
    let folder = tempfile::tempdir().unwrap();
    for args in [["help"], ["--help"]] {
        let output = farthing(folder.path(), &args);
        let help = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success());
        for setting in SETTINGS {
            let (flag, variable) = (setting.flag(), setting.variable);
            assert!(help.contains(&flag) && help.contains(variable), "{flag}: {help}");
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
    let output = farthing(folder.path(), &["--database-url", "mysql://u:s3cret@x"]);
    assert!(error_message(&output).contains("`mysql://u@x`"));
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

#[tokio::test]
async fn accounts_are_managed_while_a_server_runs() {
    let folder = tempfile::tempdir().unwrap();
    let url = database::fresh(folder.path()).await;
    let mut process = Process::start(&url, folder.path()).await;
    let client = || Client::new(process.url.strip_prefix("http://").unwrap().parse().unwrap());
    let (ada, bob) = (client(), client());
    for (person, name, email) in [(&ada, "Ada", "Ada@example.org"), (&bob, "Bob", "bob@example.org")] {
        let body = serde_json::json!({ "email": email, "password": PASSWORD, "name": name });
        person.post("/api/auth/register", body).await.expect(201);
    }
    let run = |args: &[&str]| farthing(folder.path(), &[&["--database-url", &url], args].concat());
    let said = |args: &[&str]| {
        let output = run(args);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };

    let listed = said(&["user", "list"]);
    let lines: Vec<Vec<_>> = listed.lines().skip(1).map(|line| line.split('\t').collect()).collect();
    assert_eq!([lines[0][0], lines[0][1], lines[0][4]], ["Ada@example.org", "Ada", "active"]);
    assert!(lines.len() == 2 && lines[0][2].ends_with('Z') && lines[0][3].ends_with('Z'), "{listed}");

    let linked =
        said(&["--public-url", "https://auctions.example.org", "user", "reset-password", "ada@example.org"]);
    let link = linked.lines().next().unwrap();
    let token = link.strip_prefix("https://auctions.example.org/reset-password/").unwrap();
    let body = serde_json::json!({ "token": token, "password": "another horse entirely" });
    client().post("/api/auth/reset-password", body).await.expect(204);
    ada.get("/api/user").await.expect_problem(401, "UNAUTHENTICATED");

    assert!(
        said(&["user", "disable", "bob@example.org"]).starts_with("bob@example.org can no longer sign in.")
    );
    // Another process on SQLite can't notify the server, which reads once a second what has changed.
    let ended = async { while bob.get("/api/user").await.status != 401 {} };
    tokio::time::timeout(std::time::Duration::from_secs(5), ended).await.unwrap();
    let sign_in = serde_json::json!({ "email": "bob@example.org", "password": PASSWORD });
    bob.post("/api/auth/login", sign_in.clone()).await.expect_problem(401, "INVALID_CREDENTIALS");
    assert!(said(&["user", "reset-password", "bob@example.org"]).contains("The account is disabled"));
    assert!(said(&["user", "list"]).lines().nth(2).unwrap().ends_with("\tdisabled"));
    assert_eq!(said(&["user", "enable", "bob@example.org"]), "bob@example.org can sign in.\n");
    bob.post("/api/auth/login", sign_in).await.expect(200);

    said(&["admin", "set", "bob@example.org"]);
    let refused = error_message(&run(&["user", "disable", "bob@example.org"]));
    assert!(refused.contains("`bob@example.org` is the Deployment Admin"), "{refused}");
    bob.get("/api/user").await.expect(200);
    // A command that finds the file locked waits for five seconds, so the others are run without a server.
    process.kill();
    assert_eq!(said(&["user", "list"]).lines().count(), 3);
    let path = said(&["user", "reset-password", "ADA@example.org"]);
    assert!(path.starts_with("/reset-password/") && path.contains("append it to the address"), "{path}");
    let none = said(&["user", "remove-second-factor", "ADA@example.org"]);
    assert_eq!(none, "Ada@example.org has no second factor.\n");
    for command in ["reset-password", "remove-second-factor", "disable", "enable"] {
        assert!(error_message(&run(&["user", command, "eve@example.org"])).contains("`eve@example.org`"));
        assert!(error_message(&run(&["user", command, "eve"])).contains("`eve` is not a valid e-mail"));
    }
}

#[tokio::test]
async fn the_claim_code_is_shown_by_the_log_and_in_a_shell() {
    let folder = tempfile::tempdir().unwrap();
    let url = database::fresh(folder.path()).await;
    let mut serve = command(&url, folder.path(), "127.0.0.1:0");
    serve.args(["--claim-code", "on"]);
    let mut process = Process::run(serve).await;
    let line = process.says("the claim code for /admin is ").await;
    let code = line.rsplit(' ').next().unwrap();
    let show = ["--database-url", &url, "admin", "claim-code"];
    let shown = String::from_utf8(farthing(folder.path(), &show).stdout).unwrap();
    assert_eq!(shown.trim(), code);

    let ada = Client::new(process.url.strip_prefix("http://").unwrap().parse().unwrap());
    let body = serde_json::json!({ "email": "ada@example.org", "password": PASSWORD, "name": "Ada" });
    ada.post("/api/auth/register", body).await.expect(201);
    let claim = serde_json::json!({ "deploymentAdminEmail": "ada@example.org", "claimCode": code });
    ada.patch("/api/system/settings", claim).await.expect(200);
    assert!(error_message(&farthing(folder.path(), &show)).contains("there is a Deployment Admin already"));
}

/// The warning names the ways to prevent a claim by a stranger.
#[tokio::test]
async fn an_open_claim_on_a_public_address_is_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let url = database::fresh(folder.path()).await;
    let mut process = Process::run(command(&url, folder.path(), "0.0.0.0:0")).await;
    let line = process.says("any user can become the Deployment Admin").await;
    assert!(line.contains("WARN") && line.contains("--claim-code on"), "{line}");
}

/// Behind a proxy that is not trusted, all clients are one address for rate limits.
#[tokio::test]
async fn a_proxy_that_is_not_trusted_is_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let mut process = Process::start(&sqlite(folder.path()), folder.path()).await;
    let client = Client::new(process.url.strip_prefix("http://").unwrap().parse().unwrap());
    let request = client.request("POST", "/api/auth/login").header("x-forwarded-for", "203.0.113.5");
    let body = serde_json::json!({ "email": "ada@example.org", "password": PASSWORD });
    Answer::of(request.json(&body)).await.expect_problem(401, "INVALID_CREDENTIALS");
    let line = process.says("--trusted-proxies 127.0.0.1").await;
    assert!(line.contains("WARN"), "{line}");
}

#[tokio::test]
async fn a_start_reports_the_version_and_a_later_schema() {
    let folder = tempfile::tempdir().unwrap();
    let mut process = Process::start(&sqlite(folder.path()), folder.path()).await;
    let line = process.says("serving as farthing").await;
    let install_dir = format!("install_dir={}", folder.path().display());
    for words in [env!("CARGO_PKG_VERSION"), &sqlite(folder.path()), "data_dir=", &install_dir] {
        assert!(line.contains(words), "{words}: {line}");
    }
    drop(process);
    let database = rusqlite::Connection::open(folder.path().join("farthing.db")).unwrap();
    let later = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
                 VALUES (9999, 'later', TRUE, x'00', 0)";
    database.execute_batch(later).unwrap();
    let mut process = Process::start(&sqlite(folder.path()), folder.path()).await;
    assert!(process.says("has migrated the schema").await.contains("WARN"));
}
