import { auctionOfMine, makeCurrency } from '../fixtures/currencies.ts';
import { register } from '../fixtures/people.ts';
import { expect, test } from '../fixtures/test.ts';

test('an item is created, and the form for another follows', async ({ page }) => {
  await register(page.request, 'Dobby');
  const auction = await auctionOfMine(page.request);
  await makeCurrency(page, auction, /Pounds/);
  await page.goto(`${auction}/items/new`);
  await page.getByLabel('Name').fill('A sock');
  await page.getByRole('button', { name: 'Create and add another' }).click();
  await expect(page.getByRole('status')).toContainText('The item was created.');
  await expect(page.getByLabel('Name')).toHaveValue('');
  await page.getByRole('link', { name: 'Show it' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'A sock' })).toBeVisible();
});
