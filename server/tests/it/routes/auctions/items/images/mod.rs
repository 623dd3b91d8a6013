//! `/api/auctions/{auction_id}/items/{item_id}/images…`

mod bucket;
mod files;
mod form;
mod manage;
mod new_item;
mod owners;
mod upload;

use platform::file_store::is_about_store;
use reqwest::RequestBuilder;
use serde_json::{Value, json};

use crate::harness::{Answer, Client, TestApp};
use crate::routes::auctions::auction;

const BOUNDARY: &str = "a-boundary";

/// A PNG of one colour.
pub fn png(width: u32, height: u32) -> Vec<u8> {
    coloured_png(width, height, 90)
}

pub fn coloured_png(width: u32, height: u32, gray: u8) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = ::png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(::png::ColorType::Grayscale);
    let pixels = vec![gray; (width * height) as usize];
    encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
    bytes
}

/// A multipart body with these fields and files, each with its name.
pub fn with_parts(
    request: RequestBuilder,
    texts: &[(&str, &str)],
    files: &[(&str, &[u8])],
) -> RequestBuilder {
    let mut body = Vec::new();
    for (name, value) in texts {
        let part =
            format!("--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
        body.extend(part.into_bytes());
    }
    for (file, bytes) in files {
        let head = format!(
            "--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"image\"; filename=\"{file}\"\r\n\
             content-type: image/jpeg\r\n\r\n"
        );
        body.extend(head.into_bytes());
        body.extend(*bytes);
        body.extend(b"\r\n");
    }
    body.extend(format!("--{BOUNDARY}--\r\n").into_bytes());
    request.header("content-type", format!("multipart/form-data; boundary={BOUNDARY}")).body(body)
}

/// Adds a picture to the item at this path.
pub async fn add_picture(seller: &Client, item: &str, file: &[u8]) -> Answer {
    let request = seller.request("POST", &format!("{item}/images"));
    Answer::of(with_parts(request, &[], &[("picture.jpg", file)])).await
}

/// A seller with an auction of their own and the path of a published item in it.
async fn item(app: &TestApp) -> (Client, String) {
    let seller = app.user("seller").await;
    let path = auction(&seller, json!({"joinMode": "FREE"})).await;
    let body = json!({"name": "A vase", "isPublished": true, "currencyCode": "GBP"});
    let made = seller.post(&format!("{path}/items"), body).await.expect(201);
    (seller, format!("{path}/items/{}", made["id"].as_str().unwrap()))
}

async fn images(client: &Client, item: &str) -> Vec<Value> {
    client.get(&format!("{item}/images")).await.expect(200)["images"].as_array().unwrap().clone()
}

/// Begins the pause of writes of an update.
async fn pause(app: &TestApp) {
    app.write(
        "INSERT INTO database_lease (id, holder, expires_at, writes_closed)
         VALUES ('lease', 'an update', 9000000000000000, TRUE)",
    )
    .await;
}

/// The number of files in the folder of pictures.
fn kept_files(app: &TestApp) -> usize {
    let folder = app.state.installation.settings.uploads_dir();
    let is_picture = |entry: &std::io::Result<std::fs::DirEntry>| {
        entry.as_ref().is_ok_and(|entry| !is_about_store(&entry.file_name().to_string_lossy()))
    };
    std::fs::read_dir(folder).map_or(0, |entries| entries.filter(is_picture).count())
}
