//! What a person wrote about an auction or an item: Markdown, in which HTML is only text.

use leptos::prelude::*;
use pulldown_cmark::{CowStr, Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd, html};

#[component]
pub fn Prose(text: String) -> impl IntoView {
    (!text.trim().is_empty()).then(|| view! { <div class="prose" inner_html=to_html(&text)></div> })
}

/// The text as HTML of our own making: tags that were typed stay text, headings begin below those of the
/// page, pictures from elsewhere are their description, and a link leads to the web or to a mailbox.
pub fn to_html(text: &str) -> String {
    let options = Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TABLES;
    let events = Parser::new_ext(text, options).filter_map(tame);
    let mut page = String::with_capacity(text.len() * 5 / 4);
    html::push_html(&mut page, events);
    page
}

fn tame(event: Event<'_>) -> Option<Event<'_>> {
    Some(match event {
        Event::Html(text) | Event::InlineHtml(text) => Event::Text(text),
        Event::Start(Tag::HtmlBlock) => Event::Start(Tag::Paragraph),
        Event::End(TagEnd::HtmlBlock) => Event::End(TagEnd::Paragraph),
        Event::Start(Tag::Image { .. }) | Event::End(TagEnd::Image) => return None,
        Event::Start(Tag::Heading { level, .. }) => Event::Start(Tag::Heading {
            level: lower(level),
            id: None,
            classes: Vec::new(),
            attrs: Vec::new(),
        }),
        Event::End(TagEnd::Heading(level)) => Event::End(TagEnd::Heading(lower(level))),
        Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
            Event::Start(Tag::Link { link_type, dest_url: safe(link_type, dest_url), title, id })
        }
        other => other,
    })
}

fn lower(level: HeadingLevel) -> HeadingLevel {
    match level {
        HeadingLevel::H1 => HeadingLevel::H3,
        HeadingLevel::H2 => HeadingLevel::H4,
        HeadingLevel::H3 => HeadingLevel::H5,
        HeadingLevel::H4 | HeadingLevel::H5 | HeadingLevel::H6 => HeadingLevel::H6,
    }
}

/// `javascript:` and its like lead nowhere.
fn safe(link_type: LinkType, target: CowStr<'_>) -> CowStr<'_> {
    let lower = target.trim().to_ascii_lowercase();
    let known = ["https://", "http://", "mailto:", "/", "#"];
    if link_type == LinkType::Email || known.iter().any(|start| lower.starts_with(start)) {
        target
    } else {
        CowStr::Borrowed("#")
    }
}

#[cfg(test)]
mod tests {
    use super::to_html;

    #[test]
    fn html_is_text() {
        let page = to_html("<script>alert(1)</script>\n\nan <b>inline</b> tag");
        assert!(!page.contains("<script") && !page.contains("<b>"), "{page}");
        assert!(page.contains("&lt;script&gt;"), "{page}");
    }

    #[test]
    fn a_link_does_not_run_anything() {
        let page = to_html("[a](JavaScript:alert(1)) [b](https://example.org) [c](data:text/html,x)");
        assert!(!page.to_lowercase().contains("javascript") && !page.contains("data:"), "{page}");
        assert!(page.contains("https://example.org"));
    }

    #[test]
    fn a_picture_is_its_description() {
        assert_eq!(to_html("![a cup](https://example.org/x.png)"), "<p>a cup</p>\n");
    }

    #[test]
    fn headings_begin_below_those_of_the_page() {
        assert_eq!(to_html("# History"), "<h3>History</h3>\n");
    }
}
