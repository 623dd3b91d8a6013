import { created, test } from '../fixtures/journey.ts';
import { register } from '../fixtures/people.ts';
import { picture } from '../fixtures/pictures.ts';
import { expect } from '../fixtures/test.ts';

test('the page of many lots says how many pictures are sent, in each row and beside the button', async ({ page, look, pageConsole }) => {
  pageConsole.allow(/status of 415/);
  await register(page.request, 'Colin');
  const { id } = await created(page.request, '/api/auctions', { name: 'Club sale', currencyCode: 'EUR', joinMode: 'FREE' });
  await page.goto(`/auctions/${id}/items/add`);
  const [first, second] = [page.getByRole('group', { name: 'Lot 1', exact: true }), page.getByRole('group', { name: 'Lot 2', exact: true })];
  const all = page.locator('.lots-sent');
  const file = (name: string, buffer = picture(320, 240, 60)) => ({ name, mimeType: 'image/png', buffer });

  // Each picture waits until it is let through.
  const waiting: (() => void)[] = [];
  await page.route('**/images', async (route) => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    await route.continue();
  });
  const letThrough = async () => {
    await expect.poll(() => waiting.length).toBeGreaterThan(0);
    waiting.shift()!();
  };

  await page.getByLabel('Pictures of lot 1', { exact: true }).and(page.locator('input')).setInputFiles([file('Radio.png'), file('Back.png')]);
  await page.getByLabel('Pictures of lot 2', { exact: true }).and(page.locator('input')).setInputFiles([file('Valve.png')]);
  await expect(first).toContainText('Saved: lot 1');
  await expect(second).toContainText('Saved: lot 2');
  await expect(all).toHaveText('0 of 3 pictures sent');
  await expect(first.locator('.lot-sent')).toHaveText('0 of 2 pictures sent');
  await expect(second.locator('.lot-sent')).toHaveText('0 of 1 picture sent');
  await expect(first.getByRole('progressbar', { name: 'Pictures of lot 1' })).toBeVisible();

  await letThrough();
  await expect(all).toHaveText('1 of 3 pictures sent');
  await expect(first.locator('.lot-sent')).toHaveText('1 of 2 pictures sent');
  await expect(first.locator('img')).toHaveCount(1);
  await look(page, 'sending');
  await page.setViewportSize({ width: 390, height: 844 });
  await look(page, 'sending-phone');
  await page.setViewportSize({ width: 1280, height: 720 });

  await letThrough();
  await expect(all).toHaveText('2 of 3 pictures sent');
  await expect(first.getByRole('progressbar')).toHaveCount(0);

  // A file that is no picture is not one that waits to be sent.
  await page.getByLabel('Pictures of lot 2', { exact: true }).and(page.locator('input')).setInputFiles([file('Notes.png', Buffer.from('notes'))]);
  await expect(all).toHaveText('2 of 4 pictures sent');
  await letThrough();
  await expect(all).toHaveText('3 of 4 pictures sent');
  await letThrough();
  await expect(second).toContainText('Notes.png:');
  await expect(all).toHaveText('3 of 3 pictures sent');
  await expect(page.getByRole('progressbar')).toHaveCount(0);
});
