//! Pictures in a bucket of an S3-compatible store.

use std::os::unix::fs::MetadataExt;
use std::time::Duration;

use auction_house::items::images::collect::collect;
use installation::backups::create::backup;
use installation::backups::restore::restore;
use installation::config::{Settings, Switch};
use platform::db::Database;
use platform::time::{Clock, SystemClock};

use server::pictures::needed_images;

use super::{add_picture, images, item, png};
use crate::harness::{Client, S3, TestApp};

async fn start(s3: &S3) -> TestApp {
    TestApp::start_with(|settings| {
        settings.rate_limits = Switch::Off;
        s3.choose(settings);
    })
    .await
}

/// Collects the unused files as if the time were seven hours later, and returns how many were removed.
async fn collect_later(app: &TestApp) -> usize {
    let now = SystemClock.now().plus_seconds(7 * 3600);
    collect(&app.state.context.db, &app.state.images, now).await.unwrap()
}

#[tokio::test]
async fn a_picture_in_a_bucket_is_served_and_removed() {
    let s3 = S3::start().await;
    let app = start(&s3).await;
    let (seller, item) = item(&app).await;
    let added = add_picture(&seller, &item, &png(600, 300)).await.expect(201);
    for size in ["thumbnail", "medium", "full"] {
        let path = added[size].as_str().unwrap();
        let response = seller.request("GET", path).send().await.unwrap();
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "image/jpeg");
        assert_eq!(response.headers()["cache-control"], "private, max-age=31536000, immutable");
        let tag = response.headers()["etag"].clone();
        assert_eq!(response.bytes().await.unwrap()[..3], [0xff, 0xd8, 0xff]);
        let again = seller.request("GET", path).header("if-none-match", &tag).send().await.unwrap();
        assert_eq!(again.status(), 304);
    }
    assert_eq!(s3.files().await.len(), 3);
    assert!(!app.state.installation.settings.data_dir.join("images").exists());

    let image = format!("{item}/images/{}", added["id"].as_str().unwrap());
    assert_eq!(collect_later(&app).await, 0, "the item has the picture");
    seller.delete(&image).await.expect(204);
    assert_eq!((collect_later(&app).await, s3.files().await.len()), (3, 0));
}

#[tokio::test]
async fn two_servers_on_one_database_share_a_bucket() {
    let s3 = S3::start().await;
    let app = TestApp::start_on_postgres_with(|settings| s3.choose(settings)).await;
    let other = app.another().await;
    let (seller, item) = item(&app).await;
    let added = add_picture(&seller, &item, &png(6, 3)).await.expect(201);
    let there: Client = seller.at(other.address);
    assert_eq!(there.get(added["full"].as_str().unwrap()).await.status, 200);

    let again = add_picture(&there, &item, &png(6, 3)).await.expect(201);
    assert_eq!(s3.files().await.len(), 3, "both have the same content");
    seller.delete(&format!("{item}/images/{}", added["id"].as_str().unwrap())).await.expect(204);
    assert_eq!(collect_later(&other).await, 0);
    assert_eq!(seller.get(again["full"].as_str().unwrap()).await.status, 200);
}

#[tokio::test]
async fn nothing_is_recorded_while_the_store_is_away() {
    let s3 = S3::start().await;
    let app = start(&s3).await;
    let (seller, item) = item(&app).await;
    let added = add_picture(&seller, &item, &png(6, 3)).await.expect(201);
    let full = added["full"].as_str().unwrap();
    s3.leave();
    let refused = add_picture(&seller, &item, &png(7, 3)).await;
    refused.expect_problem(503, "OVERLOADED");
    assert_eq!(refused.header("retry-after"), "10");
    seller.get(full).await.expect_problem(503, "OVERLOADED");
    assert_eq!(images(&seller, &item).await.len(), 1);
    assert_eq!(seller.get(&item).await.status, 200, "other requests go on");
    s3.open();
    assert_eq!(seller.get(full).await.status, 200);
    add_picture(&seller, &item, &png(7, 3)).await.expect(201);
}

#[tokio::test]
async fn pages_go_on_while_the_store_is_silent_and_it_is_not_asked_for_a_while() {
    let s3 = S3::start().await;
    let app = start(&s3).await;
    let (seller, item) = item(&app).await;
    let added = add_picture(&seller, &item, &png(6, 3)).await.expect(201);
    let full = added["full"].as_str().unwrap();
    s3.fall_silent();
    let pictures = futures::future::join_all((0..8).map(|_| seller.get(full)));
    let pages = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        let page = tokio::time::timeout(Duration::from_secs(3), seller.get(&item)).await;
        page.expect("the permits of reads are free").status
    };
    let (pictures, page) = tokio::join!(pictures, pages);
    assert_eq!(page, 200);
    for picture in pictures {
        picture.expect_problem(503, "OVERLOADED");
    }
    let at_once = tokio::time::timeout(Duration::from_secs(2), seller.get(full)).await;
    at_once.expect("the store is not asked").expect_problem(503, "OVERLOADED");
    s3.open();
    tokio::time::sleep(Duration::from_secs(5)).await;
    assert_eq!(seller.get(full).await.status, 200);
}

#[tokio::test]
async fn a_picture_that_is_added_while_its_files_are_removed_keeps_them() {
    let s3 = S3::start().await;
    let app = start(&s3).await;
    let (seller, item) = item(&app).await;
    let added = add_picture(&seller, &item, &png(6, 3)).await.expect(201);
    seller.delete(&format!("{item}/images/{}", added["id"].as_str().unwrap())).await.expect(204);
    // One file is left, because the collection believes that it is hours later: it would remove another one
    // after it was written again.
    for other in s3.files().await.into_iter().filter(|name| !name.contains("full")) {
        app.state.images.store().remove(&other).await.unwrap();
    }

    s3.hold_removals();
    let (collected, added) = tokio::join!(collect_later(&app), async {
        s3.removal_is_held().await;
        let picture = png(6, 3);
        let adding = add_picture(&seller, &item, &picture);
        tokio::pin!(adding);
        // Without the lock it ends in this time.
        let early = tokio::time::timeout(Duration::from_secs(1), &mut adding).await;
        s3.open();
        match early {
            Ok(added) => added,
            Err(_) => adding.await,
        }
    });
    assert_eq!(collected, 1);
    let added = added.expect(201);
    for size in ["thumbnail", "medium", "full"] {
        assert_eq!(seller.get(added[size].as_str().unwrap()).await.status, 200, "{size}");
    }
}

#[tokio::test]
async fn pictures_of_a_bucket_are_in_backups_and_come_back() {
    let s3 = S3::start().await;
    let folder = tempfile::tempdir().unwrap();
    let mut settings = Settings {
        database_url: format!("sqlite://{}", folder.path().join("farthing.db").display()),
        data_dir: folder.path().join("data"),
        install_dir: folder.path().to_owned(),
        ..Settings::default()
    };
    s3.choose(&mut settings);
    Database::open(&settings.database_url).await.unwrap().close().await;
    let store = settings.image_store().unwrap();
    store.put("a.full.jpg", b"one".to_vec()).await.unwrap();
    let first = backup(&settings, &SystemClock).await.unwrap();
    store.put("b.full.jpg", b"two".to_vec()).await.unwrap();
    let second = backup(&settings, &SystemClock).await.unwrap();
    let in_backup = |backup: &std::path::Path, name: &str| {
        let pictures = platform::files::with_suffix(backup, ".images");
        std::fs::metadata(pictures.join(name)).map(|data| data.nlink())
    };
    assert_eq!(in_backup(&second, "a.full.jpg").unwrap(), 2, "it is a link to the file of the first backup");
    assert!(in_backup(&second, "b.full.jpg").is_ok() && in_backup(&first, "b.full.jpg").is_err());

    store.remove("a.full.jpg").await.unwrap();
    store.remove("b.full.jpg").await.unwrap();
    restore(&settings, &second, &SystemClock, Some(needed_images)).await.unwrap().unwrap();
    assert_eq!(s3.files().await, ["a.full.jpg", "b.full.jpg"]);
    assert_eq!(store.get("b.full.jpg").await.unwrap().as_deref(), Some(&b"two"[..]));
}
