import { auctionOfMine } from '../fixtures/currencies.ts';
import { register, signIn } from '../fixtures/people.ts';
import { addPictures, itemOfMine } from '../fixtures/pictures.ts';
import { expect, test } from '../fixtures/test.ts';

test('a button that can’t be pressed looks different from one that can', async ({ page, admin }) => {
  await signIn(page.request, admin);
  await page.goto('/account?subject=profile');
  const save = page.getByRole('main').getByRole('button', { name: 'Save profile' });
  const colour = () => save.evaluate((button) => getComputedStyle(button).backgroundColor);
  const enabled = await colour();
  await save.evaluate((button: HTMLButtonElement) => (button.disabled = true));
  await expect.poll(colour).not.toBe(enabled);
});

test('fields beside each other stand on one line', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await register(page.request, 'Filius');
  await page.goto(`${await auctionOfMine(page.request)}/settings?subject=end`);
  const fields = ['Late means the last … seconds', 'Then at least … seconds remain'];
  const boxes = await Promise.all(fields.map((name) => page.getByLabel(name, { exact: true }).boundingBox()));
  expect(boxes[0]!.x).not.toBe(boxes[1]!.x);
  expect(boxes[0]!.y).toBe(boxes[1]!.y);
});

test('a row without a picture has a frame in a list with pictures, and nothing moves when they arrive', async ({ page }) => {
  await register(page.request, 'Dedalus');
  const item = await itemOfMine(page.request);
  await addPictures(page.request, item, 1);
  const auction = item.replace(/\/items\/.*/, '');
  const data = { name: 'A hat', isPublished: true, currencyCode: 'GBP' };
  expect((await page.request.post(`/api${auction}/items`, { data })).status()).toBe(201);
  await page.goto(auction);
  const frames = page.locator('.catalogue-frame');
  await expect(frames).toHaveCount(2);
  const boxes = await frames.evaluateAll((all) => all.map((frame) => frame.getBoundingClientRect()).map(({ width, height }) => [width, height]));
  expect(boxes[0]).toEqual(boxes[1]);
  await expect(frames.last()).not.toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
});
