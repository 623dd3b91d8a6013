//! Multipart bodies with files. A handler takes an [`Upload`], which a verb receives after it has authorized
//! the user: the files go to the disk as they arrive, not to memory.

use std::convert::Infallible;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use axum::extract::{FromRequest, Request};
use axum::http::header;
use futures::StreamExt;
use multer::{Field, Multipart};
use sha2::{Digest, Sha256};
use tokio::fs::File;
use tokio::io::{AsyncSeekExt, AsyncWriteExt};

use super::body::{BODY_BYTES_MAX, DISCARDED_BYTES_MAX};
use super::keyed::GivenKey;
use super::problem::Problem;
use crate::http::codes;
use crate::http::request_id::CurrentRequest;
use crate::idempotency::{IdempotencyKey, KeyedRequest, NotAnIdempotencyKey};

/// The field of a form that has its idempotency key.
const KEY_FIELD: &str = "idempotencyKey";
/// Parts of a body, at most.
const PARTS_MAX: usize = 128;
/// Bytes that have arrived and belong to no part yet, at most: those of the head of a part.
const UNREAD_BYTES_MAX: u64 = 1024 * 1024;
/// Characters of the name of a file that are kept.
const NAME_CHARS_MAX: usize = 100;
/// How long a part may take to go on.
const IDLE_MAX: Duration = Duration::from_secs(15);
/// How long the whole body may take to arrive.
const WAIT_MAX: Duration = Duration::from_secs(600);
/// How long a body may take before it has to arrive at a pace, in bytes a second: ten seconds for 160 KB.
const PACE_FROM: Duration = Duration::from_secs(20);
const PACE_MIN: u64 = 16 * 1024;

/// What an upload may have.
#[derive(Debug, Clone, Copy)]
pub struct UploadLimits {
    /// The name of the fields with files.
    pub field: &'static str,
    pub files: usize,
    pub file_bytes: u64,
}

/// A multipart body that is not received yet.
pub struct Upload {
    parts: Result<Multipart<'static>, Problem>,
    unread: Unread,
    key: GivenKey,
}

/// Bytes that have arrived and belong to no part yet.
#[derive(Debug, Clone, Default)]
struct Unread(Arc<AtomicU64>);

/// A received body.
#[derive(Debug, Default)]
pub struct Received {
    /// The other fields, in their order.
    pub texts: Vec<(String, String)>,
    /// The files, in their order.
    pub files: Vec<ReceivedFile>,
    /// The idempotency key of the header or of the form, with the hash of the fields and files.
    pub keyed: Option<KeyedRequest>,
    /// Why the body as a whole is refused.
    pub refusal: Option<Problem>,
}

/// A file of a received body.
#[derive(Debug)]
pub struct ReceivedFile {
    /// The name that the client gave it, at most 100 characters. It is never used as a path.
    pub name: String,
    /// The file, rewound, or why it is refused.
    pub content: Result<std::fs::File, Problem>,
}

impl Received {
    /// All files, if neither the body nor one of them is refused.
    pub fn all_files(self) -> Result<Vec<std::fs::File>, Problem> {
        match self.refusal {
            Some(problem) => Err(problem),
            None => self.files.into_iter().map(|file| file.content).collect(),
        }
    }

    /// The first field of this name. An empty field counts as absent.
    pub fn get(&self, name: &str) -> Option<&str> {
        let found = self.texts.iter().find(|(field, _)| field == name);
        found.map(|(_, value)| value.as_str()).filter(|value| !value.is_empty())
    }
}

impl<S: Send + Sync> FromRequest<S> for Upload {
    type Rejection = Infallible;

    async fn from_request(request: Request, _state: &S) -> Result<Self, Infallible> {
        let (parts, body) = request.into_parts();
        let kind = parts.headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or("");
        let unread = Unread::default();
        let (arriving, mut pace) = (unread.clone(), Pace::default());
        let body = CurrentRequest::chunks(body).map(move |chunk| {
            let chunk = chunk.map_err(io::Error::other)?;
            if !pace.keeps(chunk.len()) {
                return Err(io::Error::new(io::ErrorKind::TimedOut, "the body arrives too slowly"));
            }
            if arriving.add(chunk.len()) { Ok(chunk) } else { Err(io::Error::other("the head is too long")) }
        });
        let multipart =
            multer::parse_boundary(kind).map(|boundary| Multipart::new(body, boundary)).map_err(|_| {
                Problem::new(codes::UNSUPPORTED_MEDIA_TYPE, "Send the files as multipart/form-data.")
            });
        Ok(Self { parts: multipart, unread, key: GivenKey::of(&parts.headers) })
    }
}

impl Unread {
    /// Whether so many bytes more may be unread.
    fn add(&self, bytes: usize) -> bool {
        let before = self.0.fetch_add(bytes as u64, Ordering::Relaxed);
        before <= UNREAD_BYTES_MAX
    }

    /// A part has so many of the bytes. Those of its head stay counted: they are few, or the body is refused.
    fn remove(&self, bytes: usize) {
        self.0.fetch_sub(bytes as u64, Ordering::Relaxed);
    }
}

/// How fast a body arrives, from its first bytes on: before, it may have waited for others.
#[derive(Default)]
struct Pace {
    begun: Option<Instant>,
    bytes: u64,
}

impl Pace {
    /// Whether the body still arrives fast enough, with so many bytes more.
    fn keeps(&mut self, bytes: usize) -> bool {
        self.bytes = self.bytes.saturating_add(bytes as u64);
        let elapsed = self.begun.get_or_insert_with(Instant::now).elapsed();
        elapsed < PACE_FROM || self.bytes >= elapsed.as_secs().saturating_mul(PACE_MIN)
    }
}

impl Upload {
    /// Receives the whole body. `new_file` makes an empty file for each file. What is too large is refused
    /// within the result, so that the fields beside it are known.
    ///
    /// # Errors
    /// The body is of another media type, far too large, too slow, or can't be read, or a file can't be
    /// written.
    pub async fn receive(
        self,
        limits: UploadLimits,
        new_file: impl Fn() -> io::Result<std::fs::File> + Send,
    ) -> Result<Received, Problem> {
        let GivenKey(key) = self.key;
        let mut reception = Reception::new(limits, self.unread, new_file);
        let received = tokio::time::timeout(WAIT_MAX, reception.all(self.parts?)).await;
        received.unwrap_or_else(|_| Err(Problem::plain(codes::REQUEST_TIMEOUT)))?;
        let Reception { texts, files, hash, refusal, .. } = reception;
        let key = match texts.iter().find(|(name, value)| name == KEY_FIELD && !value.is_empty()) {
            Some((_, text)) => Some(
                text.parse::<IdempotencyKey>()
                    .map_err(|error: NotAnIdempotencyKey| Problem::field(KEY_FIELD, error.to_string()))?,
            ),
            None => key?,
        };
        let keyed = key.map(|key| KeyedRequest::new(key, &hash.finalize()));
        Ok(Received { texts, files, keyed, refusal })
    }
}

/// What has arrived so far.
struct Reception<N> {
    limits: UploadLimits,
    unread: Unread,
    new_file: N,
    texts: Vec<(String, String)>,
    files: Vec<ReceivedFile>,
    hash: Sha256,
    text_bytes: usize,
    /// Why the body is refused. A client reads the answer once it has sent the body, so that more of it is
    /// read and discarded.
    refusal: Option<Problem>,
    discarded: usize,
}

impl<N: Fn() -> io::Result<std::fs::File> + Send> Reception<N> {
    fn new(limits: UploadLimits, unread: Unread, new_file: N) -> Self {
        let (texts, files, hash) = (Vec::new(), Vec::new(), Sha256::new());
        let (text_bytes, discarded) = (0, 0);
        Self { limits, unread, new_file, texts, files, hash, text_bytes, refusal: None, discarded }
    }

    async fn all(&mut self, mut parts: Multipart<'static>) -> Result<(), Problem> {
        let mut count = 0;
        while let Some(part) = in_time(parts.next_field()).await? {
            count += 1;
            let name = part.name().unwrap_or_default().to_owned();
            if count > PARTS_MAX {
                return Err(self.refusal.take().unwrap_or_else(|| invalid("The form has too many fields.")));
            }
            if name == self.limits.field { self.file(part).await? } else { self.text(name, part).await? }
        }
        Ok(())
    }

    async fn file(&mut self, mut part: Field<'static>) -> Result<(), Problem> {
        let name: String = part.file_name().unwrap_or_default().chars().take(NAME_CHARS_MAX).collect();
        let mut content: Option<Result<File, Problem>> = None;
        let mut bytes = 0_u64;
        while let Some(chunk) = in_time(part.chunk()).await? {
            self.unread.remove(chunk.len());
            if chunk.is_empty() {
                continue;
            }
            bytes = bytes.saturating_add(chunk.len() as u64);
            self.hash.update(&chunk);
            if content.is_none() && self.files.len() == self.limits.files {
                let most = self.limits.files;
                self.refuse(Problem::explained(self.limits.field, format!("Choose at most {most} files.")));
            } else if bytes > self.limits.file_bytes {
                content = Some(Err(self.too_large()));
            }
            if let Some(problem) = self.refusal.as_ref().or(content.as_ref().and_then(|it| it.as_ref().err()))
            {
                let problem = problem.clone();
                self.discard(chunk.len(), problem)?;
                continue;
            }
            if content.is_none() {
                content = Some(Ok(File::from_std((self.new_file)().map_err(unwritten)?)));
            }
            if let Some(Ok(file)) = &mut content {
                file.write_all(&chunk).await.map_err(unwritten)?;
            }
        }
        self.hash.update(bytes.to_be_bytes());
        let content = match content {
            // A form in which no file was chosen sends an empty one.
            None => return Ok(()),
            Some(Err(problem)) => Err(problem),
            Some(Ok(file)) => Ok(rewound(file).await.map_err(unwritten)?),
        };
        self.files.push(ReceivedFile { name, content });
        Ok(())
    }

    async fn text(&mut self, name: String, mut part: Field<'static>) -> Result<(), Problem> {
        let is_file = part.file_name().is_some_and(|name| !name.is_empty());
        let mut text = Vec::new();
        while let Some(chunk) = in_time(part.chunk()).await? {
            self.unread.remove(chunk.len());
            self.text_bytes = self.text_bytes.saturating_add(chunk.len());
            if self.text_bytes > BODY_BYTES_MAX {
                let detail = format!("The fields beside the files may have at most {BODY_BYTES_MAX} bytes.");
                let problem = Problem::new(codes::TOO_LARGE, detail);
                self.refuse(problem.clone());
                self.discard(chunk.len(), problem)?;
            } else {
                text.extend_from_slice(&chunk);
            }
        }
        let text = String::from_utf8(text).map_err(|_| match is_file {
            true => invalid(&format!("Send the file in the field `{}`.", self.limits.field)),
            false => invalid("The form is not UTF-8."),
        })?;
        for part in [&name, &text] {
            self.hash.update((part.len() as u64).to_be_bytes());
            self.hash.update(part);
        }
        self.texts.push((name, text));
        Ok(())
    }

    fn refuse(&mut self, problem: Problem) {
        self.refusal.get_or_insert(problem);
    }

    fn too_large(&self) -> Problem {
        let megabytes = self.limits.file_bytes / 1_000_000;
        Problem::new(codes::TOO_LARGE, format!("A file may have at most {megabytes} MB."))
    }

    /// Discards bytes because of this problem.
    ///
    /// # Errors
    /// More is sent than is discarded.
    fn discard(&mut self, bytes: usize, problem: Problem) -> Result<(), Problem> {
        self.discarded = self.discarded.saturating_add(bytes);
        if self.discarded > DISCARDED_BYTES_MAX { Err(problem) } else { Ok(()) }
    }
}

async fn rewound(mut file: File) -> io::Result<std::fs::File> {
    file.flush().await?;
    file.rewind().await?;
    Ok(file.into_std().await)
}

async fn in_time<T>(next: impl Future<Output = multer::Result<T>>) -> Result<T, Problem> {
    match tokio::time::timeout(IDLE_MAX, next).await {
        Ok(Ok(next)) => Ok(next),
        Ok(Err(multer::Error::StreamReadFailed(cause))) if is_too_slow(&*cause) => {
            Err(Problem::plain(codes::REQUEST_TIMEOUT))
        }
        Ok(Err(_)) => Err(invalid("The form can't be read.")),
        Err(_) => Err(Problem::plain(codes::REQUEST_TIMEOUT)),
    }
}

fn is_too_slow(cause: &(dyn std::error::Error + 'static)) -> bool {
    cause.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::TimedOut)
}

fn invalid(message: &str) -> Problem {
    Problem::field("", message)
}

/// A file can't be written.
fn unwritten(error: io::Error) -> Problem {
    Problem::of_file(&error)
}

#[cfg(test)]
mod tests {
    use super::super::problem::Code;
    use super::*;
    use axum::body::Body;

    /// The code with which a body of this beginning and then many megabytes is refused, and how many chunks
    /// of 64 KiB of it were read.
    async fn refusal_of(beginning: &str) -> (Code, u64) {
        let read = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&read);
        let chunks = std::iter::once(beginning.as_bytes().to_vec())
            .chain(std::iter::repeat_n(vec![b'x'; 64 * 1024], 16_000))
            .inspect(move |_| {
                counted.fetch_add(1, Ordering::Relaxed);
            });
        // A connection gives one chunk at a time.
        let body = futures::stream::iter(chunks).then(async |chunk| {
            tokio::task::yield_now().await;
            Ok::<_, io::Error>(chunk)
        });
        let request = Request::builder().header(header::CONTENT_TYPE, "multipart/form-data; boundary=b");
        let request = request.body(Body::from_stream(body)).unwrap();
        let upload = Upload::from_request(request, &()).await.unwrap();
        let limits = UploadLimits { field: "image", files: 1, file_bytes: 10_000_000 };
        let refused = upload.receive(limits, tempfile::tempfile).await.unwrap_err();
        (refused.code, read.load(Ordering::Relaxed))
    }

    #[tokio::test]
    async fn a_file_of_a_gigabyte_is_refused_before_it_has_arrived() {
        let part = "--b\r\ncontent-disposition: form-data; name=\"image\"; filename=\"a.jpg\"\r\n\r\n";
        let (code, read) = refusal_of(part).await;
        assert_eq!(code, codes::TOO_LARGE);
        assert!(read < 420, "{read}");
    }

    #[test]
    fn a_body_that_arrives_too_slowly_is_refused_after_a_while() {
        let ago =
            |seconds| Pace { begun: Instant::now().checked_sub(Duration::from_secs(seconds)), bytes: 0 };
        assert!(ago(0).keeps(10) && ago(15).keeps(10), "it may begin slowly");
        assert!(!ago(30).keeps(10));
        assert!(ago(30).keeps(10_000_000));
    }

    #[tokio::test]
    async fn a_head_without_an_end_is_refused_before_it_fills_the_memory() {
        let (code, read) = refusal_of("--b\r\ncontent-disposition: form-data; name=\"").await;
        assert_eq!(code, codes::INVALID_BODY);
        assert!(read < 20, "{read}");
    }
}
