//! Names that users choose.

#[cfg(feature = "ssr")]
use leptos::prelude::*;

/// A name, isolated from the text around it: one in a script from right to left does not turn the digits
/// beside it.
#[cfg(feature = "ssr")]
#[component]
pub fn Name(#[prop(into)] text: String) -> impl IntoView {
    view! { <bdi>{text}</bdi> }
}

/// A name inside a text without markup. One with letters from right to left is isolated by Unicode's
/// controls.
pub fn isolated(name: &str) -> String {
    let is_isolated = name.chars().any(
        |letter| matches!(letter, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}' | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}'),
    );
    if is_isolated { format!("\u{2068}{name}\u{2069}") } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::isolated;

    #[test]
    fn a_name_from_right_to_left_is_isolated() {
        assert_eq!(isolated("שקל"), "\u{2068}שקל\u{2069}");
        assert_eq!(isolated("Dinar د"), "\u{2068}Dinar د\u{2069}");
        for name in ["", "Złoty", "€", "円", "ʞ"] {
            assert_eq!(isolated(name), name);
        }
    }
}
