import type { Locator } from '@playwright/test';

import { BidForm } from '../fixtures/bid_form.ts';
import { openGalleonsItem } from '../fixtures/demo.ts';
import { register } from '../fixtures/people.ts';
import { addPictures, itemOfMine } from '../fixtures/pictures.ts';
import { expect, test } from '../fixtures/test.ts';

const PHONE = { width: 390, height: 844 };
/** The fonts of a phone's fields: below this size it zooms the page at a touch. */
const READABLE = 16;

const size = (element: Locator) => element.evaluate((one) => Number.parseFloat(getComputedStyle(one).fontSize));
const box = async (element: Locator) => (await element.boundingBox())!;

test('the filters of a list leave the list in sight, and have a way back', async ({ page }) => {
  await page.setViewportSize(PHONE);
  await register(page.request, 'Luna');
  const item = await itemOfMine(page.request);
  await page.goto(item.replace(/\/items\/.*/, ''));
  await page.getByRole('button', { name: 'Filter' }).click();
  const done = page.getByRole('button', { name: 'Done' });
  await expect(done).toBeVisible();
  expect((await box(page.locator('#filters'))).height).toBeLessThan(PHONE.height / 2);
  await done.click();
  await expect(done).toBeHidden();
});

test('a large phone shows whose account it is', async ({ page }) => {
  await page.setViewportSize({ width: 430, height: 932 });
  await register(page.request, 'Luna');
  await page.goto('/auctions');
  expect((await box(page.locator('.viewer'))).width).toBeGreaterThan(20);
});

test('the long name of an auction is one line above the name of its lot', async ({ page }) => {
  await page.setViewportSize(PHONE);
  await register(page.request, 'Luna');
  const item = await itemOfMine(page.request);
  const name = 'The autumn sale of the village club for antiques, radios and other things of the attic';
  await page.request.patch(`/api${item.replace(/\/items\/.*/, '')}`, { data: { name } });
  await page.goto(item);
  const link = await box(page.getByRole('main').getByRole('link', { name }));
  const heading = await box(page.getByRole('heading', { level: 1 }));
  expect(link.height).toBeLessThan(50);
  // The target of the link may reach into the space around its line, not its text.
  expect(link.y + link.height - 10).toBeLessThanOrEqual(heading.y + 1);
});

test('the price is the largest thing of the panel, before and after a bid', async ({ page, another }) => {
  await page.setViewportSize(PHONE);
  await register(page.request, 'Luna');
  const item = await itemOfMine(page.request);
  const { page: bidder } = await another('Rolf');
  await bidder.setViewportSize(PHONE);
  for (const [amount, label] of [['12', 'No price yet'], ['15', 'Highest bid']] as const) {
    await bidder.goto(item);
    const words = await bidder.locator('.bid-bar-price').evaluate((bar) => getComputedStyle(bar, '::before').content);
    expect(words, 'what the price of the bar is').toContain(label);
    const form = new BidForm(bidder);
    const price = await size(bidder.locator('.highest-amount').first());
    for (const other of await bidder.locator('.bid-panel :is(p, time, label, button)').all()) {
      expect(await size(other), await other.innerText()).toBeLessThanOrEqual(price);
    }
    await form.field('Amount').fill(amount);
    await form.placeBid.click();
    await expect(form.bids.first()).toContainText('You');
    if (amount === '12') {
      // The leader would have to confirm a raise, so another user bids.
      await bidder.request.post('/api/auth/logout');
      await register(bidder.request, 'Rita');
    }
  }
});

test('a name that can’t be copied is marked, and the button says which keys copy it', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'clipboard', { value: { writeText: () => Promise.reject(new Error('not allowed')) } });
  });
  await register(page.request, 'Luna');
  const auction = (await itemOfMine(page.request)).replace(/\/items\/.*/, '');
  await page.request.patch(`/api${auction}`, { data: { joinMode: 'LINK' } });
  await page.goto(`${auction}/share`);
  await page.getByRole('button', { name: /^Copy/ }).first().click();
  await expect(page.getByRole('button', { name: 'Press Ctrl+C' })).toBeVisible();
  expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).value)).toContain('/join/');
});

test('tabs show the current one, and a search does not zoom', async ({ page }) => {
  await page.setViewportSize(PHONE);
  await register(page.request, 'Luna');
  const auction = (await itemOfMine(page.request)).replace(/\/items\/.*/, '');
  await page.goto(`${auction}/settings`);
  await expect(page.getByRole('navigation', { name: 'Auction' }).getByRole('link', { name: 'Settings' })).toBeInViewport({ ratio: 1 });
  await page.goto(auction);
  expect(await size(page.getByRole('searchbox').first())).toBeGreaterThanOrEqual(READABLE);
  await page.goto(`${auction}/currencies`);
  const fixed = await page.locator('.bid-actions').evaluateAll((all) => all.filter((one) => getComputedStyle(one).position === 'fixed').length);
  expect(fixed, 'the bar of an item lies over no other page').toBe(0);
});

test('the entries of the account menu stand on one line', async ({ page }) => {
  await register(page.request, 'Luna');
  await page.goto('/auctions');
  await page.locator('.account-menu summary').click();
  const left = await page.locator('.account-menu-entries :is(a, button)').evaluateAll((all) =>
    all.map((one) => {
      const range = document.createRange();
      range.selectNodeContents(one);
      return Math.round(range.getBoundingClientRect().left);
    }),
  );
  expect(left.length).toBeGreaterThan(3);
  expect(new Set(left).size, String(left)).toBe(1);
});

test('a link leads past the pictures to the bid', async ({ page, another }) => {
  await register(page.request, 'Luna');
  const item = await itemOfMine(page.request);
  await addPictures(page.request, item, 2);
  const { page: bidder } = await another('Rolf');
  await bidder.goto(item);
  const link = bidder.getByRole('link', { name: 'To the bid' });
  await link.focus();
  await bidder.keyboard.press('Enter');
  await expect(new BidForm(bidder).field('Amount')).toBeFocused();
});

test('a link leads past menu, tabs and search to the lots', async ({ page }) => {
  await register(page.request, 'Luna');
  const item = await itemOfMine(page.request);
  await page.goto(item.replace(/\/items\/.*/, ''));
  const link = page.getByRole('link', { name: 'To the lots' });
  await link.focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#items$/);
  const lot = page.locator(`main a[href^="${item}"]`).first();
  for (let tabs = 1; tabs <= 8; tabs += 1) {
    await page.keyboard.press('Tab');
    if (await lot.evaluate((one) => one === document.activeElement)) return;
  }
  await expect(lot, 'after eight tabs').toBeFocused();
});

test('field and verdict of coins are in sight above the keyboard of a phone', async ({ page }) => {
  await register(page.request, 'Luna');
  await page.setViewportSize({ width: 390, height: 508 });
  const bid = await openGalleonsItem(page);
  await expect(bid.form).toHaveClass(/hydrated/);
  for (const field of await bid.form.locator('.bid-field input:visible').all()) {
    await field.click();
    await field.fill('1');
    const [first, last] = [bid.violations.first(), bid.violations.last()];
    for (const part of [field, first, last]) await expect(part).toBeInViewport({ ratio: 1 });
    const [typed, begins] = [await box(field), await box(first)];
    const [ends, bar] = [await box(last), await box(bid.form.locator('.bid-actions'))];
    expect(typed.y + typed.height).toBeLessThanOrEqual(begins.y);
    expect(ends.y + ends.height).toBeLessThanOrEqual(bar.y);
  }
});
