//! Pictures in the form of a new item, as a browser without scripts posts them.

use serde_json::json;

use super::{kept_files, pause, png, with_parts};
use crate::harness::{Answer, Client, TestApp};
use crate::routes::auctions::auction;

type File<'a> = (&'a str, &'a [u8]);

/// A seller with an auction of their own, and the address of its form for a new item.
async fn seller(app: &TestApp) -> (Client, String) {
    let seller = app.user("seller").await;
    let path = auction(&seller, json!({"joinMode": "FREE"})).await;
    (seller, format!("{}/items/new", path.strip_prefix("/api").unwrap()))
}

async fn create(client: &Client, form: &str, fields: &[(&str, &str)], files: &[File<'_>]) -> Answer {
    Answer::of(with_parts(client.request("POST", form), fields, files)).await
}

/// The number of images of each item of the auction.
async fn images_of_items(client: &Client, form: &str) -> Vec<usize> {
    let items = client.get(&format!("/api{}", form.strip_suffix("/new").unwrap())).await.expect(200);
    items["items"].as_array().unwrap().iter().map(|it| it["images"].as_array().unwrap().len()).collect()
}

const VASE: [(&str, &str); 3] = [("name", "A vase"), ("currencyCode", "GBP"), ("idempotencyKey", "k")];

#[tokio::test]
async fn a_new_item_has_the_pictures_of_its_form_once() {
    let app = TestApp::start().await;
    let (seller, form) = seller(&app).await;
    let (one, two) = (png(6, 3), png(3, 6));
    let mut pages = Vec::new();
    for _ in 0..2 {
        let made = create(&seller, &form, &VASE, &[("one.png", &one), ("two.png", &two)]).await;
        assert_eq!(made.status, 303, "{}", made.text);
        pages.push(made.header("location").to_owned());
    }
    assert_eq!(pages[0], pages[1]);
    let item = seller.get(&format!("/api{}", pages[0])).await.expect(200);
    assert_eq!((&item["images"][0]["width"], &item["images"][1]["width"]), (&json!(6), &json!(3)));
    assert_eq!(images_of_items(&seller, &form).await, [2]);

    let another = [("name", "A jug"), ("currencyCode", "GBP"), ("another", "true")];
    let made = create(&seller, &form, &another, &[("", b"")]).await;
    assert!(made.header("location").starts_with(&format!("{form}?created=")), "{}", made.text);
    assert_eq!(images_of_items(&seller, &form).await, [2, 0], "no file was chosen");
}

#[tokio::test]
async fn a_refused_picture_is_named_and_the_item_keeps_the_others() {
    let app = TestApp::start().await;
    let (seller, form) = seller(&app).await;
    let large = [png(6, 3), vec![0; 10_000_000]].concat();
    let good = png(6, 3);
    let files: [File<'_>; 4] = [
        ("<b>.svg", b"<svg xmlns='http://www.w3.org/2000/svg'/>"),
        ("good.png", &good),
        ("\u{202e}gnp", &good[..good.len() - 30]),
        ("large.png", &large),
    ];
    let fields = [&VASE[..], &[("another", "true")]].concat();
    // A reload of the page sends the form again.
    for _ in 0..2 {
        let page = create(&seller, &form, &fields, &files).await;
        assert_eq!(page.status, 415, "{}", page.text);
        for said in [
            "The item was created, but some pictures were not added.",
            "&lt;b&gt;.svg: Choose a JPEG, PNG or WebP picture.",
            "Picture 3: This picture is damaged or incomplete",
            "large.png: A file may have at most 10 MB.",
            "Add another item",
            "aria-label=\"Add pictures\"",
        ] {
            assert!(page.text.contains(said), "{said}: {}", page.text);
        }
        assert_eq!(images_of_items(&seller, &form).await, [1]);
    }
    assert_eq!(kept_files(&app), 3);
}

#[tokio::test]
async fn a_refused_item_keeps_what_was_typed_and_says_that_files_are_not_kept() {
    let app = TestApp::start().await;
    let (seller, form) = seller(&app).await;
    let picture = png(6, 3);
    let fields = [("name", ""), ("description", "Blue and white"), ("currencyCode", "GBP")];
    let again = "Choose the pictures again: a browser does not keep them.";
    let page = create(&seller, &form, &fields, &[("a.png", &picture)]).await;
    assert_eq!(page.status, 422);
    assert!(
        page.text.contains("Blue and white") && page.text.contains("Please fix 2 things"),
        "{}",
        page.text
    );
    assert!(page.text.contains("id=\"field-image-error\"") && page.text.contains(again));
    let page = create(&seller, &form, &fields, &[("", b"")]).await;
    assert!(page.text.contains("Please fix 1 thing") && !page.text.contains(again), "no file was chosen");

    let fields = [&fields[1..], &[("name", "A vase"), ("preview", "true")]].concat();
    let page = create(&seller, &form, &fields, &[("a.png", &picture)]).await;
    assert_eq!(page.status, 200);
    assert!(page.text.contains("Preview of the description") && page.text.contains(again), "{}", page.text);

    let page = create(&seller, &form, &fields[..2], &[("a.png", &picture[..]); 11]).await;
    assert_eq!(page.status, 422);
    assert!(page.text.contains("Choose at most 10 files.") && page.text.contains("Blue and white"));
    assert!(images_of_items(&seller, &form).await.is_empty());
    assert_eq!(kept_files(&app), 0);
}

#[tokio::test]
async fn a_form_in_the_pause_of_an_update_keeps_what_was_typed_and_leaves_nothing() {
    let app = TestApp::start().await;
    let (seller, form) = seller(&app).await;
    pause(&app).await;
    let fields = [&VASE[..], &[("description", "Blue and white")]].concat();
    let page = create(&seller, &form, &fields, &[("a.png", &png(6, 3))]).await;
    assert_eq!(page.status, 503, "{}", page.text);
    assert!(page.text.contains("value=\"A vase\"") && page.text.contains("Blue and white"), "{}", page.text);
    assert!(page.text.contains("Choose the pictures again: a browser does not keep them."), "{}", page.text);
    assert_eq!(kept_files(&app), 0);
    assert!(images_of_items(&seller, &form).await.is_empty());
}

#[tokio::test]
async fn only_users_who_may_create_items_upload_their_pictures() {
    let app = TestApp::start().await;
    let (seller, form) = seller(&app).await;
    let picture = png(6, 3);
    for (client, status) in [(app.user("other").await, 403), (app.anonymous(), 401)] {
        let page = create(&client, &form, &VASE, &[("a.png", &picture)]).await;
        assert_eq!(page.status, status, "{}", page.text);
    }
    assert!(images_of_items(&seller, &form).await.is_empty());
    assert_eq!(kept_files(&app), 0);
}
