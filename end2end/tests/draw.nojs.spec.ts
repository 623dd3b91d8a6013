import { expect, test } from '../fixtures/test.ts';

test('a draw is repeated without JavaScript', async ({ page }) => {
  await page.goto('/draw');
  await page.getByLabel('Seed').fill('0f'.repeat(32));
  await page.getByLabel('Item').fill('lot');
  await page.getByLabel('Tickets').fill('Ada 3\nBo 5');
  await page.getByLabel('Copies').fill('2');
  await page.getByRole('button', { name: 'Draw' }).click();
  const rows = page.getByRole('status', { name: 'Winners' }).getByRole('row');
  await expect(rows).toHaveCount(3);
  await expect(rows.filter({ hasText: 'Ada' })).toHaveCount(1);
  await expect(page.getByLabel('Tickets')).toHaveValue('Ada 3\nBo 5');
});
