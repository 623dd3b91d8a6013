//! One declaration for each body of a request. A [`Shape`] lists its members once, with their bounds; from
//! that list come the reader that reports every error at once, the body that a merge patch is applied to, the
//! schema in the OpenAPI document, and the fields of a form.

mod form;
mod members;
mod schema;

use form::{FormReader, FormValues};

pub use form::SubmittedForm;
pub use members::Members;
pub use schema::{MergePatch, New, Visited};

use crate::fields::{FieldError, Fields, Object};

/// The body of a request. Its `Default` has the defaults of the members.
pub trait Shape: Clone + Default + 'static {
    /// The name of the schema: `NewAuction`.
    const NAME: &'static str;
    /// Description of the schema.
    const ABOUT: &'static str = "";

    /// Visits every member with its name and bounds.
    fn members(&mut self, members: &mut Members<'_>);
}

/// The body that would create this resource. A merge patch is applied to it.
pub fn write(shape: &impl Shape) -> Object {
    let mut object = Object::default();
    shape.clone().members(&mut Members::write(&mut object));
    object
}

/// Reads the members into `shape`. A member that is absent keeps its value.
pub fn read(shape: &mut impl Shape, fields: &mut Fields) {
    shape.members(&mut Members::read(fields));
}

/// The values of a form's fields that have the names of these members. Moments, amounts and objects have
/// none.
pub fn form_values(shape: &impl Shape) -> Vec<(String, String)> {
    let mut values = FormValues::default();
    shape.clone().members(&mut Members::fill(&mut values));
    values.0
}

/// A shape as a request gives it, from the fields of a form, and what can't be read of them. A field that the
/// form lacks leaves its member out. `boxes` are those that it may leave unchecked, each with a field that is
/// sent beside it; `numbers` is what whole numbers count. Amounts and objects are left out.
pub fn from_form<T: Shape>(
    form: &impl SubmittedForm,
    boxes: &[(&str, &str)],
    numbers: &str,
) -> (Object, Vec<FieldError>) {
    let (mut object, mut errors) = (Object::default(), Vec::new());
    let reader = FormReader { form, boxes, numbers, object: &mut object, errors: &mut errors };
    T::default().members(&mut Members::gather(reader));
    (object, errors)
}

/// Reads a whole body, or reports all of its errors.
pub fn parse<T: Shape>(object: Object) -> Result<T, Vec<FieldError>> {
    let mut fields = Fields::of(object);
    let mut shape = T::default();
    read(&mut shape, &mut fields);
    fields.finish()?;
    Ok(shape)
}

#[cfg(test)]
mod tests {
    use utoipa::{PartialSchema, ToSchema};

    use super::*;

    #[derive(Debug, Clone, PartialEq, Eq)]
    struct Chest {
        name: String,
        is_locked: bool,
        coins: i64,
        lid: Option<Lid>,
        keys: Vec<Lid>,
    }

    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    struct Lid {
        wood: String,
        varnish: String,
    }

    impl Default for Chest {
        fn default() -> Self {
            Self { name: String::new(), is_locked: true, coins: 7, lid: None, keys: Vec::new() }
        }
    }

    impl Shape for Chest {
        const NAME: &'static str = "NewChest";

        fn members(&mut self, members: &mut Members<'_>) {
            members.text("name", 1..=5, &mut self.name).about("What it is called.");
            members.flag("isLocked", &mut self.is_locked);
            members.integer("coins", 0..=9, &mut self.coins);
            members.object("lid", &mut self.lid);
            members.list("keys", &mut self.keys);
        }
    }

    impl Shape for Lid {
        const NAME: &'static str = "NewLid";

        fn members(&mut self, members: &mut Members<'_>) {
            members.text("wood", 1..=4, &mut self.wood);
            members.text("varnish", 0..=4, &mut self.varnish);
        }
    }

    #[derive(Debug, Clone, Default)]
    struct ChestPatch {
        coins: Option<u8>,
        is_locked: Option<bool>,
    }

    impl Shape for ChestPatch {
        const NAME: &'static str = "ChestPatch";

        fn members(&mut self, members: &mut Members<'_>) {
            members.parsed_change("coins", &mut self.coins);
            members.flag_change("isLocked", &mut self.is_locked);
        }
    }

    fn parsed(json: &str) -> (Chest, Vec<String>) {
        let mut fields = Fields::of(serde_json::from_str(json).unwrap());
        let mut chest = Chest::default();
        read(&mut chest, &mut fields);
        let errors = fields.finish().err().unwrap_or_default();
        (chest, errors.into_iter().map(|error| error.path).collect())
    }

    #[test]
    fn what_is_written_is_read_again() {
        let (chest, errors) = parsed(r#"{"name": "Oak", "isLocked": false, "lid": {"wood": "fir"}}"#);
        assert_eq!(errors, Vec::<String>::new());
        assert_eq!((chest.is_locked, chest.coins), (false, 7));
        let written = serde_json::to_string(&write(&chest)).unwrap();
        assert_eq!(
            written,
            r#"{"name":"Oak","isLocked":false,"coins":7,"lid":{"wood":"fir","varnish":""},"keys":[]}"#
        );
        assert_eq!(parsed(&written), (chest, Vec::new()));
    }

    /// A form whose moments are texts.
    struct Typed(&'static [(&'static str, &'static str)]);

    impl SubmittedForm for Typed {
        fn given(&self, name: &str) -> Option<&str> {
            self.0.iter().find(|(field, text)| *field == name && !text.is_empty()).map(|(_, text)| *text)
        }

        fn has(&self, name: &str) -> bool {
            self.0.iter().any(|(field, _)| *field == name)
        }

        fn moment(&self, name: &str) -> Result<Option<String>, FieldError> {
            Ok(self.given(name).map(str::to_owned))
        }
    }

    fn of_form(fields: &'static [(&'static str, &'static str)]) -> (String, Vec<FieldError>) {
        let (object, errors) = from_form::<Chest>(&Typed(fields), &[("isLocked", "coins")], "whole coins");
        (serde_json::to_string(&object).unwrap(), errors)
    }

    #[test]
    fn a_form_says_what_it_has_fields_for() {
        let (said, errors) = of_form(&[("name", ""), ("coins", " 3 ")]);
        assert_eq!((&*said, errors.len()), (r#"{"name":"","isLocked":false,"coins":3}"#, 0));
        let (said, errors) = of_form(&[("isLocked", "true"), ("x", "y")]);
        assert_eq!((&*said, errors.len()), (r#"{"isLocked":true}"#, 0));
        let (said, errors) = of_form(&[("coins", "10")]);
        assert_eq!(said, r#"{"isLocked":false}"#);
        assert_eq!(errors, [FieldError::explained("coins", "Enter whole coins from 0 to 9.")]);
        assert_eq!(of_form(&[("coins", " ")]).0, r#"{"isLocked":false,"coins":null}"#);
    }

    #[test]
    fn a_form_is_filled_with_texts_numbers_and_the_boxes_that_are_checked() {
        let filled = |chest: &Chest| form_values(chest).into_iter().collect::<Vec<_>>();
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let chest = Chest { name: "Oak".to_owned(), lid: Some(Lid::default()), ..Chest::default() };
        assert_eq!(filled(&chest), [pair("name", "Oak"), pair("isLocked", "true"), pair("coins", "7")]);
        let open = Chest { is_locked: false, ..chest };
        assert_eq!(filled(&open), [pair("name", "Oak"), pair("coins", "7")]);
    }

    #[test]
    fn every_error_is_reported() {
        let (_, errors) =
            parsed(r#"{"coins": 10, "lid": {}, "keys": [{"wood": "fir"}, {"wood": "cedar"}], "x": 1}"#);
        assert_eq!(errors, ["name", "coins", "lid.wood", "keys.1.wood", "x"]);
    }

    #[test]
    fn a_change_may_be_absent_but_not_null() {
        let parse = |json| parse::<ChestPatch>(serde_json::from_str(json).unwrap());
        let empty = parse("{}").unwrap();
        assert_eq!((empty.coins, empty.is_locked), (None, None));
        let full = parse(r#"{"coins": "3", "isLocked": false}"#).unwrap();
        assert_eq!((full.coins, full.is_locked), (Some(3), Some(false)));
        let errors = parse(r#"{"coins": null, "isLocked": null}"#).unwrap_err();
        assert_eq!(errors.iter().map(|error| &*error.path).collect::<Vec<_>>(), ["coins", "isLocked"]);
        let schema = serde_json::to_value(New::<ChestPatch>::schema()).unwrap();
        let properties = serde_json::json!({"coins": {"type": "string"}, "isLocked": {"type": "boolean"}});
        assert_eq!((&schema["properties"], &schema["required"]), (&properties, &serde_json::Value::Null));
    }

    #[test]
    fn the_schema_has_the_bounds_and_the_defaults() {
        let schema = serde_json::to_value(New::<Chest>::schema()).unwrap();
        assert_eq!(schema["required"], serde_json::json!(["name"]));
        let coins = serde_json::json!({
            "type": ["integer", "null"], "format": "int64", "minimum": 0, "maximum": 9, "default": 7
        });
        assert_eq!(schema["properties"]["coins"], coins);
        let name = serde_json::json!({
            "type": "string", "minLength": 1, "maxLength": 5, "description": "What it is called."
        });
        assert_eq!(schema["properties"]["name"], name);
        let lid = serde_json::json!({"oneOf": [{"$ref": "#/components/schemas/NewLid"}, {"type": "null"}]});
        assert_eq!(schema["properties"]["lid"], lid);
        assert_eq!(schema["properties"]["keys"]["items"]["$ref"], "#/components/schemas/NewLid");
    }

    #[test]
    fn a_merge_patch_has_no_defaults_and_requires_nothing() {
        let schema = serde_json::to_value(MergePatch::<Chest>::schema()).unwrap();
        assert_eq!(schema["required"], serde_json::Value::Null);
        let coins =
            serde_json::json!({"type": ["integer", "null"], "format": "int64", "minimum": 0, "maximum": 9});
        assert_eq!(schema["properties"]["coins"], coins);
        assert_eq!(schema["properties"]["lid"]["oneOf"][0]["$ref"], "#/components/schemas/LidPatch");
        assert_eq!(schema["properties"]["keys"]["items"]["$ref"], "#/components/schemas/LidEntry");
        let mut schemas = Vec::new();
        MergePatch::<Chest>::schemas(&mut schemas);
        let named = |wanted: &str| {
            let (_, schema) = schemas.iter().find(|(name, _)| name == wanted).expect("a schema");
            serde_json::to_value(schema).unwrap()
        };
        assert_eq!(named("LidPatch")["required"], serde_json::Value::Null);
        assert_eq!(named("LidEntry")["required"], serde_json::json!(["wood"]));
        let wood = serde_json::json!({
            "type": ["string", "null"], "maxLength": 4, "description": "By default `\"\"`."
        });
        assert_eq!(named("LidEntry")["properties"]["varnish"], wood);
    }
}
