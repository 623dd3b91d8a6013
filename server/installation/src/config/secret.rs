//! Flags and variables that may contain a password.

use std::ffi::OsStr;
use std::fmt::Display;
use std::marker::PhantomData;
use std::str::FromStr;

use clap::builder::TypedValueParser;
use clap::error::ErrorKind;

/// Parses a value without quoting it in the error, as clap's own parsers do.
#[derive(Debug, Clone)]
pub(super) struct SecretParser<T>(PhantomData<T>);

impl<T> Default for SecretParser<T> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<T> TypedValueParser for SecretParser<T>
where
    T: FromStr<Err: Display> + Clone + Send + Sync + 'static,
{
    type Value = T;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<T, clap::Error> {
        let text = value.to_str().ok_or_else(|| "it is not valid UTF-8".to_owned());
        let parsed = text.and_then(|text| text.parse().map_err(|error: T::Err| error.to_string()));
        parsed.map_err(|reason| {
            let argument = argument.map(ToString::to_string).unwrap_or_default();
            let message = format!("invalid value for '{argument}': {reason}\n");
            clap::Error::raw(ErrorKind::ValueValidation, message).with_cmd(command)
        })
    }
}
