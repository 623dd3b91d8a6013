//! Descriptions of auctions and items: Markdown without HTML.

use std::fmt::{self, Write};

use leptos::prelude::*;
use pulldown_cmark::{CowStr, Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd, html};

use crate::model::RenderedText;

/// Bytes of rendered text. Any text of 10,000 characters fits in without markup.
const HTML_BYTES_MAX: usize = 64 * 1024;
/// Nesting of elements, such as quotes and lists.
const NESTING_MAX: usize = 32;

/// Renders Markdown. HTML in it is escaped, headings become an outline below the page's own heading, an image
/// becomes its description, and links may use http, https and mailto only, and say that a user has written
/// them. A text whose HTML would be too large or nested too deep is shown as it was typed.
pub fn rendered(markdown: &str) -> RenderedText {
    if markdown.trim().is_empty() {
        return RenderedText::default();
    }
    let shown: String = markdown.chars().filter(|letter| !turns_text(*letter)).collect();
    RenderedText::safe(from_markdown(&shown).unwrap_or_else(|| as_typed(&shown)))
}

/// Whether the character turns the direction of the text after it, so that it reads as another one.
fn turns_text(letter: char) -> bool {
    matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[component]
pub fn Prose(text: RenderedText) -> impl IntoView {
    (!text.html().is_empty()).then(|| view! { <div class="prose" inner_html=text.html().to_owned()></div> })
}

/// HTML up to a bound.
struct BoundedHtml(String);

impl Write for BoundedHtml {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.0.len() + text.len() > HTML_BYTES_MAX {
            return Err(fmt::Error);
        }
        self.0.push_str(text);
        Ok(())
    }
}

/// `None` if a bound is exceeded.
fn from_markdown(text: &str) -> Option<String> {
    let options = Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TABLES;
    let (mut outline, mut depth, mut is_too_deep) = (Outline::default(), 0_usize, false);
    let bounded = Parser::new_ext(text, options).take_while(|event| {
        match event {
            Event::Start(_) => depth += 1,
            Event::End(_) => depth = depth.saturating_sub(1),
            _ => {}
        }
        is_too_deep |= depth > NESTING_MAX;
        !is_too_deep
    });
    let events = bounded.filter_map(|event| sanitized(event, &mut outline));
    let mut page = BoundedHtml(String::with_capacity(text.len() * 5 / 4));
    let written = html::write_html_fmt(&mut page, events);
    (written.is_ok() && !is_too_deep).then_some(page.0)
}

/// The escaped text in one element, whose style keeps line breaks.
fn as_typed(text: &str) -> String {
    let mut page = String::new();
    let events =
        [Event::Html("<p class=\"as-typed\">".into()), Event::Text(text.into()), Event::Html("</p>".into())];
    html::push_html(&mut page, events.into_iter());
    page
}

fn sanitized<'a>(event: Event<'a>, outline: &mut Outline) -> Option<Event<'a>> {
    Some(match event {
        Event::Html(text) | Event::InlineHtml(text) => Event::Text(text),
        Event::Start(Tag::HtmlBlock) => Event::Start(Tag::Paragraph),
        Event::End(TagEnd::HtmlBlock) => Event::End(TagEnd::Paragraph),
        Event::Start(Tag::Image { .. }) | Event::End(TagEnd::Image) => return None,
        Event::Start(Tag::Heading { level, .. }) => Event::Start(Tag::Heading {
            level: outline.enter(level),
            id: None,
            classes: Vec::new(),
            attrs: Vec::new(),
        }),
        Event::End(TagEnd::Heading(_)) => Event::End(TagEnd::Heading(outline.level())),
        Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
            let link = Tag::Link { link_type, dest_url: safe(link_type, dest_url), title, id };
            Event::InlineHtml(written_by_user(link).into())
        }
        other => other,
    })
}

/// The headings above the current one, as written, and the current one. Their number is its level, so that no
/// level is skipped.
#[derive(Default)]
struct Outline(Vec<HeadingLevel>);

impl Outline {
    fn enter(&mut self, level: HeadingLevel) -> HeadingLevel {
        self.0.retain(|above| *above < level);
        self.0.push(level);
        self.level()
    }

    fn level(&self) -> HeadingLevel {
        match self.0.len() {
            0 | 1 => HeadingLevel::H2,
            2 => HeadingLevel::H3,
            3 => HeadingLevel::H4,
            4 => HeadingLevel::H5,
            _ => HeadingLevel::H6,
        }
    }
}

/// The start tag of a link that search engines do not follow.
fn written_by_user(link: Tag<'_>) -> String {
    let mut tag = String::new();
    let end = link.to_end();
    html::push_html(&mut tag, [Event::Start(link), Event::End(end)].into_iter());
    let start = tag.strip_suffix("</a>").unwrap_or(&tag);
    start.replacen("<a ", "<a rel=\"nofollow ugc noopener\" ", 1)
}

/// Replaces links with other schemes, such as `javascript:`.
fn safe(link_type: LinkType, target: CowStr<'_>) -> CowStr<'_> {
    let lower = target.trim().to_ascii_lowercase();
    let allowed = ["https://", "http://", "mailto:", "/", "#"];
    // A browser reads two slashes as the start of another site, not of a path of this one.
    if lower.starts_with("//") || lower.starts_with("/\\") {
        return CowStr::from(format!("https://{}", target.trim().trim_start_matches(['/', '\\'])));
    }
    if link_type == LinkType::Email || allowed.iter().any(|start| lower.starts_with(start)) {
        target
    } else {
        CowStr::Borrowed("#")
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::{HTML_BYTES_MAX, rendered};

    fn to_html(text: &str) -> String {
        rendered(text).html().to_owned()
    }

    #[test]
    fn html_is_escaped() {
        let page = to_html("<script>alert(1)</script>\n\nan <b>inline</b> tag");
        assert!(!page.contains("<script") && !page.contains("<b>"), "{page}");
        assert!(page.contains("&lt;script&gt;"), "{page}");
    }

    #[test]
    fn unsafe_links_are_replaced() {
        let page = to_html("[a](JavaScript:alert(1)) [b](https://example.org) [c](data:text/html,x)");
        assert!(!page.to_ascii_lowercase().contains("javascript") && !page.contains("data:"), "{page}");
        assert!(page.contains("https://example.org"));
    }

    #[test]
    fn a_link_to_another_site_is_none_to_this_one() {
        let page = to_html("[a](//evil.example/login) [b](/\\\\evil.example) [c](/auctions)");
        assert_eq!(page.matches("href=\"https://evil.example").count(), 2, "{page}");
        assert!(page.contains("href=\"/auctions\""), "{page}");
    }

    #[test]
    fn nothing_turns_the_text() {
        let page = to_html("pay \u{202e}gnp.exe\u{202c} \u{2066}x\u{2069} now");
        assert_eq!(page, "<p>pay gnp.exe x now</p>\n");
    }

    #[test]
    fn every_link_says_that_a_user_has_written_it() {
        let page = to_html(
            "[a](https://example.org/?a=1&b=\"2\" 'a \"<b>\"') <https://example.org> <a@example.org> [c](/auctions)",
        );
        assert_eq!(page.matches("<a ").count(), 4, "{page}");
        assert_eq!(page.matches("<a rel=\"nofollow ugc noopener\" href=\"").count(), 4, "{page}");
        assert!(page.contains("title=\"a &quot;&lt;b&gt;&quot;\">a</a>"), "{page}");
        let typed = to_html("`<a href=\"x\">` <a href=\"x\">");
        assert!(!typed.contains("<a"), "{typed}");
    }

    #[test]
    fn lists_are_rendered() {
        assert_eq!(to_html("- one\n- two"), "<ul>\n<li>one</li>\n<li>two</li>\n</ul>\n");
        assert_eq!(to_html("3. three"), "<ol start=\"3\">\n<li>three</li>\n</ol>\n");
    }

    #[test]
    fn an_image_becomes_its_description() {
        assert_eq!(to_html("![a cup](https://example.org/x.png)"), "<p>a cup</p>\n");
    }

    #[test]
    fn headings_become_an_outline_below_the_heading_of_the_page() {
        let page = to_html("## History\n\n## Condition\n\n#### Feet\n\n# Price");
        assert_eq!(page, "<h2>History</h2>\n<h2>Condition</h2>\n<h3>Feet</h3>\n<h2>Price</h2>\n");
    }

    /// Texts of 10,000 characters that cost much more than others of this length.
    fn expensive() -> Vec<(&'static str, String)> {
        let table = format!("{}|\n{}|\n{}", "|a".repeat(100), "|-".repeat(100), "|a\n".repeat(3_000));
        let repeated = [
            ("quotes", ">"),
            ("lists", "- "),
            ("numbers", "1. "),
            ("emphasis", "*a_"),
            ("brackets", "["),
            ("links", "[a]("),
            ("automatic links", "<a:b>"),
            ("images", "![a]("),
            ("code", "`a``"),
            ("angles", "<a"),
            ("comments", "<!--"),
            ("entities", "&amp;&"),
            ("breaks", "a\\\n"),
            ("headings", "# a\n\n"),
            ("rules", "---\n\n"),
            ("tildes", "~~a~"),
            ("references", "[a]: b\n[a]\n"),
        ];
        let repeated = repeated.map(|(name, part)| (name, part.repeat(10_000 / part.len())));
        std::iter::once(("table", table)).chain(repeated).collect()
    }

    #[test]
    fn the_html_of_any_text_is_bounded_and_takes_a_bounded_time() {
        for (name, text) in expensive() {
            assert!(text.chars().count() <= 10_000, "{name}");
            let begun = Instant::now();
            let html = to_html(&text);
            let spent = begun.elapsed();
            assert!(html.len() <= HTML_BYTES_MAX, "{name}: {} bytes", html.len());
            assert!(spent < Duration::from_millis(250), "{name}: {spent:?}");
        }
    }

    #[test]
    fn what_exceeds_a_bound_is_shown_as_it_was_typed() {
        let deep = format!("{}deep & **bold**", "> ".repeat(33));
        assert_eq!(
            to_html(&deep),
            format!("<p class=\"as-typed\">{}deep &amp; **bold**</p>", "&gt; ".repeat(33))
        );
        let table = format!("|a{}|\n|-{}|\n{}", "|b".repeat(99), "|-".repeat(99), "|c\n".repeat(3_000));
        assert!(to_html(&table).starts_with("<p class=\"as-typed\">|a|b"));
        let nested = format!("{}quoted", "> ".repeat(30));
        assert_eq!(to_html(&nested).matches("<blockquote>").count(), 30);
        let ampersands = "&".repeat(10_000);
        assert_eq!(to_html(&ampersands).matches("&amp;").count(), 10_000);
    }
}
