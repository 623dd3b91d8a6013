//! The forms of the page “Pictures”, as a browser without scripts posts them.

use super::{images, item, png, with_parts};
use crate::harness::{Answer, Client, TestApp};

async fn upload(seller: &Client, form: &str, key: &str, files: &[(&str, &[u8])]) -> Answer {
    Answer::of(with_parts(seller.request("POST", form), &[("idempotencyKey", key)], files)).await
}

#[tokio::test]
async fn several_pictures_are_added_at_once_and_once() {
    let app = TestApp::start().await;
    let (seller, item) = item(&app).await;
    let form = format!("{}/pictures", item.strip_prefix("/api").unwrap());
    let (one, two) = (png(6, 3), png(3, 6));
    for _ in 0..2 {
        let added = upload(&seller, &form, "k", &[("one.png", &one), ("two.png", &two)]).await;
        assert_eq!((added.status.as_u16(), added.header("location")), (303, form.as_str()), "{}", added.text);
    }
    let added = images(&seller, &item).await;
    assert_eq!((added.len(), &added[0]["width"], &added[1]["width"]), (2, &6.into(), &3.into()));
    let page = seller.get(&form).await;
    assert!(page.text.contains(added[1]["thumbnail"].as_str().unwrap()), "{}", page.text);
    let shown = seller.get(item.strip_prefix("/api").unwrap()).await;
    assert!(shown.text.contains("fetchpriority=\"high\"") && shown.text.contains("loading=\"lazy\""));
}

#[tokio::test]
async fn a_refused_file_is_explained_beside_the_field() {
    let app = TestApp::start().await;
    let (seller, item) = item(&app).await;
    let form = format!("{}/pictures", item.strip_prefix("/api").unwrap());
    let large = vec![0; 10_000_001];
    let picture = png(6, 3);
    for (files, status, words) in [
        (&[("a.svg", &b"<svg/>"[..])][..], 415, "Choose a JPEG, PNG or WebP picture."),
        (&[("a.png", &picture[..picture.len() - 30])], 422, "This picture is damaged or incomplete"),
        (&[("a.png", &large)], 413, "A file may have at most 10 MB."),
        (&[("", b"")], 422, "Choose a picture."),
        (&[("a.png", &picture[..]); 11], 422, "Choose at most 10 files."),
    ] {
        let page = upload(&seller, &form, "k", files).await;
        assert_eq!(page.status.as_u16(), status, "{words}");
        assert!(page.text.contains(words), "{words}: {}", page.text);
        assert!(page.text.contains("id=\"field-image-error\""), "{words}");
    }
    assert!(images(&seller, &item).await.is_empty());
}

#[tokio::test]
async fn pictures_are_moved_and_described_and_removed() {
    let app = TestApp::start().await;
    let (seller, item) = item(&app).await;
    let form = format!("{}/pictures", item.strip_prefix("/api").unwrap());
    upload(&seller, &form, "k", &[("1", &png(6, 3)), ("2", &png(3, 6))]).await;
    let first = images(&seller, &item).await[0]["id"].as_str().unwrap().to_owned();
    let post = async |action: &str, fields: &[(&str, &str)]| {
        let answer = seller.post_form(&format!("{form}/{first}/{action}"), fields).await;
        assert_eq!((answer.status.as_u16(), answer.header("location")), (303, form.as_str()), "{action}");
    };
    let widths = async || -> Vec<_> {
        images(&seller, &item).await.iter().map(|it| it["width"].as_u64().unwrap()).collect()
    };
    post("up", &[]).await;
    assert_eq!(widths().await, [6, 3], "the first one stays");
    post("down", &[]).await;
    assert_eq!(widths().await, [3, 6]);
    post("alt", &[("alt", "From behind")]).await;
    assert_eq!(images(&seller, &item).await[1]["alt"], "From behind");
    post("alt", &[("alt", "")]).await;
    assert_eq!(images(&seller, &item).await[1]["alt"], "");
    post("remove", &[]).await;
    assert_eq!(widths().await, [3]);
    let refused = seller.post_form(&format!("{form}/{first}/alt"), &[("alt", "x")]).await;
    assert_eq!(refused.status, 404);
}
