//! Exported tables, imported again after LibreOffice has opened and saved them
//! (`docs/reference/spreadsheets.md`).

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::json;

use crate::harness::{Answer, TestApp};
use crate::routes::auctions::auction;

/// Exports with the ends of their files, the codes of their separators, and the lots that are new once
/// LibreOffice has saved them: CSV has no types, and `12E3` is a number.
const EXPORTS: [(&str, &str, u8, &[&str]); 3] = [
    ("xlsx", "xlsx", b',', &[]),
    ("csv", "csv", b',', &["12000", "100000"]),
    ("csv&dialect=semicolon", "csv", b';', &["12000", "100000"]),
];
const LOCALES: [&str; 3] = ["en-US", "de-DE", "de-CH"];
const SAVED_AS: [&str; 3] = ["xlsx", "ods", "csv"];
/// Lots that spreadsheets take for other things, each with a name of the same kind and its minimum.
const LOTS: [(&str, &str, &str); 7] = [
    ("12E3", "3/4", "12.5"),
    ("1E5", "1.10", "1000.5"),
    ("1-2", "£1 2s 6d", "15.255"),
    ("3-4", "March 4", ""),
    ("12-1", "=1+1", "3"),
    ("007", "TRUE", ""),
    ("KM-2", "#N/A", ""),
];
const ROWS: usize = 5_000;

/// A file that LibreOffice of this locale has opened, and saved as another kind. Digits and separators are
/// those of the locale, the separator of CSV is that of the file.
fn saved(folder: &Path, locale: &str, (file, separator): (&Path, u8), kind: &str) -> Vec<u8> {
    let (profile, out) = (folder.join(locale), folder.join("saved"));
    fs::create_dir_all(profile.join("user")).unwrap();
    let settings = format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry"><item oor:path="/org.openoffice.Setup/L10N">
<prop oor:name="ooSetupSystemLocale" oor:op="fuse"><value>{locale}</value></prop></item></oor:items>
"#
    );
    fs::write(profile.join("user/registrymodifications.xcu"), settings).unwrap();
    // Separator, quotation mark, UTF-8, from the first row on, in the language of the locale.
    let text = format!("{separator},34,76,1,,0,false,true");
    let filter = match kind {
        "xlsx" => "xlsx:Calc MS Excel 2007 XML".to_owned(),
        "ods" => "ods:calc8".to_owned(),
        _ => format!("csv:Text - txt - csv (StarCalc):{text},false"),
    };
    let output = Command::new("soffice")
        .arg(format!("-env:UserInstallation=file://{}", profile.display()))
        .arg(format!("--infilter=CSV:{text}"))
        .args(["--headless", "--convert-to", &filter, "--outdir"])
        .args([&out, file])
        .output()
        .unwrap();
    let saved = out.join(file.with_extension(kind).file_name().unwrap());
    fs::read(&saved).unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}

fn table() -> String {
    let mut rows = "lot,name,minimum,ends\n".to_owned();
    for (lot, name, minimum) in LOTS {
        rows.push_str(&format!("{lot},'{name},{minimum},2026-05-03T18:00:00Z\n"));
    }
    for lot in 13..13 + ROWS - LOTS.len() {
        rows.push_str(&format!("{lot},Lot {lot},12.5,2026-05-03T18:00:00Z\n"));
    }
    rows
}

#[tokio::test]
#[ignore = "needs LibreOffice: `cargo xtask test --all` installs it and runs this"]
async fn tables_come_back_from_libreoffice() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({})).await;
    let currency =
        json!({"code": "PT", "name": "Points", "rateToBase": "1", "inputMode": "SCALAR", "precision": 4});
    ada.post(&format!("{path}/currencies"), currency).await.expect(201);
    let import = async |key: String, media_type: &str, table: Vec<u8>| {
        let request = ada.request("POST", &format!("{path}/items/import")).header("idempotency-key", key);
        Answer::of(request.header("content-type", media_type).body(table)).await.expect(201)
    };
    import("k".to_owned(), "text/csv", table().into_bytes()).await;
    let lots = async || {
        let exported = ada.get(&format!("{path}/items/export?format=json")).await.expect(200);
        let items = exported["items"].as_array().unwrap().clone();
        items.into_iter().map(|item| item["lot"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let had = lots().await;
    let folder = tempfile::tempdir().unwrap();
    for (format, kind, separator, new) in EXPORTS {
        let exported = ada.request("GET", &format!("{path}/items/export?format={format}"));
        let file = folder.path().join(format!("items.{kind}"));
        fs::write(&file, exported.send().await.unwrap().bytes().await.unwrap()).unwrap();
        for locale in LOCALES {
            for saved_as in SAVED_AS {
                let case = format!("{format}, {locale}, {saved_as}");
                let table = saved(folder.path(), locale, (&file, separator), saved_as);
                let media_type = if saved_as == "csv" { "text/csv" } else { "application/octet-stream" };
                let imported = import(case.replace(", ", "-"), media_type, table).await;
                let mut found = lots().await;
                found.retain(|lot| !had.contains(lot));
                assert_eq!(found, new, "{case}: {imported}");
                let counts = ["changed", "unchanged"].map(|count| imported[count].as_u64().unwrap());
                assert_eq!(counts, [0, (ROWS - new.len()) as u64], "{case}: {imported}");
                if let Some(id) = imported["importId"].as_str() {
                    ada.post(&format!("{path}/items/imports/{id}/undo"), json!({})).await.expect(200);
                }
            }
        }
    }
}
