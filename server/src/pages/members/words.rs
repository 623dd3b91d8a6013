//! Roles in words.

use app::model::Role;

/// The word of a role.
pub fn role_word(role: Role) -> &'static str {
    match role {
        Role::Owner => "Owner",
        Role::Admin => "Admin",
        Role::Clerk => "Clerk",
        Role::Creator => "Seller",
        Role::Bidder => "Bidder",
    }
}

/// The role with its article.
pub fn role_in_a_sentence(role: Role) -> &'static str {
    match role {
        Role::Owner => "its owner",
        Role::Admin => "an admin",
        Role::Clerk => "a clerk",
        Role::Creator => "a seller",
        Role::Bidder => "a bidder",
    }
}
