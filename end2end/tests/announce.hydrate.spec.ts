import { auctionOfMine } from '../fixtures/currencies.ts';
import { register } from '../fixtures/people.ts';
import { bidBy, bidOfMine, openItem } from '../fixtures/results.ts';
import { BidForm } from '../fixtures/bid_form.ts';
import { expect, test } from '../fixtures/test.ts';

test('the viewer is told who leads, and what a typed bid comes to break', async ({ page, farthing }) => {
  await register(page.request, 'Luna');
  const item = await bidOfMine(page.request);
  await page.goto(item);
  const bid = new BidForm(page);
  await expect(bid.leastBid).toBeEnabled();
  const said = (text: string | RegExp) => page.getByRole('status').filter({ hasText: text });

  await test.step('the position', async () => {
    await expect(said('You lead')).toBeVisible();
    await bidBy(farthing.url, item.replace(/\/items.*/, ''), 'Ginny', [[item, 301, 0]]);
    await expect(said('You were outbid')).toBeVisible();
    await expect(page).toHaveTitle(/^Outbid · /);
  });

  await test.step('a broken rule once, not at each key', async () => {
    const announcement = page.locator('.bid-verdict [role=status].visually-hidden');
    await announcement.evaluate((element) => {
      const texts: string[] = ((globalThis as { texts?: string[] }).texts = []);
      new MutationObserver(() => texts.push(element.textContent ?? '')).observe(element, {
        characterData: true,
        childList: true,
        subtree: true,
      });
    });
    await bid.field('Galleon').pressSequentially('122', { delay: 20 });
    await expect(announcement).toContainText('Bid more than');
    await bid.field('Galleon').fill('123');
    await bid.field('Galleon').fill('500');
    await expect(announcement).toHaveText('You would be the highest bidder.');
    const texts = await page.evaluate(() => (globalThis as { texts?: string[] }).texts);
    expect(texts).toHaveLength(2);
    await expect(bid.normalized).toHaveAttribute('aria-live', 'off');
  });
});

test('the end says who won, on the page and in the title of the tab', async ({ page, another }) => {
  await register(page.request, 'Minerva');
  const { auction, item } = await openItem(page.request);
  const luna = (await another('Luna')).page;
  expect((await luna.request.post(`/api${auction}/join`, { data: {} })).ok()).toBe(true);
  const enteredRepresentation = [{ denomination: 'GALLEON', count: 3 }];
  expect((await luna.request.post(`/api${item}/bids`, { data: { enteredRepresentation } })).ok()).toBe(true);
  await Promise.all([luna.goto(item), page.goto(item)]);
  await expect(new BidForm(luna).leastBid).toBeEnabled();
  expect((await page.request.post(`/api${item}/close`, { data: {} })).ok()).toBe(true);
  await expect(luna.getByRole('region', { name: 'Bidding' })).toContainText('You won.');
  await expect(luna).toHaveTitle(/^You won · /);
  await expect(page.getByRole('region', { name: 'Bidding' })).toContainText(/Sold to\s*Luna/);
});

test('the arrow keys change a count by one, and the bid is judged', async ({ page }) => {
  await register(page.request, 'Padma');
  await page.goto(await bidOfMine(page.request));
  const bid = new BidForm(page);
  await expect(bid.leastBid).toBeEnabled();
  const galleons = bid.field('Galleon');
  await galleons.fill('299');
  await expect(bid.violations).toHaveCount(1);
  await galleons.press('ArrowUp');
  await galleons.press('ArrowUp');
  await expect(galleons).toHaveValue('301');
  await expect(bid.violations).toHaveCount(0);
  await galleons.press('ArrowDown');
  await expect(galleons).toHaveValue('300');
  await expect(bid.violations).toHaveCount(1);
});

test('a late bid says that it moved the end', async ({ page, farthing }) => {
  await register(page.request, 'Rolanda');
  const { auction } = await openItem(page.request);
  await page.request.patch(`/api${auction}`, { data: { itemEndMode: 'CUSTOM' } });
  const endDate = new Date(Date.now() + 600_000).toISOString();
  const late = { antiSnipeEnabled: true, antiSnipeThresholdSeconds: 900, antiSnipeExtensionSeconds: 1200 };
  const made = await page.request.post(`/api${auction}/items`, {
    data: { name: 'A snitch', isPublished: true, endDate, ...late },
  });
  expect(made.status(), await made.text()).toBe(201);
  const item = `${auction}/items/${(await made.json()).id}`;
  await page.goto(item);
  await expect(page.getByText('After a bid in the last 15 minutes')).toBeVisible();
  await expect(page.getByText(/^Extended to/)).toHaveCount(0);
  await bidBy(farthing.url, auction, 'Viktor', [[item, 3, 0]]);
  await expect(page.getByText(/^Extended to \d\d:\d\d:\d\d because of a late bid\.$/)).toBeVisible();
});

test('a menu closes by Escape and by a click elsewhere', async ({ page }) => {
  await register(page.request, 'Rubeus');
  await page.goto('/auctions');
  const menu = page.getByRole('banner').getByRole('group').filter({ hasText: 'Rubeus' });
  const account = page.getByRole('link', { name: 'Account' });
  for (const close of [() => page.keyboard.press('Escape'), () => page.getByRole('heading', { level: 1 }).click()]) {
    await menu.locator('summary').click();
    await expect(account).toBeVisible();
    await close();
    await expect(account).toBeHidden();
  }
});

test('a date and a time say how far away they are', async ({ page }) => {
  await register(page.request, 'Sybill');
  await page.goto(`${await auctionOfMine(page.request)}/settings?subject=end`);
  const end = page.getByLabel('End of the auction');
  await end.fill(new Date(Date.now() + 3 * 86_400_000 + 60_000).toISOString().slice(0, 16));
  await expect(end).toHaveAccessibleDescription(/^in 3 days/);
  await end.fill('2020-01-01T00:00');
  await expect(end).toHaveAccessibleDescription(/^\d+ years ago/);
});
