use std::time::Duration;

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::{add_picture, coloured_png, images, item, kept_files, pause, png, with_parts};
use crate::harness::{Answer, TestApp};
use crate::routes::auctions::{auction, wrong_fields};

#[tokio::test]
async fn a_picture_is_added_after_the_others() {
    let app = TestApp::start().await;
    let (seller, item) = item(&app).await;
    add_picture(&seller, &item, &png(40, 30)).await.expect(201);
    let request = seller.request("POST", &format!("{item}/images"));
    let answer =
        Answer::of(with_parts(request, &[("alt", " A blue vase ")], &[("x", &png(1700, 850))])).await;
    let added = answer.expect(201);
    assert_eq!(
        (&added["alt"], &added["width"], &added["height"]),
        (&json!("A blue vase"), &json!(1600), &json!(800))
    );
    let path = format!("{item}/images/{}", added["id"].as_str().unwrap());
    assert_eq!(answer.header("location"), path);
    assert_eq!(added["thumbnail"], format!("{path}/thumbnail"));
    assert_eq!(added["medium"], format!("{path}/medium"));
    assert_eq!(added["full"], format!("{path}/full"));
    let tint = added["tint"].as_str().unwrap();
    assert!(tint.len() == 7 && tint.starts_with('#'), "{tint}");
    let listed = images(&seller, &item).await;
    assert_eq!((listed.len(), &listed[1]), (2, &added));
    assert_eq!(seller.get(&item).await.expect(200)["images"], json!(listed));
    let items = item.rsplit_once('/').unwrap().0;
    assert_eq!(seller.get(items).await.expect(200)["items"][0]["images"], json!(listed));
}

#[tokio::test]
async fn an_upload_in_the_pause_of_an_update_leaves_nothing() {
    let app = TestApp::start().await;
    let (seller, item) = item(&app).await;
    pause(&app).await;
    add_picture(&seller, &item, &png(40, 30)).await.expect_problem(503, "UPDATING");
    assert_eq!(kept_files(&app), 0);
}

#[tokio::test]
async fn an_upload_during_which_an_update_pauses_writes_leaves_nothing() {
    let app = TestApp::start().await;
    let (seller, item) = item(&app).await;
    let cookies = app.cookie_of("seller").await;
    let whole = with_parts(seller.request("POST", "/"), &[], &[("a.png", &png(40, 30))]).build().unwrap();
    let body = whole.body().unwrap().as_bytes().unwrap();
    let head = format!(
        "POST {item}/images HTTP/1.1\r\nhost: localhost\r\ncookie: {cookies}\r\nconnection: close\r\n\
         content-length: {}\r\ncontent-type: {}\r\nexpect: 100-continue\r\n\r\n",
        body.len(),
        whole.headers()["content-type"].to_str().unwrap()
    );
    let mut stream = TcpStream::connect(app.address).await.unwrap();
    stream.write_all(head.as_bytes()).await.unwrap();
    // The server asks for the body once the seller may add pictures.
    let mut asked = [0; 25];
    stream.read_exact(&mut asked).await.unwrap();
    assert_eq!(&asked, b"HTTP/1.1 100 Continue\r\n\r\n");
    let (first, rest) = body.split_at(body.len() / 2);
    stream.write_all(first).await.unwrap();
    pause(&app).await;
    stream.write_all(rest).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 503") && answer.contains("\"UPDATING\""), "{answer}");
    assert_eq!(kept_files(&app), 0);
}

#[tokio::test]
async fn other_files_are_refused_and_leave_nothing() {
    let app = TestApp::start().await;
    let (seller, item) = item(&app).await;
    let picture = png(40, 30);
    for other in
        [&b"<svg xmlns='http://www.w3.org/2000/svg'/>"[..], b"<!DOCTYPE html>", b"PK\x03\x04 a zip file"]
    {
        add_picture(&seller, &item, other).await.expect_problem(415, "UNSUPPORTED_MEDIA_TYPE");
    }
    let incomplete = add_picture(&seller, &item, &picture[..picture.len() / 2]).await;
    assert_eq!(wrong_fields(&incomplete), ["image"]);
    let large = [&picture[..], &vec![0; 10_000_000]].concat();
    add_picture(&seller, &item, &large).await.expect_problem(413, "TOO_LARGE");
    let send = async |texts: &[(&str, &str)], files: &[(&str, &[u8])]| {
        Answer::of(with_parts(seller.request("POST", &format!("{item}/images")), texts, files)).await
    };
    assert_eq!(wrong_fields(&send(&[], &[]).await), ["image"]);
    assert_eq!(wrong_fields(&send(&[], &[("", b"")]).await), ["image"], "no file was chosen");
    assert_eq!(wrong_fields(&send(&[], &[("1", &picture), ("2", &picture)]).await), ["image"]);
    assert_eq!(wrong_fields(&send(&[("alt", &"x".repeat(201))], &[("1", &picture)]).await), ["alt"]);
    assert_eq!(wrong_fields(&send(&[("caption", "x")], &[("1", &picture)]).await), ["caption"]);
    let json = seller.post(&format!("{item}/images"), json!({})).await;
    json.expect_problem(415, "UNSUPPORTED_MEDIA_TYPE");
    let request = seller.request("POST", &format!("{item}/images"));
    let cut = request.header("content-type", "multipart/form-data; boundary=b").body("--b\r\ncontent-disp");
    Answer::of(cut).await.expect_problem(422, "INVALID_BODY");
    assert_eq!((images(&seller, &item).await.len(), kept_files(&app)), (0, 0));
}

/// Its bytes are no text.
#[tokio::test]
async fn a_file_in_another_field_is_refused_with_the_name_of_the_field() {
    let app = TestApp::start().await;
    let (seller, item) = item(&app).await;
    let mut body =
        b"--x\r\ncontent-disposition: form-data; name=\"picture\"; filename=\"a.png\"\r\n\r\n".to_vec();
    body.extend(png(4, 3));
    body.extend(b"\r\n--x--\r\n");
    let request = seller.request("POST", &format!("{item}/images"));
    let request = request.header("content-type", "multipart/form-data; boundary=x").body(body);
    let refused = Answer::of(request).await;
    refused.expect_problem(422, "INVALID_BODY");
    assert!(refused.text.contains("Send the file in the field `image`."), "{}", refused.text);
}

#[tokio::test]
async fn the_name_of_a_file_is_no_path() {
    let app = TestApp::start().await;
    let (seller, item) = item(&app).await;
    let request = seller.request("POST", &format!("{item}/images"));
    let answer = Answer::of(with_parts(request, &[], &[("../../../evil.html", &png(40, 30))])).await;
    answer.expect(201);
    assert_eq!(kept_files(&app), 3);
    let data_dir = &app.state.installation.settings.data_dir;
    let beside: Vec<_> =
        std::fs::read_dir(data_dir).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(beside, ["images"]);
}

#[tokio::test]
async fn an_item_has_at_most_ten_also_at_the_same_time() {
    let app = TestApp::start().await;
    let (seller, item) = item(&app).await;
    let pictures: Vec<_> = (0..14).map(|gray| coloured_png(4, 4, gray)).collect();
    let added = futures::future::join_all(pictures.iter().map(|it| add_picture(&seller, &item, it))).await;
    let refused: Vec<_> = added.iter().filter(|answer| answer.status != 201).collect();
    assert_eq!(refused.len(), 4);
    refused.iter().for_each(|answer| drop(answer.expect_problem(409, "LIMIT_REACHED")));
    assert_eq!(images(&seller, &item).await.len(), 10);
}

/// Begins an upload whose body does not arrive.
async fn slow_upload(app: &TestApp, cookie: &str, item: &str) -> TcpStream {
    let mut stream = TcpStream::connect(app.address).await.unwrap();
    let head = format!(
        "POST {item}/images HTTP/1.1\r\nhost: localhost\r\ncookie: {cookie}\r\ncontent-length: 1000\r\n\
         content-type: multipart/form-data; boundary=b\r\n\r\n--b\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    stream
}

#[tokio::test]
async fn the_slow_uploads_of_one_user_keep_no_other_user_from_uploading() {
    let app = TestApp::start().await;
    let (_, item) = item(&app).await;
    let cookies = app.cookie_of("seller").await;
    let mut slow = Vec::new();
    for _ in 0..40 {
        slow.push(slow_upload(&app, &cookies, &item).await);
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    let other = app.user("other").await;
    let path = auction(&other, json!({})).await;
    let made = other
        .post(&format!("{path}/items"), json!({"name": "An urn", "currencyCode": "GBP"}))
        .await
        .expect(201);
    let others = format!("{path}/items/{}", made["id"].as_str().unwrap());
    add_picture(&other, &others, &png(4, 3)).await.expect(201);
}

#[tokio::test]
async fn a_repeated_request_adds_one_picture() {
    let app = TestApp::start().await;
    let (seller, item) = item(&app).await;
    let send = async |file: Vec<u8>| {
        let request = seller.request("POST", &format!("{item}/images")).header("idempotency-key", "k");
        Answer::of(with_parts(request, &[], &[("x", &file)])).await
    };
    let first = send(png(4, 3)).await.expect(201);
    let again = send(png(4, 3)).await;
    assert_eq!(again.header("idempotent-replayed"), "true");
    assert_eq!(again.expect(201), first);
    send(png(3, 4)).await.expect_problem(422, "IDEMPOTENCY_KEY_REUSED");
    assert_eq!(images(&seller, &item).await.len(), 1);
}
