import { registerByForm, registerHere, unregistered } from '../fixtures/people.ts';
import { expect, test } from '../fixtures/test.ts';

test('an owner passes on the link, with which a newcomer registers, joins and bids', async ({
  page,
  browser,
  baseURL,
  javaScriptEnabled,
  pageConsole,
}) => {
  await registerByForm(page, 'Luna');
  await page.goto('/auctions/new');
  await page.getByLabel('Name', { exact: true }).fill('School fair');
  await expect(page.getByLabel('Anyone with the link')).toBeChecked();
  await page.getByRole('button', { name: 'Create auction' }).click();
  await expect(page.getByRole('heading', { name: 'Next steps' })).toBeVisible();
  await page.getByRole('link', { name: 'Show the QR code' }).click();
  await expect(page.getByRole('img', { name: 'QR code of the link to join' })).toBeVisible();
  const link = await page.getByLabel('Link to join', { exact: true }).inputValue();
  expect(link).toMatch(new RegExp(`^${baseURL}/join/[0-9a-f]{64}$`));

  const auction = new URL(page.url()).pathname.replace('/members', '');
  const item = { name: 'A cake', currencyCode: 'EUR', isPublished: true };
  expect((await page.request.post(`/api${auction}/items`, { data: item })).status()).toBe(201);

  const context = await browser.newContext({ ...(baseURL && { baseURL }), javaScriptEnabled });
  pageConsole.watch(context);
  const newcomer = await context.newPage();
  await newcomer.goto(link);
  await expect(newcomer.getByRole('heading', { name: 'School fair' })).toBeVisible();
  await newcomer.getByRole('main').getByRole('link', { name: 'Register' }).click();
  await registerHere(newcomer, unregistered('Ginny'));
  await expect(newcomer).toHaveURL(link);
  await newcomer.getByRole('button', { name: 'Join this auction' }).click();
  await newcomer.getByRole('link', { name: 'A cake' }).click();
  const bid = newcomer.getByRole('form', { name: 'Place a bid' });
  await bid.getByRole('textbox', { name: 'Amount' }).fill('5');
  await bid.getByRole('button', { name: 'Place bid' }).click();
  await expect(newcomer.getByRole('main')).toContainText('You');
  await context.close();

  await page.reload();
  await expect(page.getByRole('listitem').filter({ hasText: 'Ginny' })).toContainText('Bidder');
});
