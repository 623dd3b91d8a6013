//! `?headerRow=&column=&sheet=`, with which a request says how its table is read (SPEC, section 3).

use std::borrow::Cow;

use axum::extract::RawQuery;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{ArrayBuilder, KnownFormat, SchemaFormat, SchemaType, Type};
use utoipa::openapi::{ObjectBuilder, RefOr, Schema};
use utoipa::{IntoParams, PartialSchema, ToSchema};

use super::csv_body::SHEET;
use super::paging::parameters;
use super::problem::Problem;
use crate::table::{COLUMN, HEADER_ROW, Reading};

/// The parameters of [`Reading`], and the sheet, in the description of a request.
pub struct ReadingParameters;

impl IntoParams for ReadingParameters {
    fn into_params(_in: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let query = |name: &str, about: &str, schema: RefOr<Schema>| {
            let parameter = ParameterBuilder::new().name(name).parameter_in(ParameterIn::Query);
            parameter.description(Some(about)).schema(Some(schema)).build()
        };
        let integer = ObjectBuilder::new()
            .schema_type(Type::Integer)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int64)))
            .minimum(Some(1));
        let texts = ArrayBuilder::new().items(ObjectBuilder::new().schema_type(Type::String));
        vec![
            query(
                HEADER_ROW,
                "Row of the header, from 1; found by the names of columns by default",
                integer.into(),
            ),
            query(
                COLUMN,
                "A field and the heading of its column, such as `lot:Tag #`; `:Shelf` is not read; repeated",
                texts.into(),
            ),
            query(
                SHEET,
                "Name of a visible sheet of a spreadsheet, by default the first one with a header; or of one of several lists",
                ObjectBuilder::new().schema_type(Type::String).into(),
            ),
        ]
    }
}

/// A JSON text that has a table, in the description of a request: other programs have many shapes.
pub struct JsonTable;

impl PartialSchema for JsonTable {
    fn schema() -> RefOr<Schema> {
        let any = ObjectBuilder::new().schema_type(SchemaType::AnyValue);
        any.description(Some("A list of objects, or an object that has one.")).into()
    }
}

impl ToSchema for JsonTable {
    fn name() -> Cow<'static, str> {
        "JsonTable".into()
    }
}

/// How the table of a request is read.
///
/// # Errors
/// 422 for parameters that can't be read.
pub fn reading(query: &RawQuery) -> Result<Reading, Problem> {
    let parameters = parameters(query);
    let parameters = parameters.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    Reading::parse(parameters).map_err(Problem::fields)
}
