import { created, test } from '../fixtures/journey.ts';
import { register } from '../fixtures/people.ts';
import { picture } from '../fixtures/pictures.ts';
import { expect } from '../fixtures/test.ts';

test('pictures find the lots of an auction by number and name, which is shown first', async ({ page, look, pageConsole }) => {
  pageConsole.allow(/ERR_FAILED/);
  await register(page.request, 'Seamus');
  const { id } = await created(page.request, '/api/auctions', { name: 'Club sale', currencyCode: 'EUR', joinMode: 'FREE' });
  const items: string[] = [];
  for (const name of ['Lot of tools 1', 'Radio', 'Twins', 'Twins']) {
    items.push((await created(page.request, `/api/auctions/${id}/items`, { name, currencyCode: 'EUR' })).id);
  }
  const pictures = async (at: number) => {
    const item = await (await page.request.get(`/api/auctions/${id}/items/${items[at]}`)).json();
    return item.images.length;
  };
  const file = (name: string) => ({ name, mimeType: 'image/png', buffer: picture(320, 240, 60) });
  await page.goto(`/auctions/${id}/items/add`);
  const found = page.getByRole('region', { name: 'Pictures for lots that are there' });
  const field = page.getByLabel('Pictures', { exact: true });

  await test.step('nothing is sent before it was seen', async () => {
    await field.setInputFiles(['lot_of_tools 1.png', '002.png', '2_back.png', 'Lot 4.png', 'Twins.png', 'Kite.png'].map(file));
    await expect(found).toContainText('4 pictures for lots of this auction, 2 pictures for new lots:');
    await expect(found.getByRole('listitem')).toHaveText([
      'Lot 1, Lot of tools 1: lot_of_tools 1.png', 'Lot 2, Radio: 002.png, 2_back.png', 'Lot 4, Twins: Lot 4.png',
    ]);
    await look(page, 'found');
    await page.setViewportSize({ width: 390, height: 844 });
    await look(page, 'found-phone');
    await page.setViewportSize({ width: 1280, height: 720 });
    expect(await pictures(0)).toBe(0);
  });

  await test.step('the page is not left before the question is answered, and files that follow wait', async () => {
    await field.setInputFiles([file('Later.png')]);
    await page.getByRole('button', { name: 'Save lots' }).click();
    await expect(found.getByRole('button', { name: 'Add the pictures' })).toBeFocused();
    await expect(found).toContainText('4 pictures for lots of this auction');
  });

  await test.step('each goes to its lot, and the others make new ones', async () => {
    await found.getByRole('button', { name: 'Add the pictures' }).click();
    await expect(page.locator('.lots-sent')).toHaveText('7 of 7 pictures sent');
    expect([await pictures(0), await pictures(1), await pictures(2), await pictures(3)]).toEqual([1, 2, 0, 1]);
    await expect(page.getByLabel('Name of lot 1', { exact: true })).toHaveValue('Twins');
    await expect(page.getByLabel('Name of lot 2', { exact: true })).toHaveValue('Kite');
    await expect(page.getByRole('group', { name: 'Lot 2', exact: true })).toContainText('Saved: lot 6');
    await expect(page.getByLabel('Name of lot 3', { exact: true })).toHaveValue('Later');
  });

  await test.step('or all make new lots', async () => {
    await field.setInputFiles([file('Radio.png')]);
    await found.getByRole('button', { name: 'Make new lots of all' }).click();
    await expect(page.getByRole('group', { name: 'Lot 4', exact: true })).toContainText('Saved: lot 8');
    await expect(found).toBeHidden();
    expect(await pictures(1)).toBe(2);
  });

  await test.step('none is taken while the lots can’t be read, and the page is left once all is saved', async () => {
    await page.route(/\/api\/auctions\/[^/]+\/items\?/, (route) => route.abort());
    await field.setInputFiles([file('Clock.png')]);
    await expect(found).toHaveText('1 picture is not added: the lots of this auction can’t be read. Choose them again.');
    await page.getByRole('button', { name: 'Save lots' }).click();
    await expect(page).toHaveURL(new RegExp(`/auctions/${id}$`));
  });
});
