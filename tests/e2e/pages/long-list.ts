import { expect, type Locator, type Page } from '@playwright/test';

/** A list of titles of which only what is in sight is drawn. */
export class LongList {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  get flow(): Locator {
    return this.page.locator('[data-flow="catalogue"]');
  }

  /** Titles that are drawn, grey places left out. */
  get titles(): Locator {
    return this.flow.locator('[data-place] a');
  }

  isIn(state: unknown): Promise<void> {
    return expect(this.flow).toHaveAttribute('data-state', JSON.stringify(state), { timeout: 20_000 });
  }

  /** Names and places, counted from 1, of the titles that are drawn. */
  async drawn(): Promise<{ place: number; href: string }[]> {
    return this.titles.evaluateAll((links) =>
      links.map((link) => ({
        place: Number(link.closest('[data-place]')?.getAttribute('aria-posinset')),
        href: link.getAttribute('href') ?? '',
      })),
    );
  }

  /** Titles whose covers can be seen without scrolling, in their order. */
  async inView(): Promise<string[]> {
    return this.titles.evaluateAll((links) =>
      links
        .filter((link) => {
          const { top, bottom } = link.getBoundingClientRect();
          return bottom > 0 && top < innerHeight;
        })
        .map((link) => link.getAttribute('href') ?? ''),
    );
  }

  /** Heights in whole pixels of the rows that are drawn: one, where all are alike. */
  async rowHeights(): Promise<number[]> {
    const heights = await this.flow
      .locator('[data-place]')
      .evaluateAll((places) => places.map((place) => Math.round(place.clientHeight)));
    return [...new Set(heights)];
  }

  /** Scrolls on until there is no more; gives the number of the last place. */
  async scrollToEnd(): Promise<number> {
    await expect(async () => {
      await this.page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      await expect(this.flow).toHaveAttribute('data-state', '{"shown":"resting"}', { timeout: 100 });
      await expect(this.flow.locator('[data-event="more.requested"]')).toHaveCount(0, { timeout: 100 });
    }).toPass({ timeout: 50_000 });
    await this.page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await expect.poll(async () => (await this.drawn()).at(-1)?.place ?? 0).toBeGreaterThan(0);
    return (await this.drawn()).at(-1)?.place ?? 0;
  }

  scrollTo(y: number): Promise<void> {
    return this.page.evaluate((place) => scrollTo(0, place), y);
  }

  y(): Promise<number> {
    return this.page.evaluate(() => scrollY);
  }
}
