import { Effort } from '../../fixtures/effort.ts';
import { test } from '../../fixtures/journey.ts';
import { registerByForm } from '../../fixtures/people.ts';
import { expect } from '../../fixtures/test.ts';

/** What it took to come as far by the forms of book, auction, currency and item: three in three menus. */
const BY_FORMS = { clicks: 26, keys: 134, pages: 12 };
const SHARE = 0.6;

test('a teacher starts an auction with tickets by the keyboard alone', async ({ page, look }) => {
  const main = page.getByRole('main');
  await registerByForm(page, 'Olive');
  await page.goto('/auctions');
  const effort = new Effort(page);
  await effort.tabTo(main.getByRole('link', { name: 'New auction' }).first());
  await effort.press('Enter');
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
  await expect(page.getByLabel('Unit name')).toHaveCount(0);
  await expect(page.getByLabel('One is called')).toBeHidden();
  await look(page, 'new-auction');

  await effort.type('Spring fair');
  await effort.tabTo(page.getByLabel('Ordinary money'));
  await effort.press('ArrowDown');
  await expect(page.getByLabel('Tickets or points')).toBeChecked();
  await expect(page.getByLabel('Currency', { exact: true })).toBeHidden();
  await effort.tabTo(page.getByLabel('Each person starts with'));
  await effort.type('300');
  await look(page, 'new-auction-tickets');
  await effort.tabTo(page.getByLabel('Name of lot 1', { exact: true }));
  await effort.type('Chocolate cake');
  await effort.press('Tab');
  await effort.type('8');
  await effort.press('Enter');

  await expect(page.getByRole('heading', { name: 'Next steps' })).toBeVisible();
  await expect(page.getByLabel(/^Pass on this link/)).toHaveValue(/\/join\//);
  await look(page, 'next-steps');
  console.log(`by the keyboard: ${effort.keys} keys, ${effort.pages} pages`);
  expect(effort.keys).toBeLessThanOrEqual((BY_FORMS.keys + BY_FORMS.clicks) * SHARE);
  expect(effort.pages).toBeLessThanOrEqual(BY_FORMS.pages * SHARE);

  const auction = new URL(page.url()).pathname;
  const stored = await (await page.request.get(`/api${auction}`)).json();
  expect(stored).toMatchObject({ joinMode: 'LINK', itemEndMode: 'AUCTION_END', baseUnit: { name: 'Ticket' } });
  expect(stored.endDate).toMatch(/T20:00:00/);
  const book = await (await page.request.get(`/api/books/${stored.bookId}`)).json();
  expect(book).toMatchObject({ name: 'Spring fair', startingBalance: '300' });
  await page.getByRole('link', { name: 'Chocolate cake' }).click();
  await expect(main).toContainText(/8\s*Tickets/);
});

test('a mistake in an answer is shown beside it, and nothing typed is lost', async ({ page, look, pageConsole }) => {
  pageConsole.allow(/status of 422/);
  const main = page.getByRole('main');
  await registerByForm(page, 'Arthur');
  await page.goto('/auctions');
  const effort = new Effort(page);
  await effort.click(main.getByRole('link', { name: 'New auction' }).first());
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
  await effort.type('Old money');
  await effort.click(page.getByText('People I invite'));
  await effort.click(page.getByText('Coins of our own'));
  await page.getByLabel('Coins', { exact: true }).selectOption('Pounds, shillings, pence');
  await effort.click(page.getByText('When I close it'));
  await expect(page.getByLabel('End', { exact: true })).toBeHidden();
  await effort.click(page.getByLabel('Name of lot 2', { exact: true }));
  await effort.type('Shilling');
  await effort.press('Tab');
  await effort.type('a lot');
  await effort.click(page.getByRole('button', { name: 'Create auction' }));

  await expect(page.getByLabel('Minimum of lot 2', { exact: true })).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByLabel('Coins', { exact: true })).toHaveValue('shillings');
  await look(page, 'new-auction-refused');
  await page.getByLabel('Minimum of lot 2', { exact: true }).fill('£1 2s');
  await effort.click(page.getByRole('button', { name: 'Create auction' }));
  await expect(page.getByRole('heading', { level: 1, name: 'Old money' })).toBeVisible();
  expect(effort.clicks).toBeLessThanOrEqual(BY_FORMS.clicks * SHARE);
  await expect(main.locator('.catalogue')).toContainText(/1\s*Pound\s*·\s*2\s*Shillings/);
  await expect(page.getByRole('link', { name: /^Tickets, points, coins/ })).toHaveCount(0);
});
