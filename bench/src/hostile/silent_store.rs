//! A store of pictures on this machine that takes what is written to it, and answers nothing else.

use std::io;
use std::net::SocketAddr;

use installation::config::{BucketAccess, Settings};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

const WRITTEN: &[u8] = b"HTTP/1.1 200 OK\r\netag: \"x\"\r\ncontent-length: 0\r\n\r\n";

/// Lets a server keep its pictures there.
pub async fn choose(settings: &mut Settings) -> io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address: SocketAddr = listener.local_addr()?;
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(answer(stream));
        }
    });
    settings.images = Some("s3://pictures".parse().map_err(io::Error::other)?);
    settings.bucket_access = BucketAccess::from_variables([
        ("AWS_ENDPOINT_URL", format!("http://{address}")),
        ("AWS_ALLOW_HTTP", "true".to_owned()),
        ("AWS_ACCESS_KEY_ID", "bench".to_owned()),
        ("AWS_SECRET_ACCESS_KEY", "bench".to_owned()),
    ]);
    Ok(())
}

async fn answer(mut stream: TcpStream) -> io::Result<()> {
    let mut received = Vec::new();
    loop {
        while !is_complete(&received) {
            if stream.read_buf(&mut received).await? == 0 {
                return Ok(());
            }
        }
        if !received.starts_with(b"PUT ") {
            return std::future::pending().await;
        }
        received.clear();
        stream.write_all(WRITTEN).await?;
    }
}

/// Whether a request has arrived with its body. There is one at a time.
fn is_complete(received: &[u8]) -> bool {
    let text = String::from_utf8_lossy(received);
    let Some((head, _)) = text.split_once("\r\n\r\n") else { return false };
    let length = head
        .lines()
        .find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length:")?.trim().parse().ok());
    received.len() >= head.len() + 4 + length.unwrap_or(0_usize)
}
