//! Databases that use one store of pictures, and servers of one database that use two.

use auction_house::images::Images;
use auction_house::items::images::collect::{CollectError, claim, collect};
use installation::backups::create::backup;
use installation::servers;
use platform::db::Database;
use platform::file_store::{Claim, GUEST};
use platform::time::{Clock, SystemClock};

use super::{add_picture, item, kept_files, png};
use crate::harness::TestApp;

fn images_of(app: &TestApp, db: &Database) -> Images {
    let settings = &app.state.installation.settings;
    let store = settings.image_store().unwrap();
    Images::new(store, settings.uploads_dir(), db.clone(), app.state.context.clock.clone())
}

/// Compares and claims, in the way of a server that starts. Returns whether the database is a copy.
async fn start(app: &TestApp, address: &str, db: &Database) -> (bool, Claim) {
    let is_copy = db.recognize(address).await.unwrap();
    (is_copy, claim(db, &images_of(app, db)).await.unwrap().claim)
}

/// Both add pictures that the other knows nothing of.
#[tokio::test]
async fn a_copied_database_and_its_original_remove_no_picture() {
    let app = TestApp::start().await;
    let settings = app.state.installation.settings.clone();
    let (db, address) = (&app.state.context.db, settings.database_url.as_str());
    if db.is_remote() {
        return;
    }
    assert_eq!(start(&app, address, db).await, (false, Claim::Own));
    let made = backup(&settings, &SystemClock).await.unwrap();
    let copied = settings.data_dir.join("copied.db");
    std::fs::copy(&made, &copied).unwrap();
    let (seller, item) = item(&app).await;
    add_picture(&seller, &item, &png(6, 3)).await.expect(201);

    let copied = format!("sqlite://{}", copied.display());
    let copy = Database::open(&copied).await.unwrap();
    assert_eq!(start(&app, &copied, &copy).await, (true, Claim::Foreign));
    let later = SystemClock.now().plus_seconds(7 * 3600);
    let refused = collect(&copy, &images_of(&app, &copy), later).await;
    assert!(matches!(refused, Err(CollectError::OtherOwner)), "{refused:?}");
    // What is unused here may be used there.
    seller.delete(&item).await.expect(204);
    assert_eq!(collect(db, &app.state.images, later).await.unwrap(), 0);
    assert_eq!(app.state.images.claimed().unwrap().claim, Claim::Shared);
    assert_eq!(kept_files(&app), 3);

    // The operator knows that the copy has ended.
    copy.close().await;
    let store = app.state.images.store();
    let guests = std::fs::read_dir(settings.uploads_dir()).unwrap();
    let guests = guests.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    for guest in guests.filter(|name| name.starts_with(GUEST)) {
        store.remove(&guest).await.unwrap();
    }
    assert_eq!(collect(db, &app.state.images, later).await.unwrap(), 3);
    assert_eq!(app.state.images.claimed().unwrap().claim, Claim::Own);
}

/// A dump that is restored has other tables.
#[tokio::test]
async fn a_restored_dump_is_recognized_as_a_copy() {
    let app = TestApp::start_on_postgres().await;
    let address = app.state.installation.settings.database_url.clone();
    let db = &app.state.context.db;
    assert_eq!(start(&app, &address, db).await, (false, Claim::Own));
    assert_eq!(start(&app, &address, db).await, (false, Claim::Own));
    let known = db.identity().await.unwrap();
    for statement in [
        "CREATE TABLE restored AS TABLE database_identity",
        "DROP TABLE database_identity",
        "ALTER TABLE restored RENAME TO database_identity",
    ] {
        app.write(statement).await;
    }
    assert_eq!(start(&app, &address, db).await, (true, Claim::Foreign));
    assert_ne!(db.identity().await.unwrap().name, known.name);
}

#[tokio::test]
async fn servers_of_one_database_with_two_stores_are_told() {
    let app = TestApp::start_on_postgres().await;
    // Pictures are in the data folder by default.
    let other = app.another_with(|settings| settings.data_dir = settings.data_dir.join("second")).await;
    let shared = app.state.installation.settings.uploads_dir();
    let third = app
        .another_with(|settings| {
            settings.data_dir = settings.data_dir.join("third");
            settings.images = Some(shared.display().to_string().parse().unwrap());
        })
        .await;
    for app in [&app, &other, &third] {
        let claimed = claim(&app.state.context.db, &app.state.images).await.unwrap();
        assert_eq!(claimed.claim, Claim::Own);
        app.state.installation.image_store.set(claimed.store).unwrap();
        servers::round(&app.state.installation).await.unwrap();
    }
    let told =
        async |app: &TestApp| servers::with_other_pictures(&app.state.installation).await.unwrap().len();
    assert_eq!([told(&app).await, told(&other).await, told(&third).await], [1, 2, 1]);
}
