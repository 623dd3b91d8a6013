//! The announcement of the address on which a server listens, to the process that has started it.
//!
//! INVARIANT: the two may be of different versions: the rehearsal of an update reads the announcement of the
//! new release. The environment variable [`ANNOUNCE_VARIABLE`] names a FIFO or a file. Once the supervisor
//! listens, it opens it for writing, writes one line `http://IP:PORT`, and closes it.

use std::io::{Error, ErrorKind, Write};
use std::net::SocketAddr;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rustix::fs::{CWD, FileType, Mode, OFlags, mknodat};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader, Take};
use tokio::net::unix::pipe;

pub const ANNOUNCE_VARIABLE: &str = "FARTHING_ANNOUNCE_TO";

const SCHEME: &str = "http://";
const LINE_BYTES_MAX: u64 = 256;

/// Writes the announcement to the FIFO or file `to`.
pub fn announce(to: &Path, address: SocketAddr) -> Result<(), Error> {
    let mut file = std::fs::OpenOptions::new()
        .create(true)
        .truncate(true)
        .write(true)
        // Fails on a FIFO without a reader, instead of waiting.
        .custom_flags(OFlags::NONBLOCK.bits().cast_signed())
        .open(to)?;
    file.write_all(format!("{SCHEME}{address}\n").as_bytes())
}

/// An announcement to come.
pub struct Announcement(BufReader<Take<pipe::Receiver>>);

impl Announcement {
    /// Creates the FIFO `at` and opens it.
    pub fn expect(at: &Path) -> Result<Self, Error> {
        mknodat(CWD, at, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0)?;
        // Opened for writing, too, so that reading waits until a writer comes.
        let fifo = pipe::OpenOptions::new().read_write(true).open_receiver(at)?;
        Ok(Self(BufReader::new(fifo.take(LINE_BYTES_MAX))))
    }

    /// Waits for the announced address.
    pub async fn address(&mut self) -> Result<SocketAddr, Error> {
        let mut line = String::new();
        self.0.read_line(&mut line).await?;
        let address = line.trim_end().strip_prefix(SCHEME).and_then(|address| address.parse().ok());
        address.ok_or_else(|| Error::new(ErrorKind::InvalidData, "the announced address can't be read"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_announced_address_is_read() {
        let folder = tempfile::tempdir().unwrap();
        for text in ["127.0.0.1:34567", "[::1]:80"] {
            let path = folder.path().join(text);
            let address = text.parse().unwrap();
            let mut announcement = Announcement::expect(&path).unwrap();
            let (read, written) = tokio::join!(announcement.address(), async { announce(&path, address) });
            written.unwrap();
            assert_eq!(read.unwrap(), address);
        }
    }

    #[tokio::test]
    async fn an_unreadable_announcement_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("announcement");
        let mut announcement = Announcement::expect(&path).unwrap();
        std::fs::write(&path, "listening on port 80\n").unwrap();
        assert!(announcement.address().await.is_err());
    }

    #[test]
    fn a_file_is_replaced_and_a_fifo_without_a_reader_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let (file, fifo) = (folder.path().join("file"), folder.path().join("fifo"));
        std::fs::write(&file, "an older and longer announcement").unwrap();
        announce(&file, "127.0.0.1:3000".parse().unwrap()).unwrap();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "http://127.0.0.1:3000\n");
        mknodat(CWD, &fifo, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        assert!(announce(&fifo, "127.0.0.1:3000".parse().unwrap()).is_err());
    }
}
