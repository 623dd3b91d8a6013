//! The words of a page, as a person reads them.

use crate::harness::Client;

/// The page without its tags, with single blanks.
pub async fn words(client: &Client, path: &str) -> String {
    let page = client.get(path).await;
    assert_eq!(page.status, 200, "{}", page.text);
    let mut words = String::new();
    for (at, part) in page.text.split('<').enumerate() {
        let text = if at == 0 { part } else { part.split_once('>').map_or("", |(_, text)| text) };
        words.push_str(text);
        words.push(' ');
    }
    words.replace('\u{a0}', " ").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The words of the main part of a page, with a line for each of its blocks.
pub async fn lines(client: &Client, path: &str) -> String {
    let page = client.get(path).await;
    assert_eq!(page.status, 200, "{}", page.text);
    let (_, main) = page.text.split_once("<main").unwrap();
    let (main, _) = main.split_once("</main>").unwrap();
    let (mut lines, mut line) = (Vec::new(), String::new());
    for part in main.split('<').skip(1) {
        let (tag, text) = part.split_once('>').unwrap();
        let element = tag.split([' ', '/']).next().unwrap_or_default();
        if ["p", "h1", "h2", "h3", "li", "tr", "dt", "section", "form", "label"].contains(&element) {
            lines.push(std::mem::take(&mut line));
        }
        line.push_str(text);
        line.push(' ');
    }
    lines.push(line);
    let words = |line: &String| line.replace('\u{a0}', " ").split_whitespace().collect::<Vec<_>>().join(" ");
    let lines = lines.iter().map(words).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join("\n") + "\n"
}
