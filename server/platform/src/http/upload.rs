//! Multipart bodies with files. A handler takes an [`Upload`], which a verb receives after it has authorized the user: the
//! files go to the disk as they arrive, not to memory.

use std::convert::Infallible;
use std::io;
use std::time::Duration;

use axum::extract::{FromRequest, Request};
use axum::http::header;
use multer::{Field, Multipart};
use sha2::{Digest, Sha256};
use tokio::fs::File;
use tokio::io::AsyncWriteExt;

use super::body::{BODY_BYTES_MAX, DISCARDED_BYTES_MAX};
use super::keyed::GivenKey;
use super::problem::{Code, Problem};
use crate::idempotency::{IdempotencyKey, KeyedRequest, NotAKey};

/// The field of a form that has its idempotency key.
const KEY_FIELD: &str = "idempotencyKey";
/// Parts of a body, at most.
const PARTS_MAX: usize = 64;
/// How long a part may take to go on.
const IDLE_MAX: Duration = Duration::from_secs(15);
/// How long the whole body may take to arrive.
const WAIT_MAX: Duration = Duration::from_secs(600);

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
    key: GivenKey,
}

/// A received body.
#[derive(Debug)]
pub struct Received {
    /// The other fields, in their order.
    pub texts: Vec<(String, String)>,
    /// The files, in their order, each rewound.
    pub files: Vec<std::fs::File>,
    /// The idempotency key of the header or of the form, with the hash of the fields and files.
    pub keyed: Option<KeyedRequest>,
}

impl Received {
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
        let multipart = multer::parse_boundary(kind)
            .map(|boundary| Multipart::new(body.into_data_stream(), boundary))
            .map_err(|_| Problem::new(Code::UnsupportedMediaType, "Send the files as multipart/form-data."));
        Ok(Self { parts: multipart, key: GivenKey::of(&parts.headers) })
    }
}

impl Upload {
    /// Receives the whole body. `new_file` makes an empty file for each file.
    ///
    /// # Errors
    /// The body is of another media type, too large, too slow, or can't be read, or a file can't be written.
    pub async fn receive(
        self,
        limits: UploadLimits,
        new_file: impl Fn() -> io::Result<std::fs::File> + Send,
    ) -> Result<Received, Problem> {
        let GivenKey(key) = self.key;
        let mut reception = Reception::new(limits, new_file);
        let received = tokio::time::timeout(WAIT_MAX, reception.all(self.parts?)).await;
        received.unwrap_or_else(|_| Err(Problem::plain(Code::RequestTimeout)))?;
        let Reception { texts, files, hash, refusal, .. } = reception;
        if let Some(problem) = refusal {
            return Err(problem);
        }
        let key = match texts.iter().find(|(name, value)| name == KEY_FIELD && !value.is_empty()) {
            Some((_, text)) => Some(
                text.parse::<IdempotencyKey>()
                    .map_err(|error: NotAKey| Problem::field(KEY_FIELD, error.to_string()))?,
            ),
            None => key?,
        };
        let keyed = key.map(|key| KeyedRequest::new(key, &hash.finalize()));
        Ok(Received { texts, files, keyed })
    }
}

/// What has arrived so far.
struct Reception<N> {
    limits: UploadLimits,
    new_file: N,
    texts: Vec<(String, String)>,
    files: Vec<std::fs::File>,
    hash: Sha256,
    text_bytes: usize,
    /// Why the body is refused. A client reads the answer once it has sent the body, so that more of it is read and discarded.
    refusal: Option<Problem>,
    discarded: usize,
}

impl<N: Fn() -> io::Result<std::fs::File> + Send> Reception<N> {
    fn new(limits: UploadLimits, new_file: N) -> Self {
        let (texts, files) = (Vec::new(), Vec::new());
        let (text_bytes, discarded) = (0, 0);
        Self { limits, new_file, texts, files, hash: Sha256::new(), text_bytes, refusal: None, discarded }
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
        let mut writing: Option<File> = None;
        let mut bytes = 0_u64;
        while let Some(chunk) = in_time(part.chunk()).await? {
            if chunk.is_empty() {
                continue;
            }
            bytes = bytes.saturating_add(chunk.len() as u64);
            if bytes > self.limits.file_bytes {
                self.refuse(Problem::new(
                    Code::TooLarge,
                    format!("A file may have at most {} MB.", self.limits.file_bytes / 1_000_000),
                ));
            } else if writing.is_none() && self.files.len() == self.limits.files {
                let most = self.limits.files;
                self.refuse(Problem::explained(self.limits.field, format!("Choose at most {most} files.")));
            }
            if self.refusal.is_some() {
                self.discard(chunk.len())?;
                continue;
            }
            let file = match &mut writing {
                Some(file) => file,
                None => writing.insert(File::from_std((self.new_file)().map_err(unwritten)?)),
            };
            file.write_all(&chunk).await.map_err(unwritten)?;
            self.hash.update(&chunk);
        }
        self.hash.update(bytes.to_be_bytes());
        // A form in which no file was chosen sends an empty one.
        let Some(mut file) = writing else { return Ok(()) };
        file.flush().await.map_err(unwritten)?;
        let mut file = file.into_std().await;
        io::Seek::rewind(&mut file).map_err(unwritten)?;
        self.files.push(file);
        Ok(())
    }

    async fn text(&mut self, name: String, mut part: Field<'static>) -> Result<(), Problem> {
        let mut text = Vec::new();
        while let Some(chunk) = in_time(part.chunk()).await? {
            self.text_bytes = self.text_bytes.saturating_add(chunk.len());
            if self.text_bytes > BODY_BYTES_MAX {
                let detail = format!("The fields beside the files may have at most {BODY_BYTES_MAX} bytes.");
                self.refuse(Problem::new(Code::TooLarge, detail));
                self.discard(chunk.len())?;
            } else {
                text.extend_from_slice(&chunk);
            }
        }
        let text = String::from_utf8(text).map_err(|_| invalid("The form is not UTF-8."))?;
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

    /// # Errors
    /// More is sent than is discarded.
    fn discard(&mut self, bytes: usize) -> Result<(), Problem> {
        self.discarded = self.discarded.saturating_add(bytes);
        match self.refusal.take_if(|_| self.discarded > DISCARDED_BYTES_MAX) {
            Some(problem) => Err(problem),
            None => Ok(()),
        }
    }
}

async fn in_time<T>(next: impl Future<Output = multer::Result<T>>) -> Result<T, Problem> {
    match tokio::time::timeout(IDLE_MAX, next).await {
        Ok(Ok(next)) => Ok(next),
        Ok(Err(_)) => Err(invalid("The form can't be read.")),
        Err(_) => Err(Problem::plain(Code::RequestTimeout)),
    }
}

fn invalid(message: &str) -> Problem {
    Problem::field("", message)
}

/// A file can't be written.
fn unwritten(error: io::Error) -> Problem {
    Problem::of_file(&error)
}
