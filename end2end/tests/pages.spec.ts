import path from 'node:path';

import type { APIRequestContext, Page } from '@playwright/test';

import { openAuction, openGalleonsItem } from '../fixtures/demo.ts';
import { register } from '../fixtures/people.ts';
import { expect, test } from '../fixtures/test.ts';

const VIEWPORTS = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 800 } };

/** Each page by its name, and how to come to it. */
const PAGES: Record<string, (page: Page) => Promise<unknown>> = {
  start: (page) => page.goto('/'),
  register: (page) => page.goto('/register'),
  'sign-in': (page) => page.goto('/sign-in'),
  auctions: (page) => signedIn(page, () => page.goto('/auctions')),
  'auctions-new': (page) => signedIn(page, () => page.goto('/auctions/new')),
  auction: (page) => signedIn(page, () => openAuction(page)),
  'items-new': (page) =>
    signedIn(page, async () => page.goto(`/auctions/${await auctionOfMine(page.request)}/items/new`)),
  item: (page) => signedIn(page, () => openGalleonsItem(page)),
  'not-found': (page) => page.goto('/no/such/page'),
};

async function signedIn(page: Page, then: () => Promise<unknown>): Promise<void> {
  await register(page.request, 'Luna');
  await then();
}

async function auctionOfMine(request: APIRequestContext): Promise<string> {
  const answer = await request.post('/api/auctions', { data: { name: 'Attic finds' } });
  expect(answer.status(), await answer.text()).toBe(201);
  return (await answer.json()).id;
}

for (const [name, open] of Object.entries(PAGES)) {
  for (const [device, viewport] of Object.entries(VIEWPORTS)) {
    test(`${name} on a ${device}`, async ({ page, pageConsole, expectAccessible }, { project }) => {
      if (name === 'not-found') {
        pageConsole.allow(/status of 404/);
      }
      await page.setViewportSize(viewport);
      await open(page);
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
