//! Exports as files: `?format=csv|json`, written to a temporary file first, so that a client that reads
//! slowly holds this file, not a transaction.

use std::fs::File;
use std::io::{ErrorKind, Read, Seek};
use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use axum::extract::RawQuery;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use tokio::io::AsyncWriteExt;
use tokio::time::MissedTickBehavior;

use super::paging::parameters;
use super::problem::Problem;
use crate::db::DbError;
use crate::fair::FairPermit;
use crate::ids::UserId;
use crate::low_priority::LowPriority;

/// Bytes of the file that are sent at once.
const CHUNK: usize = 64 * 1024;
/// The pause after each part of an export, in multiples of the time that the part took.
const PAUSE: u32 = 3;
/// The least time between chunks: 16 MB a second.
const CHUNK_EVERY: Duration = Duration::from_millis(4);

/// The format of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Csv,
    Json,
}

/// The format is neither `csv` nor `json`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be csv or json")]
pub struct UnknownFormat;

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        match name {
            "csv" => Ok(Self::Csv),
            "json" => Ok(Self::Json),
            _ => Err(UnknownFormat),
        }
    }
}

impl Format {
    /// The format that a query names, JSON by default.
    pub fn of(query: &RawQuery) -> Result<Self, Problem> {
        let query = parameters(query);
        let given = query.iter().find(|(name, _)| name == "format").map(|(_, format)| format.parse());
        let format = given.transpose();
        let format = format.map_err(|error: UnknownFormat| Problem::field("format", error.to_string()))?;
        Ok(format.unwrap_or(Self::Json))
    }
}

/// What is read part by part.
pub trait Parts: Send {
    /// The text of the next part; `None` after the last one.
    fn next(&mut self) -> impl Future<Output = Result<Option<Vec<u8>>, DbError>> + Send;
}

/// A temporary file with everything that is exported.
#[derive(Debug)]
pub struct WrittenFile {
    file: File,
    size: u64,
}

/// Writes all parts into a file. After each part it pauses, so that bids and pages have the processors and
/// the database to themselves most of the time: PostgreSQL serves all connections with the same priority.
pub async fn write(mut parts: impl Parts) -> Result<WrittenFile, Problem> {
    let mut file = tokio::fs::File::from_std(tempfile::tempfile().map_err(unwritten)?);
    loop {
        let begin = Instant::now();
        let Some(part) = parts.next().await? else { break };
        file.write_all(&part).await.map_err(unwritten)?;
        tokio::time::sleep(PAUSE * begin.elapsed()).await;
    }
    file.flush().await.map_err(unwritten)?;
    let mut file = file.into_std().await;
    let size = file.stream_position().map_err(unwritten)?;
    file.rewind().map_err(unwritten)?;
    Ok(WrittenFile { file, size })
}

/// The answer with a file. Until the client has received it the file counts as the one export of its user,
/// and other users go on. It is read on the threads of low priority and sent at a bounded rate, so that the
/// pages of others keep their share while a client loads it as fast as it can.
pub struct Attachment {
    /// Name of the file without its extension.
    pub name: String,
    pub format: Format,
    pub written: WrittenFile,
    pub permit: FairPermit<UserId>,
    pub threads: Arc<LowPriority>,
}

impl IntoResponse for Attachment {
    fn into_response(self) -> Response {
        let Self { name, format, written, mut permit, threads } = self;
        permit.yield_to_others();
        let (media_type, extension) = match format {
            Format::Csv => ("text/csv; charset=utf-8; header=present", "csv"),
            Format::Json => ("application/json", "json"),
        };
        let headers = [
            (header::CONTENT_TYPE, media_type.to_owned()),
            (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}.{extension}\"")),
            (header::CONTENT_LENGTH, written.size.to_string()),
        ];
        (headers, content(written.file, permit, threads)).into_response()
    }
}

fn unwritten(error: std::io::Error) -> Problem {
    match error.kind() {
        ErrorKind::StorageFull => Problem::storage_full(),
        _ => Problem::internal(&error),
    }
}

/// The rest of the file.
fn content(file: File, permit: FairPermit<UserId>, threads: Arc<LowPriority>) -> Body {
    let mut pace = tokio::time::interval(CHUNK_EVERY);
    pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let begin = (file, pace, permit, threads);
    let chunks = futures::stream::try_unfold(begin, async |(mut file, mut pace, permit, threads)| {
        pace.tick().await;
        let read = threads.run_blocking(move || {
            let mut chunk = vec![0; CHUNK];
            let read = file.read(&mut chunk)?;
            chunk.truncate(read);
            Ok::<_, std::io::Error>((chunk, file))
        });
        let (chunk, file) = read.await.map_err(std::io::Error::other)??;
        Ok::<_, std::io::Error>(
            (!chunk.is_empty()).then(|| (Bytes::from(chunk), (file, pace, permit, threads))),
        )
    });
    Body::from_stream(chunks)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parts that take time.
    struct Slow(u32);

    impl Parts for Slow {
        async fn next(&mut self) -> Result<Option<Vec<u8>>, DbError> {
            let Some(left) = self.0.checked_sub(1) else { return Ok(None) };
            self.0 = left;
            tokio::time::sleep(PART).await;
            Ok(Some(vec![b'x'; 10]))
        }
    }

    const PART: Duration = Duration::from_millis(20);

    #[tokio::test]
    async fn each_part_is_followed_by_a_pause() {
        let begin = Instant::now();
        let written = write(Slow(3)).await.unwrap();
        assert_eq!(written.size, 30);
        assert!(begin.elapsed() >= 3 * (1 + PAUSE) * PART, "{:?}", begin.elapsed());
    }
}
