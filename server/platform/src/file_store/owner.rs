//! The owner of a store: a file in it names the database whose files it has. Whatever removes unused files
//! asks before: to another database, all of them would seem unused.

use super::{FileStore, StoreError};

/// The file with the id of the owner. It is not among the files of the store.
pub const OWNER_FILE: &str = "farthing-owner";

impl FileStore {
    /// The id of the owner. A store without one belongs to `candidate` from now on.
    pub async fn owner_or(&self, candidate: &str) -> Result<String, StoreError> {
        if let Some(bytes) = self.get(OWNER_FILE).await? {
            return Ok(String::from_utf8_lossy(&bytes).trim().to_owned());
        }
        self.put(OWNER_FILE, candidate.as_bytes().to_vec()).await?;
        Ok(candidate.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{BucketAccess, StoreLocation};
    use super::*;

    #[tokio::test]
    async fn the_first_one_owns_a_store_until_the_file_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let location = StoreLocation::Folder(folder.path().join("images"));
        let store = FileStore::open(&location, &BucketAccess::default()).unwrap();
        for (candidate, owner) in [("one", "one"), ("other", "one"), ("one", "one")] {
            assert_eq!(store.owner_or(candidate).await.unwrap(), owner);
        }
        assert_eq!(store.list().await.unwrap(), []);
        store.remove(OWNER_FILE).await.unwrap();
        assert_eq!(store.owner_or("other").await.unwrap(), "other");
    }
}
