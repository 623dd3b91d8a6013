import { ClerkDesk, api } from '../fixtures/clerk.ts';
import { groupInHall } from '../fixtures/hall.ts';
import { test } from '../fixtures/journey.ts';
import { register } from '../fixtures/people.ts';
import { expect } from '../fixtures/test.ts';

test('the desk asks once about a price that is far from the estimate', async ({ page, look }) => {
  await register(page.request, 'Horace');
  const { auction, items } = await groupInHall(page.request, 2);
  await api(page.request, 'PATCH', `/api/auctions/${auction}/items/${items[0]}`, { estimate: '20–30' });
  await page.goto(`/auctions/${auction}/clerk`);
  const desk = new ClerkDesk(page);
  const said = page.locator('#clerk-said');
  await expect(page.locator('.clerk-form.hydrated')).toBeVisible();
  await desk.type(undefined, 2, '300');
  await expect(desk.answer('price')).toHaveText('300 Points. The estimate is 20–30. Enter sells.');
  await page.keyboard.press('Enter');
  await expect(said).toContainText('Once more sells.');
  await look(page, 'asked');
  await expect(desk.called).toHaveCount(0);

  // Another price is judged anew, and one that is not far is sold at once.
  await desk.price.fill('3000');
  await expect(said).toHaveText('');
  await page.keyboard.press('Enter');
  await expect(said).toContainText('Once more sells.');
  await expect(desk.called).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(desk.called.first()).toContainText('for 3000 Points');
  await desk.type(undefined, 3, '5');
  await page.keyboard.press('Enter');
  await expect(desk.called.first()).toContainText('Lot 2');
});
