//! Releases that are not built here: the archive for this machine is downloaded, verified against the keys of
//! the installation, and unpacked.

mod unpack;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::layout;
use crate::command::OutputSink;
use crate::releases::{
    DownloadError, Keys, Release, ReleaseFile, SignatureError, Signed, archive_name, download, download_text,
    target,
};
pub use unpack::UnpackError;

/// The file with the SHA-256 of each file of a release.
const SUMS: &str = "SHA256SUMS";
const SUMS_BYTES_MAX: usize = 64 * 1024;
const SIGNATURE_BYTES_MAX: usize = 8 * 1024;
/// Many times the size of a release.
const ARCHIVE_BYTES_MAX: u64 = 512 << 20;

/// Why a release is not installed, for the Deployment Admin.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    #[error("the release has no file `{0}`")]
    Missing(String),
    #[error("the release names no address of `{0}` that may be asked")]
    Address(String),
    #[error("`{name}` is announced with {bytes} bytes: that is none, or more than an archive may have")]
    Announced { name: String, bytes: u64 },
    #[error("can't download `{name}`: {cause}")]
    Download { name: String, cause: DownloadError },
    #[error("`{SUMS}` has no SHA-256 of `{0}`")]
    NoSum(String),
    #[error("`{0}` is refused: its SHA-256 is not the one that the release announces")]
    WrongSum(String),
    #[error("`{name}` is refused: {cause}")]
    Signature { name: String, cause: SignatureError },
    #[error("`{name}` can't be unpacked: {cause}")]
    Unpack { name: String, cause: UnpackError },
    #[error("`{0}` has no executable `farthing`")]
    NoBinary(String),
    #[error("can't write in `{path}`: {cause}")]
    Io { path: PathBuf, cause: std::io::Error },
}

/// The files of a release that make it installable on this machine.
#[derive(Debug, Clone)]
pub struct ArchiveFiles {
    name: String,
    /// The only folder in the archive.
    root: String,
    address: String,
    bytes: u64,
    signature_name: String,
    signature_address: String,
    sums_address: String,
    /// The trusted comment of the signature: it names the release, so that another one under this name is
    /// refused.
    release: String,
}

impl ArchiveFiles {
    /// Finds the files for this machine in a release.
    pub fn of(release: &Release) -> Result<Self, ArchiveError> {
        let version = release.tag.version();
        let name = archive_name(version);
        let signature_name = format!("{name}.minisig");
        let (address, bytes) = found(&release.files, &name)?;
        if bytes == 0 || bytes > ARCHIVE_BYTES_MAX {
            return Err(ArchiveError::Announced { name, bytes });
        }
        Ok(Self {
            root: name.trim_end_matches(".tar.zst").to_owned(),
            address,
            bytes,
            signature_address: found(&release.files, &signature_name)?.0,
            sums_address: found(&release.files, SUMS)?.0,
            release: format!("farthing {version} {}", target()),
            name,
            signature_name,
        })
    }

    /// The size of the archive.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Installs the release in the folder `to`, which appears complete or not at all. What was prepared in
    /// vain is left to the rollback.
    pub async fn fetch(
        &self,
        keys: &Keys,
        to: &Path,
        limit: Duration,
        sink: &mut impl OutputSink,
    ) -> Result<(), ArchiveError> {
        let prepared = self.prepare(keys, to, limit, sink).await;
        if prepared.is_err() {
            let partial = layout::partial(to);
            // The rollback tries again.
            let _ = tokio::task::spawn_blocking(move || layout::remove_folder(&partial)).await;
        }
        prepared
    }

    async fn prepare(
        &self,
        keys: &Keys,
        to: &Path,
        limit: Duration,
        sink: &mut impl OutputSink,
    ) -> Result<(), ArchiveError> {
        let text = self.text(&self.signature_name, &self.signature_address, SIGNATURE_BYTES_MAX, limit);
        let signature = text.await?;
        let signed = |keys: &Keys| keys.signed(&signature, &self.release).map(drop);
        signed(keys).map_err(|cause| self.refused(cause))?;
        let sums = self.text(SUMS, &self.sums_address, SUMS_BYTES_MAX, limit).await?;
        let wanted = sum_of(&sums, &self.name).ok_or_else(|| ArchiveError::NoSum(self.name.clone()))?;

        let partial = layout::partial(to);
        let io = |cause| ArchiveError::Io { path: partial.clone(), cause };
        let folder = partial.clone();
        blocking(move || empty(&folder)).await.map_err(io)?;
        let (archive, files) = (partial.join(&self.name), partial.join(&self.root));
        sink.write(format!("downloading `{}`, {} bytes\n", self.name, self.bytes).as_bytes()).await;
        let sum = download(&self.address, self.bytes, &archive, limit).await;
        if sum.map_err(|cause| self.not_downloaded(&self.name, cause))? != wanted {
            return Err(ArchiveError::WrongSum(self.name.clone()));
        }
        let (this, keys, to) = (self.clone(), keys.clone(), to.to_owned());
        let installed = tokio::task::spawn_blocking(move || {
            let signed = keys.signed(&signature, &this.release).map_err(|cause| this.refused(cause))?;
            this.verify_and_unpack(&signed, &archive, &files)?;
            let io = |cause| ArchiveError::Io { path: to.clone(), cause };
            put_in_place(&files, &to).map_err(io)?;
            layout::remove_folder(&layout::partial(&to)).map_err(io)
        });
        installed.await.map_err(|error| io(std::io::Error::other(error)))??;
        sink.write(b"its size, SHA-256 and signature are right; it is unpacked\n").await;
        Ok(())
    }

    fn verify_and_unpack(
        &self,
        signed: &Signed<'_>,
        archive: &Path,
        files: &Path,
    ) -> Result<(), ArchiveError> {
        let open = || File::open(archive).map_err(|cause| self.refused(cause.into()));
        signed.verify(open()?).map_err(|cause| self.refused(cause))?;
        unpack::unpack(open()?, &self.root, files)
            .map_err(|cause| ArchiveError::Unpack { name: self.name.clone(), cause })?;
        if layout::has_binary(files) { Ok(()) } else { Err(ArchiveError::NoBinary(self.name.clone())) }
    }

    async fn text(
        &self,
        name: &str,
        address: &str,
        bytes_max: usize,
        limit: Duration,
    ) -> Result<String, ArchiveError> {
        let text = download_text(address, bytes_max, limit).await;
        text.map_err(|cause| self.not_downloaded(name, cause))
    }

    fn not_downloaded(&self, name: &str, cause: DownloadError) -> ArchiveError {
        ArchiveError::Download { name: name.to_owned(), cause }
    }

    fn refused(&self, cause: SignatureError) -> ArchiveError {
        ArchiveError::Signature { name: self.name.clone(), cause }
    }
}

/// Address and size of a file of the release.
fn found(files: &[ReleaseFile], name: &str) -> Result<(String, u64), ArchiveError> {
    let file = files.iter().find(|file| file.name == name);
    let file = file.ok_or_else(|| ArchiveError::Missing(name.to_owned()))?;
    let address = file.address.clone().ok_or_else(|| ArchiveError::Address(name.to_owned()))?;
    Ok((address, file.size))
}

/// The SHA-256 of a file, in a list as `sha256sum` writes it.
fn sum_of(sums: &str, name: &str) -> Option<[u8; 32]> {
    let named = |line: &str| {
        let (sum, file) = line.split_once(' ')?;
        (file.trim_start_matches([' ', '*']) == name).then(|| sum.to_owned())
    };
    const_hex::decode_to_array(sums.lines().find_map(named)?).ok()
}

/// Makes the folder, without what an earlier run has left in it.
fn empty(folder: &Path) -> std::io::Result<()> {
    layout::remove_folder(folder)?;
    std::fs::create_dir_all(folder)
}

/// Moves the unpacked files to the place of the release, which may have been installed before, durably.
fn put_in_place(files: &Path, to: &Path) -> std::io::Result<()> {
    layout::remove_folder(to)?;
    std::fs::rename(files, to)?;
    to.parent().map_or(Ok(()), |releases| File::open(releases)?.sync_all())
}

async fn blocking(work: impl FnOnce() -> std::io::Result<()> + Send + 'static) -> std::io::Result<()> {
    tokio::task::spawn_blocking(work).await.map_err(std::io::Error::other)?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_is_that_of_the_whole_name() {
        let [one, two] = ["11".repeat(32), "22".repeat(32)];
        let sums =
            format!("{one}  farthing.tar.zst.minisig\n{two}  farthing.tar.zst\n{one} *b\nzz  c\n\nd\n");
        assert_eq!(sum_of(&sums, "farthing.tar.zst"), Some([0x22; 32]));
        assert_eq!(sum_of(&sums, "b"), Some([0x11; 32]));
        for none in ["c", "d", "farthing", ""] {
            assert_eq!(sum_of(&sums, none), None, "{none}");
        }
    }
}
