import { readClock, buyAndOpenTitle } from '../../pages/reading.ts';
import { expect, test } from '../../support/shop.ts';

const titles = { book: '1001', pdf: '1016', otherPdf: '1017', audio: '1020', film: '1022', interactive: '1024' };

test('a PDF turns its pages, and a sample ends with the offer of the whole title', async ({ page, customer }) => {
  const view = await buyAndOpenTitle(page, customer, titles.pdf);
  const book = view.flow('book');
  const nextButton = book.locator('[data-event="turn.pressed"][data-value="next"]');
  await expect(nextButton).toBeEnabled();
  await expect(book).toContainText('Page 1 of 15');
  await nextButton.click();
  await expect(book).not.toContainText('Page 1 of 15');
  const positionBefore = await view.readProgress();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => view.readProgress()).toBeGreaterThan(positionBefore);

  await page.goto(`/viewer?instanceid=${titles.otherPdf}&sample=1`);
  const buyButton = view.control('buy.pressed', book);
  await expect(nextButton).toBeEnabled();
  await view.control('fraction.chosen', book).press('End');
  await expect.poll(() => view.readProgress()).toBe(1);
  await nextButton.click();
  await buyButton.click();
  await view.waitForState('purchase', 'ready');
  await expect(page).toHaveURL(`/title/purchase?titleid=${titles.otherPdf}`);
});

test('the lazy chunk of a viewer is loaded while the URL of its title is requested', async ({ page, customer }) => {
  const chunkRequest = page.waitForRequest(/\/assets\/epub-[\w-]+\.js/);
  await page.route('**/viewer/url?**', async (route) => {
    await chunkRequest;
    await route.continue();
  });
  const view = await buyAndOpenTitle(page, customer, titles.book);
  await expect(view.control('turn.pressed', view.flow('book')).last()).toBeEnabled();
});

test('a book shows how much of the chapter is left, and printed page numbers if it has a page list', async ({
  page,
  customer,
}) => {
  const view = await buyAndOpenTitle(page, customer, titles.book);
  const footer = view.flow('book').locator('footer');
  const nextButton = footer.locator('[data-event="turn.pressed"][data-value="next"]');
  await page.locator('[data-event="contents.pressed"]').click();
  await page.locator('[data-event="entry.chosen"]').last().click();
  await expect(footer).toContainText(/% · \d+ pages? left in this chapter|% · last page of the chapter/);
  await expect(async () => {
    if ((await footer.innerText()).includes('left in this chapter')) await nextButton.click();
    await expect(footer).toContainText('last page of the chapter', { timeout: 200 });
  }).toPass();

  await page.route('**/book.epub/manifest.json', async (route) => {
    const response = await route.fetch();
    const manifest = (await response.json()) as { readingOrder: { href: string }[] };
    const pageList = manifest.readingOrder.map(({ href }, index) => ({ title: String(index + 7), href }));
    await route.fulfill({ response, json: { ...manifest, pageList } });
  });
  await page.reload();
  await expect(footer).toContainText(/Page \d+ of \d+ · /);
});

test('a recording plays, stops, and continues from the same position', async ({ page, customer }) => {
  const view = await buyAndOpenTitle(page, customer, titles.audio);
  await view.waitForState('tracks', { attached: 'paused' });
  await view.control('play.pressed').click();
  await view.waitForState('tracks', { attached: 'playing' });
  await page.locator('[data-event="skip.pressed"][data-value="30"]').click();
  await expect.poll(() => readClock(page)).toBeGreaterThan(30.2);
  await view.control('pause.pressed').click();
  await view.waitForState('tracks', { attached: 'paused' });
  const secondsBefore = await readClock(page);

  await view.control('close.pressed').click();
  await view.waitForState('library', 'shown');
  await view.control('title.opened').click();
  await view.waitForState('tracks', { attached: 'paused' });
  await expect.poll(async () => Math.abs((await readClock(page)) - secondsBefore)).toBeLessThan(1);
});

test('the space bar plays and stops a film, which has captions in every language', async ({ page, customer }) => {
  const view = await buyAndOpenTitle(page, customer, titles.film);
  await view.waitForState('tracks', { attached: 'paused' });
  await page.keyboard.press('Space');
  await view.waitForState('tracks', { attached: 'playing' });
  await expect.poll(() => readClock(page)).toBeGreaterThan(0.5);
  const filmState = await page.locator('video').evaluate((video: HTMLVideoElement) => ({
    wide: video.videoWidth > 0,
    captions: [...video.textTracks].map(({ kind, language }) => `${kind} ${language}`),
  }));
  expect(filmState).toEqual({ wide: true, captions: ['en', 'zh', 'es', 'fr', 'it'].map((language) => `captions ${language}`) });
  await page.keyboard.press('Space');
  await view.waitForState('tracks', { attached: 'paused' });
});

test('an interactive title advances with a choice and reopens at the same passage', async ({ page, customer }) => {
  const view = await buyAndOpenTitle(page, customer, titles.interactive);
  await view.waitForState('interactive', { running: 'open' });
  const frame = page.frameLocator('iframe');
  const passage = frame.locator('#passage');
  const firstPassage = await passage.innerText();
  await frame.locator('#choices button').first().click();
  await expect(passage).not.toHaveText(firstPassage);
  const nextPassage = await passage.innerText();
  await view.control('close.pressed').click();
  await view.waitForState('library', 'shown');
  await view.control('title.opened').click();
  await expect(passage).toHaveText(nextPassage, { useInnerText: true });

  await page.goto(`/viewer?instanceid=${titles.interactive}&sample=1`);
  await view.waitForState('interactive', { running: 'open' });
  await expect(passage).toHaveText(firstPassage, { useInnerText: true });
});
