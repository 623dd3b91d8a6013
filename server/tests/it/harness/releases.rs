//! A release server: a release API, and the files of its latest release. A test may change each answer.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use ::installation::releases::{archive_name, target};
use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use blake2::Blake2b512;
use parking_lot::Mutex;
use ring::rand::{self, SystemRandom};
use ring::signature::{Ed25519KeyPair, KeyPair};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// The answer to a request for a file.
#[derive(Clone)]
pub enum Reply {
    Bytes(Vec<u8>),
    Status(u16),
    Redirect(String),
    /// No answer.
    Silence,
}

/// A key that signs releases as minisign does. With the features that its crate selects, the dependencies of
/// the server would be compiled once more for the tests.
pub struct SigningKey {
    id: [u8; 8],
    pair: Ed25519KeyPair,
}

/// The files of a release for this machine, as its maker publishes them.
pub struct Release {
    pub version: String,
    pub archive: Vec<u8>,
    pub signature: String,
}

type Replies = Arc<Mutex<HashMap<String, Reply>>>;

pub struct ReleaseServer {
    /// Base URL, without a slash at the end.
    pub url: String,
    replies: Replies,
    server: tokio::task::JoinHandle<()>,
}

impl SigningKey {
    pub fn new() -> Self {
        let random = SystemRandom::new();
        let document = Ed25519KeyPair::generate_pkcs8(&random).unwrap();
        let pair = Ed25519KeyPair::from_pkcs8(document.as_ref()).unwrap();
        Self { id: rand::generate(&random).unwrap().expose(), pair }
    }

    /// The block of the public key in a file of keys.
    pub fn public(&self) -> String {
        let key = [b"Ed".as_slice(), &self.id, self.pair.public_key().as_ref()].concat();
        format!("untrusted comment: minisign public key\n{}\n", BASE64_STANDARD.encode(key))
    }

    /// A signature whose trusted comment is this text.
    pub fn sign(&self, file: &[u8], comment: &str) -> String {
        let signature = self.pair.sign(&Blake2b512::digest(file));
        let global = self.pair.sign(&[signature.as_ref(), comment.as_bytes()].concat());
        let signature = [b"ED".as_slice(), &self.id, signature.as_ref()].concat();
        let [signature, global] =
            [signature.as_slice(), global.as_ref()].map(|it| BASE64_STANDARD.encode(it));
        format!("untrusted comment: a release\n{signature}\ntrusted comment: {comment}\n{global}\n")
    }
}

impl Release {
    /// A release with this binary, signed with `key`.
    pub fn new(version: &str, binary: &[u8], key: &SigningKey) -> Self {
        let root = archive(version).trim_end_matches(".tar.zst").to_owned();
        let files = [("farthing", 0o755, binary), ("docs/operate/updating.md", 0o644, b"# Updating\n")];
        Self::of(version, packed(&root, &files), key)
    }

    /// A release with this archive.
    pub fn of(version: &str, archive: Vec<u8>, key: &SigningKey) -> Self {
        let signature = key.sign(&archive, &comment(version));
        Self { version: version.to_owned(), archive, signature }
    }
}

/// The trusted comment of a release for this machine.
pub fn comment(version: &str) -> String {
    format!("farthing {version} {}", target())
}

/// The name of the archive of a release for this machine.
pub fn archive(version: &str) -> String {
    archive_name(&version.parse().unwrap())
}

/// A compressed archive with files below the folder `root`.
pub fn packed(root: &str, files: &[(&str, u32, &[u8])]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (path, mode, content) in files {
        let mut header = tar::Header::new_ustar();
        header.set_size(content.len() as u64);
        header.set_mode(*mode);
        // Any path, also one that the crate would refuse.
        let (name, path) = (&mut header.as_old_mut().name, format!("{root}/{path}"));
        name[..path.len()].copy_from_slice(path.as_bytes());
        header.set_cksum();
        builder.append(&header, *content).unwrap();
    }
    compress_to_vec(builder.into_inner().unwrap().as_slice(), CompressionLevel::Uncompressed)
}

impl ReleaseServer {
    /// Starts a server without a release.
    pub async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let replies = Replies::default();
        let router = Router::new().fallback(reply).with_state(Arc::clone(&replies));
        let server = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, replies, server }
    }

    /// The address of the release API.
    pub fn api(&self) -> String {
        format!("{}/latest", self.url)
    }

    /// Makes it the latest release, and only that.
    pub fn publish(&self, release: &Release) {
        let Release { version, archive, signature } = release;
        let name = self::archive(version);
        let sums = format!("{}  {name}\n", const_hex::encode(Sha256::digest(archive)));
        self.replies.lock().clear();
        self.answer("SHA256SUMS", Reply::Bytes(sums.into_bytes()));
        self.answer(&format!("{name}.minisig"), Reply::Bytes(signature.clone().into_bytes()));
        self.answer(&name, Reply::Bytes(archive.clone()));
        let file = |name: &str, size: usize| json!({"name": name, "browser_download_url": format!("{}/{name}", self.url), "size": size});
        self.announce(&json!({
            "tag_name": format!("v{version}"),
            "html_url": format!("https://example.org/releases/{version}"),
            "body": format!("## New in {version}\n\n* Bids are *faster*."),
            "assets": [
                file("SHA256SUMS", 100), file(&format!("{name}.minisig"), 300), file(&name, archive.len()),
            ],
        }));
    }

    /// Replaces the answer of the release API.
    pub fn announce(&self, release: &Value) {
        self.answer("latest", Reply::Bytes(release.to_string().into_bytes()));
    }

    /// The answer of the release API.
    pub fn announced(&self) -> Value {
        match self.replies.lock().get("latest") {
            Some(Reply::Bytes(text)) => serde_json::from_slice(text).unwrap(),
            _ => Value::Null,
        }
    }

    /// Replaces the answer to requests for a file.
    pub fn answer(&self, name: &str, reply: Reply) {
        self.replies.lock().insert(name.to_owned(), reply);
    }
}

impl Drop for ReleaseServer {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn reply(State(replies): State<Replies>, uri: Uri) -> Response {
    let found = replies.lock().get(uri.path().trim_start_matches('/')).cloned();
    match found {
        None => StatusCode::NOT_FOUND.into_response(),
        Some(Reply::Bytes(bytes)) => bytes.into_response(),
        Some(Reply::Status(status)) => StatusCode::from_u16(status).unwrap().into_response(),
        Some(Reply::Redirect(to)) => (StatusCode::FOUND, [(header::LOCATION, to)]).into_response(),
        Some(Reply::Silence) => {
            tokio::time::sleep(Duration::from_secs(600)).await;
            StatusCode::OK.into_response()
        }
    }
}
