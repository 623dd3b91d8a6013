//! Release servers that lie, and releases that are not what they should be.

use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use serde_json::json;
use tar::{Builder, EntryType, Header};

use super::{NEXT, announce, binary, open, root};
use crate::harness::releases::{Release, ReleaseServer, Reply, SigningKey, archive, packed};
use crate::harness::{Installation, QUICKLY};
use crate::routes::system::update::step;

/// Makes the release server of a good release lie, and returns words of the reason for the refusal.
type Lie = fn(&ReleaseServer, &SigningKey) -> &'static str;

fn resigned(server: &ReleaseServer, archive: Vec<u8>, key: &SigningKey) {
    server.publish(&Release::of(NEXT, archive, key));
}

/// The size that the release announces for its archive.
fn announce_size(server: &ReleaseServer, change: impl FnOnce(u64) -> u64) {
    announce(server, |release| {
        let size = release["assets"][2]["size"].as_u64().unwrap();
        release["assets"][2]["size"] = json!(change(size));
    });
}

/// An archive with one entry of this kind, which announces this size.
fn entry(kind: EntryType, size: u64) -> Vec<u8> {
    let mut header = Header::new_ustar();
    header.set_path(format!("{}/farthing", root())).unwrap();
    header.set_entry_type(kind);
    header.set_size(size);
    header.set_mode(0o755);
    header.set_cksum();
    let mut builder = Builder::new(Vec::new());
    builder.append(&header, &b""[..]).unwrap();
    compress_to_vec(builder.into_inner().unwrap().as_slice(), CompressionLevel::Fastest)
}

const LIES: &[Lie] = &[
    // Forged: other bytes with the sum of these bytes, and the genuine signature.
    |server, key| {
        let genuine = Release::new(NEXT, &binary(), key);
        let forged = Release::new(NEXT, b"#!/bin/sh\nexit 0\n", key).archive;
        server.publish(&Release { archive: forged, ..genuine });
        "the signature is not that of this file"
    },
    // An unknown key.
    |server, _| {
        server.publish(&Release::new(NEXT, &binary(), &SigningKey::new()));
        "signed by no key that this installation trusts"
    },
    // An older release under the name of the new one.
    |server, key| {
        let older = Release::new("0.1.5", &binary(), key);
        server.publish(&Release { version: NEXT.to_owned(), ..older });
        "the signature is for `farthing 0.1.5"
    },
    // The same, with a trusted comment that was changed.
    |server, key| {
        let mut older = Release::new("0.1.5", &binary(), key);
        older.signature = older.signature.replace("farthing 0.1.5", &format!("farthing {NEXT}"));
        server.publish(&Release { version: NEXT.to_owned(), ..older });
        "the signature is not that of this file"
    },
    // The archive of another machine.
    |server, key| {
        let mut other = Release::new(NEXT, &binary(), key);
        other.signature = key.sign(&other.archive, &format!("farthing {NEXT} riscv64gc-unknown-linux-gnu"));
        server.publish(&other);
        "riscv64gc-unknown-linux-gnu`, and not for"
    },
    |server, _| {
        server.answer(&format!("{}.minisig", archive(NEXT)), Reply::Bytes(b"trust me".to_vec()));
        "the signature can't be read"
    },
    |server, _| {
        announce(server, |release| {
            release["assets"].as_array_mut().unwrap().pop();
        });
        "the release has no file `farthing-0.2.0-"
    },
    |server, _| {
        announce(server, |release| {
            release["assets"].as_array_mut().unwrap().remove(1);
        });
        ".tar.zst.minisig`"
    },
    |server, _| {
        announce(server, |release| release["assets"][0]["name"] = json!("sums"));
        "the release has no file `SHA256SUMS`"
    },
    |server, _| {
        announce(server, |release| {
            release["assets"][2]["browser_download_url"] = json!("file:///etc/passwd")
        });
        "names no address"
    },
    |server, _| {
        server.answer("SHA256SUMS", Reply::Bytes(format!("{}  {}\n", "0".repeat(64), archive(NEXT)).into()));
        "its SHA-256 is not the one that the release announces"
    },
    |server, _| {
        server.answer("SHA256SUMS", Reply::Bytes(b"none\n".to_vec()));
        "has no SHA-256 of"
    },
    |server, _| {
        server.answer("SHA256SUMS", Reply::Bytes(vec![b'0'; 1 << 20]));
        "larger than"
    },
    // Truncated, and larger than announced.
    |server, _| {
        announce_size(server, |size| size + 1);
        "bytes that the release announces"
    },
    |server, _| {
        announce_size(server, |size| size - 1);
        "bytes that the release announces"
    },
    |server, _| {
        announce_size(server, |_| 0);
        "is announced with 0 bytes"
    },
    |server, _| {
        announce_size(server, |_| 1 << 40);
        "more than an archive may have"
    },
    |server, _| {
        server.answer(&archive(NEXT), Reply::Status(500));
        "status 500"
    },
    |server, _| {
        server.answer(&archive(NEXT), Reply::Silence);
        "it took too long"
    },
    |server, _| {
        server.answer(&archive(NEXT), Reply::Redirect(format!("{}/{}", server.url, archive(NEXT))));
        "it led elsewhere too often"
    },
    |server, _| {
        server.answer("elsewhere", Reply::Bytes(b"<html>".to_vec()));
        server.answer(&archive(NEXT), Reply::Redirect(format!("{}/elsewhere", server.url)));
        "bytes that the release announces"
    },
    |server, _| {
        server.answer(&archive(NEXT), Reply::Redirect("file:///etc/passwd".to_owned()));
        "status 302"
    },
    // Signed, but not an archive that is unpacked.
    |server, key| {
        resigned(server, packed(&root(), &[("../../../farthing", 0o755, b"x")]), key);
        "is not below the folder"
    },
    |server, key| {
        resigned(server, packed("other", &[("farthing", 0o755, b"x")]), key);
        "is not below the folder"
    },
    |server, key| {
        resigned(server, packed(&root(), &[("farthing", 0o644, b"x")]), key);
        "has no executable `farthing`"
    },
    |server, key| {
        resigned(server, entry(EntryType::Symlink, 0), key);
        "is neither a file nor a folder"
    },
    |server, key| {
        resigned(server, entry(EntryType::Regular, 1 << 32), key);
        "it has more than 1024 MiB unpacked"
    },
    |server, key| {
        resigned(server, b"not an archive".to_vec(), key);
        "it is damaged"
    },
];

#[tokio::test]
async fn a_release_that_is_not_what_it_should_be_is_refused_and_nothing_changes() {
    let (key, server) = (SigningKey::new(), ReleaseServer::start().await);
    let installation = Installation::of_archives(&key);
    installation.take_archives(&key, &format!("{QUICKLY}[limits]\nstep_timeout_seconds = 2\n"));
    let site = open(installation, &server).await;
    let before = site.ledger().await;
    for lie in LIES {
        server.publish(&Release::new(NEXT, &binary(), &key));
        let words = lie(&server, &key);
        site.app.clock.advance_seconds(60);
        let run = site.update().await;
        assert_eq!(run["status"], "ROLLED_BACK", "{words}: {run:#}");
        let reason = run["reason"].as_str().unwrap();
        assert!(reason.contains(words), "{words}: {reason}");
        assert!(step(&run, "rehearse")["startedAt"].is_null(), "{run:#}");
        assert_eq!(site.installation.releases(), Vec::<String>::new(), "{words}");
        assert_eq!(site.installation.current(), None, "{words}");
    }
    assert_eq!(site.ledger().await, before);
    site.bid(6).await;
    // The same installation still takes a good release, also over a redirect, as forges do.
    server.publish(&Release::new(NEXT, &binary(), &key));
    let genuine = Release::new(NEXT, &binary(), &key);
    server.publish(&genuine);
    server.answer("store", Reply::Bytes(genuine.archive));
    server.answer(&archive(NEXT), Reply::Redirect(format!("{}/store", server.url)));
    site.app.clock.advance_seconds(60);
    let run = site.update().await;
    assert_eq!(run["status"], "SUCCEEDED", "{run:#}");
}
