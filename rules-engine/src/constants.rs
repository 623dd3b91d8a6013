//! Enums whose variants have names in JSON.

/// Declares an enum of constants once: the variants, their names in JSON, and what each of them means.
///
/// Yields the enum with `ALL`, `as_str` and `about`, and reads it by `FromStr` and by `serde`.
macro_rules! constants {
    (
        $(#[$meta:meta])*
        pub enum $name:ident {
            $($(#[doc = $about:literal])* $variant:ident = $json:literal,)*
        }
    ) => {
        $(#[$meta])*
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
        pub enum $name {
            $(
                $(#[doc = $about])*
                #[serde(rename = $json)]
                $variant,
            )*
        }

        impl $name {
            /// Every constant, in the order of SPEC.
            pub const ALL: [Self; [$($json),*].len()] = [$(Self::$variant),*];

            /// The name in JSON.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $json,)*
                }
            }

            /// What the constant means, in a phrase.
            #[must_use]
            pub const fn about(self) -> &'static str {
                match self {
                    $(Self::$variant => concat!($($about),*).trim_ascii(),)*
                }
            }
        }

        impl core::str::FromStr for $name {
            type Err = ();

            fn from_str(name: &str) -> Result<Self, ()> {
                match name {
                    $($json => Ok(Self::$variant),)*
                    _ => Err(()),
                }
            }
        }
    };
}

pub(crate) use constants;
