//! What a managed user may do: a user without an e-mail, who signs in with the number in a group (SPEC,
//! section 14). The keepers of the group do everything else.

/// The requests besides reading that a managed user may make: method and route.
const MAY: &[(&str, &str)] = &[
    ("POST", "/api/auth/logout"),
    ("POST", "/api/auctions/{auction_id}/items/{item_id}/bids"),
    ("POST", "/api/auctions/{auction_id}/items/{item_id}/bids/validate"),
    ("POST", "/api/auctions/{auction_id}/items/{item_id}/bids/{sequence}/withdraw"),
    ("PUT", "/api/auctions/{auction_id}/items/{item_id}/watch"),
    ("DELETE", "/api/auctions/{auction_id}/items/{item_id}/watch"),
    // The locale alone.
    ("PATCH", "/api/user"),
    ("PATCH", "/api/user/preferences"),
    ("DELETE", "/api/user/sessions/{session_id}"),
    ("POST", "/api/user/notifications/read"),
    ("POST", "/api/user/upgrade"),
    ("DELETE", "/api/groups/{group_id}/membership"),
    ("POST", "/groups/{group_id}/leave"),
    ("POST", "/sign-out"),
    ("POST", "/account/profile"),
    ("POST", "/account/preferences"),
    ("POST", "/account/sessions/{session_id}/end"),
    ("POST", "/account/sessions/end-others"),
    ("POST", "/account/upgrade"),
    ("POST", "/notifications/read"),
    ("POST", "/auctions/{auction_id}/items/{item_id}"),
    ("POST", "/auctions/{auction_id}/items/{item_id}/watch"),
    ("POST", "/auctions/{auction_id}/items/{item_id}/bids/{sequence}/withdraw"),
];

/// Pages of forms that a managed user may not send.
const MAY_NOT_READ: &[&str] = &[
    "/account/second-factor",
    "/admin",
    "/auctions/new",
    "/auctions/new/settings",
    "/books/new",
    "/groups/new",
];

/// Requests that sign a user in, or need no user at all: it does not matter who has sent them.
const OF_ANYONE: &[&str] = &[
    "/api/auth/register",
    "/api/auth/login",
    "/api/auth/number",
    "/api/auth/reset-password",
    "/api/auth/forgot-password",
    "/api/auth/confirm-email",
    "/register",
    "/sign-in",
    "/sign-in/code",
    "/go",
    "/reset-password/{token}",
    "/forgot-password",
    "/confirm-email/{token}",
    "/unsubscribe/{token}/{kind}",
    "/no-invitations/{token}",
];

/// Whether a managed user may make a request with this method to a path. A path is that of a route: asking
/// the router for it costs each request an allocation.
pub fn may(method: &str, path: &str) -> bool {
    match method {
        "GET" | "HEAD" | "OPTIONS" => !MAY_NOT_READ.contains(&path),
        _ => {
            MAY.iter().any(|(of, route)| *of == method && is_of(path, route))
                || OF_ANYONE.iter().any(|route| is_of(path, route))
        }
    }
}

/// Whether a path is one of a route. IDs and sequences have digits, by which they differ from the words of
/// other routes, such as `new`.
fn is_of(path: &str, route: &str) -> bool {
    let is_one = |(given, of): (&str, &str)| {
        let is_id = || given.bytes().any(|byte| byte.is_ascii_digit());
        given == of || of.starts_with('{') && (matches!(of, "{token}" | "{kind}") || is_id())
    };
    path.split('/').count() == route.split('/').count() && path.split('/').zip(route.split('/')).all(is_one)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_no_ids() {
        let id = "019354a0-0000-7000-8000-000000000000";
        assert!(may("POST", &format!("/auctions/{id}/items/{id}")));
        assert!(!may("POST", &format!("/auctions/{id}/items/new")));
        assert!(!may("POST", &format!("/auctions/{id}/items/{id}/edit")));
        assert!(!may("PUT", &format!("/auctions/{id}/items/{id}")));
        assert!(may("POST", "/reset-password/abc") && !may("POST", "/reset-password/abc/d"));
        assert!(may("GET", &format!("/auctions/{id}")) && !may("GET", "/auctions/new"));
    }
}
