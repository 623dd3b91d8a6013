import { auctionInHall } from '../fixtures/hall.ts';
import { register } from '../fixtures/people.ts';
import { expect, test } from '../fixtures/test.ts';

test('a lot is moved behind the last one of a page, and behind all', async ({ page }) => {
  await register(page.request, 'Minerva');
  const auction = await auctionInHall(page);
  // Lot 1 is passed, and lot 2 on the block.
  const names = Array.from({ length: 500 }, (_, at) => `Basket ${at + 4},yes\n`);
  const imported = await page.request.post(`/api/auctions/${auction}/items/import`, {
    data: `name,published\n${names.join('')}`,
    headers: { 'Content-Type': 'text/csv', 'Idempotency-Key': 'baskets' },
  });
  expect(imported.status(), await imported.text()).toBe(201);
  await page.goto(`/auctions/${auction}/clerk/order`);
  const lots = page.locator('.order-lots .results-lot');
  const lot = (number: number) => page.getByRole('radio', { name: new RegExp(`^Lot ${number}\\b`) });
  const press = async (name: string) => page.getByRole('button', { name, exact: true }).click();
  const said = page.locator('.order-said');
  await expect(lots).toHaveCount(499);

  await lot(500).check();
  await press('Down');
  await expect(said).toHaveText('Lot 500 is number 499 of 499 on this page.');
  await page.reload();
  await expect(lots.nth(497)).toHaveText('Lot 501');
  await expect(lots.last()).toHaveText('Lot 500');

  await lot(3).check();
  await press('Last');
  await expect(said).toHaveText('Lot 3 is called last.');
  await expect(lots.last()).toHaveText('Lot 502');
  await page.locator('a[rel="next"]').click();
  await expect(lots).toHaveText(['Lot 503', 'Lot 3']);
});
