use serde_json::{Value, json};

use super::{PATH, Site, hook, step};
use crate::harness::{Events, Installation};

#[tokio::test]
async fn an_update_switches_to_the_latest_release() {
    let installation = Installation::new();
    for tag in ["v0.9.0", "v0.10.0", "v0.11.0-rc1", "not-a-version"] {
        installation.release(tag);
    }
    // Local changes in the checkout.
    std::fs::write(installation.path().join("README"), "mine\n").unwrap();
    std::fs::write(installation.path().join("notes"), "mine too\n").unwrap();
    let changed = installation.changed();
    let site = Site::open(installation).await;
    assert_eq!(site.admin.get(PATH).await.expect(200), Value::Null);
    let before = site.ledger().await;

    let run = site.update().await;
    assert_eq!((&run["status"], &run["reason"]), (&json!("SUCCEEDED"), &json!("restart needed")), "{run:#}");
    assert_eq!((&run["fromVersion"], &run["toVersion"]), (&json!("0.1.0"), &json!("0.10.0")));
    let words: Vec<String> = run["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| format!("{} {}", step["name"].as_str().unwrap(), step["status"].as_str().unwrap()))
        .collect();
    let backup = if site.app.state.context.db.is_remote() { "backup SKIPPED" } else { "backup DONE" };
    assert_eq!(
        words,
        [
            "determine DONE",
            "fetch DONE",
            "dependencies DONE",
            "data_layer SKIPPED",
            "build DONE",
            "rehearse DONE",
            backup,
            "schema DONE",
            "switch DONE",
            "restart SKIPPED",
            "health SKIPPED"
        ]
    );
    assert!(step(&run, "build")["output"].as_str().unwrap().contains("built v0.10.0"), "{run:#}");
    assert_eq!(site.admin.get(PATH).await.expect(200), run);
    assert_eq!(site.installation.current().as_deref(), Some("releases/v0.10.0"));
    assert_eq!(site.installation.changed(), changed, "what was changed is changed, and nothing else");
    assert_eq!(site.ledger().await, before);
    site.bid(6).await;

    // The run waits for the start of the new release.
    let run = site.update().await;
    assert_eq!((&run["status"], &run["reason"]), (&json!("NOTHING_TO_DO"), &json!("nothing to be done")));
    assert_eq!(site.installation.current().as_deref(), Some("releases/v0.10.0"));
}

#[tokio::test]
async fn the_current_and_the_previous_release_are_kept() {
    let installation = Installation::new();
    installation.release("v0.2.0");
    let site = Site::open(installation).await;
    assert_eq!(site.update().await["status"], "SUCCEEDED");
    for (tag, left) in [("v0.3.0", ["v0.2.0", "v0.3.0"]), ("v0.4.0", ["v0.3.0", "v0.4.0"])] {
        site.installation.release(tag);
        site.app.clock.advance_seconds(60);
        assert_eq!(site.update().await["status"], "SUCCEEDED");
        assert_eq!(site.installation.releases(), left);
    }
}

#[tokio::test]
async fn an_update_without_newer_release_does_nothing_and_a_tag_is_not_executed() {
    let installation = Installation::new();
    installation.release("v0.1.0");
    for tag in ["--upload-pack=x", "v9.9.9;touch${IFS}x", "v01.2.3", "v1"] {
        installation.tag(tag);
    }
    let site = Site::open(installation).await;
    let run = site.update().await;
    assert_eq!(
        (&run["status"], &run["reason"]),
        (&json!("NOTHING_TO_DO"), &json!("nothing to be done")),
        "{run:#}"
    );
    assert_eq!(
        (step(&run, "determine")["status"].as_str(), step(&run, "fetch")["status"].as_str()),
        (Some("DONE"), Some("SKIPPED"))
    );
    assert!(site.installation.releases().is_empty() && site.installation.current().is_none());
    site.bid(6).await;
}

#[tokio::test]
async fn without_any_release_there_is_nothing_to_do() {
    let site = Site::open(Installation::new()).await;
    let run = site.update().await;
    assert_eq!((&run["status"], &run["reason"]), (&json!("NOTHING_TO_DO"), &json!("nothing to be done")));
    let output = step(&run, "determine")["output"].as_str().unwrap();
    assert!(output.contains("there is no release yet"), "{output}");
    site.bid(6).await;
}

#[tokio::test]
async fn commands_get_only_the_environment_that_they_need() {
    let installation = Installation::new();
    installation.release("v0.2.0");
    installation.configure(&hook("after = \"build\"", "env", "env | sort; pwd"));
    let site = Site::open(installation).await;
    let run = site.update().await;
    let output = step(&run, "env")["output"].as_str().unwrap();
    let install_dir = site.installation.path();
    for line in [
        "FARTHING_TAG=v0.2.0".to_owned(),
        "FARTHING_VERSION=0.2.0".to_owned(),
        format!("FARTHING_INSTALL_DIR={}", install_dir.display()),
        format!("DATABASE_URL={}", site.app.state.installation.settings.database_url),
    ] {
        assert!(output.lines().any(|found| found == line), "{line}: {output}");
    }
    assert!(output.ends_with(&format!("{}\n", install_dir.display())), "{output}");
    let names = output.lines().filter_map(|line| Some(line.split_once('=')?.0));
    let unknown: Vec<&str> = names
        .filter(|name| {
            !["PATH", "HOME", "LANG", "PWD", "SHLVL", "_", "OLDPWD", "DATABASE_URL"].contains(name)
        })
        .filter(|name| !["CARGO_", "RUSTUP_", "FARTHING_"].iter().any(|known| name.starts_with(known)))
        .filter(|name| !name.to_ascii_lowercase().ends_with("_proxy"))
        .collect();
    assert_eq!(unknown, Vec::<&str>::new());
}

/// They run the code of dependencies.
#[tokio::test]
async fn the_build_does_not_get_the_address_of_the_database() {
    let installation = Installation::new();
    installation.release("v0.2.0");
    installation.configure_all(
        "[steps]\ndependencies = [\"env\"]\nbuild = [\"sh\", \"-c\", \"env; ./build.sh\"]\nrehearse = [\"env\"]\n\
         [restart]\nkind = \"none\"\n",
    );
    let site = Site::open(installation).await;
    let run = site.update().await;
    assert_eq!(run["status"], "SUCCEEDED", "{run:#}");
    for (name, has_address) in [("dependencies", false), ("build", false), ("rehearse", true)] {
        let output = step(&run, name)["output"].as_str().unwrap();
        assert!(output.contains("\nFARTHING_TAG=v0.2.0\n"), "{output}");
        assert_eq!(output.contains("\nDATABASE_URL="), has_address, "{name}: {output}");
    }
}

#[tokio::test]
async fn a_failed_hook_after_the_end_does_not_roll_back() {
    let installation = Installation::new();
    installation.release("v0.2.0");
    installation.configure(&hook("after = \"health\"", "upload", "exit 3"));
    let site = Site::open(installation).await;
    site.update().await;
    let run = site.admin.get(PATH).await.expect(200);
    assert_eq!(step(&run, "upload")["status"], "FAILED");
    assert_eq!(run["status"], "SUCCEEDED");
    assert!(run["reason"].as_str().unwrap().contains("`upload` failed after the update"), "{run:#}");
    assert_eq!(site.installation.current().as_deref(), Some("releases/v0.2.0"));
}

#[tokio::test]
async fn only_the_deployment_admin_may_update() {
    let site = Site::open(Installation::new()).await;
    let events = format!("{PATH}/events");
    for (method, path) in [("GET", PATH), ("POST", PATH), ("GET", &events)] {
        site.bidder.send(method, path, json!({})).await.expect_problem(403, "FORBIDDEN");
    }
    let mut stream = Events::open(&site.admin, &events).await;
    assert_eq!(stream.next().await.unwrap().data, Value::Null);
    let transfer = json!({"deploymentAdminEmail": "bob@example.org"});
    site.admin.patch("/api/system/settings", transfer).await.expect(200);
    assert!(stream.next().await.is_none(), "the stream ends with the right to it");
    site.bidder.get(PATH).await.expect(200);
}
