import { bid, itemOfOther, other } from '../fixtures/notifications.ts';
import { register } from '../fixtures/people.ts';
import { expect, test } from '../fixtures/test.ts';

test('the bell counts what happens while a page is open', async ({ page }) => {
  await register(page.request, 'Padma');
  await page.goto('/auctions');
  const { path } = await itemOfOther(page);
  const cho = await other(page, 'Cho');
  await bid(page.request, path, 1);
  await page.goto('/auctions/new');
  const bell = page.getByRole('banner').getByRole('link', { name: /^Notifications/ });
  await expect(bell).toHaveAccessibleName('Notifications');
  await bid(cho, path, 2);
  await expect(bell).toHaveAccessibleName('Notifications, 1 unread');
  await bid(page.request, path, 3);
  await bid(cho, path, 4);
  await expect(bell).toHaveText('2');

  await bell.click();
  const entries = page.locator('.notification');
  await expect(entries).toHaveCount(1);
  await expect(entries.first()).toContainText('1 earlier');
  await expect(entries.first()).toContainText('Another bid was higher than yours: ');
  await page.getByRole('button', { name: 'Mark all as read' }).click();
  await expect(bell).toHaveAccessibleName('Notifications');
  await entries.first().getByRole('link', { name: 'A broom', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('A broom');
});
