//! Exports as files, written to a temporary file first, so that a client that reads
//! slowly holds this file, not a transaction.

use std::fs::File;
use std::io::{ErrorKind, Read, Seek};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use tokio::io::AsyncWriteExt;
use tokio::time::MissedTickBehavior;

use super::format::ExportFormat;
use super::problem::Problem;
use crate::db::DbError;
use crate::fair::FairPermit;
use crate::ids::UserId;
use crate::low_priority::LowPriority;
use crate::workbook::Workbook;

/// Bytes of the file that are sent at once.
const CHUNK: usize = 64 * 1024;
/// The pause after each part of an export, in multiples of the time that the part took.
const PAUSE: u32 = 3;
/// The least time between chunks: 16 MB a second.
const CHUNK_EVERY: Duration = Duration::from_millis(4);

/// A part of the file of an export.
pub enum ExportPart {
    /// Bytes that follow those of the part before.
    Text(Vec<u8>),
    /// The whole file.
    Workbook(Box<Workbook>),
}

/// Why an export is not written.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    #[error(transparent)]
    Db(#[from] DbError),
    /// A file can't be written.
    #[error(transparent)]
    File(#[from] std::io::Error),
}

impl From<ExportError> for Problem {
    fn from(error: ExportError) -> Self {
        match error {
            ExportError::Db(error) => error.into(),
            ExportError::File(error) if error.kind() == ErrorKind::StorageFull => Self::storage_full(),
            ExportError::File(error) => Self::internal(&error),
        }
    }
}

/// What is read part by part.
pub trait ExportParts: Send {
    /// The next part; `None` after the last one.
    fn next(&mut self) -> impl Future<Output = Result<Option<ExportPart>, ExportError>> + Send;
}

/// A temporary file with everything that is exported.
#[derive(Debug)]
pub struct WrittenFile {
    file: File,
    size: u64,
}

/// Writes all parts into a file. After each part it pauses, so that bids and pages have the processors and
/// the database to themselves most of the time: PostgreSQL serves all connections with the same priority.
pub async fn write(mut parts: impl ExportParts) -> Result<WrittenFile, ExportError> {
    let mut file = tokio::fs::File::from_std(tempfile::tempfile()?);
    loop {
        let begin = Instant::now();
        match parts.next().await? {
            None => break,
            Some(ExportPart::Text(text)) => file.write_all(&text).await?,
            Some(ExportPart::Workbook(workbook)) => file = with_workbook(file, *workbook).await?,
        }
        tokio::time::sleep(PAUSE * begin.elapsed()).await;
    }
    file.flush().await?;
    let mut file = file.into_std().await;
    let size = file.stream_position()?;
    file.rewind()?;
    Ok(WrittenFile { file, size })
}

/// The file after a workbook is written into it, on a thread that may be busy for long.
async fn with_workbook(file: tokio::fs::File, workbook: Workbook) -> Result<tokio::fs::File, ExportError> {
    let file = file.into_std().await;
    let saved = tokio::task::spawn_blocking(move || workbook.save(&file).map(|()| file));
    let file = saved.await.map_err(std::io::Error::other)??;
    Ok(tokio::fs::File::from_std(file))
}

/// The answer with a file. Until the client has received it the file counts as the one export of its user,
/// and other users go on. It is read on the threads of low priority and sent at a bounded rate, so that the
/// pages of others keep their share while a client loads it as fast as it can.
pub struct Attachment {
    /// Name of the file without its extension.
    pub name: String,
    pub format: ExportFormat,
    pub written: WrittenFile,
    pub permit: FairPermit<UserId>,
    pub threads: Arc<LowPriority>,
}

impl IntoResponse for Attachment {
    fn into_response(self) -> Response {
        let Self { name, format, written, mut permit, threads } = self;
        permit.yield_to_others();
        let (media_type, extension) = format.file_type();
        let headers = [
            (header::CONTENT_TYPE, media_type.to_owned()),
            (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}.{extension}\"")),
            (header::CONTENT_LENGTH, written.size.to_string()),
        ];
        (headers, content(written.file, permit, threads)).into_response()
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

    impl ExportParts for Slow {
        async fn next(&mut self) -> Result<Option<ExportPart>, ExportError> {
            let Some(left) = self.0.checked_sub(1) else { return Ok(None) };
            self.0 = left;
            tokio::time::sleep(PART).await;
            Ok(Some(ExportPart::Text(vec![b'x'; 10])))
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
