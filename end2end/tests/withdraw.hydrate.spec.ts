import { register } from '../fixtures/people.ts';
import { bidOfMine } from '../fixtures/results.ts';
import { expect, test } from '../fixtures/test.ts';

test('a withdrawn bid is struck through on an open page', async ({ page }) => {
  await register(page.request, 'Luna');
  const item = await bidOfMine(page.request);
  await page.goto(item);
  const bid = page.locator('.bids-list li').first();
  await expect(bid.getByRole('link', { name: 'Withdraw' })).toBeVisible();
  await expect(page.locator('.bid-form.hydrated')).toBeVisible();
  // In another tab of the same browser.
  const withdrawn = await page.request.post(`/api${item}/bids/1/withdraw`, { data: { reason: 'MISTYPED' } });
  expect(withdrawn.status(), await withdrawn.text()).toBe(200);
  await expect(bid).toContainText('Withdrawn by the bidder: mistyped');
  await expect(bid).toHaveClass(/withdrawn/);
  await expect(bid.getByRole('link', { name: 'Withdraw' })).toHaveCount(0);
  await expect(page.getByText('No bids yet')).toBeVisible();
});
