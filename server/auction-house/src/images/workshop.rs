//! Reads uploaded pictures, one at a time: each may take most of a second and hundreds of megabytes. Others wait.

use std::fs::File;
use std::io;
use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use super::folder::{Content, ImageFolder};
use super::formats::Source;
use super::rendition::Rendition;
use super::{ImageSize, InvalidImage, UPLOAD_BYTES_MAX};
use platform::http::problem::{Code, Problem};
use platform::http::upload::{Received, Upload, UploadLimits};
use platform::time::Clock;

/// Uploads at the same time, at most: those that arrive and those that wait.
const UPLOADS_MAX: usize = 32;
/// Lower than the priority of the threads that answer requests.
const NICE: i32 = 10;

/// The pictures of items: what reads and keeps uploaded files.
#[derive(Clone)]
pub struct Images {
    folder: ImageFolder,
    clock: Arc<dyn Clock>,
    /// One picture is read at a time.
    reading: Arc<Semaphore>,
    uploads: Arc<Semaphore>,
}

/// A received upload, which counts as one at the same time as long as its files are used.
pub struct ReceivedImages {
    pub received: Received,
    pub permit: Option<OwnedSemaphorePermit>,
}

/// A picture in the folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptImage {
    pub content: Content,
    pub width: u32,
    pub height: u32,
}

impl Images {
    pub fn new(folder: ImageFolder, clock: Arc<dyn Clock>) -> Self {
        let (reading, uploads) = (Semaphore::new(1), Semaphore::new(UPLOADS_MAX));
        Self { folder, clock, reading: Arc::new(reading), uploads: Arc::new(uploads) }
    }

    pub fn folder(&self) -> &ImageFolder {
        &self.folder
    }

    /// Receives an upload of at most so many files.
    ///
    /// # Errors
    /// Those of [`Upload::receive`], and too many uploads at the same time.
    pub async fn receive(&self, upload: Upload, files: usize) -> Result<ReceivedImages, Problem> {
        let permit = self.begin()?;
        self.receive_with(Some(permit), upload, files).await
    }

    /// Receives an upload for its fields, and for its files unless there are too many uploads at the same time: that
    /// refuses a body with files, without losing what was typed.
    pub async fn receive_fields(&self, upload: Upload, files: usize) -> Result<ReceivedImages, Problem> {
        match self.begin() {
            Ok(permit) => self.receive_with(Some(permit), upload, files).await,
            Err(problem) => {
                let mut images = self.receive_with(None, upload, 0).await?;
                let received = &mut images.received;
                received.refusal = received.refusal.take().map(|_| problem);
                Ok(images)
            }
        }
    }

    async fn receive_with(
        &self,
        permit: Option<OwnedSemaphorePermit>,
        upload: Upload,
        files: usize,
    ) -> Result<ReceivedImages, Problem> {
        let limits = UploadLimits { field: UPLOAD_FIELD, files, file_bytes: UPLOAD_BYTES_MAX };
        let received = upload.receive(limits, || self.folder.new_upload()).await?;
        Ok(ReceivedImages { received, permit })
    }

    /// The permit of an upload.
    fn begin(&self) -> Result<OwnedSemaphorePermit, Problem> {
        let permit = Arc::clone(&self.uploads).try_acquire_owned();
        permit.map_err(|_| Problem::plain(Code::Overloaded).retry_after(5))
    }

    /// Reads an uploaded picture and keeps it in the folder. A thread of its own reads it: nothing else is lost if a decoder
    /// panics.
    ///
    /// # Errors
    /// 415 and 422 for a file that is not a picture that is kept.
    pub async fn keep(&self, upload: File) -> Result<KeptImage, Problem> {
        let permit = Arc::clone(&self.reading).acquire_owned().await;
        let permit = permit.map_err(|_| Problem::plain(Code::Overloaded))?;
        let (source, folder) = (Source::new(upload, Arc::clone(&self.clock)), self.folder.clone());
        let (kept, answer) = oneshot::channel();
        let work = move || {
            // On Linux a priority is of a thread. Without it the picture is read, too.
            let _ = rustix::process::setpriority_process(None, NICE);
            let done = keep_in(&folder, source);
            drop(permit);
            // The request may have ended.
            let _ = kept.send(done);
        };
        std::thread::Builder::new()
            .name("picture".to_owned())
            .spawn(work)
            .map_err(|e| Problem::internal(&e))?;
        match answer.await {
            Ok(Ok(image)) => Ok(image),
            Ok(Err(NotKept::Invalid(invalid))) => Err(invalid.problem()),
            Ok(Err(NotKept::Unwritten(error))) => Err(Problem::of_file(&error)),
            // The thread has panicked.
            Err(_) => Err(InvalidImage::Damaged.problem()),
        }
    }

    /// The bytes of a kept image.
    pub async fn read(&self, content: &Content, size: ImageSize) -> io::Result<Vec<u8>> {
        tokio::fs::read(self.folder.path(content, size)).await
    }
}

/// Why a file is not in the folder.
enum NotKept {
    Invalid(InvalidImage),
    Unwritten(io::Error),
}

fn keep_in(folder: &ImageFolder, source: Source) -> Result<KeptImage, NotKept> {
    let rendition = Rendition::of(source).map_err(NotKept::Invalid)?;
    let content = folder.keep(&rendition).map_err(NotKept::Unwritten)?;
    Ok(KeptImage { content, width: rendition.width, height: rendition.height })
}

impl InvalidImage {
    /// 415 for another format, 422 for the rest.
    fn problem(&self) -> Problem {
        let sentence = match self {
            Self::UnknownFormat => {
                let sentence = "Choose a JPEG, PNG or WebP picture.";
                return Problem::new(Code::UnsupportedMediaType, sentence);
            }
            Self::TooManyPixels => "Choose a picture of at most 50 megapixels.",
            Self::Damaged => "This picture is damaged or incomplete: choose another file.",
            Self::TooSlow => "This picture takes too long to read: save it in another format.",
        };
        Problem::explained(UPLOAD_FIELD, sentence)
    }
}

/// The field of a form, and of a multipart body, with a picture.
pub const UPLOAD_FIELD: &str = "image";
