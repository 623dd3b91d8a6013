//! Reads uploaded pictures, one at a time: each may take most of a second and hundreds of megabytes. Others
//! wait, and users take turns.

use std::fs::{DirBuilder, File};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::{Semaphore, oneshot};

use super::content::Content;
use super::formats::ImageSource;
use super::rendition::Rendition;
use super::{ImageSize, InvalidImage, Tint, UPLOAD_BYTES_MAX};
use crate::codes;
use crate::ids::UserId;
use platform::db::{AdvisoryGuard, AdvisoryLock, Database, DbError};
use platform::fair::{Busy, FairLimiter, FairLimits, FairPermit};
use platform::file_store::{Claimed, FileStore};
use platform::http::problem::Problem;
use platform::http::upload::{Received, Upload, UploadLimits};
use platform::net::Client;
use platform::time::Clock;

/// Uploads at the same time: those that arrive and those that wait to be read. The bodies of others wait with
/// their clients.
const UPLOADS: FairLimits =
    FairLimits { running: 32, share: 2, waiting: 256, waiting_of_one: 16, wait: Duration::from_secs(120) };
/// Pictures that are read at the same time. The limit of uploads bounds those that wait.
const READING: FairLimits = FairLimits {
    running: 1,
    share: 1,
    waiting: UPLOADS.running,
    waiting_of_one: UPLOADS.share,
    wait: Duration::from_secs(600),
};
/// Files that are fetched from the store at the same time.
const FETCHING: FairLimits =
    FairLimits { running: 8, share: 4, waiting: 1024, waiting_of_one: 256, wait: Duration::from_secs(5) };
/// Pictures that are written at the same time, at most: each occupies a connection to the database.
const WRITES_MAX: usize = 2;
/// The lowest priority: a picture may wait for everything else.
const NICE: i32 = 19;
/// The name of the lock on the removal of files.
const REMOVAL: &str = "removal of pictures";

/// The pictures of items: what reads and keeps uploaded files.
#[derive(Clone)]
pub struct Images {
    store: FileStore,
    /// The folder of files that arrive.
    uploads_dir: PathBuf,
    clock: Arc<dyn Clock>,
    /// Held exclusively from the check that a file is old to its removal, and shared while a file is written:
    /// a file that is written again is either new at the check, or written after the removal.
    removal: AdvisoryLock,
    reading: FairLimiter<UserId>,
    writing: Arc<Semaphore>,
    uploads: FairLimiter<UserId>,
    fetching: FairLimiter<Client>,
    /// What the store is to this database, once that is known.
    claimed: Arc<Mutex<Option<Claimed>>>,
}

/// A received upload, which counts as one at the same time as long as its files are used.
pub struct ReceivedImages {
    pub received: Received,
    pub permit: Option<FairPermit<UserId>>,
}

/// A picture in the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptImage {
    pub content: Content,
    pub width: u32,
    pub height: u32,
    pub tint: Tint,
}

impl Images {
    /// `uploads_dir` is made when it is needed.
    pub fn new(store: FileStore, uploads_dir: PathBuf, db: Database, clock: Arc<dyn Clock>) -> Self {
        Self {
            store,
            uploads_dir,
            clock,
            removal: AdvisoryLock::new(db, REMOVAL),
            reading: FairLimiter::new(READING),
            writing: Arc::new(Semaphore::new(WRITES_MAX)),
            uploads: FairLimiter::new(UPLOADS),
            fetching: FairLimiter::new(FETCHING),
            claimed: Arc::default(),
        }
    }

    /// What the store is to this database; none until it has answered.
    pub fn claimed(&self) -> Option<Claimed> {
        self.claimed.lock().clone()
    }

    /// Takes note of what the store is to this database.
    pub fn has_claimed(&self, claimed: Claimed) {
        *self.claimed.lock() = Some(claimed);
    }

    pub fn store(&self) -> &FileStore {
        &self.store
    }

    /// A file without a name for an upload. It is gone once it is closed, also when the server is killed.
    pub fn new_upload(&self) -> io::Result<File> {
        DirBuilder::new().recursive(true).mode(0o700).create(&self.uploads_dir)?;
        tempfile::tempfile_in(&self.uploads_dir)
    }

    /// Receives an upload of at most so many files.
    ///
    /// # Errors
    /// Returns the errors of [`Upload::receive`], and one if too many uploads wait.
    pub async fn receive(
        &self,
        user: UserId,
        upload: Upload,
        files: usize,
    ) -> Result<ReceivedImages, Problem> {
        let permit = self.begin(user).await?;
        self.receive_with(Some(permit), upload, files).await
    }

    /// Receives an upload for its fields, and for its files unless there are too many uploads at the same
    /// time: that refuses a body with files, without losing what was typed.
    pub async fn receive_fields(
        &self,
        user: UserId,
        upload: Upload,
        files: usize,
    ) -> Result<ReceivedImages, Problem> {
        match self.begin(user).await {
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
        permit: Option<FairPermit<UserId>>,
        upload: Upload,
        files: usize,
    ) -> Result<ReceivedImages, Problem> {
        let limits = UploadLimits { field: UPLOAD_FIELD, files, file_bytes: UPLOAD_BYTES_MAX };
        let received = upload.receive(limits, || self.new_upload()).await?;
        Ok(ReceivedImages { received, permit })
    }

    /// The permit of an upload.
    async fn begin(&self, user: UserId) -> Result<FairPermit<UserId>, Problem> {
        self.uploads.acquire(user).await.map_err(busy)
    }

    /// Reads an uploaded picture and keeps it in the store.
    ///
    /// # Errors
    /// 415 and 422 for a file that is not a picture that is kept, 503 if the store does not answer.
    pub async fn keep(&self, user: UserId, upload: File) -> Result<KeptImage, Problem> {
        self.keep_rendition(self.read_upload(user, upload).await?).await
    }

    /// Keeps a picture that was read in the store.
    pub async fn keep_rendition(&self, rendition: Rendition) -> Result<KeptImage, Problem> {
        let Rendition { width, height, tint, full, medium, thumbnail } = rendition;
        let content = self.write(full, medium, thumbnail).await?;
        Ok(KeptImage { content, width, height, tint })
    }

    /// Reads a picture on a thread of its own: nothing else is lost if a decoder panics.
    pub async fn read_upload(&self, user: UserId, upload: File) -> Result<Rendition, Problem> {
        let permit = self.reading.acquire(user).await.map_err(busy)?;
        let source = ImageSource::new(upload, Arc::clone(&self.clock));
        let (read, answer) = oneshot::channel();
        let work = move || {
            // On Linux a priority is of a thread. Without it the picture is read, too.
            let _ = rustix::process::setpriority_process(None, NICE);
            let rendition = Rendition::of(source);
            drop(permit);
            // The request may have ended.
            let _ = read.send(rendition);
        };
        std::thread::Builder::new()
            .name("picture".to_owned())
            .spawn(work)
            .map_err(|e| Problem::internal(&e))?;
        // Without an answer the thread has panicked.
        answer.await.unwrap_or(Err(InvalidImage::Damaged)).map_err(|invalid| invalid.problem())
    }

    /// Writes all sizes durably. They are there before the database refers to them: a crash leaves files
    /// without an item, which `items::images::collect` removes. Files that exist are written again, so that
    /// they are new for the collection.
    async fn write(&self, full: Vec<u8>, medium: Vec<u8>, thumbnail: Vec<u8>) -> Result<Content, Problem> {
        let _permit = self.writing.acquire().await.map_err(|_| Problem::plain(codes::OVERLOADED))?;
        let content = Content::of(&full);
        let [full_name, medium_name, thumbnail_name] =
            [ImageSize::Full, ImageSize::Medium, ImageSize::Thumbnail].map(|size| content.file_name(size));
        let guard = self.removal.shared().await?;
        let written = futures::try_join!(
            self.store.put(&thumbnail_name, thumbnail),
            self.store.put(&medium_name, medium),
            self.store.put(&full_name, full)
        );
        drop(guard);
        written.map_err(|error| Problem::of_store(&error))?;
        Ok(content)
    }

    /// The bytes of a kept image; `None` if its file is missing. Clients take turns. The full size serves for
    /// a medium one that is missing, as in a folder that was filled before there was this size.
    pub async fn read(
        &self,
        client: Client,
        content: &Content,
        size: ImageSize,
    ) -> Result<Option<Vec<u8>>, Problem> {
        let _permit = self.fetching.acquire(client).await.map_err(busy)?;
        let get = async |size| self.store.get(&content.file_name(size)).await;
        let read = match get(size).await {
            Ok(None) if size == ImageSize::Medium => get(ImageSize::Full).await,
            read => read,
        };
        read.map_err(|error| Problem::of_store(&error))
    }

    /// Keeps files from being written on all servers, until the guard is dropped.
    pub async fn lock_removal(&self) -> Result<AdvisoryGuard, DbError> {
        self.removal.exclusive().await
    }
}

fn busy(_: Busy) -> Problem {
    Problem::plain(codes::OVERLOADED).retry_after(5)
}

impl InvalidImage {
    /// 415 for another format, 422 for the rest.
    fn problem(&self) -> Problem {
        let other_format = |sentence: &str| Problem::new(codes::UNSUPPORTED_MEDIA_TYPE, sentence);
        let sentence = match self {
            Self::UnknownFormat => return other_format("Choose a JPEG, PNG or WebP picture."),
            Self::Heic => {
                return other_format(
                    "This is a HEIC picture, which most browsers can’t show. On an iPhone choose Settings, Camera, Formats, “Most Compatible” for new pictures; choose this one from its photo library in the browser there, or save it as a JPEG.",
                );
            }
            Self::Avif => {
                return other_format(
                    "This is an AVIF picture: save it as a JPEG, PNG or WebP, or take a screenshot of it on the phone.",
                );
            }
            Self::TooManyPixels => "Choose a picture of at most 50 megapixels.",
            Self::TooMuchMemory => "This picture takes too much memory to read: save it with fewer pixels.",
            Self::Damaged => "This picture is damaged or incomplete: choose another file.",
            Self::TooSlow => "This picture takes too long to read: save it in another format.",
        };
        Problem::explained(UPLOAD_FIELD, sentence)
    }
}

/// The field of a form, and of a multipart body, with a picture.
pub const UPLOAD_FIELD: &str = "image";
