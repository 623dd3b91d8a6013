//! `?format=csv|json|xlsx&dialect=comma|semicolon`, with which a request names the format of an export.

use std::str::FromStr;

use axum::extract::RawQuery;
use utoipa::IntoParams;
use utoipa::openapi::ObjectBuilder;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::Type;

use super::csv_body::XLSX;
use super::paging::parameters;
use super::problem::Problem;
use crate::csv_text::Dialect;
use crate::fields::FieldError;

const FORMAT: &str = "format";
const DIALECT: &str = "dialect";

/// The format of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportFormat {
    Table(TableFormat),
    Json,
}

/// The format of an export that is one table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableFormat {
    Csv(Dialect),
    Xlsx,
}

/// The format is none of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be csv, json or xlsx")]
pub struct UnknownFormat;

impl FromStr for ExportFormat {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        match name {
            "csv" => Ok(Self::Table(TableFormat::Csv(Dialect::default()))),
            "json" => Ok(Self::Json),
            "xlsx" => Ok(Self::Table(TableFormat::Xlsx)),
            _ => Err(UnknownFormat),
        }
    }
}

/// The dialect is none of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be comma or semicolon")]
pub struct UnknownDialect;

impl FromStr for Dialect {
    type Err = UnknownDialect;

    fn from_str(name: &str) -> Result<Self, UnknownDialect> {
        match name {
            "comma" => Ok(Self::Comma),
            "semicolon" => Ok(Self::Semicolon),
            _ => Err(UnknownDialect),
        }
    }
}

impl ExportFormat {
    /// The format that a query names, JSON by default. A dialect is one of CSV.
    ///
    /// # Errors
    /// 422 for another format or dialect.
    pub fn of(query: &RawQuery) -> Result<Self, Problem> {
        let query = parameters(query);
        let given =
            |wanted: &str| query.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.as_str());
        let format = given(FORMAT).map_or(Ok(Self::Json), str::parse);
        let dialect = given(DIALECT).map_or(Ok(Dialect::default()), str::parse);
        match (format, dialect) {
            (Ok(Self::Table(TableFormat::Csv(_))), Ok(dialect)) => Ok(Self::Table(TableFormat::Csv(dialect))),
            (Ok(format), Ok(_)) => Ok(format),
            (format, dialect) => {
                let format = format.err().map(|error| FieldError::new(FORMAT, error.to_string()));
                let dialect = dialect.err().map(|error| FieldError::new(DIALECT, error.to_string()));
                Err(Problem::fields(format.into_iter().chain(dialect).collect()))
            }
        }
    }

    /// Media type and extension of a file.
    pub const fn file_type(self) -> (&'static str, &'static str) {
        match self {
            Self::Table(TableFormat::Csv(_)) => ("text/csv; charset=utf-8; header=present", "csv"),
            Self::Table(TableFormat::Xlsx) => (XLSX, "xlsx"),
            Self::Json => ("application/json", "json"),
        }
    }
}

/// The parameters of [`ExportFormat`] in the description of a request.
pub struct FormatParameters;

impl IntoParams for FormatParameters {
    fn into_params(_in: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let query = |name: &str, about: &str, values: &[&str]| {
            let schema =
                ObjectBuilder::new().schema_type(Type::String).enum_values(Some(values.iter().copied()));
            let parameter = ParameterBuilder::new().name(name).parameter_in(ParameterIn::Query);
            parameter.description(Some(about)).schema(Some(schema)).build()
        };
        vec![
            query(FORMAT, "`csv`, `xlsx` or `json`, the default", &["csv", "json", "xlsx"]),
            query(
                DIALECT,
                "Marks of CSV: `comma`, the default, or `semicolon` between cells, with commas in decimals",
                &["comma", "semicolon"],
            ),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(query: &str) -> Result<ExportFormat, Vec<String>> {
        let paths = |problem: Problem| problem.fields.into_iter().map(|field| field.path).collect();
        ExportFormat::of(&RawQuery(Some(query.to_owned()))).map_err(paths)
    }

    #[test]
    fn a_dialect_is_one_of_csv() {
        let csv = |dialect| Ok(ExportFormat::Table(TableFormat::Csv(dialect)));
        assert_eq!(of(""), Ok(ExportFormat::Json));
        assert_eq!(of("format=csv"), csv(Dialect::Comma));
        assert_eq!(of("format=csv&dialect=semicolon"), csv(Dialect::Semicolon));
        assert_eq!(of("dialect=semicolon&format=xlsx"), Ok(ExportFormat::Table(TableFormat::Xlsx)));
        assert_eq!(of("format=ods&dialect=;"), Err(vec!["format".to_owned(), "dialect".to_owned()]));
        assert_eq!(of("dialect="), Err(vec!["dialect".to_owned()]));
    }
}
