//! The notification of a sign-in in a browser that is new to the account.

use accounts::new_browser::NewBrowserNews;
use platform::db::WriteBatch;
use platform::net::ClientAddress;
use platform::time::Moment;

use super::{NewNotification, Notifier};
use crate::events::Events;
use crate::events::signal::Signal;
use crate::ids::UserId;

/// Notifies users of sign-ins in new browsers.
pub struct NotifyOfBrowsers {
    pub notifier: Notifier,
    pub events: Events,
}

impl NewBrowserNews for NotifyOfBrowsers {
    fn write(&self, writes: &mut WriteBatch, user: UserId, address: ClientAddress, now: Moment) {
        self.notifier.write(writes, &[NewNotification::of_new_browser(user, address.to_string())], now);
    }

    fn publish(&self, user: UserId) {
        self.events.publish(&Signal::UserEvents(vec![user]));
    }
}
