import type { Page } from '@playwright/test';

import { BidForm } from '../../fixtures/bid_form.ts';
import { created, test } from '../../fixtures/journey.ts';
import { registerByForm } from '../../fixtures/people.ts';
import { expect } from '../../fixtures/test.ts';

/** Files as spreadsheets write them: with another separator, and columns in another order. */
const PEOPLE = 'Name;Number;PIN\nTank;2;246810\nHealer;3;135791\nMage;4;112233\n';
const POINTS = 'Reason;Number;Amount\nLast raid;2;50\nLast raid;3;20\nLast raid;4;7,5\n';

test('a guild imports its raiders and their points from files, and nobody bids more than they have', async ({
  page,
  stranger,
  look,
  javaScriptEnabled,
  pageConsole,
}) => {
  // The page of a refused form has the status of the refusal.
  pageConsole.allow(/status of 422/);
  const main = page.getByRole('main');
  await registerByForm(page, 'Grom');

  const code = await test.step('raiders from a file', async () => {
    await page.goto('/groups/new');
    await page.getByLabel('Name', { exact: true }).fill('Raiders');
    await page.getByRole('button', { name: 'Create group' }).click();
    await main.getByRole('link', { name: 'Import' }).first().click();
    await page.getByLabel('Or a file').setInputFiles({ name: 'raiders.csv', mimeType: 'text/csv', buffer: Buffer.from(PEOPLE) });
    await page.getByRole('button', { name: 'Preview' }).click();
    await expect(page.getByRole('region', { name: 'Preview' })).toContainText('Healer');
    await look(page, 'people-preview');
    await page.getByRole('button', { name: 'Import and show the cards' }).click();
    await expect(main.locator('.group-card')).toHaveCount(3);
    await look(page, 'cards');
    page.once('dialog', (asked) => asked.accept());
    return (await main.locator('.group-card dd').nth(1).textContent())!.trim();
  });

  const book = await test.step('their points from another one, by their numbers', async () => {
    await page.goto('/books/new');
    await page.getByLabel('Name', { exact: true }).fill('Raid points');
    await page.getByLabel('Unit name').fill('Point');
    await page.getByLabel('Several of them').fill('Points');
    await page.getByRole('button', { name: 'Create balances' }).click();
    await main.getByRole('link', { name: 'Import' }).click();
    await page.getByLabel('People are named by').selectOption('Their number in Raiders');
    await page.getByLabel('Or a file').setInputFiles({ name: 'points.csv', mimeType: 'text/csv', buffer: Buffer.from(POINTS) });
    await page.getByRole('button', { name: 'Preview' }).click();
    const preview = page.getByRole('region', { name: 'Preview' });
    await expect(preview).toContainText(/Healer\s*Number 3/);
    await expect(page.getByRole('status')).toContainText('3 rows, 77.5 Points in all. Nothing is written yet.');
    await look(page, 'points-preview');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await expect(page.getByRole('status')).toHaveText('All rows are imported.');
    await look(page, 'balances');
    return new URL(page.url()).pathname;
  });

  const auction = await test.step('an auction for the points, and for the raiders', async () => {
    const terms = { name: 'Tuesday raid', bookId: book.split('/').at(-1) };
    const { id } = await created(page.request, '/api/auctions', terms);
    await created(page.request, `/api/auctions/${id}/currencies`, {
      code: 'POINT', name: 'Point', plural: 'Points', rateToBase: 1, inputMode: 'SCALAR',
    });
    await created(page.request, `/api/auctions/${id}/items`, { name: 'Frost sword', isPublished: true });
    await page.goto(`/auctions/${id}/settings?subject=people`);
    await page.getByLabel('Group', { exact: true }).selectOption({ label: 'Raiders' });
    await page.getByRole('button', { name: 'Save settings' }).click();
    return `/auctions/${id}`;
  });

  async function raider(number: string, pin: string): Promise<Page> {
    const theirs = await stranger();
    await theirs.goto('/go');
    await theirs.getByLabel('Code').fill(code);
    await theirs.getByLabel('Number').fill(number);
    await theirs.getByLabel('PIN').fill(pin);
    await theirs.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await expect(theirs).not.toHaveURL(/\/go/);
    await theirs.goto(auction);
    await theirs.getByRole('link', { name: 'Frost sword' }).click();
    return theirs;
  }

  await test.step('a bid beyond the points is refused, and one within them leads', async () => {
    const healer = await raider('3', '135791');
    const form = new BidForm(healer);
    await expect(healer.getByText('Up to 20 Points on this item')).toBeVisible();
    await form.field('Amount').fill('21');
    if (!javaScriptEnabled) {
      await form.placeBid.click();
    }
    await expect(form.violations).toHaveText(/20\sPoints/);
    await look(healer, 'refused');
    await form.field('Amount').fill('5');
    await form.placeBid.click();
    await expect(form.bids.first()).toContainText('You');
    await look(healer, 'leads');
    const tank = await raider('2', '246810');
    const theirs = new BidForm(tank);
    await theirs.field('Amount').fill('6');
    await theirs.placeBid.click();
    await expect(theirs.bids.first()).toContainText('You');
  });
});
