//! What a server warns of at its start.

use super::{Process, command, sqlite};

#[tokio::test]
async fn a_server_warns_of_settings_that_are_not_in_force() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("update.toml"), "[steps]\nbiuld = []\n").unwrap();
    let mut serve = command(&sqlite(folder.path()), folder.path(), "localhost:0");
    serve.args(["--mail-from", "auctions@example.org"]).env("FARTHING_LISTENS", "x").env("RUST_LOG", "wran");
    let mut process = Process::run(serve).await;
    for words in
        ["--mail-from needs --smtp-url", "unknown field `biuld`", "`FARTHING_LISTENS` is not a setting"]
    {
        process.says(words).await;
    }
    let started = process.says("serving as farthing").await;
    assert!(started.contains(&folder.path().join("data").display().to_string()), "absolute: {started}");
}
