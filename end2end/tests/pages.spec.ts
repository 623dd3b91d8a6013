import { layoutFaults } from '../fixtures/layout.ts';
import { PAGES } from '../fixtures/page_visits.ts';
import { screenshot } from '../fixtures/screenshot.ts';
import { expect, test } from '../fixtures/test.ts';

const PHONE = { width: 360, height: 740 };
const DESKTOP = { width: 1280, height: 800 };

/**
 * How each page is looked at. axe, which takes most of the time, reads it once at each size and in each
 * colour scheme, and without JavaScript only if the page has islands: otherwise it is the same document.
 */
const LOOKS = [
  { name: 'phone-light', viewport: PHONE, colorScheme: 'light', axe: false },
  { name: 'phone-dark', viewport: PHONE, colorScheme: 'dark', axe: true },
  { name: 'desktop-dark', viewport: DESKTOP, colorScheme: 'dark', axe: false },
  { name: 'desktop-light', viewport: DESKTOP, colorScheme: 'light', axe: true },
] as const;

/**
 * Further sizes without sideways scrolling, and without fields that are too narrow: the narrowest that
 * counts, a large phone, a desktop at 200 %, a tablet, a small laptop, and a desktop whose colours the
 * system forces.
 */
const SIZES = [
  { width: 320, height: 640, forcedColors: 'none' },
  { width: 430, height: 932, forcedColors: 'none' },
  { width: 720, height: 450, forcedColors: 'none' },
  { width: 810, height: 1080, forcedColors: 'none' },
  { width: 1024, height: 768, forcedColors: 'none' },
  { width: 1280, height: 800, forcedColors: 'active' },
] as const;

/** The scripts of the bundles of islands. */
const BUNDLES = ['bid', 'follow', 'bench', 'clerk', 'draw', 'pot'].map((name) => `script[src^="/pkg/${name}-"]`).join();

/** Matches an address of the route. */
function addressOf(route: string): RegExp {
  return new RegExp(`^https?://[^/]+${route.replace(/:\w+/g, '[^/?]+')}(\\?.*)?$`);
}

for (const [name, { route, open, status }] of Object.entries(PAGES)) {
  test(name, async ({ page, admin, pageConsole, expectAccessible, javaScriptEnabled }, { project }) => {
    if (status) {
      pageConsole.allow(new RegExp(`status of ${status}`));
    }
    await page.setViewportSize(PHONE);
    await open(page, admin);
    if (route) {
      await expect(page).toHaveURL(addressOf(route));
    }
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
    const heading = await page.getByRole('heading', { level: 1 }).boundingBox();
    expect(heading?.width, 'width of the heading').toBeGreaterThan(PHONE.width / 2);
    await expect(page.locator('body')).not.toContainText('()');
    const unchosen = await page.locator('form[method=post] select').evaluateAll((lists: HTMLSelectElement[]) =>
      lists.filter(({ selectedOptions: [option] }) => option?.value && !option.defaultSelected).map(({ name }) => name));
    expect(unchosen, 'lists that send what nobody has chosen').toEqual([]);
    const hasIslands = (await page.locator('leptos-island').count()) > 0;
    await expect(page.locator(BUNDLES), 'bundles that the page loads').toHaveCount(hasIslands ? 1 : 0);

    for (const { width, height, forcedColors } of SIZES) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ forcedColors });
      expect(await page.evaluate(layoutFaults), `layout at ${width} × ${height}`).toEqual([]);
    }
    await page.emulateMedia({ forcedColors: 'none' });

    for (const { name: look, viewport, colorScheme, axe } of LOOKS) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      expect(await page.evaluate(layoutFaults), `layout, ${look}`).toEqual([]);
      await screenshot(page, project.name, `${name}-${look}`);
      if (axe && (javaScriptEnabled || hasIslands)) {
        await expectAccessible(page);
      }
    }
  });
}
