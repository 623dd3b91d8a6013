import { auctionOfMine, makeCurrency } from '../fixtures/currencies.ts';
import { register } from '../fixtures/people.ts';
import { picture } from '../fixtures/pictures.ts';
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

const png = (name: string, shade: number) => ({ name, mimeType: 'image/png', buffer: picture(300, 200, shade) });

test('an item is created with its pictures', async ({ page, pageConsole }) => {
  pageConsole.allow(/status of 422/);
  await register(page.request, 'Winky');
  const auction = await auctionOfMine(page.request);
  await page.goto(`${auction}/items/new`);
  await page.getByLabel('Pictures').setInputFiles([png('front.png', 0), png('back.png', 200)]);
  await page.getByRole('button', { name: 'Create item' }).click();
  await expect(page.getByLabel('Pictures')).toHaveAccessibleDescription(/Choose the pictures again/);
  await page.getByLabel('Name').fill('A butterbeer cork');
  await page.getByLabel('Pictures').setInputFiles([png('front.png', 0), png('back.png', 200)]);
  await page.getByRole('button', { name: 'Create item' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'A butterbeer cork' })).toBeVisible();
  const gallery = page.getByRole('region', { name: 'Pictures' });
  await expect(gallery.getByRole('list', { name: 'Pictures, in a row' }).getByRole('img')).toHaveCount(2);
});

test('a refused picture is named, and the item stays', async ({ page, pageConsole }) => {
  pageConsole.allow(/status of 415/);
  await register(page.request, 'Hokey');
  const auction = await auctionOfMine(page.request);
  await page.goto(`${auction}/items/new`);
  await page.getByLabel('Name').fill('A locket');
  const drawing = { name: 'drawing.png', mimeType: 'image/png', buffer: Buffer.from('<svg/>') };
  await page.getByLabel('Pictures').setInputFiles([png('front.png', 0), drawing]);
  await page.getByRole('button', { name: 'Create and add another' }).click();
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('The item was created, but a picture was not added.');
  await expect(alert.getByRole('link', { name: 'drawing.png: Choose a JPEG, PNG or WebP picture.' })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Pictures' })).toBeVisible();
  await expect(page.locator('.pictures').getByRole('listitem')).toHaveCount(1);
  await alert.getByRole('link', { name: 'Add another item' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'New item' })).toBeVisible();
});
