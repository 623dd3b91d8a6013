import path from 'node:path';

import type { Page } from '@playwright/test';

import { openAuction, openGalleonsItem } from '../fixtures/demo.ts';
import { type Person, register, signIn } from '../fixtures/people.ts';
import { expect, test } from '../fixtures/test.ts';
import { auctionOfMine, makeCurrency } from '../fixtures/workshop.ts';

const VIEWPORTS = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 800 } };

/** Each page by its name, and how to come to it. */
const PAGES: Record<string, (page: Page, admin: Person) => Promise<unknown>> = {
  start: (page) => page.goto('/'),
  register: (page) => page.goto('/register'),
  'sign-in': (page) => page.goto('/sign-in'),
  auctions: (page) => signedIn(page, () => page.goto('/auctions')),
  'auctions-new': (page) => signedIn(page, () => page.goto('/auctions/new')),
  auction: (page) => signedIn(page, () => openAuction(page)),
  'items-new': (page) =>
    signedIn(page, async () => page.goto(`${await auctionOfMine(page.request)}/items/new`)),
  'items-new-own': (page) =>
    signedIn(page, async () => {
      const auction = await auctionOfMine(page.request);
      await makeCurrency(page, auction, /^Galleons/);
      await page.goto(`${auction}/items/new`);
    }),
  'currencies-none': (page) =>
    signedIn(page, async () => page.goto(`${await auctionOfMine(page.request)}/currencies`)),
  currencies: (page) => signedIn(page, () => openWorkshop(page)),
  'currency-new': (page) =>
    signedIn(page, async () => page.goto(`${await auctionOfMine(page.request)}/currencies/new?template=shillings`)),
  'rule-new': (page) =>
    signedIn(page, async () => {
      await openWorkshop(page);
      await page.getByRole('link', { name: /^Minimum increment/ }).click();
      await page.getByLabel('Steps').check();
    }),
  item: (page) => signedIn(page, () => openGalleonsItem(page)),
  bids: (page) =>
    signedIn(page, async () => {
      await openGalleonsItem(page);
      await page.goto(`${page.url()}/bids`);
    }),
  admin: async (page, admin) => {
    await signIn(page.request, admin);
    await page.goto('/admin');
  },
  'admin-taken': (page) => signedIn(page, () => page.goto('/admin')),
  'not-found': (page) => page.goto('/no/such/page'),
};

async function signedIn(page: Page, then: () => Promise<unknown>): Promise<void> {
  await register(page.request, 'Luna');
  await then();
}

/** An auction with two currencies and rules of each kind. */
async function openWorkshop(page: Page): Promise<void> {
  const auction = await auctionOfMine(page.request);
  await makeCurrency(page, auction, /^Galleons/);
  await makeCurrency(page, auction, /^Tickets/);
  const [money] = (await (await page.request.get(`/api${auction}/currencies`)).json()).currencies;
  const rules = [
    { type: 'MIN_INCREMENT', params: { tiers: [{ from: 0, amount: 5 }, { from: 1000, amount: 50 }] } },
    { type: 'MIN_COMPONENT_RATIO', params: { denomination: 'GALLEON', minRatio: '0.5' }, currencyProfileId: money.id },
    { type: 'REQUIRED_DENOMINATION', params: { denomination: 'SICKLE', minCount: 2 }, currencyProfileId: money.id },
  ];
  for (const data of rules) {
    const answer = await page.request.post(`/api${auction}/currency-rules`, { data });
    expect(answer.status(), await answer.text()).toBe(201);
  }
  await page.goto(`${auction}/currencies`);
}

for (const [name, open] of Object.entries(PAGES)) {
  for (const [device, viewport] of Object.entries(VIEWPORTS)) {
    test(`${name} on a ${device}`, async ({ page, admin, pageConsole, expectAccessible }, { project }) => {
      if (name === 'not-found') {
        pageConsole.allow(/status of 404/);
      }
      await page.setViewportSize(viewport);
      await open(page, admin);
      await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);

      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect(wider, 'pixels that a person would have to scroll sideways').toBeLessThanOrEqual(0);
        const file = `${name}-${device}-${colorScheme}.png`;
        await page.screenshot({ path: path.join('screenshots-output', project.name, file), fullPage: true });
        await expectAccessible(page);
      }
    });
  }
}
