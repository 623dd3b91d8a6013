//! LibreOffice, through which exported tables go and come back.

use anyhow::Result;

use crate::debian;
use crate::process;

const PROGRAM: &str = "soffice";
/// Debian's package of the spreadsheet alone, without windows.
const PACKAGE: &str = "libreoffice-calc-nogui";

/// Installs it if that is possible. Returns whether it is there.
pub fn ensure() -> Result<bool> {
    if process::on_path(PROGRAM).is_none() {
        debian::install(&[PACKAGE])?;
    }
    Ok(process::on_path(PROGRAM).is_some())
}
