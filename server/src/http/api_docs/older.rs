//! The document in OpenAPI 3.0, for makers of clients that read no later version, or one media type of a
//! body.

use serde_json::{Map, Value, json};
use utoipa::openapi::OpenApi;

const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

const JSON: &str = "application/json";
const MERGE_PATCH: &str = "application/merge-patch+json";

/// The same operations, except for those whose body is a form with files. A body is JSON where it may be,
/// also that of a merge patch. What only 3.1 can say is said as 3.0 does, or left out.
pub fn in_version_3_0(document: &OpenApi) -> serde_json::Result<Value> {
    let mut document = serde_json::to_value(document)?;
    let paths = document.get_mut("paths").and_then(Value::as_object_mut);
    for path in paths.into_iter().flat_map(Map::values_mut).filter_map(Value::as_object_mut) {
        for method in METHODS {
            if let Some(operation) = path.get_mut(method)
                && !keep_json(operation)
            {
                path.remove(method);
            }
        }
    }
    lower(&mut document);
    document["openapi"] = json!("3.0.3");
    if let Some(info) = document["info"].as_object_mut() {
        let about = info.get("description").and_then(Value::as_str).unwrap_or_default();
        let about = format!(
            "{about} This is the document in OpenAPI 3.0, without the upload of pictures, which is a form: \
             that of 3.1 is whole."
        );
        info.insert("description".to_owned(), about.into());
        if let Some(license) = info.get_mut("license").and_then(Value::as_object_mut) {
            license.remove("identifier");
        }
    }
    Ok(document)
}

/// Leaves JSON of the media types of the body. False if the body has another form.
fn keep_json(operation: &mut Value) -> bool {
    if let Some(responses) = operation["responses"].as_object_mut() {
        // It answers a header that no client of this kind sends.
        responses.remove("304");
    }
    let Some(content) = operation.pointer_mut("/requestBody/content").and_then(Value::as_object_mut) else {
        return true;
    };
    let Some(body) = content.remove(JSON).or_else(|| content.remove(MERGE_PATCH)) else { return false };
    *content = Map::from_iter([(JSON.to_owned(), body)]);
    true
}

/// Writes schemas as 3.0 has them.
fn lower(value: &mut Value) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(lower),
        Value::Object(schema) => {
            schema.values_mut().for_each(lower);
            lower_alternatives(schema);
            lower_types(schema);
            schema.remove("propertyNames");
            if schema.remove("contentMediaType").is_some() {
                schema.insert("format".to_owned(), json!("binary"));
            }
        }
        _ => {}
    }
}

/// A schema that may be null says so by a word of its own.
fn lower_alternatives(schema: &mut Map<String, Value>) {
    for word in ["oneOf", "anyOf"] {
        let Some(Value::Array(mut schemas)) = schema.remove(word) else { continue };
        let count = schemas.len();
        schemas.retain(|schema| *schema != json!({"type": "null"}));
        if schemas.len() < count {
            schema.insert("nullable".to_owned(), json!(true));
        }
        // A reference has no words beside it.
        let word = if schemas.len() == 1 { "allOf" } else { word };
        schema.insert(word.to_owned(), schemas.into());
    }
}

/// A schema has one type: several are alternatives, each with the bounds of its own.
fn lower_types(schema: &mut Map<String, Value>) {
    const OF_TEXT: [&str; 4] = ["minLength", "maxLength", "pattern", "format"];
    const OF_NUMBERS: [&str; 2] = ["minimum", "maximum"];
    let Some(Value::Array(mut types)) = schema.get("type").cloned() else { return };
    let count = types.len();
    types.retain(|kind| kind != "null");
    if types.len() < count {
        schema.insert("nullable".to_owned(), json!(true));
    }
    if let [kind] = types.as_slice() {
        schema.insert("type".to_owned(), kind.clone());
        return;
    }
    schema.remove("type");
    let mut take = |words: &[&str]| -> Map<String, Value> {
        words.iter().filter_map(|word| schema.remove_entry(*word)).collect()
    };
    let (of_text, of_numbers) = (take(&OF_TEXT), take(&OF_NUMBERS));
    let alternatives = types.into_iter().map(|kind| {
        let mut bounds = if kind == "string" { of_text.clone() } else { of_numbers.clone() };
        bounds.insert("type".to_owned(), kind);
        Value::Object(bounds)
    });
    let alternatives = alternatives.collect();
    schema.insert("anyOf".to_owned(), Value::Array(alternatives));
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{in_version_3_0, lower};
    use crate::router::document;

    #[test]
    fn schemas_are_written_as_3_0_has_them() {
        for (newer, older) in [
            (
                json!({"type": ["string", "null"], "maxLength": 9}),
                json!({"type": "string", "nullable": true, "maxLength": 9}),
            ),
            (
                json!({"type": ["string", "number", "null"], "maxLength": 9, "description": "d"}),
                json!({
                    "anyOf": [{"type": "string", "maxLength": 9}, {"type": "number"}], "nullable": true, "description": "d",
                }),
            ),
            (
                json!({"oneOf": [{"type": "null"}, {"$ref": "#/components/schemas/Bid"}]}),
                json!({"allOf": [{"$ref": "#/components/schemas/Bid"}], "nullable": true}),
            ),
            (json!({"type": "object", "propertyNames": {"type": "string"}}), json!({"type": "object"})),
            (
                json!({"type": "string", "contentMediaType": "application/octet-stream"}),
                json!({"type": "string", "format": "binary"}),
            ),
        ] {
            let mut schema = newer.clone();
            lower(&mut schema);
            assert_eq!(schema, older, "{newer}");
        }
    }

    #[test]
    fn the_older_document_has_all_operations_but_the_upload_and_one_media_type_a_body() {
        let document = document();
        let newer = serde_json::to_value(&document).unwrap();
        let older = in_version_3_0(&document).unwrap();
        let operations = |document: &Value| -> Vec<String> {
            let paths = document["paths"].as_object().unwrap().values();
            let operations = paths.flat_map(|path| path.as_object().unwrap().values());
            operations.filter_map(|operation| Some(operation["operationId"].as_str()?.to_owned())).collect()
        };
        let (mut of_newer, of_older) = (operations(&newer), operations(&older));
        of_newer.retain(|name| !of_older.contains(name));
        assert_eq!(of_newer, ["post_image"]);
        for (path, operation) in older["paths"].as_object().unwrap() {
            for body in
                operation.as_object().unwrap().values().filter_map(|one| one.pointer("/requestBody/content"))
            {
                assert_eq!(
                    body.as_object().unwrap().keys().collect::<Vec<_>>(),
                    ["application/json"],
                    "{path}"
                );
            }
        }
        assert!(!older.to_string().contains("\"null\""), "a type of 3.1 is left");
    }
}
