use auction_house::items::images::collect::collect;
use platform::time::{Clock, SystemClock};
use serde_json::json;

use super::{add_picture, images, item, kept_files, png};
use crate::harness::{Client, TestApp};

#[tokio::test]
async fn a_file_is_served_to_those_who_see_the_item_and_kept_by_their_browsers() {
    let app = TestApp::start().await;
    let (seller, item) = item(&app).await;
    let added = add_picture(&seller, &item, &png(600, 300)).await.expect(201);
    let (thumbnail, full) = (added["thumbnail"].as_str().unwrap(), added["full"].as_str().unwrap());
    let get = async |path: &str| seller.request("GET", path).send().await.unwrap();
    for path in [thumbnail, full] {
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
    assert_eq!((collected(7).await, kept_files(&app)), (2, 0));
}
