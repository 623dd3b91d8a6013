//! Files that are written once, under names that say their content: in a folder, or in a bucket of an
//! S3-compatible store. Several servers may share either.

mod access;
mod bucket;
mod folder;
mod location;
mod owner;

use std::io;
use std::path::PathBuf;

pub use self::access::BucketAccess;
pub use self::bucket::BucketFiles;
pub use self::folder::FolderFiles;
pub use self::location::{BucketPlace, NoStoreLocation, StoreLocation};
pub use self::owner::{Claim, Claimed, GUEST, OWNER_FILE, is_about_store};
use crate::random::NoEntropy;
use crate::time::Moment;

/// Where files are kept. Clones share the connections to a bucket.
#[derive(Debug, Clone)]
pub enum FileStore {
    Folder(FolderFiles),
    Bucket(BucketFiles),
}

/// A file of the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredFile {
    pub name: String,
    /// A server that was killed leaves incomplete files in a folder.
    pub is_complete: bool,
    /// When it was written last, by the clock of the store.
    pub written_at: Moment,
}

/// Why the store can't be used. The message is for the log.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("can't use the folder `{path}`: {cause}")]
    Folder { path: PathBuf, cause: io::Error },
    #[error(transparent)]
    NoEntropy(#[from] NoEntropy),
    #[error("the folder `{path}` does not answer")]
    Hangs { path: PathBuf },
    #[error("can't use the bucket `{bucket}`: {cause}")]
    Bucket { bucket: String, cause: object_store::Error },
    #[error("the store of the bucket `{bucket}` takes too long to answer")]
    TooSlow { bucket: String },
    /// The log has the error of the request that it did not answer.
    #[error("the store of the bucket `{bucket}` is not asked: it did not answer a moment ago")]
    Silent { bucket: String },
    /// The address is not repeated: it may contain a password.
    #[error(
        "the address of the store in `{variable}` must begin with https:// and have no password; http:// is for this \
         machine, with AWS_ALLOW_HTTP=true"
    )]
    Endpoint { variable: &'static str },
    #[error(
        "there are no credentials for the bucket `{bucket}`: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give this \
         machine a role"
    )]
    NoCredentials { bucket: String },
}

impl FileStore {
    /// Connects to nothing and creates nothing.
    ///
    /// # Errors
    /// The `access` to a bucket is incomplete or contradictory.
    pub fn open(location: &StoreLocation, access: &BucketAccess) -> Result<Self, StoreError> {
        Ok(match location {
            StoreLocation::Folder(path) => Self::Folder(FolderFiles::at(path.clone())),
            StoreLocation::Bucket(place) => Self::Bucket(BucketFiles::open(place, access)?),
        })
    }

    /// Fails unless the bucket answers and its files may be listed. A folder is created when it is needed.
    pub async fn check(&self) -> Result<(), StoreError> {
        match self {
            Self::Folder(_) => Ok(()),
            Self::Bucket(bucket) => bucket.check().await,
        }
    }

    /// Writes a file durably. It has its name once it is complete. A file of this name is replaced: it is new
    /// again.
    pub async fn put(&self, name: &str, bytes: Vec<u8>) -> Result<(), StoreError> {
        match self {
            Self::Folder(folder) => {
                let name = name.to_owned();
                folder.blocking(move |folder| folder.put(&name, &bytes)).await
            }
            Self::Bucket(bucket) => bucket.put(name, bytes).await,
        }
    }

    /// The content of a file; `None` if there is no such file.
    pub async fn get(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        match self {
            Self::Folder(folder) => {
                let name = name.to_owned();
                folder.blocking(move |folder| folder.get(&name)).await
            }
            Self::Bucket(bucket) => bucket.get(name).await,
        }
    }

    /// When a file was written last; `None` if there is no such file.
    pub async fn written_at(&self, name: &str) -> Result<Option<Moment>, StoreError> {
        match self {
            Self::Folder(folder) => {
                let name = name.to_owned();
                folder.blocking(move |folder| folder.written_at(&name)).await
            }
            Self::Bucket(bucket) => bucket.written_at(name).await,
        }
    }

    /// Removes a file, if there is one.
    pub async fn remove(&self, name: &str) -> Result<(), StoreError> {
        match self {
            Self::Folder(folder) => {
                let name = name.to_owned();
                folder.blocking(move |folder| folder.remove(&name)).await
            }
            Self::Bucket(bucket) => bucket.remove(name).await,
        }
    }

    /// Every file except those about the store. Folders in the folder, and what a bucket has below further
    /// slashes, are not listed.
    pub async fn list(&self) -> Result<Vec<StoredFile>, StoreError> {
        let mut files = self.every_file().await?;
        files.retain(|file| !is_about_store(&file.name));
        Ok(files)
    }

    async fn every_file(&self) -> Result<Vec<StoredFile>, StoreError> {
        match self {
            Self::Folder(folder) => folder.blocking(FolderFiles::list).await,
            Self::Bucket(bucket) => bucket.list().await,
        }
    }
}
