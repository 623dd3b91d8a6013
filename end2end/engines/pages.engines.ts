// Every page in other engines than Chromium, with `--all` alone: it takes an engine some minutes.
import { layoutFaults } from '../fixtures/layout.ts';
import { PAGES } from '../fixtures/page_visits.ts';
import { claim, register } from '../fixtures/people.ts';
import { expect, test } from './test.ts';

/** Widths in pixels. An engine whose windows can't be so narrow takes the nearest. */
const WIDTHS = [320, 430, 810, 1280];
const MINUTES = 60_000;

test.skip(() => !process.env.FARTHING_ALL_ENGINES, 'runs with `--all`');

test('every page has its layout', async ({ start, api, page, farthing }) => {
  test.setTimeout(30 * MINUTES);
  const admin = await register(api, 'Minerva');
  await claim(api, admin);
  const tab = await (await start()).bare();
  for (const [name, { open }] of Object.entries(PAGES)) {
    await test.step(name, async () => {
      // Chromium makes what the page shows, signs in, and hands over to the engine.
      await page.context().clearCookies();
      await open(page, admin);
      await tab.takeCookies(await page.context().cookies(farthing.url));
      await tab.open(page.url());
      for (const width of WIDTHS) {
        await tab.resize(width, 740);
        expect.soft(await tab.run(layoutFaults), `${name} at ${width} px`).toEqual([]);
      }
    });
  }
});
