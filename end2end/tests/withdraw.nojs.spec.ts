import { register } from '../fixtures/people.ts';
import { bidOfMine } from '../fixtures/results.ts';
import { expect, test } from '../fixtures/test.ts';

test('a mistyped bid is taken back without JavaScript', async ({ page }) => {
  await register(page.request, 'Luna');
  const item = await bidOfMine(page.request);
  await page.goto(item);
  await expect(page.getByText(/^Your bid of .* leads\. For \d+ seconds you can/)).toBeVisible();
  await page.getByRole('link', { name: 'take it back' }).click();
  await page.getByRole('combobox', { name: 'Reason' }).selectOption('The amount was mistyped');
  await page.getByRole('textbox', { name: 'Note' }).fill('A zero too many');
  await page.getByRole('button', { name: 'Withdraw bid' }).click();
  await expect(page).toHaveURL(new RegExp(`${item}$`));
  const bid = page.getByRole('list', { name: 'Bids' }).getByRole('listitem').first();
  await expect(bid).toContainText('Withdrawn by the bidder: mistyped. “A zero too many”');
  await expect(page.getByText('No bids yet')).toBeVisible();
});
