import { register } from '../fixtures/people.ts';
import { addPictures, itemOfMine } from '../fixtures/pictures.ts';
import { bidOfMine, openItem } from '../fixtures/results.ts';
import { BidForm } from '../fixtures/bid_form.ts';
import { expect, test } from '../fixtures/test.ts';

const VIEWPORTS = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 900 } };

for (const [name, viewport] of Object.entries(VIEWPORTS)) {
  test(`a ${name} shows price, time left, position and “Place bid” at once`, async ({ page, javaScriptEnabled }) => {
    await page.setViewportSize(viewport);
    await register(page.request, 'Luna');
    await page.goto(await bidOfMine(page.request));
    const bid = new BidForm(page);
    await expect(bid.field('Knut')).toBeVisible();
    if (javaScriptEnabled) {
      await expect(bid.leastBid).toBeEnabled();
    }
    const panel = page.getByRole('region', { name: 'Bidding' });
    const parts = [
      panel.getByText('You lead', { exact: true }),
      panel.getByText(/^\D*147\s?900\D*$/).first(),
      page.locator('.bid-panel-end'),
      bid.placeBid,
    ];
    for (const part of parts) {
      await expect(part).toBeInViewport({ ratio: 1 });
    }
  });
}

test('a phone shows picture, price and “Place bid” at once, and the last two wherever it is scrolled to', async ({ page }) => {
  await page.setViewportSize(VIEWPORTS.phone);
  await register(page.request, 'Luna');
  const item = await itemOfMine(page.request);
  await addPictures(page.request, item, 2);
  await register(page.request, 'Pansy');
  await page.goto(item);
  const picture = page.getByRole('img', { name: 'The music box, view 1' });
  const placeBid = new BidForm(page).placeBid;
  for (const part of [picture, page.locator('.highest-amount'), page.locator('.bid-field input'), placeBid]) {
    await expect(part).toBeInViewport({ ratio: 1 });
  }
  await page.locator('footer').scrollIntoViewIfNeeded();
  await expect(picture).not.toBeInViewport();
  await expect(placeBid).toBeInViewport({ ratio: 1 });
});

for (const [name, viewport] of Object.entries({ ...VIEWPORTS, desktop: { width: 1440, height: 900 } })) {
  for (const viewer of ['owner', 'stranger'] as const) {
    test(`a ${name} shows the first item of an auction at once to its ${viewer}`, async ({ page, another }) => {
      await page.setViewportSize(viewport);
      await register(page.request, 'Bathilda');
      const { auction, item } = await openItem(page.request);
      const description = 'Lots from three attics, shown in the hall.\n\n'.repeat(20);
      await page.request.patch(`/api${auction}`, { data: { description, joinMode: 'FREE' } });
      await addPictures(page.request, item, 1);
      const shown = viewer === 'owner' ? page : (await another('Rita')).page;
      await shown.setViewportSize(viewport);
      await shown.goto(auction);
      const first = shown.locator('.catalogue-row').first();
      await expect(first.getByRole('link')).toBeInViewport({ ratio: 1 });
      await expect(first.locator('.catalogue-price')).toBeInViewport({ ratio: 1 });
    });
  }
}

test('what may be public has a description, and other pages have none', async ({ page }) => {
  await page.goto('/');
  const description = page.locator('meta[name=description], meta[property="og:description"]');
  await expect(description).toHaveCount(2);
  const image = await page.locator('meta[property="og:image"]').getAttribute('content');
  const manifest = await page.locator('link[rel=manifest]').getAttribute('href');
  for (const address of [image!, manifest!]) {
    expect((await page.request.get(address)).status(), address).toBe(200);
  }
  const icons = (await (await page.request.get(manifest!)).json()).icons as { src: string }[];
  for (const { src } of icons) {
    expect((await page.request.get(`/pkg/${src}`)).status(), src).toBe(200);
  }
  await register(page.request, 'Luna');
  await page.goto((await openItem(page.request)).item);
  await expect(description).toHaveCount(0);
});
