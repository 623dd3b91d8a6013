use auction_house::items::images::collect::{CollectError, collect};
use installation::backups::create::backup;
use installation::backups::restore::{Verified, restore, verify};
use installation::config::Settings;
use platform::db::Database;
use platform::time::{Clock, SystemClock};
use serde_json::json;
use server::pictures::needed_images;

use super::{add_picture, images, item, kept_files, png};
use crate::harness::{Client, TestApp};

#[tokio::test]
async fn a_file_is_served_to_those_who_see_the_item_and_kept_by_their_browsers() {
    let app = TestApp::start().await;
    let (seller, item) = item(&app).await;
    let added = add_picture(&seller, &item, &png(600, 300)).await.expect(201);
    let (thumbnail, full) = (added["thumbnail"].as_str().unwrap(), added["full"].as_str().unwrap());
    let get = async |path: &str| seller.request("GET", path).send().await.unwrap();
    let medium = added["medium"].as_str().unwrap();
    for path in [thumbnail, medium, full] {
        let response = get(path).await;
        assert_eq!(response.status(), 200);
        for (header, value) in [
            ("content-type", "image/jpeg"),
            ("cache-control", "private, max-age=31536000, immutable"),
            ("x-content-type-options", "nosniff"),
        ] {
            assert_eq!(response.headers()[header], value);
        }
        let tag = response.headers()["etag"].clone();
        assert_eq!(response.bytes().await.unwrap()[..3], [0xff, 0xd8, 0xff]);
        let again = seller.request("GET", path).header("if-none-match", &tag).send().await.unwrap();
        assert_eq!(
            (again.status(), again.headers()["etag"].clone()),
            (reqwest::StatusCode::NOT_MODIFIED, tag)
        );
    }
    assert_ne!(get(thumbnail).await.headers()["etag"], get(full).await.headers()["etag"]);
    assert_eq!(get(&full.replace("/full", "/original")).await.status(), 404);

    let stranger = app.user("stranger").await;
    assert_eq!(stranger.get(thumbnail).await.status, 200, "anyone may see an item of a FREE auction");
    let auction = item.rsplit_once("/items/").unwrap().0;
    seller.patch(auction, json!({"joinMode": "INVITE_ONLY"})).await.expect(200);
    stranger.get(thumbnail).await.expect_problem(404, "NOT_FOUND");
    app.anonymous().get(thumbnail).await.expect_problem(401, "UNAUTHENTICATED");
}

#[tokio::test]
async fn the_full_size_serves_for_a_medium_one_that_is_missing() {
    let app = TestApp::start().await;
    let (seller, item) = item(&app).await;
    let added = add_picture(&seller, &item, &png(1700, 850)).await.expect(201);
    let get = async |size: &str| {
        let response = seller.request("GET", added[size].as_str().unwrap()).send().await.unwrap();
        (response.status(), response.bytes().await.unwrap())
    };
    let (kept, full) = (get("medium").await, get("full").await);
    assert!(kept.1.len() < full.1.len());
    let folder = app.state.installation.settings.uploads_dir();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.to_string_lossy().contains(".medium.") {
            std::fs::remove_file(path).unwrap();
        }
    }
    assert_eq!(get("medium").await, full);
}

#[tokio::test]
async fn another_server_on_the_database_serves_the_files() {
    let app = TestApp::start_on_postgres().await;
    let other = app.another().await;
    let (seller, item) = item(&app).await;
    let added = add_picture(&seller, &item, &png(6, 3)).await.expect(201);
    let there: Client = seller.at(other.address);
    assert_eq!(there.get(added["full"].as_str().unwrap()).await.status, 200);
}

#[tokio::test]
async fn files_are_removed_once_no_item_has_them() {
    let app = TestApp::start().await;
    let (seller, item) = item(&app).await;
    let (auction, _) = item.rsplit_once("/items/").unwrap();
    let added = add_picture(&seller, &item, &png(6, 3)).await.expect(201);
    let copy = seller.post(&format!("{auction}/copy"), json!({"name": "Again", "items": true})).await;
    let items = format!("{}/items", copy.header("location"));
    let copied = seller.get(&items).await.expect(200)["items"][0].clone();
    let copied_item = format!("{items}/{}", copied["id"].as_str().unwrap());
    assert_eq!(images(&seller, &copied_item).await.len(), 1);

    let collected = async |hours: i64| {
        let now = SystemClock.now().plus_seconds(hours * 3600);
        collect(&app.state.context.db, &app.state.images, now).await.unwrap()
    };
    std::fs::write(app.state.installation.settings.uploads_dir().join("partial-x"), "").unwrap();
    assert_eq!(collected(1).await, 0, "an upload may be under way");
    assert_eq!(collected(7).await, 1, "it was interrupted");
    seller.delete(&format!("{item}/images/{}", added["id"].as_str().unwrap())).await.expect(204);
    assert_eq!(collected(7).await, 0, "the copy has the picture");
    seller.delete(&copied_item).await.expect(204);
    assert_eq!((collected(7).await, kept_files(&app)), (3, 0));
}

/// A copy of the database knows nothing of pictures that were added since.
#[tokio::test]
async fn files_of_another_installation_are_not_removed() {
    let app = TestApp::start().await;
    let (seller, item) = item(&app).await;
    let later = SystemClock.now().plus_seconds(7 * 3600);
    assert_eq!(collect(&app.state.context.db, &app.state.images, later).await.unwrap(), 0);
    add_picture(&seller, &item, &png(6, 3)).await.expect(201);
    let store = app.state.installation.settings.uploads_dir();
    let copy = TestApp::start_with(|settings| {
        settings.images = Some(store.display().to_string().parse().unwrap());
    })
    .await;
    let refused = collect(&copy.state.context.db, &copy.state.images, later).await;
    assert!(matches!(refused, Err(CollectError::OtherOwner)), "{refused:?}");
    assert_eq!((kept_files(&app), kept_files(&copy)), (3, 3));
    assert_eq!(collect(&app.state.context.db, &app.state.images, later).await.unwrap(), 0);
}

#[tokio::test]
async fn a_backup_without_a_picture_that_it_needs_is_not_restored() {
    let app = TestApp::start().await;
    if app.state.context.db.is_remote() {
        return;
    }
    let (seller, item) = item(&app).await;
    add_picture(&seller, &item, &png(6, 3)).await.expect(201);
    let settings = &app.state.installation.settings;
    let made = backup(settings, &SystemClock).await.unwrap();
    assert_eq!(verify(&made, needed_images).await.unwrap(), Verified::Copy { files: 3 });

    // A new machine.
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings {
        database_url: format!("sqlite://{}", folder.path().join("new/farthing.db").display()),
        data_dir: folder.path().join("new"),
        ..Settings::default()
    };
    let pictures = made.with_extension("db.images");
    let mut names: Vec<_> =
        std::fs::read_dir(&pictures).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    for name in names {
        let (path, name) = (pictures.join(&name), name.into_string().unwrap());
        let whole = std::fs::read(&path).unwrap();
        for broken in [Some(&whole[..whole.len() / 2]), None] {
            // Not through the link, which the store has, too.
            let _ = std::fs::remove_file(&path);
            if let Some(bytes) = broken {
                std::fs::write(&path, bytes).unwrap();
            }
            for said in [
                verify(&made, needed_images).await.unwrap_err().to_string(),
                restore(&settings, &made, &SystemClock, Some(needed_images)).await.unwrap_err().to_string(),
            ] {
                assert!(said.contains(&name) && said.starts_with("1 of the files"), "{said}");
            }
            let _ = std::fs::remove_file(&path);
            std::fs::write(&path, &whole).unwrap();
        }
    }
    restore(&settings, &made, &SystemClock, Some(needed_images)).await.unwrap();
    let restored = Database::open(&settings.database_url).await.unwrap();
    let own = app.state.context.db.identity().await.unwrap();
    assert_ne!(restored.identity().await.unwrap(), own, "a copy is another installation");
    restored.close().await;
    // A damaged picture in the folder is replaced by that of the backup.
    let cut = std::fs::read_dir(settings.uploads_dir()).unwrap().next().unwrap().unwrap().path();
    let whole = std::fs::read(&cut).unwrap();
    std::fs::remove_file(&cut).unwrap();
    std::fs::write(&cut, &whole[..10]).unwrap();
    restore(&settings, &made, &SystemClock, Some(needed_images)).await.unwrap();
    assert_eq!(std::fs::read(&cut).unwrap(), whole);
}
