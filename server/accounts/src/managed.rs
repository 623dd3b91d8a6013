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

/// Whether a managed user may make a request with this method to a route.
pub fn may(method: &str, route: &str) -> bool {
    match method {
        "GET" | "HEAD" | "OPTIONS" => !MAY_NOT_READ.contains(&route),
        _ => MAY.contains(&(method, route)) || OF_ANYONE.contains(&route),
    }
}
