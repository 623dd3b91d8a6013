import type { Page } from '@playwright/test';

import { bookOfMine } from '../fixtures/books.ts';
import { openAuction, openGalleonsItem } from '../fixtures/demo.ts';
import { type Person, openAs, register, signIn } from '../fixtures/people.ts';
import { beginSecondFactor, turnOnSecondFactor } from '../fixtures/second_factor.ts';
import { expect, test } from '../fixtures/test.ts';
import { bidOfMine, closedAuction, openItem } from '../fixtures/results.ts';
import { auctionOfMine, makeCurrency } from '../fixtures/currencies.ts';
import { openNotifications } from '../fixtures/notifications.ts';
import { addPictures, itemOfMine } from '../fixtures/pictures.ts';
import { screenshot } from '../fixtures/screenshot.ts';
import {
  inviteToken,
  linkToken,
  ofBusyBidder,
  openBook,
  openCurrencies,
  openInvitation,
  signedIn,
} from '../fixtures/visits.ts';

const PHONE = { width: 360, height: 740 };
const DESKTOP = { width: 1280, height: 800 };

/**
 * How each page is looked at. axe, which takes most of the time, reads it once at each size and in each
 * colour scheme, and without JavaScript only if the page has islands: otherwise it is the same document.
 */
const LOOKS = [
  { name: 'phone-light', viewport: PHONE, colorScheme: 'light', axe: false },
  { name: 'phone-dark', viewport: PHONE, colorScheme: 'dark', axe: true },
  { name: 'desktop-dark', viewport: DESKTOP, colorScheme: 'dark', axe: false },
  { name: 'desktop-light', viewport: DESKTOP, colorScheme: 'light', axe: true },
] as const;

interface Visit {
  /**
   * Path pattern of the page in server/src/router/pages.rs, with `:` before parameters. Absent for an address
   * without a page.
   */
  route?: string;
  open(page: Page, admin: Person): Promise<unknown>;
  /** Status of a page that says why there is nothing to show. */
  status?: number;
}

/** Every page of server/src/router/pages.rs, some of them in several states. */
const PAGES: Record<string, Visit> = {
  start: { route: '/', open: (page) => page.goto('/') },
  register: { route: '/register', open: (page) => page.goto('/register') },
  'sign-in': { route: '/sign-in', open: (page) => page.goto('/sign-in') },
  'sign-in-code': { route: '/sign-in/code', open: (page) => page.goto('/sign-in/code') },
  'reset-password': {
    route: '/reset-password/:token',
    async open(page, admin) {
      await signIn(page.request, admin);
      const { users } = await (await page.request.get(`/api/system/users?q=${admin.email}`)).json();
      const made = await page.request.post(`/api/system/users/${users[0].id}/reset-link`);
      expect(made.status(), await made.text()).toBe(200);
      await page.goto(new URL((await made.json()).url).pathname);
    },
  },
  'reset-password-used': { open: (page) => page.goto('/reset-password/used'), status: 410 },
  join: {
    route: '/join/:token',
    open: (page) => openInvitation(page, async (auction) => `/join/${await linkToken(page, auction)}`),
  },
  invite: {
    route: '/invites/:token',
    open: (page) => openInvitation(page, async (auction) => `/invites/${await inviteToken(page, auction)}`),
  },
  'invite-used': { open: (page) => page.goto('/invites/used'), status: 410 },
  members: {
    route: '/auctions/:auction_id/members',
    open: (page) =>
      signedIn(page, async () => {
        const auction = await auctionOfMine(page.request);
        await linkToken(page, auction);
        await inviteToken(page, auction);
        await page.goto(`${auction}/members`);
      }),
  },
  account: {
    route: '/account',
    open: (page) => signedIn(page, () => page.goto('/account')),
  },
  'second-factor-off': {
    route: '/account/second-factor',
    open: (page) => signedIn(page, () => page.goto('/account/second-factor')),
  },
  'second-factor-begun': {
    async open(page) {
      await beginSecondFactor(page.request, await register(page.request, 'Luna'));
      await page.goto('/account/second-factor');
    },
  },
  'second-factor-on': {
    async open(page) {
      await turnOnSecondFactor(page.request, await register(page.request, 'Luna'));
      await page.goto('/account/second-factor');
    },
  },
  'account-refused': {
    open: (page) =>
      signedIn(page, async () => {
        await page.goto('/account');
        await page.getByRole('textbox', { name: 'E-mail' }).fill('luna');
        await page.getByRole('button', { name: 'Change e-mail' }).click();
        await expect(page.getByRole('alert')).toBeVisible();
      }),
    status: 422,
  },
  'confirm-email-used': {
    route: '/confirm-email/:token',
    open: (page) => page.goto('/confirm-email/used'),
    status: 410,
  },
  'forgot-password': { route: '/forgot-password', open: (page) => page.goto('/forgot-password') },
  notifications: {
    route: '/notifications',
    open: (page) => signedIn(page, () => openNotifications(page)),
  },
  'no-invitations-unknown': {
    route: '/no-invitations/:token',
    open: (page) => page.goto('/no-invitations/unknown'),
    status: 404,
  },
  'unsubscribe-unknown': {
    route: '/unsubscribe/:token/:kind',
    open: (page) => page.goto('/unsubscribe/unknown/OUTBID'),
    status: 404,
  },
  admin: {
    route: '/admin',
    async open(page, admin) {
      await signIn(page.request, admin);
      await page.goto('/admin');
    },
  },
  users: {
    route: '/admin/users',
    async open(page, admin) {
      await signIn(page.request, admin);
      await page.goto('/admin/users');
    },
  },
  'admin-taken': { route: '/admin', open: (page) => signedIn(page, () => page.goto('/admin')) },
  dashboard: { route: '/dashboard', open: (page) => ofBusyBidder(page, '/dashboard') },
  'dashboard-empty': { route: '/dashboard', open: (page) => signedIn(page, () => page.goto('/dashboard')) },
  'dashboard-bids': { route: '/dashboard/bids', open: (page) => ofBusyBidder(page, '/dashboard/bids') },
  'dashboard-items': { route: '/dashboard/items', open: (page) => ofBusyBidder(page, '/dashboard/items') },
  'dashboard-watched': {
    route: '/dashboard/watched',
    open: (page) => signedIn(page, () => page.goto('/dashboard/watched')),
  },
  auctions: { route: '/auctions', open: (page) => signedIn(page, () => page.goto('/auctions')) },
  'auctions-new': { route: '/auctions/new', open: (page) => signedIn(page, () => page.goto('/auctions/new')) },
  'auctions-new-refused': {
    open: (page) =>
      signedIn(page, async () => {
        await page.goto('/auctions/new');
        await page.getByLabel('Name', { exact: true }).fill('Spring fair');
        await page.getByLabel('Tickets or points').check();
        await page.getByLabel('Minimum of lot 2', { exact: true }).fill('5');
        await page.getByRole('button', { name: 'Create auction' }).click();
        await expect(page.getByRole('alert')).toContainText('Lot 2: enter a name.');
      }),
    status: 422,
  },
  'auctions-new-settings': {
    route: '/auctions/new/settings',
    open: (page) => signedIn(page, () => page.goto('/auctions/new/settings')),
  },
  'auctions-new-preview': {
    route: '/auctions/new/settings',
    open: (page) =>
      signedIn(page, async () => {
        await page.goto('/auctions/new/settings');
        const words = '# What is sold\n\n- lamps\n- [clocks](https://example.org)\n\n## When\n\nOn **Sunday**.';
        await page.getByLabel('Description').fill(words);
        await page.getByRole('button', { name: 'Preview' }).click();
        await expect(page.getByRole('region', { name: 'Preview of the description' })).toContainText('On Sunday.');
      }),
  },
  auction: { route: '/auctions/:auction_id', open: (page) => signedIn(page, () => openAuction(page)) },
  settings: {
    route: '/auctions/:auction_id/settings',
    open: (page) => signedIn(page, async () => page.goto(`${await auctionOfMine(page.request)}/settings`)),
  },
  'currencies-none': {
    route: '/auctions/:auction_id/currencies',
    open: (page) => signedIn(page, async () => page.goto(`${await auctionOfMine(page.request)}/currencies`)),
  },
  currencies: {
    route: '/auctions/:auction_id/currencies',
    open: (page) => signedIn(page, () => openCurrencies(page)),
  },
  'currency-new': {
    route: '/auctions/:auction_id/currencies/new',
    open: (page) =>
      signedIn(page, async () => page.goto(`${await auctionOfMine(page.request)}/currencies/new?template=shillings`)),
  },
  'currency-template': {
    route: '/auctions/:auction_id/currencies/templates/:template',
    open: (page) =>
      signedIn(page, async () => page.goto(`${await auctionOfMine(page.request)}/currencies/templates/shillings`)),
  },
  'currency-import': {
    route: '/auctions/:auction_id/currencies/import',
    open: (page) =>
      signedIn(page, async () => {
        await auctionOfMine(page.request);
        await page.goto(`${await auctionOfMine(page.request)}/currencies/import`);
      }),
  },
  'currency-edit': {
    route: '/auctions/:auction_id/currencies/:currency_id',
    open: (page) =>
      signedIn(page, async () => {
        await openCurrencies(page);
        await page.getByRole('link', { name: 'Edit Wizarding money' }).click();
      }),
  },
  'rule-new': {
    route: '/auctions/:auction_id/currency-rules/new',
    open: (page) =>
      signedIn(page, async () => {
        await openCurrencies(page);
        await page.getByRole('link', { name: /^Minimum increment/ }).click();
        await page.getByLabel('Tiers').check();
      }),
  },
  'rule-edit': {
    route: '/auctions/:auction_id/currency-rules/:rule_id',
    open: (page) =>
      signedIn(page, async () => {
        await openCurrencies(page);
        await page.getByRole('link', { name: /^Edit: At least half of the value/ }).click();
      }),
  },
  'items-add': {
    route: '/auctions/:auction_id/items/add',
    open: (page) => signedIn(page, async () => page.goto(`${await auctionOfMine(page.request)}/items/add`)),
  },
  'items-new': {
    route: '/auctions/:auction_id/items/new',
    open: (page) => signedIn(page, async () => page.goto(`${await auctionOfMine(page.request)}/items/new`)),
  },
  'items-new-own': {
    route: '/auctions/:auction_id/items/new',
    open: (page) =>
      signedIn(page, async () => {
        const auction = await auctionOfMine(page.request);
        await makeCurrency(page, auction, /^Galleons/);
        await page.goto(`${auction}/items/new`);
      }),
  },
  item: {
    route: '/auctions/:auction_id/items/:item_id',
    open: (page) => signedIn(page, () => openGalleonsItem(page)),
  },
  'item-edit': {
    route: '/auctions/:auction_id/items/:item_id/edit',
    open: (page) =>
      signedIn(page, async () => {
        const auction = await auctionOfMine(page.request);
        await makeCurrency(page, auction, /^Galleons/);
        const made = await page.request.post(`/api${auction}/items`, { data: { name: 'Brass lamp' } });
        await page.goto(`${auction}/items/${(await made.json()).id}/edit`);
      }),
  },
  'auction-grid': {
    route: '/auctions/:auction_id',
    open: (page) =>
      signedIn(page, async () => {
        await openAuction(page);
        await page.getByRole('link', { name: 'Grid' }).click();
      }),
  },
  'auction-no-match': {
    route: '/auctions/:auction_id',
    open: (page) =>
      signedIn(page, async () => {
        await openAuction(page);
        const search = page.getByRole('searchbox', { name: 'Search' });
        await search.fill('no such thing');
        await search.press('Enter');
      }),
  },
  bids: {
    route: '/auctions/:auction_id/items/:item_id/bids',
    open: (page) =>
      signedIn(page, async () => {
        await openGalleonsItem(page);
        await page.goto(`${page.url()}/bids`);
      }),
  },
  'results-none': {
    route: '/auctions/:auction_id/results',
    open: (page) => signedIn(page, async () => page.goto(`${await auctionOfMine(page.request)}/results`)),
  },
  results: {
    route: '/auctions/:auction_id/results',
    open: (page) => signedIn(page, async () => page.goto(`${(await closedAuction(page.request)).auction}/results`)),
  },
  'results-by-winner': {
    route: '/auctions/:auction_id/results',
    open: (page) =>
      signedIn(page, async () => page.goto(`${(await closedAuction(page.request)).auction}/results?by=winner`)),
  },
  'item-sold': {
    route: '/auctions/:auction_id/items/:item_id',
    open: (page) => signedIn(page, async () => page.goto((await closedAuction(page.request)).sold)),
  },
  'item-ending': {
    route: '/auctions/:auction_id/items/:item_id',
    open: (page) =>
      signedIn(page, async () => {
        const { item } = await openItem(page.request);
        await page.goto(item);
        await page.getByText('Cancel item').click();
      }),
  },
  pictures: {
    route: '/auctions/:auction_id/items/:item_id/pictures',
    open: (page) =>
      signedIn(page, async () => {
        const item = await itemOfMine(page.request);
        await addPictures(page.request, item, 2);
        await page.goto(`${item}/pictures`);
      }),
  },
  'item-pictured': {
    open: (page) =>
      signedIn(page, async () => {
        const item = await itemOfMine(page.request);
        await addPictures(page.request, item, 5);
        await page.goto(item);
      }),
  },
  'item-without-pictures': {
    open: (page) => signedIn(page, async () => page.goto(await itemOfMine(page.request))),
  },
  withdraw: {
    route: '/auctions/:auction_id/items/:item_id/bids/:sequence/withdraw',
    open: (page) =>
      signedIn(page, async () => {
        const item = await bidOfMine(page.request);
        await page.goto(`${item}/bids/1/withdraw`);
      }),
  },
  'books-none': { route: '/books', open: (page) => signedIn(page, () => page.goto('/books')) },
  books: {
    route: '/books',
    open: (page) =>
      signedIn(page, async () => {
        await openBook(page);
        await page.goto('/books');
      }),
  },
  'book-join': {
    route: '/books/join/:token',
    open: (page) =>
      signedIn(page, async () => {
        const { inviteToken } = await (await page.request.get(`/api${await bookOfMine(page.request)}`)).json();
        await page.goto(`/books/join/${inviteToken}`);
      }),
  },
  'book-new': { route: '/books/new', open: (page) => signedIn(page, () => page.goto('/books/new')) },
  book: { route: '/books/:book_id', open: (page) => signedIn(page, () => openBook(page)) },
  'book-of-holder': {
    route: '/books/:book_id',
    open: (page) =>
      signedIn(page, async () => {
        const fred = await openBook(page);
        await openAs(page, fred, page.url());
      }),
  },
  'book-refused': {
    open: (page) =>
      signedIn(page, async () => {
        await openBook(page);
        await page.getByLabel('Reverse entry 1').click();
        await page.getByRole('button', { name: 'Reverse entry 1' }).click();
        await expect(page.getByRole('alert')).toBeVisible();
      }),
    status: 422,
  },
  'book-import': {
    route: '/books/:book_id/import',
    open: (page) =>
      signedIn(page, async () => {
        const fred = await openBook(page);
        await page.goto(`${page.url()}/import`);
        const rows = ['email,amount,reason', `${fred.email},12,Cakes`, `${fred.email},-1234.5,Tea`, 'nobody@example.org,1,Tea'];
        await page.getByLabel('Rows').fill(rows.join('\n'));
        await page.getByRole('button', { name: 'Preview', exact: true }).click();
        await expect(page.getByRole('region', { name: 'Preview' })).toContainText('Cakes');
      }),
  },
  'book-settings': {
    route: '/books/:book_id/settings',
    open: (page) => signedIn(page, async () => page.goto(`${await bookOfMine(page.request)}/settings`)),
  },
  'settings-book': {
    route: '/auctions/:auction_id/settings',
    open: (page) =>
      signedIn(page, async () => {
        await bookOfMine(page.request);
        await page.goto(`${await auctionOfMine(page.request)}/settings`);
      }),
  },
  'not-found': { open: (page) => page.goto('/no/such/page'), status: 404 },
};

/** Scripts of pages that are no bundles of islands. */
const SCRIPTS = ['page-', 'pictures', 'gallery', 'live', 'lots'];

/** Matches an address of the route. */
function addressOf(route: string): RegExp {
  return new RegExp(`^https?://[^/]+${route.replace(/:\w+/g, '[^/?]+')}(\\?.*)?$`);
}

for (const [name, { route, open, status }] of Object.entries(PAGES)) {
  test(name, async ({ page, admin, pageConsole, expectAccessible, javaScriptEnabled }, { project }) => {
    if (status) {
      pageConsole.allow(new RegExp(`status of ${status}`));
    }
    await page.setViewportSize(PHONE);
    await open(page, admin);
    if (route) {
      await expect(page).toHaveURL(addressOf(route));
    }
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
    const heading = await page.getByRole('heading', { level: 1 }).boundingBox();
    expect(heading?.width, 'width of the heading').toBeGreaterThan(PHONE.width / 2);
    await expect(page.locator('body')).not.toContainText('()');
    const hasIslands = (await page.locator('leptos-island').count()) > 0;
    const bundles = SCRIPTS.reduce((found, script) => `${found}:not([src*="/${script}"])`, 'script[src^="/pkg/"]');
    await expect(page.locator(bundles), 'bundles that the page loads').toHaveCount(hasIslands ? 1 : 0);

    for (const { name: look, viewport, colorScheme, axe } of LOOKS) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(wider, `pixels of horizontal scrolling, ${look}`).toBeLessThanOrEqual(0);
      await screenshot(page, project.name, `${name}-${look}`);
      if (axe && (javaScriptEnabled || hasIslands)) {
        await expectAccessible(page);
      }
    }
  });
}
