import { type APIRequestContext, type Page, request as requests } from '@playwright/test';

import { BidForm } from '../../fixtures/bid_form.ts';
import { bookOfMine } from '../../fixtures/books.ts';
import { created, test } from '../../fixtures/journey.ts';
import { register, registerByForm, registerHere, unregistered } from '../../fixtures/people.ts';
import { expect } from '../../fixtures/test.ts';

const PUPILS = 30;
const IN_BROWSERS = ['Ada', 'Ben', 'Cleo'];
const ITEMS = ['Book', 'Cake', 'Drum', 'Easel', 'Flute', 'Globe', 'Harp', 'Ink'];
const TICKETS = 300;

interface Entry {
  holder: { id: string };
  amount: string;
  kind: string;
}

test('a class of 30 bids with its tickets, and every balance adds up', async ({
  page,
  stranger,
  look,
  baseURL,
}) => {
  await registerByForm(page, 'Olive');
  const book = await bookOfMine(page.request);
  const baseUnit = { name: 'Ticket', plural: 'Tickets', symbol: '' };
  const bookId = book.split('/').at(-1);
  const auction = await created(page.request, '/api/auctions', { name: 'Class sale', joinMode: 'LINK', baseUnit, bookId });
  const api = `/api/auctions/${auction.id}`;
  const currency = await created(page.request, `${api}/currencies`, {
    code: 'TICKET', name: 'Ticket', inputMode: 'SCALAR', rateToBase: 1,
  });
  const items = await Promise.all(
    ITEMS.map((name) => created(page.request, `${api}/items`, { name, isPublished: true })),
  );
  const address = (item: number) => `/auctions/${auction.id}/items/${items[item]!.id}`;
  const { inviteToken } = await (await page.request.get(api)).json();
  const link = `/join/${inviteToken}`;

  /** A pupil who uses the API only. */
  async function pupilByApi(at: number): Promise<APIRequestContext> {
    const theirs = await requests.newContext({ baseURL: baseURL! });
    await register(theirs, `Pupil ${at}`);
    const answer = await theirs.post(`${api}/join`, { data: { inviteToken } });
    expect(answer.status(), await answer.text()).toBe(200);
    return theirs;
  }

  /** A pupil who registers through the link and joins. */
  async function pupil(name: string): Promise<Page> {
    const theirs = await stranger();
    await theirs.goto(link);
    await theirs.getByRole('main').getByRole('link', { name: 'Register' }).click();
    await registerHere(theirs, unregistered(name));
    await theirs.getByRole('button', { name: 'Join this auction' }).click();
    await expect(funds(theirs)).toHaveText(`You have ${TICKETS} Tickets`);
    return theirs;
  }

  const funds = (theirs: Page) => theirs.getByRole('link', { name: /^You have/ });

  const bid = (theirs: APIRequestContext, item: number, amount: number) =>
    theirs.post(`${api}/items/${items[item]!.id}/bids`, { data: { currencyProfileId: currency.id, amount } });

  const pupils = await test.step('30 pupils join and have 300 tickets each', async () => {
    const pupils: APIRequestContext[] = [];
    // The server checks few passwords at once, and says that it is busy after 10 s.
    for (let at = 0; at < PUPILS - IN_BROWSERS.length; at += 1) pupils.push(await pupilByApi(at));
    return pupils;
  });
  const [ada, ben, cleo] = (await Promise.all(IN_BROWSERS.map(pupil))) as [Page, Page, Page];
  await look(ada, 'auction');
  const { holders } = await (await page.request.get(`/api${book}/holders?limit=100`)).json();
  const balances = holders.map(({ role, balance }: { role: string; balance: string }) => `${role} ${balance}`);
  expect(balances.filter((balance: string) => balance === `HOLDER ${TICKETS}`)).toHaveLength(PUPILS);

  await test.step('they bid on eight items', async () => {
    for (const [at, theirs] of pupils.entries()) {
      const answer = await bid(theirs, at % ITEMS.length, 10 + at);
      expect(answer.status(), await answer.text()).toBe(201);
    }
  });

  const form = new BidForm(ada);
  const other = await ada.context().newPage();
  await test.step('a bid changes the balance in another tab without a reload', async () => {
    await other.goto(address(1));
    await expect(other.getByText(`Up to ${TICKETS} Tickets on this item`)).toBeVisible();
    await ada.goto(address(0));
    await form.field('Amount').fill('200');
    await expect(form.form).toContainText('100 Tickets left after this bid');
    await form.placeBid.click();
    await expect(form.confirm).toHaveText(/^Yes, place 200\sTicket/);
    await look(ada, 'item-typed');
    await form.confirm.click();
    await expect(form.bids.first()).toContainText('You');
    await expect(funds(ada)).toHaveText('You have 300 Tickets · 200 in bids · 100 available');
    await expect(funds(other)).toHaveText('You have 300 Tickets · 200 in bids · 100 available');
    await expect(other.getByText('Up to 100 Tickets on this item')).toBeVisible();
  });

  await test.step('on the item itself the own bid is available again', async () => {
    await expect(ada.getByText(`Up to ${TICKETS} Tickets on this item`)).toBeVisible();
  });

  await test.step('overspending is refused as it is typed', async () => {
    const sent: string[] = [];
    other.on('request', (request) => sent.push(`${request.method()} ${request.url()}`));
    const elsewhere = new BidForm(other);
    await elsewhere.field('Amount').fill('101');
    await expect(elsewhere.violations).toHaveText(/100\sTickets/);
    await look(other, 'item-overspent');
    await elsewhere.placeBid.click();
    await expect(elsewhere.violations).toHaveCount(1);
    expect(sent.filter((request) => request.startsWith('POST'))).toEqual([]);
    const refused = await bid(ada.request, 1, 101);
    expect(refused.status()).toBe(422);
    expect(await refused.text()).toContain('INSUFFICIENT_BALANCE');
  });

  await test.step('a withdrawal gives the commitment back', async () => {
    await ada.getByRole('link', { name: /^(Withdraw|take it back)$/ }).first().click();
    await ada.getByRole('combobox', { name: 'Reason' }).selectOption('The amount was mistyped');
    await ada.getByRole('button', { name: 'Withdraw bid' }).click();
    await expect(funds(ada)).toHaveText(`You have ${TICKETS} Tickets`);
    await expect(funds(other)).toHaveText(`You have ${TICKETS} Tickets`);
    await expect(new BidForm(other).violations).toHaveCount(0);
  });

  await test.step('being outbid gives the commitment back', async () => {
    const theirs = new BidForm(ben);
    await ben.goto(address(2));
    await theirs.leastBid.click();
    await theirs.placeBid.click();
    await expect(funds(ben)).toContainText('in bids');
    await cleo.goto(`/auctions/${auction.id}`);
    expect((await bid(cleo.request, 2, 150)).status()).toBe(201);
    await expect(funds(ben)).toHaveText(`You have ${TICKETS} Tickets`);
    await expect(funds(cleo)).toHaveText('You have 300 Tickets · 150 in bids · 150 available');
    await look(cleo, 'auction-led');
  });

  await test.step('the dashboard follows the balance', async () => {
    await ben.goto('/dashboard');
    const balances = ben.getByRole('region', { name: 'Balances' });
    await expect(balances).toContainText(`${TICKETS} Tickets`);
    const { user } = await (await ben.request.get('/api/user')).json();
    const grant = { holders: [user.id], amount: '5', reason: 'Helped to tidy up' };
    const headers = { 'Idempotency-Key': crypto.randomUUID() };
    const answer = await page.request.post(`/api${book}/entries`, { headers, data: grant });
    expect(answer.status(), await answer.text()).toBe(201);
    await expect(balances).toContainText(`${TICKETS + 5} Tickets`);
  });

  await test.step('the close charges', async () => {
    const answer = await page.request.post(`${api}/close`);
    expect(answer.ok(), await answer.text()).toBe(true);
    await expect(funds(cleo)).toHaveText('You have 150 Tickets');
    await cleo.goto(`/auctions/${auction.id}/results`);
    const sold = cleo.getByRole('listitem').filter({ hasText: 'Drum' });
    await expect(sold).toContainText('150 Tickets charged');
    await expect(sold).toContainText('Paid');
    await page.goto(`/auctions/${auction.id}/results`);
    await expect(page.getByRole('link', { name: /charged/ })).toHaveCount(ITEMS.length);
    await look(page, 'results');
  });

  await test.step('the export adds up to the balances', async () => {
    const { entries } = await (await page.request.get(`/api${book}/export?format=json`)).json();
    const sums = new Map<string, number>();
    for (const { holder, amount } of entries as Entry[]) {
      sums.set(holder.id, (sums.get(holder.id) ?? 0) + Number(amount));
    }
    const answer = await (await page.request.get(`/api${book}/holders?limit=100`)).json();
    for (const { user, balance, committed } of answer.holders) {
      expect([sums.get(user.id) ?? 0, committed]).toEqual([Number(balance), '0']);
    }
    expect(entries.filter(({ kind }: Entry) => kind === 'CHARGE')).toHaveLength(ITEMS.length);
  });
  await Promise.all(pupils.map((theirs) => theirs.dispose()));
});
