import type { Page } from '@playwright/test';

import { BidForm } from '../fixtures/bid_form.ts';
import { ClerkDesk, api } from '../fixtures/clerk.ts';
import { type Card, makeGroup } from '../fixtures/groups.ts';
import { test } from '../fixtures/journey.ts';
import { register } from '../fixtures/people.ts';
import { expect } from '../fixtures/test.ts';

const LOTS = 40;
const NUMBERS = 12;
/** What each person has, in cents. */
const BALANCE = 20_000;

interface Outcome {
  itemId: string;
  bid: { normalizedAmount: string } | null;
}

interface Holder {
  role: string;
  balance: string;
}

test('two clerks sell 40 lots in a hall, some of them without a network', async ({ page, another, stranger, browser, look, pageConsole }) => {
  pageConsole.allow(/ERR_INTERNET_DISCONNECTED|Failed to load resource/);
  await register(page.request, 'Minerva');
  const people = Array.from({ length: NUMBERS }, (_, at) => `Bidder ${at + 2}`);
  const { id: group, code, cards } = await makeGroup(page.request, people);

  const { auction, book } = await test.step('the owner prepares the sale', async () => {
    const baseUnit = { name: 'Cent', plural: 'Cents', symbol: 'ct' };
    const book = await api<{ id: string }>(page.request, 'POST', '/api/books', {
      name: 'Class money', baseUnit, startingBalance: BALANCE,
    });
    const terms = { name: 'Scouts’ auction', bookId: book.id, groupId: group, joinMode: 'FREE', bidderVisibility: 'NUMBERS' };
    const { id } = await api<{ id: string }>(page.request, 'POST', '/api/auctions', terms);
    const pieces = [
      { code: 'EURO', name: 'Euro', plural: 'Euros', factor: 100 },
      { code: 'CENT', name: 'Cent', plural: 'Cents', factor: 1 },
    ];
    const currency = await api<{ id: string }>(page.request, 'POST', `/api/auctions/${id}/currencies`, {
      code: 'EUR', name: 'Euros', rateToBase: 1, inputMode: 'DENOMINATION', denominations: pieces,
    });
    for (let lot = 1; lot <= LOTS; lot += 1) {
      const enteredRepresentation = [{ denomination: 'EURO', count: 1 }];
      const minBid = { minBidConstraint: { currencyProfileId: currency.id, enteredRepresentation } };
      const item = { name: `Basket ${lot}`, estimate: 'About 5 Euros', isPublished: true };
      await api(page.request, 'POST', `/api/auctions/${id}/items`, lot === 9 ? { ...item, ...minBid } : item);
    }
    return { auction: id, book: book.id };
  });
  const path = `/api/auctions/${auction}`;

  const clerks = await test.step('a second clerk joins', async () => {
    const { page: hers } = await another('Clara');
    await api(hers.request, 'POST', `${path}/join`, {});
    const { user } = await api<{ user: { id: string } }>(hers.request, 'GET', '/api/user');
    await api(page.request, 'PATCH', `${path}/members/${user.id}`, { role: 'CLERK' });
    const first = new ClerkDesk(page);
    const second = new ClerkDesk(hers);
    await first.open(auction);
    await second.open(auction);
    await look(page, 'desk');
    return { first, second };
  });
  const { first, second } = clerks;

  const screen = await test.step('the screen in the hall is opened', async () => {
    const { screenToken } = await api<{ screenToken: string }>(page.request, 'POST', `${path}/screen`);
    const hall = await stranger();
    await hall.setViewportSize({ width: 1280, height: 720 });
    await hall.goto(`/screen/${screenToken}`);
    await expect(hall.getByRole('heading', { level: 1 })).toHaveText('We begin shortly');
    return hall;
  });

  await test.step('each field is answered as it is typed', async () => {
    await first.type(undefined, 2, '3');
    await expect(first.answer('lot')).toHaveText('Basket 1, About 5 Euros');
    await expect(first.answer('buyer')).toContainText('Bidder 2 (2), 200 Euros');
    await expect(first.answer('price')).toContainText('3 Euros');
    await expect(first.answer('price')).toContainText('Enter sells.');
    await expect(screen.getByRole('heading', { level: 1 })).toHaveText('Lot 1 Basket 1');
    await page.keyboard.press('Enter');
    await expect(first.lot).toHaveValue('2');
    await expect(first.called.first()).toContainText('Sold to Bidder 2 (2) for');
    await expect(screen.locator('.screen-state')).toHaveText('Sold');
    await expect(second.called.first()).toContainText('Lot 1');
  });

  await test.step('lots are sold at the pace of a hall, by keyboard alone', async () => {
    for (let lot = 2; lot <= 6; lot += 1) {
      await first.sell(undefined, lot + 1, `${lot}.50`);
    }
    await expect(first.called).toHaveCount(6);
    await expect(first.unsent).toHaveCount(0);
    await look(page, 'called');
  });

  await test.step('a wrong number is corrected by one key', async () => {
    await page.keyboard.press('F9');
    await expect(first.answer('lot')).toContainText('Correct Basket 6: sold to Bidder 7 (7)');
    await expect(first.number).toBeFocused();
    await page.keyboard.type('8');
    await page.keyboard.press('Enter');
    await expect(first.price).toHaveValue('6.50');
    await page.keyboard.press('Enter');
    await expect(first.called.first()).toContainText('Sold to Bidder 8 (8)');
    await expect(first.lot).toHaveValue('7');
  });

  await test.step('a balance that is not enough, an unknown number and a closed lot are refused', async () => {
    await first.type(undefined, 3, '199');
    await expect(first.answer('price')).toContainText('Bidder 3 (3) has 197 Euros · 50 Cents (19750 Cents) available');
    await page.keyboard.press('Enter');
    await expect(first.price).toBeFocused();
    await expect(first.called).toHaveCount(6);
    await first.number.fill('99');
    await expect(first.answer('buyer')).toHaveText('Nobody has the number 99.');
    await first.lot.fill('6');
    await expect(first.answer('lot')).toContainText('F9 corrects it.');
    await look(page, 'refused');
    await first.lot.fill('7');
    await first.number.fill('3');
    await first.price.fill('100');
    // Many times what lots went for so far.
    await first.price.press('Enter');
    await expect(first.answer('said')).toContainText('Once more sells.');
    await first.price.press('Enter');
    await expect(first.called.first()).toContainText('Lot 7');
  });

  await test.step('a lot is passed, and one is sold against the rules', async () => {
    await expect(first.lot).toHaveValue('8');
    await page.keyboard.press('Enter');
    await page.keyboard.press('F4');
    await expect(first.called.first()).toContainText('Not sold');
    await first.type(undefined, 4, '0.50');
    await expect(first.answer('price')).toContainText('Shift+Enter sells all the same.');
    await page.keyboard.press('Enter');
    await expect(first.price).toBeFocused();
    await page.keyboard.press('Shift+Enter');
    await expect(first.called.first()).toContainText('Lot 9');
  });

  await test.step('somebody at home bids on the block, and wins', async () => {
    await expect(first.lot).toHaveValue('10');
    await page.keyboard.press('Enter');
    const home = await stranger();
    await home.setViewportSize({ width: 390, height: 844 });
    await signInByCard(home, code, cards[11]!);
    const { blockItemId } = await api<{ blockItemId: string }>(page.request, 'GET', path);
    await home.goto(`/auctions/${auction}/items/${blockItemId}`);
    const bid = new BidForm(home);
    await bid.field('Euro').fill('9');
    // Nobody has said what the lot is worth.
    await bid.placeBid.click();
    await bid.confirm.click();
    await expect(first.answer('price')).toContainText('At 9 Euros');
    await expect(first.answer('price')).toContainText('Bidder 13 (13)');
    await expect(screen.locator('.screen-leader')).toHaveText('Number 13');
    await page.keyboard.press('F2');
    await expect(first.called.first()).toContainText('Sold to Bidder 13 (13)');
    await home.close();
  });

  await test.step('two clerks at once see each other, and only one sells a lot', async () => {
    await second.lot.fill('20');
    await second.sell(undefined, 5, '1.10');
    await expect(first.called.first()).toContainText('Lot 20');
    await first.lot.fill('20');
    await expect(first.answer('lot')).toContainText('sold to Bidder 5 (5)');
    await first.lot.fill('11');
    await Promise.all([first.sell(undefined, 6, '1'), second.sell(21, 7, '2')]);
    await expect(first.called).toHaveCount(13);
    await expect(second.called).toHaveCount(13);
  });

  await test.step('without a network eight lots are kept, and a reload loses none', async () => {
    await expect(first.lot).toHaveValue('12');
    await page.context().setOffline(true);
    for (let lot = 12; lot <= 19; lot += 1) {
      await first.sell(undefined, (lot % NUMBERS) + 2, '2.25');
    }
    await expect(first.unsent).toHaveCount(8);
    await expect(page.getByText('No connection: this is the page of')).toBeVisible();
    await look(page, 'offline');
    // The last one is taken back and entered again.
    await page.keyboard.press('F9');
    await expect(first.unsent).toHaveCount(7);
    await expect(first.number).toBeFocused();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await expect(first.unsent).toHaveCount(8);
    await second.lot.fill('14');
    await second.sell(undefined, 9, '3');
    await expect(second.called.first()).toContainText('Lot 14');
    await page.context().setOffline(false);
    await page.reload();
    await expect(first.unsent).toHaveCount(1);
    await expect(first.unsent).toContainText('Lot 14, Basket 14');
    await expect(first.unsent).toContainText('Refused: The item is closed already.');
    await look(page, 'conflict');
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await expect(first.unsent).toHaveCount(0);
    await expect(first.called.first()).toContainText('Lot 19');
    await expect(first.lot).toHaveValue('22');
  });

  await test.step('one lot is sold without JavaScript', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false, storageState: await page.context().storageState() });
    const plain = await context.newPage();
    await plain.goto(`/auctions/${auction}/clerk`);
    await plain.getByLabel('Lot', { exact: true }).fill('22');
    await plain.getByLabel('Number', { exact: true }).fill('10');
    await plain.getByLabel('Price', { exact: true }).fill('4.05');
    await plain.getByLabel('Price', { exact: true }).press('Enter');
    await expect(plain.getByRole('status').filter({ hasText: 'Sold to' })).toContainText('Bidder 10 (10)');
    await expect(first.called.first()).toContainText('Lot 22');
    await context.close();
  });

  await test.step('the rest is sold, and the totals add up to the cent', async () => {
    await first.lot.fill('23');
    for (let lot = 23; lot <= LOTS; lot += 1) {
      await first.sell(undefined, (lot % NUMBERS) + 2, `1.${lot}`);
    }
    await expect(first.unsent).toHaveCount(0);
    await expect(page.locator('.clerk-total')).toContainText(`${LOTS} of ${LOTS} lots`);
    const { outcomes } = await api<{ outcomes: Outcome[] }>(page.request, 'GET', `${path}/outcomes?limit=100`);
    // A correction comes after what it corrects.
    const inForce = new Map(outcomes.map((outcome) => [outcome.itemId, outcome]));
    const sold = [...inForce.values()].filter(({ bid }) => bid);
    expect(sold).toHaveLength(LOTS - 1);
    const total = sold.reduce((sum, { bid }) => sum + Number(bid!.normalizedAmount), 0);
    const expected = 300 + 250 + 350 + 450 + 550 + 650 + 10_000 + 50 + 900 + 100 + 110 + 200 + 7 * 225 + 300 + 405
      + Array.from({ length: LOTS - 22 }, (_, at) => 100 + 23 + at).reduce((sum, price) => sum + price, 0);
    expect(total).toBe(expected);
    const euros = Math.floor(total / 100);
    await expect(page.locator('.clerk-total')).toContainText(`${euros} Euros`);
    await expect(page.locator('.clerk-total')).toContainText(`${total % 100} Cents`);
    const { holders } = await api<{ holders: Holder[] }>(page.request, 'GET', `/api/books/${book}/holders`);
    const bidders = holders.filter(({ role }) => role === 'HOLDER');
    const spent = bidders.reduce((sum, { balance }) => sum + BALANCE - Number(balance), 0);
    expect(spent, 'what the holders have paid').toBe(total);
  });
});

async function signInByCard(page: Page, code: string, { number, pin }: Card): Promise<void> {
  await page.goto(`/go#${code}.${number}.${pin}`);
  await expect(page.getByLabel('PIN')).toHaveValue(pin);
  await page.getByRole('main').getByRole('button').first().click();
  await expect(page).not.toHaveURL(/\/go/);
}
