//! Files on disk and API documents are different types: another version reads the files, so a change of the
//! API must not change them.

use super::definition::{Definition, definitions, naming};
use super::finding::{Finding, check};
use super::source::below;

/// Folders and files whose serialized types are the formats of files.
const FORMATS: &[&str] = &[
    "server/installation/src/backups/",
    "server/installation/src/config/",
    "server/installation/src/journal/",
    "server/installation/src/updates/config/",
];

#[test]
fn files_and_api_documents_are_different_types() {
    let definitions: Vec<_> =
        below(&["server/installation/", "server/platform/"]).flat_map(definitions).collect();
    let (files, documents): (Vec<_>, Vec<_>) =
        (select(&definitions, is_file), select(&definitions, is_document));
    let with_files = naming(&definitions, files.iter().map(|file| file.name));
    let with_documents = naming(&definitions, documents.iter().map(|document| document.name));
    let in_api = documents.iter().filter(|document| with_files.contains(document.name));
    let in_file = files.iter().filter(|file| with_documents.contains(file.name));
    let findings: Vec<_> = in_api.chain(in_file).map(|found| finding(found)).collect();
    check("give the file and the API a type each: one of them must not contain the other", &findings, &[]);
    assert!(!files.is_empty() && !documents.is_empty(), "the folders of the file formats exist");
}

fn select(definitions: &[Definition], is_wanted: fn(&Definition) -> bool) -> Vec<&Definition> {
    definitions.iter().filter(|definition| is_wanted(definition)).collect()
}

/// Whether the type is written to a file or read from one.
fn is_file(definition: &Definition) -> bool {
    FORMATS.iter().any(|format| definition.source.path.starts_with(format))
        && (definition.names("Serialize") || definition.names("Deserialize"))
}

/// Whether the type is in the OpenAPI document.
fn is_document(definition: &Definition) -> bool {
    definition.names("ToSchema")
}

fn finding(definition: &Definition) -> Finding {
    Finding::new(definition.source, definition.offset, definition.name)
}
