import { addPictures, itemOfMine } from '../fixtures/pictures.ts';
import { register } from '../fixtures/people.ts';
import { expect, test } from '../fixtures/test.ts';
import { linkToken } from '../fixtures/visits.ts';

test('an organizer passes the way in on, and prints a poster, a catalogue, bid sheets and labels', async ({
  page,
  another,
  baseURL,
  javaScriptEnabled,
  context,
}) => {
  await register(page.request, 'Pomona');
  const item = await itemOfMine(page.request);
  await addPictures(page.request, item, 1);
  const auction = item.replace(/\/items\/.*/, '');
  await page.request.patch(`/api${auction}`, { data: { description: '* Cakes\n* Games' } });
  await page.goto(auction);
  await page.getByRole('navigation', { name: 'Auction' }).getByRole('link', { name: 'Share' }).click();
  const link = page.getByLabel('Link', { exact: true });
  await expect(link).toHaveValue(`${baseURL}${auction}`);
  const token = await linkToken(page, auction);
  await page.reload();
  await expect(link).toHaveValue(`${baseURL}/join/${token}`);
  await expect(page.getByRole('img', { name: 'QR code of the link' })).toBeVisible();
  const copy = page.getByRole('button', { name: 'Copy the link' });
  if (javaScriptEnabled) {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await copy.click();
    await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${baseURL}/join/${token}`);
  } else {
    await expect(copy).toBeHidden();
  }

  await page.getByRole('link', { name: /^Poster/ }).click();
  await expect(page.getByRole('article').getByRole('heading', { name: 'Attic finds' })).toBeVisible();
  await expect(page.getByRole('img', { name: 'QR code of the way in' })).toBeVisible();
  const points = page.getByRole('article').getByRole('list').filter({ hasText: 'Cakes' });
  await expect(points, 'marks beside the centred words').toHaveCSS('list-style-position', 'inside');
  const prints = [
    ['Catalogue', 'QR code of the auction'],
    ['Bid sheets', 'QR code of lot 1'],
    ['Labels', 'QR code of lot 1'],
  ] as const;
  for (const [print, code] of prints) {
    await page.getByRole('link', { name: print }).click();
    await expect(page.getByRole('main')).toContainText('A music box');
    await expect(page.getByRole('img', { name: code })).toBeVisible();
  }
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('banner')).toBeHidden();
  await expect(page.getByRole('navigation', { name: 'Prints' })).toBeHidden();

  const newcomer = (await another('Neville')).page;
  await newcomer.goto(`/join/${token}?item=${item.split('/').at(-1)}`);
  await expect(newcomer.locator('.invitation-pictures img')).toHaveCount(1);
  await newcomer.getByRole('button', { name: 'Join this auction' }).click();
  await expect(newcomer).toHaveURL(new RegExp(`${item}$`));
  await newcomer.goto(`/join/${token}?item=${item.split('/').at(-1)}`);
  await expect(newcomer, 'a member is led to the lot at once').toHaveURL(new RegExp(`${item}$`));
});
