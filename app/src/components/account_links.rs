//! Links to the pages for signing in and registering, which lead back to the page that they are on.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// Characters that are encoded in a query.
const QUERY: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'/');

/// Link to the sign-in page that leads back to this address. `search` is the query without the question mark.
/// The start page and the pages for signing in lead to the default page instead, as does a link to set a new
/// password, whose path is secret.
pub fn sign_in_link(path: &str, search: &str) -> String {
    if matches!(path, "/" | "/sign-in" | "/sign-in/code" | "/register" | "/forgot-password")
        || path.starts_with("/reset-password/")
    {
        return "/sign-in".to_owned();
    }
    let mark = if search.is_empty() { "" } else { "?" };
    account_link("/sign-in", &format!("{path}{mark}{search}"))
}

/// Link to a page for signing in or registering that leads on to `next`, an address of this site.
pub fn account_link(page: &str, next: &str) -> String {
    format!("{page}?next={}", utf8_percent_encode(next, QUERY))
}

/// Link to the page for registering. From an invitation, and from an auction that anyone may read, it leads
/// back there.
pub fn register_link(path: &str) -> String {
    let leads_back = ["/join/", "/invites/", "/auctions/"].iter().any(|start| path.starts_with(start));
    if leads_back { account_link("/register", path) } else { "/register".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::{register_link, sign_in_link};

    #[test]
    fn registering_leads_back_to_an_invitation_and_to_an_auction() {
        assert_eq!(register_link("/join/secret"), "/register?next=/join/secret");
        assert_eq!(register_link("/invites/secret"), "/register?next=/invites/secret");
        assert_eq!(register_link("/auctions/1/items/2"), "/register?next=/auctions/1/items/2");
        assert_eq!(register_link("/auctions"), "/register");
    }

    #[test]
    fn the_link_leads_back() {
        assert_eq!(sign_in_link("/auctions/1", "cursor=a&b"), "/sign-in?next=/auctions/1%3Fcursor%3Da%26b");
        assert_eq!(sign_in_link("/auctions", ""), "/sign-in?next=/auctions");
    }

    #[test]
    fn the_link_does_not_lead_back_to_pages_without_a_session() {
        assert_eq!(sign_in_link("/register", ""), "/sign-in");
        assert_eq!(sign_in_link("/reset-password/secret", ""), "/sign-in");
    }
}
