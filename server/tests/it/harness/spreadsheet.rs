//! Spreadsheets that the programs write which people use for it.

use std::process::Stdio;

use serde_json::Value;
use tokio::io::AsyncWriteExt;
use tokio::process::Command;

use super::smtp::python;

/// A file with these rows. `spreadsheet.py` describes the cells, and names the programs.
pub async fn spreadsheet(program: &str, rows: &Value) -> Vec<u8> {
    let mut process = Command::new(python())
        .args(["-c", include_str!("spreadsheet.py"), program])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    process.stdin.take().unwrap().write_all(rows.to_string().as_bytes()).await.unwrap();
    let output = process.wait_with_output().await.unwrap();
    assert!(output.status.success(), "{program}: `cargo xtask install` installs it");
    output.stdout
}
