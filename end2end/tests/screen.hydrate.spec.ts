import { api } from '../fixtures/clerk.ts';
import { test } from '../fixtures/journey.ts';
import { register } from '../fixtures/people.ts';
import { expect } from '../fixtures/test.ts';

const DESKTOP = { width: 1280, height: 720 };
const PHONE = { width: 360, height: 740 };

test('the screen in the hall has a way in, the place in the sale and what comes next', async ({ page, stranger, look, expectAccessible }) => {
  await register(page.request, 'Minerva');
  const { id } = await api<{ id: string }>(page.request, 'POST', '/api/auctions', { name: 'Antiques club', joinMode: 'LINK', currencyCode: 'EUR' });
  const path = `/api/auctions/${id}`;
  const items: string[] = [];
  for (const name of ['Carved oak mantel clock', 'Box of tools', 'Green glass vase', 'A lamp', 'Two chairs']) {
    const item = { name, estimate: '40 to 60 €', currencyCode: 'EUR', isPublished: true };
    items.push((await api<{ id: string }>(page.request, 'POST', `${path}/items`, item)).id);
  }
  const { screenToken } = await api<{ screenToken: string }>(page.request, 'POST', `${path}/screen`);
  const hall = await stranger();
  await hall.setViewportSize(DESKTOP);
  await hall.goto(`/screen/${screenToken}`);
  const [heading, place] = [hall.getByRole('heading', { level: 1 }), hall.locator('#screen-place')];
  const code = hall.getByRole('img', { name: 'QR code of the way in' });
  await expect(heading).toHaveText('We begin shortly');
  await expect(place).toHaveText('5 lots');
  await look(hall, 'before');

  await test.step('a lot is on the block', async () => {
    await api(page.request, 'PUT', `${path}/block`, { itemId: items[0] });
    await expect(heading).toHaveText('Lot 1 Carved oak mantel clock');
    await expect(place).toHaveText('1 of 5 lots');
    await expect(hall.locator('#screen-next li')).toHaveCount(3);
    await look(hall, 'block');
  });

  await test.step('a passed lot gives way to what comes next', async () => {
    const passed = await page.request.post(`${path}/items/${items[0]}/hammer`, {
      data: { result: 'PASSED' }, headers: { 'Idempotency-Key': 'passed' },
    });
    expect(passed.ok()).toBe(true);
    await expect(heading).toHaveText('Next: lot 2 Box of tools');
    await expect(hall.locator('.screen-passed')).toHaveText('Lot 1 Carved oak mantel clock Not sold');
    await look(hall, 'passed');
  });

  await test.step('the code is large enough for a telephone in the hall, and a new link replaces it', async () => {
    const size = await code.boundingBox();
    expect(size!.height).toBeGreaterThanOrEqual(DESKTOP.height * 0.18);
    const drawn = () => code.locator('path').getAttribute('d');
    const before = await drawn();
    const renewed = await page.request.post(`/auctions/${id}/members/link`, { form: {} });
    expect(renewed.ok()).toBe(true);
    await expect.poll(drawn).not.toBe(before);
  });

  await test.step('on a phone it is scrolled by keys', async () => {
    await hall.setViewportSize(PHONE);
    await expectAccessible(hall);
    await hall.keyboard.press('Tab');
    await expect(hall.getByRole('region', { name: 'Screen' })).toBeFocused();
    const inside = await hall.locator('.screen').evaluate((screen) => screen.scrollWidth <= screen.clientWidth);
    expect(inside, 'nothing is cut off at the side').toBe(true);
    await look(hall, 'phone');
  });
});
