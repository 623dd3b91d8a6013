//! The kind of a file by its first bytes, whatever its name is.

const PDF: &str = "This is a PDF: save the table itself as .xlsx or CSV.";
const OLD: &str = "This is an old Excel file: save it as .xlsx or CSV.";
pub(super) const PROTECTED: &str = "This file is protected by a password: save it without one.";

/// The first bytes of files of the kind in which Office saved, and in which it encrypts.
const COMPOUND: &[u8] = &[0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
/// The name of a part of an encrypted file, in UTF-16.
const ENCRYPTED: &[u8] = b"E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e\0";
/// An archive with parts, an empty one, and one in pieces.
const ARCHIVES: [&[u8]; 3] = [b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08"];

/// What a file of a table is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Text,
    /// An archive, which may be a spreadsheet.
    Archive,
    /// Another kind, with what to do.
    Unsupported(&'static str),
}

impl Kind {
    pub fn of(bytes: &[u8]) -> Self {
        match bytes {
            _ if ARCHIVES.iter().any(|mark| bytes.starts_with(mark)) => Self::Archive,
            _ if bytes.starts_with(b"%PDF") => Self::Unsupported(PDF),
            _ if bytes.starts_with(COMPOUND) => {
                let is_encrypted = bytes.windows(ENCRYPTED.len()).any(|window| window == ENCRYPTED);
                Self::Unsupported(if is_encrypted { PROTECTED } else { OLD })
            }
            // Excel 2 to 4. No text has its second byte.
            [0x09, 0x00 | 0x02 | 0x04 | 0x08, ..] => Self::Unsupported(OLD),
            _ => Self::Text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bytes_tell_the_kind() {
        let encrypted = [COMPOUND, &[0; 600], ENCRYPTED].concat();
        let kinds: [(&[u8], Kind); 9] = [
            (b"", Kind::Text),
            (b"number,name\n", Kind::Text),
            (b"\xff\xfen\0", Kind::Text),
            (b"\tname\n", Kind::Text),
            (b"PK\x03\x04\x14", Kind::Archive),
            (b"%PDF-1.7", Kind::Unsupported(PDF)),
            (COMPOUND, Kind::Unsupported(OLD)),
            (b"\x09\x08\x10\x00", Kind::Unsupported(OLD)),
            (&encrypted, Kind::Unsupported(PROTECTED)),
        ];
        for (bytes, kind) in kinds {
            assert_eq!(Kind::of(bytes), kind, "{bytes:?}");
        }
    }
}
