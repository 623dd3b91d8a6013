import { type Page } from '@playwright/test';

import { makeGroup } from '../../fixtures/groups.ts';
import { created, test } from '../../fixtures/journey.ts';
import { register } from '../../fixtures/people.ts';
import { expect } from '../../fixtures/test.ts';

const WIZARDING = {
  code: 'WIZ',
  name: 'Wizarding money',
  rateToBase: 1,
  inputMode: 'DENOMINATION',
  denominations: [
    { code: 'GALLEON', name: 'Galleon', plural: 'Galleons', factor: 493 },
    { code: 'SICKLE', name: 'Sickle', plural: 'Sickles', factor: 29 },
    { code: 'KNUT', name: 'Knut', plural: 'Knuts', factor: 1 },
  ],
};

/** Lot, number, and price in Galleons, Sickles and Knuts. */
const SALES: [string, number, [number, number, number]][] = [
  ['A brass lamp', 2, [3, 2, 1]],
  ['A chipped teapot', 3, [0, 4, 0]],
  ['A box of buttons', 2, [0, 0, 9]],
  ['An owl of felt', 4, [1, 0, 0]],
  ['A broken clock', 2, [1, 16, 28]],
];

/** A hall whose lots are sold to the numbers 2, 3 and 4. Returns the path of its results. */
async function soldInHall(page: Page): Promise<string> {
  await register(page.request, 'Minnie');
  const { id: groupId } = await makeGroup(page.request, ['Ada', 'Bob', 'Cyd', 'Dot']);
  const terms = { name: 'Sale in the hall', groupId, baseUnit: { name: 'Knut', plural: 'Knuts', symbol: '' } };
  const { id } = await created(page.request, '/api/auctions', terms);
  await created(page.request, `/api/auctions/${id}/currencies`, WIZARDING);
  for (const [name, number, counts] of SALES) {
    const item = await created(page.request, `/api/auctions/${id}/items`, { name, isPublished: true });
    const enteredRepresentation = WIZARDING.denominations.map(({ code }, at) => ({ denomination: code, count: counts[at] }));
    const hammered = await page.request.post(`/api/auctions/${id}/items/${item.id}/hammer`, {
      data: { result: 'SOLD', for: { number }, enteredRepresentation },
      headers: { 'Idempotency-Key': name.replaceAll(' ', '-') },
    });
    expect(hammered.ok(), await hammered.text()).toBe(true);
  }
  return `/auctions/${id}/results`;
}

test('a cashier settles three numbers in a row by the keyboard', async ({ page, look, pageConsole, javaScriptEnabled }) => {
  // The page of a refused form has the status of the refusal.
  pageConsole.allow(/status of 412/);
  const results = await soldInHall(page);
  await page.goto(results);
  const field = page.getByLabel('Number', { exact: true });
  const said = page.locator('#checkout-said');
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await page.evaluate(() => document.body.setAttribute('data-same', ''));

  await test.step('a number that nobody has, and one that has won nothing', async () => {
    await expect(field).toBeFocused();
    await page.keyboard.type('99');
    await press('Enter');
    await expect(said).toHaveText('Nobody in this auction has the number 99.');
    await expect(field).toHaveAttribute('aria-invalid', 'true');
    await look(page, 'unknown');
    await expect(field).toBeFocused();
    await press('Control+A');
    await page.keyboard.type('5');
    await press('Enter');
    await expect(said).toHaveText('Dot (5) has won nothing.');
    await expect(field).not.toHaveAttribute('aria-invalid');
  });

  for (const [number, name, total] of [
    ['2', 'Ada (2)', /5\sGalleons\s·\s2\sSickles\s·\s9\sKnuts\s+2.?532/],
    ['3', 'Bob (3)', /4\sSickles\s+116/],
    ['4', 'Cyd (4)', /1\sGalleon\s+493/],
  ] as const) {
    await test.step(`number ${number}`, async () => {
      await expect(field).toBeFocused();
      await page.keyboard.type(number);
      await press('Enter');
      const sale = page.getByRole('region', { name });
      await expect(sale.locator('.checkout-sums')).toContainText(total);
      await expect(sale.locator('.checkout-sums')).toContainText('To pay, to collect');
      if (number === '2') await look(page, 'to-pay');
      await press('Tab', 'Tab');
      await expect(page.getByRole('button', { name: 'Mark all paid and collected' })).toBeFocused();
      await press('Enter');
      await expect(sale).toContainText('Everything is settled.');
      await expect(page).toHaveURL(`${results}?number=${number}`);
    });
  }
  await look(page, 'settled');
  const isSame = await page.evaluate(() => document.body.hasAttribute('data-same'));
  expect(isSame, 'the page was not left').toBe(Boolean(javaScriptEnabled));

  await test.step('what another cashier marks is seen, or what was seen is refused', async () => {
    const other = await page.context().newPage();
    await other.goto(`${results}?number=4`);
    const undo = (cashier: Page) => cashier.getByRole('button', { name: 'Undo “Paid” of An owl of felt' });
    await expect(undo(page)).toBeVisible();
    await undo(other).click();
    await expect(other.getByRole('button', { name: 'Mark paid: An owl of felt' })).toBeVisible();
    if (javaScriptEnabled) {
      await expect(page.getByRole('button', { name: 'Mark paid: An owl of felt' })).toBeVisible();
      await expect(field).toBeFocused();
    } else {
      await undo(page).click();
      await expect(page.getByRole('alert')).toContainText('Nothing was marked: it is marked already');
      await expect(page.getByRole('button', { name: 'Mark paid: An owl of felt' })).toBeVisible();
      await look(page, 'refused');
    }
    await other.close();
  });

  await test.step('the statement is printed', async () => {
    await page.goto(`${results}?number=2`);
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByRole('region', { name: 'Ada (2)' })).toContainText('Sale in the hall, by Minnie');
    await expect(field).toBeHidden();
    await expect(page.getByRole('button')).toHaveCount(0);
  });
});
