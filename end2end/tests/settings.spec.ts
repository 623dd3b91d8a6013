import { register } from '../fixtures/people.ts';
import { expect, test } from '../fixtures/test.ts';

/** A year ahead, so that the end is in the future. The clocks go forward on none of these days. */
const YEAR = new Date().getUTCFullYear() + 1;

test('an auction is created with its end, changed, closed and deleted', async ({ page, pageConsole }) => {
  // The page of a refused form has the status of the refusal.
  pageConsole.allow(/status of 422/);
  await register(page.request, 'Helga');
  const field = (name: string) => page.getByLabel(name, { exact: true });

  await test.step('the form for a new auction has its end, and less common fields below “More settings”', async () => {
    await page.goto('/auctions/new/settings');
    await field('Name').fill('Attic finds');
    await field('End of the auction').fill(`${YEAR}-06-01T20:00`);
    await expect(page.getByText('In UTC.')).toBeVisible();
    await expect(field('A late bid moves the end')).toBeHidden();
    await page.getByText('More settings').click();
    await field('A late bid moves the end').check();
    await field('Late means the last … seconds').fill('4');
    await page.getByRole('button', { name: 'Create auction' }).click();
    await expect(page.getByRole('alert')).toContainText('Enter whole seconds from 5 to 3600.');
    await expect(field('Late means the last … seconds')).toBeVisible();
    await field('Late means the last … seconds').fill('5');
    await page.getByRole('button', { name: 'Create auction' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Attic finds' })).toBeVisible();
    await expect(page.getByText(`1 Jun ${YEAR}, 20:00 UTC`)).toBeVisible();
  });

  const auction = new URL(page.url()).pathname;
  const stored = async () => (await page.request.get(`/api${auction}`)).json();
  /** Opens the screen of a subject from the overview, which has its link at every size. */
  const open = async (subject: string) => {
    await page.goto(`${auction}/settings`);
    await page.getByRole('main').getByRole('listitem').getByRole('link', { name: subject, exact: true }).click();
  };
  const save = async () => {
    await page.getByRole('button', { name: 'Save settings' }).click();
    await expect(page.getByRole('status')).toHaveText('The settings are saved.');
  };

  await test.step('the settings show what was entered and change it', async () => {
    await page.getByRole('link', { name: 'Settings' }).click();
    await expect(page.getByRole('list').filter({ hasText: 'After a bid in the last 5 seconds' })).toBeVisible();
    await open('People');
    await field('Hidden').check();
    await save();
    await open('End');
    await expect(field('End of the auction')).toHaveValue(`${YEAR}-06-01T20:00`);
    await expect(field('Late means the last … seconds')).toHaveValue('5');
    await expect(field('A late bid moves the end')).toBeChecked();
    await field('End of the auction').fill(`${YEAR}-06-02T21:30`);
    await save();
    expect(await stored()).toMatchObject({
      endDate: `${YEAR}-06-02T21:30:00.000Z`,
      bidderVisibility: 'ANONYMOUS',
      defaultAntiSnipe: true,
      defaultAntiSnipeThreshold: 5,
    });
  });

  await test.step('an error is beside its field, and nothing typed is lost', async () => {
    await open('About');
    await field('Name').fill('');
    await field('Description').fill('From the attic');
    await page.getByRole('button', { name: 'Save settings' }).click();
    await expect(page.getByRole('alert')).toContainText('Enter a name');
    await expect(field('Description')).toHaveValue('From the attic');
    await field('Name').fill('Attic finds');
    await save();
    await open('People');
    await expect(field('Hidden')).toBeChecked();
  });

  await test.step('a goal is counted in the money of the auction, and shown on its page', async () => {
    await open('Money');
    await field('Ordinary money').selectOption('EUR');
    await field('Goal').fill('500');
    await save();
    await page.goto(auction);
    await expect(page.getByRole('region', { name: 'Goal' })).toContainText('Goal €500.00');
  });

  await test.step('a copy has the settings, and leads to its own', async () => {
    await open('Copy');
    await page.getByLabel('Name of the copy').fill('Cellar finds');
    await page.getByRole('button', { name: 'Copy the auction' }).click();
    await expect(page.getByRole('status')).toContainText('This is the copy.');
    const main = page.getByRole('main');
    await expect(main).toContainText('“Cellar finds”.');
    await expect(main).toContainText('Names of bidders are hidden from other bidders.');
    await expect(main).toContainText('You close it yourself.');
  });

  await test.step('the ends of the items follow each other', async () => {
    const item = { name: 'A vase', currencyCode: 'EUR', isPublished: true };
    for (const name of ['A vase', 'A jug']) {
      const made = await page.request.post(`/api${auction}/items`, { data: { ...item, name } });
      expect(made.status(), await made.text()).toBe(201);
    }
    await open('One after the other');
    await field('End of the first item').fill(`${YEAR}-06-01T20:00`);
    await field('Seconds from one end to the next').fill('90');
    await page.getByRole('button', { name: 'Set the ends' }).click();
    await expect(page.getByRole('status')).toHaveText(/^The ends of the items are set, from .+ to .+\.$/);
    const { items } = await (await page.request.get(`/api${auction}/items`)).json();
    const ends = items.map((listed: { endDate: string }) => listed.endDate);
    expect(ends).toEqual([`${YEAR}-06-01T20:00:00.000Z`, `${YEAR}-06-01T20:01:30.000Z`]);
  });

  await test.step('a button closes the auction, once a box says that it is meant', async () => {
    await open('Close');
    const close = page.getByRole('button', { name: 'Close the auction now' });
    await close.click();
    await expect(page.getByRole('alert')).toContainText('Tick the box to close the auction');
    expect((await stored()).status).toBe('OPEN');
    await page.getByRole('checkbox', { name: 'Yes, end bidding on every item' }).check();
    await close.click();
    await expect(page.getByRole('status')).toHaveText('The auction is closed.');
    expect((await stored()).status).toBe('CLOSED');
  });

  await test.step('typing the name deletes it', async () => {
    await open('Delete');
    await page.getByRole('button', { name: 'Delete the auction' }).click();
    await expect(page.getByRole('alert')).toContainText('Type the name of the auction: “Attic finds”.');
    await page.getByLabel('Name of the auction').fill('Attic finds');
    await page.getByRole('button', { name: 'Delete the auction' }).click();
    await expect(page.getByRole('status')).toHaveText('The auction is deleted.');
    await expect(page.getByRole('link', { name: 'Cellar finds' })).toBeVisible();
    await expect(page.locator(`a[href="${auction}"]`)).toHaveCount(0);
  });
});
