//! Files made by hand: what programs write is tested through the API, with those programs.

use std::io::{Cursor, Write};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::*;

const RELATIONSHIPS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/// An archive with these parts.
fn archive(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(content.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// An `.xlsx` file with sheets of these names, states and contents.
fn xlsx(sheets: &[(&str, &str, &str)]) -> Vec<u8> {
    let mut parts = vec![(
        "_rels/.rels".to_owned(),
        format!(
            "<Relationships><Relationship Id=\"r1\" Type=\"{RELATIONSHIPS}/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>"
        ),
    )];
    let (mut entries, mut targets) = (String::new(), String::new());
    for (number, (name, state, content)) in sheets.iter().enumerate() {
        entries +=
            &format!("<sheet name=\"{name}\" state=\"{state}\" sheetId=\"{number}\" r:id=\"s{number}\"/>");
        targets += &format!(
            "<Relationship Id=\"s{number}\" Type=\"{RELATIONSHIPS}/worksheet\" Target=\"/xl/sheet{number}.xml\"/>"
        );
        let sheet = format!("<worksheet><sheetData>{content}</worksheet>");
        parts.push((format!("xl/sheet{number}.xml"), sheet));
    }
    parts.push(("xl/workbook.xml".to_owned(), format!("<workbook><sheets>{entries}</sheets></workbook>")));
    let targets = format!("<Relationships>{targets}</Relationships>");
    parts.push(("xl/_rels/workbook.xml.rels".to_owned(), targets));
    let parts: Vec<_> = parts.iter().map(|(name, content)| (&**name, &**content)).collect();
    archive(&parts)
}

/// An `.ods` file with this content.
fn ods(content: &str) -> Vec<u8> {
    archive(&[
        ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
        ("content.xml", &format!("<office:document-content>{content}</office:document-content>")),
    ])
}

/// A row of texts in a worksheet.
fn row(number: u32, texts: &[&str]) -> String {
    let cells: String =
        texts.iter().map(|text| format!("<c t=\"inlineStr\"><is><t>{text}</t></is></c>")).collect();
    format!("<row r=\"{number}\">{cells}</row>")
}

fn read(bytes: &[u8], name: Option<&str>) -> Result<String, SheetError> {
    read_within(&LIMITS, bytes, name)
}

fn read_within(limits: &Limits, bytes: &[u8], name: Option<&str>) -> Result<String, SheetError> {
    csv_within(limits, bytes, name, &|cells| cells.contains(&"name"))
}

#[test]
fn the_first_visible_sheet_with_a_header_is_read_or_the_named_one() {
    let header = |text| row(2, &["name", text]) + "</sheetData>";
    let notes = row(1, &["Notes", "of the club"]) + "</sheetData>";
    let sheets = [
        ("Old", "hidden", &*header("old")),
        ("Notes", "visible", &notes),
        ("Empty", "visible", "</sheetData>"),
        ("Lots", "visible", &header("lots")),
        ("More &amp; more", "visible", &header("more")),
    ];
    let file = xlsx(&sheets);
    assert_eq!(read(&file, None).unwrap(), "sep=,\n\"\"\nname,lots\n");
    assert_eq!(read(&file, Some("more & MORE")).unwrap(), "sep=,\n\"\"\nname,more\n");
    assert_eq!(read(&file, Some("notes")).unwrap(), "sep=,\nNotes,of the club\n");
    let names = "`Notes`, `Empty`, `Lots`, `More & more`";
    for absent in ["Old", "x", ""] {
        assert_eq!(read(&file, Some(absent)), Err(SheetError::NoSuchSheet(names.to_owned())));
    }
    let without_header = xlsx(&sheets[..3]);
    assert_eq!(read(&without_header, None).unwrap(), "sep=,\nNotes,of the club\n");
    assert_eq!(read(&xlsx(&sheets[2..3]), None), Err(SheetError::Empty));
}

#[test]
fn a_value_of_a_covered_cell_is_not_read() {
    let rows = row(1, &["name", "a", "b"]) + &row(2, &["x", "hidden", "c"]) + &row(3, &["hidden", "", "d"]);
    let file = xlsx(&[(
        "Lots",
        "visible",
        &format!("{rows}</sheetData><mergeCells><mergeCell ref=\"A2:B3\"/></mergeCells>"),
    )]);
    assert_eq!(read(&file, None).unwrap(), "sep=,\nname,a,b\nx,,c\n,,d\n");
    let file = ods(
        "<table:table table:name=\"a\"><table:table-row><table:table-cell office:value-type=\"string\"><text:p>name</text:p></table:table-cell>\
         <table:covered-table-cell office:value-type=\"string\"><text:p>hidden</text:p></table:covered-table-cell></table:table-row></table:table>",
    );
    assert_eq!(read(&file, None).unwrap(), "sep=,\nname\n");
}

#[test]
fn formulas_and_errors_of_an_xlsx_file_are_told_from_values() {
    let cells = "<row r=\"1\"><c t=\"inlineStr\"><is><t>name</t></is></c><c><f>A1</f></c><c><f>A1</f><v/></c>\
        <c><f>A1</f><v>2</v></c><c t=\"str\"><f>A1</f><v></v></c><c t=\"str\"><f>A1</f><v>a&amp;b&#228;</v></c>\
        <c t=\"e\"><v>#REF!</v></c><c t=\"e\"><v>#NEW!</v></c><c t=\"d\"><v>2026-12-01T18:00:00</v></c>\
        <c t=\"b\"><v>0</v></c><c><v>1.5E1</v></c></row></sheetData>";
    let file = xlsx(&[("Lots", "visible", cells)]);
    let read = read(&file, None).unwrap();
    assert_eq!(read, "sep=,\nname,#FORMULA!,#FORMULA!,2,,a&bä,#REF!,#ERROR!,2026-12-01 18:00,no,15\n");
}

#[test]
fn texts_have_all_their_pieces_but_not_how_they_are_pronounced() {
    let rich = "<row><c t=\"inlineStr\"><is><r><t>na</t></r><r><rPr><b/></rPr><t>me</t></r><rPh sb=\"0\" eb=\"1\"><t>x</t></rPh></is></c></row></sheetData>";
    assert_eq!(read(&xlsx(&[("Lots", "visible", rich)]), None).unwrap(), "sep=,\nname\n");
    let cell = "<table:table-cell office:value-type=\"string\" table:number-columns-repeated=\"2\"><office:annotation><text:p>x</text:p></office:annotation>\
        <text:p>na<text:span>m</text:span><text:s text:c=\"2\"/><text:ruby><text:ruby-base>e</text:ruby-base><text:ruby-text>x</text:ruby-text></text:ruby></text:p><text:p>b</text:p></table:table-cell>";
    let file = ods(&format!(
        "<table:table table:name=\"a\"><table:table-header-rows><table:table-row table:number-rows-repeated=\"2\"><table:table-cell table:number-columns-repeated=\"2\"/></table:table-row></table:table-header-rows>\
         <table:table-row-group><table:table-row>{cell}</table:table-row></table:table-row-group></table:table>"
    ));
    assert_eq!(read(&file, None).unwrap(), "sep=,\n\"\"\n\"\"\n\"nam  e\nb\",\"nam  e\nb\"\n");
}

#[test]
fn texts_that_cells_share_are_counted_before_they_are_all_read() {
    let file = |count: usize| {
        let relationship = |id: &str, kind: &str, target: &str| {
            format!("<Relationship Id=\"{id}\" Type=\"{RELATIONSHIPS}/{kind}\" Target=\"{target}\"/>")
        };
        let (workbook, sheet) = (relationship("r1", "officeDocument", "xl/workbook.xml"), "/xl/sheet.xml");
        let parts =
            relationship("s1", "worksheet", sheet) + &relationship("s2", "sharedStrings", "/xl/shared.xml");
        let texts: String = (2..count).map(|number| format!("<si><t>{number}</t></si>")).collect();
        archive(&[
            ("_rels/.rels", &format!("<Relationships>{workbook}</Relationships>")),
            ("xl/_rels/workbook.xml.rels", &format!("<Relationships>{parts}</Relationships>")),
            (
                "xl/workbook.xml",
                "<workbook><sheets><sheet name=\"Lots\" sheetId=\"1\" r:id=\"s1\"/></sheets></workbook>",
            ),
            (
                "xl/shared.xml",
                &format!("<sst count=\"1\"><si><t>name</t></si><si><t>Ada</t></si>{texts}</sst>"),
            ),
            (
                "xl/sheet.xml",
                "<worksheet><sheetData><row><c t=\"s\"><v>0</v></c></row><row><c t=\"s\"><v>1</v></c></row></sheetData></worksheet>",
            ),
        ])
    };
    assert_eq!(read(&file(5_000), None).unwrap(), "sep=,\nname\nAda\n");
    let limits = Limits { strings: 4_999, ..LIMITS };
    assert_eq!(read_within(&limits, &file(5_000), None), Err(SheetError::TooLarge("400,000 texts")));
    assert_eq!(read(&file(LIMITS.strings + 1), None), Err(SheetError::TooLarge("400,000 texts")));
}

#[test]
fn more_than_the_limits_is_refused_whatever_the_file_states() {
    let rows: String = (1..=50).map(|number| row(number, &["name", "some text"])).collect();
    let file = xlsx(&[("Lots", "visible", &format!("{rows}</sheetData>"))]);
    let refused = |limits: Limits| matches!(read_within(&limits, &file, None), Err(SheetError::TooLarge(_)));
    assert!(!refused(LIMITS));
    assert!(refused(Limits { unpacked: 1_000, ..LIMITS }));
    assert!(refused(Limits { parts: 2, ..LIMITS }));
    assert!(refused(Limits { token: 20, ..LIMITS }));
    assert!(refused(Limits { columns: 1, ..LIMITS }));
    assert!(refused(Limits { text: 100, ..LIMITS }));
    let cut = read_within(&Limits { rows: 10, ..LIMITS }, &file, None).unwrap();
    assert_eq!(cut.lines().count(), 11, "the reader of the table refuses it");

    // The directory at the end of the archive states one byte for each part.
    let mut lying = file.clone();
    let mut at = 0;
    while let Some(found) = lying[at..].windows(4).position(|mark| mark == b"PK\x01\x02") {
        at += found + 4;
        lying[at + 20..at + 24].copy_from_slice(&1_u32.to_le_bytes());
    }
    let limits = Limits { unpacked: 1_000, ..LIMITS };
    assert!(read_within(&limits, &lying, None).is_err());

    let cell = "<table:table-cell table:number-columns-repeated=\"900000\" office:value-type=\"string\"><text:p>name</text:p></table:table-cell>";
    let wide = ods(&format!(
        "<table:table table:name=\"a\"><table:table-row>{cell}</table:table-row></table:table>"
    ));
    assert_eq!(read(&wide, None), Err(SheetError::TooLarge("200 columns")));
    let high = ods(&format!(
        "<table:table table:name=\"a\"><table:table-row table:number-rows-repeated=\"1048576\">{}</table:table-row></table:table>",
        cell.replace("900000", "2")
    ));
    assert_eq!(read(&high, None).unwrap().lines().count(), LIMITS.rows + 1);
}

#[test]
fn another_archive_is_named() {
    let words = |parts: &[(&str, &str)]| match read(&archive(parts), None) {
        Err(SheetError::Unsupported(words)) => words,
        other => panic!("{other:?}"),
    };
    assert!(words(&[("a.txt", "a")]).contains("neither"));
    assert!(words(&[("Index/Document.iwa", "a")]).contains("Numbers"));
    let target = |part: &str| {
        format!(
            "<Relationships><Relationship Id=\"a\" Type=\"{RELATIONSHIPS}/officeDocument\" Target=\"{part}\"/></Relationships>"
        )
    };
    assert!(words(&[("_rels/.rels", &target("xl/workbook.bin"))]).contains(".xlsb"));
    let text = [("_rels/.rels", &*target("word/document.xml")), ("word/document.xml", "<w:document/>")];
    assert!(words(&text).contains("neither"));
    let protected = [
        ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
        (
            "META-INF/manifest.xml",
            "<m:manifest><m:file-entry><m:encryption-data/></m:file-entry></m:manifest>",
        ),
        ("content.xml", "xyz"),
    ];
    assert!(words(&protected).contains("password"));
}

#[test]
fn a_damaged_file_is_refused() {
    let file = xlsx(&[("Lots", "visible", &(row(1, &["name", "b"]) + "</sheetData>"))]);
    assert_eq!(read(&file[..file.len() / 2], None), Err(SheetError::Damaged));
    for wrong in [
        "<row r=\"0\">",
        "<c r=\"1A\"/>",
        "<c t=\"s\"><v>7</v></c>",
        "<c>",
        "<c t=\"inlineStr\"><is>&x;</is></c>",
    ] {
        let file = xlsx(&[("Lots", "visible", wrong)]);
        assert_eq!(read(&file, None), Err(SheetError::Damaged), "{wrong}");
    }
    // Each byte of a file may be another one: it is read or refused.
    for at in 0..file.len() {
        let mut damaged = file.clone();
        damaged[at] ^= 0x55;
        let _ = read(&damaged, None);
    }
}
