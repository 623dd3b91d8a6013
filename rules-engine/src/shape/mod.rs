//! One declaration for each JSON document that the engine reads.
//!
//! `shape!` takes the members of a document once and yields the owned struct for `serde` and the Rust API,
//! the borrowed struct that the engine works on, the reader of that struct, the list of its members, and the
//! JSON Schema. With `serde_json` the WebAssembly module would be three times as large, so the engine reads
//! JSON with its own `JsonReader`; tests check that both read and refuse the same documents.
//!
//! [`ReadJson`] is the same reader for the documents of other crates.

mod read;
pub(crate) mod reader;
#[cfg(feature = "schema")]
pub(crate) mod schema;
mod value;

pub use read::{ReadJson, read_json};
pub use reader::{JsonError, JsonReader, Read};
pub(crate) use value::{Given, Text, Value, constant_value};

/// One member of a document: what a form, a schema or a page needs to know of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemberShape {
    /// The name in JSON.
    pub name: &'static str,
    /// The type of its value.
    pub kind: ValueKind,
    /// Whether a document without it is refused.
    pub required: bool,
    /// What it means and its bounds, in a phrase.
    pub about: &'static str,
}

/// The type of a value in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// A number or a string of the form `-?digits(.digits)?`, written as a string.
    Decimal,
    /// Any string.
    Text,
    /// A number without sign, point and exponent.
    Integer,
    /// True or false.
    Boolean,
    /// One of a fixed set of strings.
    Constant,
    /// A list of values of one type.
    List(&'static Self),
    /// An object with these members.
    Object(&'static [MemberShape]),
}

/// Declares a JSON document.
///
/// ```text
/// shape! {
///     /// What the document is.
///     pub struct Owned as Borrowed {
///         /// What the member means.
///         pub field = "nameInJson": Type [bounds of the schema] = default,
///         /// `nullable` in front of the colon: null and absent are an empty value.
///         pub list = "list" nullable: Vec<Type>,
///     } ignores {
///         further = "further",
///     }
/// }
/// ```
///
/// A member without a default is required, unless it is an `Option`. The members that it `ignores` may have
/// any value; every other member is an error.
macro_rules! shape {
    (
        $(#[doc = $doc:literal])*
        $(#[derive($($derive:ident),*)])?
        $vis:vis struct $owned:ident as $borrowed:ident {
            $(
                $(#[doc = $about:literal])*
                $(#[serde($($serde:tt)*)])?
                $member_vis:vis $field:ident = $json:literal $($nullable:ident)?: $type:ty
                    $([$($bound:tt)*])? $(= $default:expr)?,
            )*
        } $(ignores {
            $($ignored:ident = $ignored_json:literal,)*
        })?
    ) => {
        $(#[doc = $doc])*
        $(#[derive($($derive),*)])?
        #[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
        $vis struct $owned {
            $(
                $(#[doc = $about])*
                $(#[serde($($serde)*)])?
                #[serde(rename = $json)]
                $member_vis $field: $type,
            )*
        }

        /// The document with borrowed texts: well formed, but not checked against its bounds.
        pub(crate) struct $borrowed<'a> {
            $(pub(crate) $field: <$type as $crate::shape::Value>::Text<'a>,)*
        }

        impl $owned {
            /// The members that are read, in order.
            $vis const MEMBERS: &'static [$crate::shape::MemberShape] = &[$(
                $crate::shape::MemberShape {
                    name: $json,
                    kind: <$type as $crate::shape::Value>::KIND,
                    required: !<$type as $crate::shape::Value>::OPTIONAL
                        && <[&str]>::is_empty(&[$(stringify!($nullable))? $(stringify!($default))?]),
                    about: concat!($($about),*).trim_ascii(),
                },
            )*];
        }

        impl $crate::shape::Value for $owned {
            type Text<'a> = $borrowed<'a>;

            const KIND: $crate::shape::ValueKind = $crate::shape::ValueKind::Object(Self::MEMBERS);

            fn text(&self) -> $borrowed<'_> {
                $borrowed { $($field: $crate::shape::Value::text(&self.$field),)* }
            }

            fn owned(text: $borrowed<'_>) -> Self {
                Self { $($field: <$type as $crate::shape::Value>::owned(text.$field),)* }
            }

            fn read<'a>(
                reader: &mut $crate::shape::reader::JsonReader<'a>,
            ) -> $crate::shape::reader::Read<$borrowed<'a>> {
                $(let mut $field: Option<<$type as $crate::shape::Value>::Text<'a>> = None;)*
                reader.object(&[$($json,)* $($($ignored_json,)*)?], &mut |reader, place| {
                    let mut places = 0_usize..;
                    $(if places.next() == Some(place) {
                        $field = Some($crate::shape::shape!(@read reader $type, $($nullable)?));
                        return Ok(());
                    })*
                    reader.skip()
                })?;
                Ok($borrowed {
                    $($field: $crate::shape::shape!(
                        @member reader $field $json $type, [$($nullable)?] [$($default)?]
                    ),)*
                })
            }

            fn for_each_given(text: &$borrowed<'_>, visit: &mut dyn FnMut(&'static str)) {
                $(if <$type as $crate::shape::Value>::is_given(&text.$field) {
                    visit($json);
                })*
            }

            fn for_each_decimal(&mut self, change: &mut dyn FnMut(&mut $crate::money::Literal)) {
                $($crate::shape::Value::for_each_decimal(&mut self.$field, change);)*
            }
        }

        impl $crate::shape::ReadJson for $owned {
            fn read_json(
                reader: &mut $crate::shape::reader::JsonReader<'_>,
            ) -> $crate::shape::reader::Read<Self> {
                <Self as $crate::shape::Value>::read(reader).map(<Self as $crate::shape::Value>::owned)
            }
        }

        const _: () = {
            $(#[doc = $doc])*
            #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
            #[derive(serde::Deserialize)]
            #[serde(deny_unknown_fields)]
            struct Json {
                $(
                    $(#[doc = $about])*
                    $(#[serde($($serde)*)])?
                    #[serde(rename = $json)]
                    $(
                        #[serde(default)]
                        #[cfg_attr(feature = "schema", schemars(extend("default" = $default)))]
                    )?
                    $(#[cfg_attr(feature = "schema", schemars($($bound)*))])?
                    $field: $crate::shape::shape!(@json $type, [$($nullable)?] [$($default)?]),
                )*
                $($(
                    #[serde(default, rename = $ignored_json)]
                    #[cfg_attr(feature = "schema", schemars(with = "crate::shape::schema::Anything"))]
                    #[expect(dead_code, reason = "it may be there, and has no effect on a bid")]
                    $ignored: serde::de::IgnoredAny,
                )*)?
            }

            impl<'de> serde::Deserialize<'de> for $owned {
                fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    let json = Json::deserialize(deserializer)?;
                    Ok(Self {
                        $($field: $crate::shape::shape!(@owned json.$field, [$($nullable)?] [$($default)?]),)*
                    })
                }
            }

            #[cfg(feature = "schema")]
            impl schemars::JsonSchema for $owned {
                fn schema_name() -> alloc::borrow::Cow<'static, str> {
                    stringify!($owned).into()
                }

                fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                    Json::json_schema(generator)
                }
            }
        };
    };

    (@read $reader:ident $type:ty, nullable) => {
        <Option<$type> as $crate::shape::Value>::read($reader)?.unwrap_or_default()
    };
    (@read $reader:ident $type:ty,) => {
        <$type as $crate::shape::Value>::read($reader)?
    };
    (@member $reader:ident $field:ident $json:literal $type:ty, [nullable] []) => {
        $field.unwrap_or_default()
    };
    (@member $reader:ident $field:ident $json:literal $type:ty, [] []) => {
        <$type as $crate::shape::Value>::member($field, $reader, $json)?
    };
    (@member $reader:ident $field:ident $json:literal $type:ty, [] [$default:expr]) => {
        $field.unwrap_or($default)
    };
    (@json $type:ty, [nullable] []) => { Option<$type> };
    (@json $type:ty, [] []) => { $type };
    (@json $type:ty, [] [$default:expr]) => { $crate::shape::Given<$type> };
    (@owned $value:expr, [nullable] []) => { $value.unwrap_or_default() };
    (@owned $value:expr, [] []) => { $value };
    (@owned $value:expr, [] [$default:expr]) => { $value.0.unwrap_or_else(|| $default) };
}

pub(crate) use shape;
