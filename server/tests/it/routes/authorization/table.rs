//! The answer of each route to each kind of caller. What a role permits comes from the product's table of
//! permissions.

use auction_house::access::Action::{
    self, AddItems, ChangeAuction, CloseAuction, CloseItems, CopyAuction, DecideOutcomes, DeleteAuction,
    ExportAuction, ManageCurrencies, ManageItems, ManageMembers, MarkOutcomes, RunHall, TransferAuction,
    WatchItems, WithdrawBids,
};
use auction_house::access::Role;

use super::Answered::{self, Allowed, Back, Forbidden, Hidden, SignIn};

/// Anonymous, the OWNER of another auction only, BIDDER, CREATOR, the seller of the item (a CREATOR), ADMIN
/// and OWNER of the auction, Deployment Admin, CLERK.
pub type Columns = [Answered; 9];

const ANYONE: Columns = [Allowed; 9];
const SIGNED_IN: Columns = [SignIn, Allowed, Allowed, Allowed, Allowed, Allowed, Allowed, Allowed, Allowed];
const HIDDEN: Columns = [SignIn, Hidden, Hidden, Hidden, Hidden, Hidden, Hidden, Hidden, Hidden];
/// A session of the seller.
const OF_THE_SELLER: Columns = own(HIDDEN);
/// An invite for the e-mail of none of them.
const OTHER_EMAIL: Columns =
    [SignIn, Forbidden, Forbidden, Forbidden, Forbidden, Forbidden, Forbidden, Forbidden, Forbidden];
/// Open to anyone. Without credentials the answer is 401.
const CREDENTIALS: Columns = [SignIn; 9];
const MEMBERS: Columns = [SignIn, Hidden, Allowed, Allowed, Allowed, Allowed, Allowed, Hidden, Allowed];
const DEPLOYMENT_ADMIN: Columns =
    [SignIn, Forbidden, Forbidden, Forbidden, Forbidden, Forbidden, Forbidden, Allowed, Forbidden];
/// The page shows the Deployment Admin.
const DEPLOYMENT_ADMIN_ELSE_BACK: Columns = [SignIn, Back, Back, Back, Back, Back, Back, Allowed, Back];

/// The owner of the auction owns its book, the ADMIN is TELLER, the other members are HOLDERs.
const HOLDERS: Columns = MEMBERS;
const BOOK_KEEPERS: Columns =
    [SignIn, Hidden, Forbidden, Forbidden, Forbidden, Allowed, Allowed, Hidden, Forbidden];
/// The owner of a book stays.
const OTHERS_THAN_BOOK_OWNER: Columns =
    [SignIn, Hidden, Allowed, Allowed, Allowed, Allowed, Forbidden, Hidden, Allowed];
const ONLY_THE_HOLDER: Columns =
    [SignIn, Hidden, Forbidden, Forbidden, Forbidden, Forbidden, Forbidden, Hidden, Forbidden];
const BOOK_OWNER: Columns =
    [SignIn, Hidden, Forbidden, Forbidden, Forbidden, Forbidden, Allowed, Hidden, Forbidden];

/// An import of the owner, which others who may import do not see.
const IMPORT_OF_THE_OWNER: Columns =
    [SignIn, Hidden, Forbidden, Hidden, Hidden, Allowed, Allowed, Hidden, Hidden];

/// The members whose role permits the action.
const fn may(action: Action) -> Columns {
    let mut columns =
        [SignIn, Hidden, Forbidden, Forbidden, Forbidden, Forbidden, Forbidden, Hidden, Forbidden];
    let roles = action.roles();
    let mut next = 0;
    while next < roles.len() {
        match roles[next] {
            Role::Bidder => columns[2] = Allowed,
            Role::Creator => {
                columns[3] = Allowed;
                columns[4] = Allowed;
            }
            Role::Clerk => columns[8] = Allowed,
            Role::Admin => columns[5] = Allowed,
            Role::Owner => columns[6] = Allowed,
        }
        next += 1;
    }
    columns
}

/// What belongs to the seller is open to the seller, too: the item, the membership, the session.
const fn own(mut columns: Columns) -> Columns {
    columns[4] = Allowed;
    columns
}

/// Members but the seller, who may not bid on the item.
const fn bidders() -> Columns {
    let mut columns = MEMBERS;
    columns[4] = Forbidden;
    columns
}

/// The BIDDER, whose bid it is, and the members whose role permits the action.
const fn bidder_or_may(action: Action) -> Columns {
    let mut columns = may(action);
    columns[2] = Allowed;
    columns
}

/// The people of the group are the members of the auction; its owner and the ADMIN keep it.
const PEOPLE: Columns = MEMBERS;
const GROUP_KEEPERS: Columns = BOOK_KEEPERS;
/// Nobody was removed from the group.
const NOBODY_REMOVED: Columns =
    [SignIn, Hidden, Forbidden, Forbidden, Forbidden, Hidden, Hidden, Hidden, Forbidden];
/// For managed users only.
const NOT_MANAGED: Columns =
    [SignIn, Forbidden, Forbidden, Forbidden, Forbidden, Forbidden, Forbidden, Forbidden, Forbidden];

/// The answer to a managed user, who is a BIDDER of the auction and a HOLDER of the book: what the product's
/// table does not permit is forbidden, everything else is as for the BIDDER.
pub fn of_managed(method: &str, path: &str, columns: &Columns) -> Answered {
    match path {
        _ if !accounts::managed::may(&method.to_ascii_uppercase(), path) => Forbidden,
        "/api/user/upgrade" | "/account/upgrade" => Allowed,
        // Without the PIN, which is the proof.
        "/groups/{group_id}/leave" => Forbidden,
        // Not the bidder of the bid.
        _ if path.ends_with("/withdraw") => Forbidden,
        _ => columns[2],
    }
}

/// Method, path, and the answer in each column.
pub const API: &[(&str, &str, Columns)] = &[
    ("get", "/healthz", ANYONE),
    ("get", "/readyz", ANYONE),
    ("get", "/api/auctions", SIGNED_IN),
    ("post", "/api/auctions", SIGNED_IN),
    ("delete", "/api/auctions/{auction_id}", may(DeleteAuction)),
    ("get", "/api/auctions/{auction_id}", MEMBERS),
    ("patch", "/api/auctions/{auction_id}", may(ChangeAuction)),
    ("post", "/api/auctions/{auction_id}/close", may(CloseAuction)),
    ("get", "/api/auctions/{auction_id}/outcomes", MEMBERS),
    ("get", "/api/auctions/{auction_id}/calendar.ics", MEMBERS),
    ("get", "/api/auctions/{auction_id}/export", may(ExportAuction)),
    ("get", "/api/auctions/{auction_id}/currencies", MEMBERS),
    ("post", "/api/auctions/{auction_id}/currencies", may(ManageCurrencies)),
    ("delete", "/api/auctions/{auction_id}/currencies/{currency_id}", may(ManageCurrencies)),
    ("get", "/api/auctions/{auction_id}/currencies/{currency_id}", MEMBERS),
    ("patch", "/api/auctions/{auction_id}/currencies/{currency_id}", may(ManageCurrencies)),
    ("get", "/api/auctions/{auction_id}/currency-set", MEMBERS),
    ("post", "/api/auctions/{auction_id}/currency-set", may(ManageCurrencies)),
    ("get", "/api/auctions/{auction_id}/currency-rules", MEMBERS),
    ("post", "/api/auctions/{auction_id}/currency-rules", may(ManageCurrencies)),
    ("delete", "/api/auctions/{auction_id}/currency-rules/{rule_id}", may(ManageCurrencies)),
    ("get", "/api/auctions/{auction_id}/currency-rules/{rule_id}", MEMBERS),
    ("patch", "/api/auctions/{auction_id}/currency-rules/{rule_id}", may(ManageCurrencies)),
    ("put", "/api/auctions/{auction_id}/block", may(RunHall)),
    ("get", "/api/auctions/{auction_id}/running-order", may(RunHall)),
    ("put", "/api/auctions/{auction_id}/running-order", may(RunHall)),
    ("post", "/api/auctions/{auction_id}/screen", may(ChangeAuction)),
    ("delete", "/api/auctions/{auction_id}/screen", may(ChangeAuction)),
    ("get", "/api/auctions/{auction_id}/events", MEMBERS),
    ("get", "/api/events", ANYONE),
    ("get", "/api/auctions/{auction_id}/items", MEMBERS),
    ("post", "/api/auctions/{auction_id}/items", may(AddItems)),
    ("get", "/api/auctions/{auction_id}/items/export", may(ExportAuction)),
    ("post", "/api/auctions/{auction_id}/items/import", may(AddItems)),
    ("get", "/api/auctions/{auction_id}/items/imports", may(AddItems)),
    ("post", "/api/auctions/{auction_id}/items/imports/{import_id}/undo", IMPORT_OF_THE_OWNER),
    ("delete", "/api/auctions/{auction_id}/items/{item_id}", own(may(ManageItems))),
    ("get", "/api/auctions/{auction_id}/items/{item_id}", MEMBERS),
    ("patch", "/api/auctions/{auction_id}/items/{item_id}", own(may(ManageItems))),
    ("post", "/api/auctions/{auction_id}/items/{item_id}/close", may(CloseItems)),
    ("post", "/api/auctions/{auction_id}/items/{item_id}/cancel", may(CloseItems)),
    ("patch", "/api/auctions/{auction_id}/items/{item_id}/outcome", may(MarkOutcomes)),
    ("post", "/api/auctions/{auction_id}/items/{item_id}/outcome", may(DecideOutcomes)),
    ("get", "/api/auctions/{auction_id}/items/{item_id}/images", MEMBERS),
    ("post", "/api/auctions/{auction_id}/items/{item_id}/images", own(may(ManageItems))),
    ("patch", "/api/auctions/{auction_id}/items/{item_id}/images", own(may(ManageItems))),
    ("patch", "/api/auctions/{auction_id}/items/{item_id}/images/{image_id}", own(may(ManageItems))),
    ("delete", "/api/auctions/{auction_id}/items/{item_id}/images/{image_id}", own(may(ManageItems))),
    ("get", "/api/auctions/{auction_id}/items/{item_id}/images/{image_id}/{size}", MEMBERS),
    ("get", "/api/auctions/{auction_id}/items/{item_id}/bids", MEMBERS),
    ("post", "/api/auctions/{auction_id}/items/{item_id}/bids", bidders()),
    ("post", "/api/auctions/{auction_id}/items/{item_id}/bids/validate", bidders()),
    ("post", "/api/auctions/{auction_id}/items/{item_id}/hammer", may(RunHall)),
    (
        "post",
        "/api/auctions/{auction_id}/items/{item_id}/bids/{sequence}/withdraw",
        bidder_or_may(WithdrawBids),
    ),
    ("post", "/api/auctions/{auction_id}/items/{item_id}/bids/own/withdraw", MEMBERS),
    ("get", "/api/auctions/{auction_id}/items/{item_id}/events", MEMBERS),
    ("post", "/api/auctions/{auction_id}/invite-token", may(ManageMembers)),
    ("get", "/api/auctions/{auction_id}/invites", may(ManageMembers)),
    ("post", "/api/auctions/{auction_id}/invites", may(ManageMembers)),
    ("delete", "/api/auctions/{auction_id}/invites/{invite_id}", may(ManageMembers)),
    ("delete", "/api/auctions/{auction_id}/items/{item_id}/watch", may(WatchItems)),
    ("put", "/api/auctions/{auction_id}/items/{item_id}/watch", may(WatchItems)),
    ("post", "/api/auctions/{auction_id}/copy", may(CopyAuction)),
    ("post", "/api/auctions/{auction_id}/schedule", may(ManageItems)),
    ("post", "/api/auctions/{auction_id}/join", MEMBERS),
    // The auction has no book.
    ("get", "/api/auctions/{auction_id}/balance", HIDDEN),
    ("get", "/api/auctions/{auction_id}/members", MEMBERS),
    ("put", "/api/auctions/{auction_id}/present", may(RunHall)),
    ("delete", "/api/auctions/{auction_id}/members/{user_id}", own(may(ManageMembers))),
    ("patch", "/api/auctions/{auction_id}/members/{user_id}", may(ManageMembers)),
    ("post", "/api/auctions/{auction_id}/transfer", may(TransferAuction)),
    ("post", "/api/auth/login", ANYONE),
    ("post", "/api/auth/number", ANYONE),
    ("post", "/api/auth/logout", ANYONE),
    ("post", "/api/auth/register", ANYONE),
    ("post", "/api/auth/reset-password", ANYONE),
    ("post", "/api/auth/confirm-email", ANYONE),
    ("post", "/api/user/email-link", SIGNED_IN),
    ("get", "/api/books", SIGNED_IN),
    ("post", "/api/books", SIGNED_IN),
    ("delete", "/api/books/{book_id}", BOOK_OWNER),
    ("get", "/api/books/{book_id}", HOLDERS),
    ("patch", "/api/books/{book_id}", BOOK_OWNER),
    ("get", "/api/books/{book_id}/entries", HOLDERS),
    ("post", "/api/books/{book_id}/entries", BOOK_KEEPERS),
    ("post", "/api/books/{book_id}/entries/{sequence}/reverse", BOOK_KEEPERS),
    ("get", "/api/books/{book_id}/runs", BOOK_KEEPERS),
    ("post", "/api/books/{book_id}/runs", BOOK_KEEPERS),
    ("get", "/api/books/{book_id}/runs/{number}", BOOK_KEEPERS),
    ("post", "/api/books/{book_id}/runs/{number}/reverse", BOOK_KEEPERS),
    ("get", "/api/books/{book_id}/balances/export", BOOK_KEEPERS),
    ("get", "/api/books/{book_id}/export", BOOK_KEEPERS),
    ("get", "/api/books/{book_id}/holders", BOOK_KEEPERS),
    ("post", "/api/books/{book_id}/holders", BOOK_KEEPERS),
    ("patch", "/api/books/{book_id}/holders/{user_id}", BOOK_OWNER),
    ("post", "/api/books/{book_id}/invite-token", BOOK_KEEPERS),
    ("post", "/api/books/{book_id}/join", SIGNED_IN),
    ("post", "/api/books/{book_id}/import", BOOK_KEEPERS),
    ("get", "/api/books/{book_id}/imports", BOOK_KEEPERS),
    ("get", "/api/books/{book_id}/waiting", BOOK_KEEPERS),
    ("delete", "/api/books/{book_id}/waiting/{grant_id}", BOOK_KEEPERS),
    ("post", "/api/books/{book_id}/imports/{import_id}/undo", BOOK_KEEPERS),
    ("delete", "/api/books/{book_id}/holders/{user_id}", own(ONLY_THE_HOLDER)),
    ("post", "/api/auth/forgot-password", ANYONE),
    ("get", "/api/groups", SIGNED_IN),
    ("post", "/api/groups", SIGNED_IN),
    ("post", "/api/groups/join", SIGNED_IN),
    ("delete", "/api/groups/{group_id}", GROUP_KEEPERS),
    ("get", "/api/groups/{group_id}", PEOPLE),
    ("patch", "/api/groups/{group_id}", GROUP_KEEPERS),
    ("post", "/api/groups/{group_id}/code", GROUP_KEEPERS),
    ("get", "/api/groups/{group_id}/export", GROUP_KEEPERS),
    ("post", "/api/groups/{group_id}/import", GROUP_KEEPERS),
    ("get", "/api/groups/{group_id}/imports", GROUP_KEEPERS),
    ("post", "/api/groups/{group_id}/imports/{import_id}/undo", GROUP_KEEPERS),
    ("post", "/api/groups/{group_id}/open", GROUP_KEEPERS),
    ("get", "/api/groups/{group_id}/people", GROUP_KEEPERS),
    ("post", "/api/groups/{group_id}/people", GROUP_KEEPERS),
    ("delete", "/api/groups/{group_id}/people/{person}", GROUP_KEEPERS),
    ("patch", "/api/groups/{group_id}/people/{person}", GROUP_KEEPERS),
    ("post", "/api/groups/{group_id}/people/{person}/undo-upgrade", GROUP_KEEPERS),
    ("delete", "/api/groups/{group_id}/membership", PEOPLE),
    ("get", "/api/groups/{group_id}/removed", GROUP_KEEPERS),
    ("delete", "/api/groups/{group_id}/removed/{user_id}", NOBODY_REMOVED),
    ("get", "/api/invites/{token}", ANYONE),
    ("post", "/api/invites/{token}", OTHER_EMAIL),
    ("post", "/api/system/rollback", DEPLOYMENT_ADMIN),
    ("get", "/api/system/settings", SIGNED_IN),
    ("patch", "/api/system/settings", DEPLOYMENT_ADMIN),
    ("get", "/api/system/update", DEPLOYMENT_ADMIN),
    ("post", "/api/system/update", DEPLOYMENT_ADMIN),
    ("get", "/api/system/update/events", DEPLOYMENT_ADMIN),
    ("get", "/api/system/users", DEPLOYMENT_ADMIN),
    ("patch", "/api/system/users/{user_id}", DEPLOYMENT_ADMIN),
    ("post", "/api/system/users/{user_id}/reset-link", DEPLOYMENT_ADMIN),
    ("delete", "/api/user", SIGNED_IN),
    ("get", "/api/user/events", SIGNED_IN),
    ("get", "/api/user/notifications", SIGNED_IN),
    ("post", "/api/user/notifications/read", SIGNED_IN),
    ("get", "/api/user/preferences", SIGNED_IN),
    ("patch", "/api/user/preferences", SIGNED_IN),
    ("get", "/api/user", SIGNED_IN),
    ("patch", "/api/user", SIGNED_IN),
    ("get", "/api/user/bids", SIGNED_IN),
    ("get", "/api/user/items", SIGNED_IN),
    ("post", "/api/user/password", SIGNED_IN),
    ("post", "/api/user/second-factor", SIGNED_IN),
    ("delete", "/api/user/second-factor", SIGNED_IN),
    ("post", "/api/user/second-factor/confirm", SIGNED_IN),
    ("post", "/api/user/second-factor/recovery-codes", SIGNED_IN),
    ("get", "/api/user/sessions", SIGNED_IN),
    ("delete", "/api/user/sessions/{session_id}", OF_THE_SELLER),
    ("post", "/api/user/upgrade", NOT_MANAGED),
    ("get", "/api/user/watched", SIGNED_IN),
    ("get", "/api/version", ANYONE),
];

/// Pages by GET, forms by POST.
pub const PAGES: &[(&str, &str, Columns)] = &[
    ("get", "/", ANYONE),
    ("get", "/register", ANYONE),
    ("post", "/register", ANYONE),
    ("get", "/sign-in", ANYONE),
    ("post", "/sign-in", CREDENTIALS),
    ("get", "/sign-in/code", ANYONE),
    ("post", "/sign-in/code", CREDENTIALS),
    ("get", "/reset-password/{token}", ANYONE),
    ("post", "/reset-password/{token}", ANYONE),
    ("post", "/sign-out", ANYONE),
    ("get", "/draw", ANYONE),
    ("get", "/go", ANYONE),
    ("post", "/go", CREDENTIALS),
    ("get", "/groups", SIGNED_IN),
    // Without a code.
    ("post", "/groups/join", SIGNED_IN),
    ("get", "/groups/new", SIGNED_IN),
    ("post", "/groups/new", SIGNED_IN),
    ("get", "/groups/{group_id}", PEOPLE),
    ("get", "/groups/{group_id}/cards", GROUP_KEEPERS),
    ("get", "/groups/{group_id}/import", GROUP_KEEPERS),
    ("post", "/groups/{group_id}/import", GROUP_KEEPERS),
    ("post", "/groups/{group_id}/import/{import_id}/undo", GROUP_KEEPERS),
    ("post", "/groups/{group_id}/code", GROUP_KEEPERS),
    ("post", "/groups/{group_id}/delete", GROUP_KEEPERS),
    ("post", "/groups/{group_id}/leave", PEOPLE),
    ("post", "/groups/{group_id}/open", GROUP_KEEPERS),
    ("post", "/groups/{group_id}/people", GROUP_KEEPERS),
    ("post", "/groups/{group_id}/people/{person}/change", GROUP_KEEPERS),
    ("post", "/groups/{group_id}/people/{person}/remove", GROUP_KEEPERS),
    ("post", "/groups/{group_id}/people/{person}/undo-upgrade", GROUP_KEEPERS),
    ("post", "/groups/{group_id}/pins", GROUP_KEEPERS),
    ("post", "/groups/{group_id}/removed/{user_id}/readmit", NOBODY_REMOVED),
    ("post", "/groups/{group_id}/settings", GROUP_KEEPERS),
    ("get", "/join/{token}", ANYONE),
    // No auction has a link with this token.
    ("post", "/join/{token}", HIDDEN),
    ("get", "/invites/{token}", ANYONE),
    ("post", "/invites/{token}", OTHER_EMAIL),
    ("get", "/admin", SIGNED_IN),
    ("get", "/notifications", SIGNED_IN),
    ("post", "/notifications/read", SIGNED_IN),
    ("get", "/confirm-email/{token}", ANYONE),
    ("post", "/confirm-email/{token}", ANYONE),
    ("get", "/forgot-password", ANYONE),
    ("post", "/forgot-password", ANYONE),
    ("get", "/no-invitations/{token}", [Hidden; 9]),
    ("post", "/no-invitations/{token}", [Hidden; 9]),
    ("get", "/unsubscribe/{token}/{kind}", [Hidden; 9]),
    ("post", "/unsubscribe/{token}/{kind}", [Hidden; 9]),
    ("post", "/account/preferences", SIGNED_IN),
    ("get", "/account", SIGNED_IN),
    ("post", "/account/profile", SIGNED_IN),
    ("post", "/account/email", SIGNED_IN),
    ("post", "/account/email/link", SIGNED_IN),
    ("post", "/account/password", SIGNED_IN),
    ("post", "/account/sessions/{session_id}/end", OF_THE_SELLER),
    ("post", "/account/sessions/end-others", SIGNED_IN),
    ("post", "/account/delete", SIGNED_IN),
    ("post", "/account/upgrade", NOT_MANAGED),
    ("get", "/account/second-factor", SIGNED_IN),
    ("post", "/account/second-factor", SIGNED_IN),
    ("post", "/account/second-factor/confirm", SIGNED_IN),
    ("post", "/account/second-factor/recovery-codes", SIGNED_IN),
    ("post", "/account/second-factor/turn-off", SIGNED_IN),
    ("post", "/admin/claim", DEPLOYMENT_ADMIN_ELSE_BACK),
    ("post", "/admin/transfer", DEPLOYMENT_ADMIN_ELSE_BACK),
    ("post", "/admin/checks", DEPLOYMENT_ADMIN_ELSE_BACK),
    ("post", "/admin/second-factor", DEPLOYMENT_ADMIN_ELSE_BACK),
    ("post", "/admin/look-up", DEPLOYMENT_ADMIN_ELSE_BACK),
    ("post", "/admin/update", DEPLOYMENT_ADMIN_ELSE_BACK),
    ("post", "/admin/rollback", DEPLOYMENT_ADMIN_ELSE_BACK),
    ("post", "/admin/backup", DEPLOYMENT_ADMIN),
    ("post", "/admin/backup/download", DEPLOYMENT_ADMIN),
    ("post", "/admin/restore", DEPLOYMENT_ADMIN),
    ("get", "/admin/users", DEPLOYMENT_ADMIN),
    ("post", "/admin/users/{user_id}/disable", DEPLOYMENT_ADMIN),
    ("post", "/admin/users/{user_id}/enable", DEPLOYMENT_ADMIN),
    ("post", "/admin/users/{user_id}/end-sessions", DEPLOYMENT_ADMIN),
    ("post", "/admin/users/{user_id}/reset-link", DEPLOYMENT_ADMIN),
    ("get", "/dashboard", SIGNED_IN),
    ("get", "/dashboard/bids", SIGNED_IN),
    ("get", "/dashboard/items", SIGNED_IN),
    ("get", "/dashboard/watched", SIGNED_IN),
    ("get", "/auctions", SIGNED_IN),
    ("get", "/auctions/new", SIGNED_IN),
    ("post", "/auctions/new", SIGNED_IN),
    ("get", "/auctions/new/settings", SIGNED_IN),
    ("post", "/auctions/new/settings", SIGNED_IN),
    ("get", "/auctions/{auction_id}", MEMBERS),
    ("post", "/auctions/{auction_id}/join", MEMBERS),
    ("post", "/auctions/{auction_id}/drafts/show", may(ManageItems)),
    ("get", "/auctions/{auction_id}/settings", may(ChangeAuction)),
    ("post", "/auctions/{auction_id}/settings", may(ChangeAuction)),
    ("post", "/auctions/{auction_id}/settings/copy", may(CopyAuction)),
    ("post", "/auctions/{auction_id}/settings/schedule", may(ManageItems)),
    ("post", "/auctions/{auction_id}/settings/close", may(CloseAuction)),
    ("post", "/auctions/{auction_id}/settings/delete", may(DeleteAuction)),
    ("get", "/auctions/{auction_id}/members", MEMBERS),
    ("post", "/auctions/{auction_id}/members/link", may(ManageMembers)),
    ("post", "/auctions/{auction_id}/members/invites", may(ManageMembers)),
    ("post", "/auctions/{auction_id}/members/invites/{invite_id}/delete", may(ManageMembers)),
    ("post", "/auctions/{auction_id}/members/transfer", may(TransferAuction)),
    ("post", "/auctions/{auction_id}/members/{user_id}/role", may(ManageMembers)),
    ("post", "/auctions/{auction_id}/members/{user_id}/present", may(RunHall)),
    ("post", "/auctions/{auction_id}/members/{user_id}/remove", own(may(ManageMembers))),
    ("get", "/auctions/{auction_id}/clerk", may(RunHall)),
    ("post", "/auctions/{auction_id}/clerk", may(RunHall)),
    // Without an item.
    ("post", "/auctions/{auction_id}/clerk/correct", HIDDEN),
    ("post", "/auctions/{auction_id}/clerk/present", may(RunHall)),
    ("post", "/auctions/{auction_id}/clerk/screen", may(ChangeAuction)),
    ("post", "/auctions/{auction_id}/clerk/end-screen", may(ChangeAuction)),
    ("get", "/auctions/{auction_id}/clerk/order", may(RunHall)),
    ("post", "/auctions/{auction_id}/clerk/order", may(RunHall)),
    // No auction has a screen with this token.
    ("get", "/screen/{token}", [Hidden; 9]),
    ("get", "/auctions/{auction_id}/results", MEMBERS),
    ("post", "/auctions/{auction_id}/results/marks", may(MarkOutcomes)),
    ("get", "/auctions/{auction_id}/share", MEMBERS),
    ("get", "/auctions/{auction_id}/currencies", MEMBERS),
    ("post", "/auctions/{auction_id}/currencies/base-unit", may(ChangeAuction)),
    ("get", "/auctions/{auction_id}/currencies/new", may(ManageCurrencies)),
    ("post", "/auctions/{auction_id}/currencies/new", may(ManageCurrencies)),
    ("get", "/auctions/{auction_id}/currencies/import", may(ManageCurrencies)),
    ("post", "/auctions/{auction_id}/currencies/import", may(ManageCurrencies)),
    ("post", "/auctions/{auction_id}/currencies/import/file", may(ManageCurrencies)),
    ("get", "/auctions/{auction_id}/currencies/templates/{template}", may(ManageCurrencies)),
    ("get", "/auctions/{auction_id}/currencies/{currency_id}", may(ManageCurrencies)),
    ("post", "/auctions/{auction_id}/currencies/{currency_id}", may(ManageCurrencies)),
    ("post", "/auctions/{auction_id}/currencies/{currency_id}/delete", may(ManageCurrencies)),
    ("get", "/auctions/{auction_id}/currency-rules/new", may(ManageCurrencies)),
    ("post", "/auctions/{auction_id}/currency-rules/new", may(ManageCurrencies)),
    ("get", "/auctions/{auction_id}/currency-rules/{rule_id}", may(ManageCurrencies)),
    ("post", "/auctions/{auction_id}/currency-rules/{rule_id}", may(ManageCurrencies)),
    ("post", "/auctions/{auction_id}/currency-rules/{rule_id}/delete", may(ManageCurrencies)),
    ("post", "/auctions/{auction_id}/currency-rules/{rule_id}/up", may(ManageCurrencies)),
    ("post", "/auctions/{auction_id}/currency-rules/{rule_id}/down", may(ManageCurrencies)),
    ("post", "/auctions/{auction_id}/currency-rules/{rule_id}/switch", may(ManageCurrencies)),
    ("get", "/auctions/{auction_id}/items/add", may(AddItems)),
    ("post", "/auctions/{auction_id}/items/add", may(AddItems)),
    ("get", "/auctions/{auction_id}/items/import", may(AddItems)),
    ("post", "/auctions/{auction_id}/items/import/file", may(AddItems)),
    ("post", "/auctions/{auction_id}/items/import/{import_id}/undo", IMPORT_OF_THE_OWNER),
    ("post", "/auctions/{auction_id}/items/add/row", may(AddItems)),
    ("get", "/auctions/{auction_id}/items/new", may(AddItems)),
    ("post", "/auctions/{auction_id}/items/new", may(AddItems)),
    ("get", "/auctions/{auction_id}/items/{item_id}", MEMBERS),
    ("post", "/auctions/{auction_id}/items/{item_id}", bidders()),
    ("get", "/auctions/{auction_id}/items/{item_id}/bids", MEMBERS),
    ("get", "/auctions/{auction_id}/items/{item_id}/bids/{sequence}/withdraw", bidder_or_may(WithdrawBids)),
    ("post", "/auctions/{auction_id}/items/{item_id}/bids/{sequence}/withdraw", bidder_or_may(WithdrawBids)),
    ("post", "/auctions/{auction_id}/items/{item_id}/bids/own/withdraw", MEMBERS),
    ("post", "/auctions/{auction_id}/items/{item_id}/close", may(CloseItems)),
    ("post", "/auctions/{auction_id}/items/{item_id}/cancel", may(CloseItems)),
    ("post", "/auctions/{auction_id}/items/{item_id}/outcome", may(DecideOutcomes)),
    ("post", "/auctions/{auction_id}/items/{item_id}/outcome/mark", may(MarkOutcomes)),
    ("get", "/auctions/{auction_id}/items/{item_id}/pictures", own(may(ManageItems))),
    ("post", "/auctions/{auction_id}/items/{item_id}/pictures", own(may(ManageItems))),
    ("post", "/auctions/{auction_id}/items/{item_id}/pictures/{image_id}/alt", own(may(ManageItems))),
    ("post", "/auctions/{auction_id}/items/{item_id}/pictures/{image_id}/up", own(may(ManageItems))),
    ("post", "/auctions/{auction_id}/items/{item_id}/pictures/{image_id}/down", own(may(ManageItems))),
    ("post", "/auctions/{auction_id}/items/{item_id}/pictures/{image_id}/remove", own(may(ManageItems))),
    ("get", "/auctions/{auction_id}/items/{item_id}/edit", own(may(ManageItems))),
    ("post", "/auctions/{auction_id}/items/{item_id}/edit", own(may(ManageItems))),
    ("post", "/auctions/{auction_id}/items/{item_id}/edit/delete", own(may(ManageItems))),
    ("post", "/auctions/{auction_id}/items/{item_id}/watch", may(WatchItems)),
    ("get", "/books", SIGNED_IN),
    ("get", "/books/new", SIGNED_IN),
    ("post", "/books/new", SIGNED_IN),
    ("get", "/books/join/{token}", SIGNED_IN),
    ("post", "/books/join/{token}", HIDDEN),
    ("get", "/books/{book_id}", HOLDERS),
    ("post", "/books/{book_id}/link", BOOK_KEEPERS),
    ("post", "/books/{book_id}/leave", OTHERS_THAN_BOOK_OWNER),
    ("post", "/books/{book_id}/entries", BOOK_KEEPERS),
    ("post", "/books/{book_id}/entries/{sequence}/reverse", BOOK_KEEPERS),
    ("post", "/books/{book_id}/holders", BOOK_KEEPERS),
    ("post", "/books/{book_id}/holders/{user_id}/role", BOOK_OWNER),
    ("post", "/books/{book_id}/waiting/{grant_id}/delete", BOOK_KEEPERS),
    ("get", "/books/{book_id}/runs", BOOK_KEEPERS),
    ("post", "/books/{book_id}/runs", BOOK_KEEPERS),
    ("post", "/books/{book_id}/runs/{number}/reverse", BOOK_KEEPERS),
    ("get", "/books/{book_id}/import", BOOK_KEEPERS),
    ("post", "/books/{book_id}/import", BOOK_KEEPERS),
    ("post", "/books/{book_id}/import/{import_id}/undo", BOOK_KEEPERS),
    ("get", "/books/{book_id}/settings", BOOK_OWNER),
    ("post", "/books/{book_id}/settings", BOOK_OWNER),
    ("post", "/books/{book_id}/settings/caps", BOOK_OWNER),
    ("post", "/books/{book_id}/settings/share", BOOK_OWNER),
    ("post", "/books/{book_id}/settings/close", BOOK_OWNER),
    ("post", "/books/{book_id}/settings/open", BOOK_OWNER),
    ("post", "/books/{book_id}/settings/delete", BOOK_OWNER),
];

/// What outsiders read in an auction that anyone may read, without an account and signed in.
pub const PUBLIC: &[&str] = &[
    "/api/auctions/{auction_id}",
    "/api/auctions/{auction_id}/outcomes",
    "/api/auctions/{auction_id}/calendar.ics",
    "/api/auctions/{auction_id}/events",
    "/api/auctions/{auction_id}/items",
    "/api/auctions/{auction_id}/items/{item_id}",
    "/api/auctions/{auction_id}/items/{item_id}/bids",
    "/api/auctions/{auction_id}/items/{item_id}/events",
    "/api/auctions/{auction_id}/items/{item_id}/images",
    "/api/auctions/{auction_id}/items/{item_id}/images/{image_id}/{size}",
    "/auctions/{auction_id}",
    "/auctions/{auction_id}/results",
    "/auctions/{auction_id}/items/{item_id}",
    "/auctions/{auction_id}/items/{item_id}/bids",
];

/// What signed-in outsiders read in such an auction, as in a FREE one.
pub const PUBLIC_TO_SIGNED_IN: &[&str] = &[
    "/api/auctions/{auction_id}/currencies",
    "/api/auctions/{auction_id}/currencies/{currency_id}",
    "/api/auctions/{auction_id}/currency-set",
    "/api/auctions/{auction_id}/currency-rules",
    "/api/auctions/{auction_id}/currency-rules/{rule_id}",
    "/auctions/{auction_id}/share",
    "/auctions/{auction_id}/currencies",
];
