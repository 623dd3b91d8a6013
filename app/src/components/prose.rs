//! Descriptions of auctions and items: Markdown without HTML.

use leptos::prelude::*;
use pulldown_cmark::{CowStr, Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd, html};

#[component]
pub fn Prose(text: String) -> impl IntoView {
    (!text.trim().is_empty()).then(|| view! { <div class="prose" inner_html=to_html(&text)></div> })
}

/// Renders Markdown. HTML in it is escaped, headings become an outline below the page's own heading, an image becomes
/// its description, and links may use http, https and mailto only.
pub fn to_html(text: &str) -> String {
    let options = Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TABLES;
    let mut outline = Outline::default();
    let events = Parser::new_ext(text, options).filter_map(|event| sanitized(event, &mut outline));
    let mut page = String::with_capacity(text.len() * 5 / 4);
    html::push_html(&mut page, events);
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
            Event::Start(Tag::Link { link_type, dest_url: safe(link_type, dest_url), title, id })
        }
        other => other,
    })
}

/// The headings above the current one, as written, and the current one. Their number is its level, so that no level is
/// skipped.
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

/// Replaces links with other schemes, such as `javascript:`.
fn safe(link_type: LinkType, target: CowStr<'_>) -> CowStr<'_> {
    let lower = target.trim().to_ascii_lowercase();
    let allowed = ["https://", "http://", "mailto:", "/", "#"];
    if link_type == LinkType::Email || allowed.iter().any(|start| lower.starts_with(start)) {
        target
    } else {
        CowStr::Borrowed("#")
    }
}

#[cfg(test)]
mod tests {
    use super::to_html;

    #[test]
    fn html_is_escaped() {
        let page = to_html("<script>alert(1)</script>\n\nan <b>inline</b> tag");
        assert!(!page.contains("<script") && !page.contains("<b>"), "{page}");
        assert!(page.contains("&lt;script&gt;"), "{page}");
    }

    #[test]
    fn unsafe_links_are_replaced() {
        let page = to_html("[a](JavaScript:alert(1)) [b](https://example.org) [c](data:text/html,x)");
        assert!(!page.to_lowercase().contains("javascript") && !page.contains("data:"), "{page}");
        assert!(page.contains("https://example.org"));
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
}
