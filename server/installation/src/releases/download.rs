//! Downloads the files of a release.

use std::path::Path;
use std::time::Duration;

use sha2::{Digest, Sha256};
use tokio::fs::File;
use tokio::io::AsyncWriteExt;

use super::transfer::{self, FetchError};

const ACCEPT: &str = "application/octet-stream";

/// Why a file was not downloaded.
#[derive(Debug, thiserror::Error)]
pub enum DownloadError {
    #[error(transparent)]
    Transfer(#[from] FetchError),
    #[error("it is not the {announced} bytes that the release announces")]
    Size { announced: u64 },
    #[error("it is not a text")]
    NoText,
    #[error("it can't be stored: {0}")]
    Io(#[from] std::io::Error),
}

/// Downloads a short text.
pub async fn download_text(
    address: &str,
    bytes_max: usize,
    limit: Duration,
) -> Result<String, DownloadError> {
    let response = transfer::get(address, ACCEPT, limit).await?;
    let text = transfer::read(response, bytes_max).await?;
    String::from_utf8(text).map_err(|_| DownloadError::NoText)
}

/// Downloads a file of exactly `size` bytes into the new file `to`, and returns its SHA-256. It stops at the
/// first byte too many.
pub async fn download(
    address: &str,
    size: u64,
    to: &Path,
    limit: Duration,
) -> Result<[u8; 32], DownloadError> {
    let mut response = transfer::get(address, ACCEPT, limit).await?;
    let mut file = File::create_new(to).await?;
    let (mut sum, mut received) = (Sha256::new(), 0_u64);
    while let Some(chunk) = response.chunk().await.map_err(|error| transfer::failure(&error))? {
        received += chunk.len() as u64;
        if received > size {
            return Err(DownloadError::Size { announced: size });
        }
        sum.update(&chunk);
        file.write_all(&chunk).await?;
    }
    if received < size {
        return Err(DownloadError::Size { announced: size });
    }
    file.flush().await?;
    Ok(sum.finalize().into())
}
