import type { Page, Route } from '@playwright/test';

import { bookOfMine } from '../fixtures/books.ts';
import { api } from '../fixtures/clerk.ts';
import { makeGroup } from '../fixtures/groups.ts';
import { register } from '../fixtures/people.ts';
import { expect, test } from '../fixtures/test.ts';

const PEOPLE = ['Ada', 'Ben', 'Cleo', 'Dan', 'Eva', 'Fay', 'Gus'];

interface Book {
  path: string;
  /** Ids by name. */
  ids: Map<string, string>;
}

/** A book of 300 tickets each in which seven people take part. */
async function book(page: Page): Promise<Book> {
  await register(page.request, 'Molly');
  const group = await makeGroup(page.request, PEOPLE);
  const path = await bookOfMine(page.request);
  await api(page.request, 'POST', '/api/auctions', {
    name: 'Raid', groupId: group.id, bookId: path.replace('/books/', ''), joinMode: 'FREE',
  });
  const { holders } = await api<{ holders: { user: { id: string; name: string } }[] }>(
    page.request, 'GET', `/api${path}/holders`,
  );
  return { path, ids: new Map(holders.map(({ user }) => [user.name, user.id])) };
}

/** Gives or takes what leaves a holder with this balance. */
async function have(page: Page, { path, ids }: Book, name: string, balance: number): Promise<void> {
  const amount = balance - 300;
  if (amount === 0) return;
  await api(page.request, 'POST', `/api${path}/entries`, { holders: [ids.get(name)], amount, reason: 'Start' }, {
    'Idempotency-Key': crypto.randomUUID(),
  });
}

/** Fills the fields of the open form, those with defaults, too. */
async function fill(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) {
    const field = page.getByLabel(label, { exact: true });
    await field.evaluate((element) => element.closest('details')?.setAttribute('open', ''));
    if (value === 'chosen') await field.check();
    else await field.fill(value);
  }
}

/** Expects rows of the preview by name and change, and that the server says the same of these parameters. */
async function expectPreview(
  page: Page, { path }: Book, kind: string, params: object, rows: Record<string, string>,
): Promise<void> {
  const table = page.getByRole('region', { name: 'Rows of the preview' }).getByRole('row');
  for (const [name, change] of Object.entries(rows)) {
    await expect(table.filter({ hasText: name }).getByRole('cell').nth(1)).toHaveText(new RegExp(`^\\${change} Tickets`));
  }
  await expect(table).toHaveCount(Object.keys(rows).length + 1);
  const said = await api<{ hash: string }>(page.request, 'POST', `/api${path}/runs?dryRun=true`, { kind, params });
  await expect(page.locator('input[name="expect"]')).toHaveValue(said.hash);
}

test('a share is computed at each keystroke as the server computes it', async ({ page, pageConsole }) => {
  pageConsole.allow(/status of 422/);
  const own = await book(page);
  const to = (names: string[], weights: number[] = []) =>
    names.map((name, at) => ({ holder: own.ids.get(name), weight: weights[at] ?? 1 }));
  await page.goto(`${own.path}/runs`);
  await page.getByLabel('Spent in').selectOption('Nowhere: an amount of its own');
  const three = PEOPLE.slice(0, 3);

  await test.step('100 among three', async () => {
    await fill(page, { 'Certain people': 'chosen', 'Amount': '100' });
    await page.getByRole('textbox', { name: 'These people' }).fill(three.join('\n'));
    await expectPreview(page, own, 'SHARE', { amount: '100', to: to(three) }, {
      Ada: '+33.33', Ben: '+33.33', Cleo: '+33.33',
    });
    await fill(page, { 'Give it out': 'chosen' });
    await expectPreview(page, own, 'SHARE', { amount: '100', to: to(three), rest: 'SPREAD' }, {
      Ada: '+33.34', Ben: '+33.33', Cleo: '+33.33',
    });
  });

  await test.step('300 among seven, and with parts', async () => {
    await fill(page, { 'Keep it for the next time': 'chosen', 'Amount': '300' });
    await page.getByRole('textbox', { name: 'These people' }).fill(PEOPLE.join('\n'));
    await expectPreview(page, own, 'SHARE', { amount: '300', to: to(PEOPLE) },
      Object.fromEntries(PEOPLE.map((name) => [name, '+42.85'])));
    await page.getByRole('textbox', { name: 'These people' }).fill('Ada 2\nBen');
    await expectPreview(page, own, 'SHARE', { amount: '300', to: to(['Ada', 'Ben'], [2, 1]) }, {
      Ada: '+200', Ben: '+100',
    });
  });

  await test.step('two cuts of six percent, in whole numbers', async () => {
    await fill(page, { 'Amount': '100', 'Cuts, taken before': 'Fay 6 %\nGus: 6%', 'Digits after the point': '0' });
    await page.getByRole('textbox', { name: 'These people' }).fill(PEOPLE.slice(0, 4).join('\n'));
    const cuts = ['Fay', 'Gus'].map((name) => ({ holder: own.ids.get(name), percent: '6' }));
    await expectPreview(page, own, 'SHARE', { amount: '100', digits: 0, cuts, to: to(PEOPLE.slice(0, 4)) }, {
      Fay: '+6', Gus: '+6', Ada: '+22', Ben: '+22', Cleo: '+22', Dan: '+22',
    });
  });

  await test.step('a wrong line says so, and makes no run', async () => {
    await fill(page, { 'Cuts, taken before': 'Nobody 6' });
    await expect(page.getByRole('listitem').filter({ hasText: 'Nobody here is called “Nobody”.' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Share it' })).toHaveCount(0);
    await page.getByRole('button', { name: 'Preview the share' }).click();
    await expect(page.getByRole('alert')).toContainText('Nobody here is called “Nobody”.');
  });

  await test.step('it is shared by one button', async () => {
    await fill(page, { 'Cuts, taken before': '' });
    await page.getByLabel('Reason').fill('Tuesday');
    await page.getByRole('button', { name: 'Share it' }).click();
    await expect(page.getByRole('listitem').filter({ hasText: 'Tuesday' })).toBeVisible();
  });
});

test('a decay is computed at each keystroke as the server computes it', async ({ page, pageConsole }) => {
  const own = await book(page);
  for (const [name, balance] of [['Ada', 500], ['Ben', 83], ['Cleo', -344]] as const) {
    await have(page, own, name, balance);
  }
  const only = (name: string) => [own.ids.get(name)];
  await page.goto(`${own.path}/runs?kind=DECAY`);
  await fill(page, { 'These people': 'Ada', 'Percent': '10' });
  await expectPreview(page, own, 'DECAY', { percent: '10', to: only('Ada') }, { Ada: '-50' });
  await fill(page, { 'These people': 'Ben', 'Percent': '15 %', 'But not below': '20', 'Digits after the point': '0' });
  const ben = { percent: '15', floor: '20', digits: 0, to: only('Ben') };
  await expectPreview(page, own, 'DECAY', ben, { Ben: '-9' });
  await fill(page, { 'The whole balance': 'chosen' });
  await expectPreview(page, own, 'DECAY', { ...ben, base: 'WHOLE' }, { Ben: '-12' });
  // Dan has the 300 with which everyone begins.
  await fill(page, { 'These people': 'Dan', 'Percent': '50', 'But not below': '250' });
  const dan = { percent: '50', floor: '250', digits: 0, to: only('Dan') };
  await expectPreview(page, own, 'DECAY', { ...dan, base: 'WHOLE' }, { Dan: '-50' });
  await fill(page, { 'What a balance has above the floor': 'chosen' });
  await expectPreview(page, own, 'DECAY', dan, { Dan: '-25' });
  await fill(page, { 'These people': 'Cleo', 'Percent': '10', 'But not below': '' });
  await expect(page.getByText('No balance would change.')).toBeVisible();
  await fill(page, { 'Let them shrink too': 'chosen' });
  const cleo = { percent: '10', digits: 0, debts: 'SHRINK', to: only('Cleo') };
  await expectPreview(page, own, 'DECAY', cleo, { Cleo: '+34' });

  await test.step('what has changed meanwhile is shown, and the reason stays', async () => {
    pageConsole.allow(/status of 409/);
    await fill(page, { 'For the week or month': '2026-W48' });
    await page.getByLabel('Reason').fill('Sunday');
    await have(page, own, 'Cleo', 290);
    await page.getByRole('button', { name: 'Let it decay' }).click();
    await expect(page.getByRole('alert')).toContainText('Balances have changed since the preview');
    await expect(page.getByLabel('Reason')).toHaveValue('Sunday');
    // The preview of the browser has replaced that of the server, with its button.
    await expect(page.getByRole('group', { name: 'Preview' }).getByRole('table')).toBeVisible();
    await expect(page.getByLabel('Reason')).toHaveCount(1);
  });

  await test.step('a period that is taken says so', async () => {
    await page.getByRole('button', { name: 'Let it decay' }).click();
    await expect(page.getByRole('listitem').filter({ hasText: 'Sunday' })).toBeVisible();
    await page.getByRole('navigation', { name: 'Runs' }).getByRole('link', { name: 'Decay' }).click();
    await fill(page, { 'Percent': '10', 'For the week or month': '2026-W48' });
    await expect(page.getByText('There was a decay for this week or month: undo it first.')).toBeVisible();
  });

  await test.step('what was typed before the preview works is judged, too', async () => {
    const asked = new Promise<Route>((resolve) => page.route('**/pot-*.wasm', resolve));
    await page.goto(`${own.path}/runs?kind=DECAY`);
    await fill(page, { 'Percent': '1000' });
    await (await asked).continue();
    await expect(page.getByText('The percentage must be a decimal above 0 and at most 100')).toBeVisible();
  });
});

test('caps act on the preview', async ({ page }) => {
  const own = await book(page);
  await have(page, own, 'Ada', 492);
  await have(page, own, 'Ben', 520);
  const { version } = await api<{ version: number }>(page.request, 'GET', `/api${own.path}`);
  await api(page.request, 'PATCH', `/api${own.path}`, { version, caps: { soft: '500', softPercent: '10' } });
  await page.goto(`${own.path}/runs`);
  await page.getByLabel('Spent in').selectOption('Nowhere: an amount of its own');
  await fill(page, { 'Certain people': 'chosen', 'Amount': '40' });
  await page.getByRole('textbox', { name: 'These people' }).fill('Ada\nBen');
  const to = ['Ada', 'Ben'].map((name) => own.ids.get(name));
  await expectPreview(page, own, 'SHARE', { amount: '40', to }, { Ada: '+9.2', Ben: '+2' });
  await expect(page.getByRole('row').filter({ hasText: 'Ada' })).toContainText('of +20: the cap');
});

test('caps are tried on the balances before they are saved', async ({ page }) => {
  const own = await book(page);
  await have(page, own, 'Ada', 492);
  await have(page, own, 'Ben', 520);
  await page.goto(`${own.path}/settings`);
  await page.getByLabel('Less from').fill('500');
  await page.getByLabel('Percent given above it').fill('10');
  await page.getByLabel('Try an amount').fill('20');
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  await expect(row('Ada')).toContainText('501.2');
  await expect(row('Ben')).toContainText('522');
  await expect(row('Cleo')).toContainText('320');
  await page.getByLabel('No more from').fill('-1');
  await expect(page.getByText('“No more from” must be')).toBeVisible();
  await page.getByLabel('No more from').fill('');

  await test.step('a hard cap and one of the week', async () => {
    await page.getByLabel('Less from').fill('');
    await page.getByLabel('Percent given above it').fill('');
    await page.getByLabel('No more from').fill('497');
    await page.getByLabel('Try an amount').fill('10');
    await expect(row('Ada')).toContainText('+5 Tickets of +10: the cap');
    await expect(row('Ben')).toContainText('0 Tickets of +10: the cap');
    await page.getByLabel('No more from').fill('');
    // Ada was given 192 this week.
    await page.getByLabel('At most in a week').fill('197');
    await page.getByLabel('Try an amount').fill('8');
    await expect(row('Ada')).toContainText('+5 Tickets of +8: the cap');
    await expect(row('Cleo')).toContainText('+8 Tickets');
    await page.getByLabel('At most in a week').fill('');
    await page.getByLabel('Less from').fill('500');
    await page.getByLabel('Percent given above it').fill('10');
  });

  await page.getByRole('button', { name: 'Save caps' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'saved' })).toBeVisible();
  const { caps } = await api<{ caps: object }>(page.request, 'GET', `/api${own.path}`);
  expect(caps).toMatchObject({ soft: '500', softPercent: '10' });
});
