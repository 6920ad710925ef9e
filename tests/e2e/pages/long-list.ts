import { expect, type Locator, type Page } from '@playwright/test';

/** A list of titles that renders only visible rows. */
export class LongList {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  get flow(): Locator {
    return this.page.locator('[data-flow="catalogue"]');
  }

  /** Rendered titles, without placeholders. */
  get titles(): Locator {
    return this.flow.locator('[data-place] a');
  }

  isIn(state: unknown): Promise<void> {
    return expect(this.flow).toHaveAttribute('data-state', JSON.stringify(state), { timeout: 20_000 });
  }

  /** Names and positions, counted from 1, of the rendered titles. */
  async readDrawn(): Promise<{ place: number; href: string }[]> {
    return this.titles.evaluateAll((links) =>
      links.map((link) => ({
        place: Number(link.closest('[data-place]')?.getAttribute('aria-posinset')),
        href: link.getAttribute('href') ?? '',
      })),
    );
  }

  /** Titles whose covers are visible without scrolling, in order. */
  async readVisible(): Promise<string[]> {
    return this.titles.evaluateAll((links) =>
      links
        .filter((link) => {
          const { top, bottom } = link.getBoundingClientRect();
          return bottom > 0 && top < innerHeight;
        })
        .map((link) => link.getAttribute('href') ?? ''),
    );
  }

  /** Distinct heights in whole pixels of the rendered rows: one if all are alike. */
  async readRowHeights(): Promise<number[]> {
    const heights = await this.flow
      .locator('[data-place]')
      .evaluateAll((places) => places.map((place) => Math.round(place.clientHeight)));
    return [...new Set(heights)];
  }

  /** Scrolls to the end; returns the last position. */
  async scrollToEnd(): Promise<number> {
    await expect(async () => {
      await this.page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      await expect(this.flow).toHaveAttribute('data-state', '{"shown":"resting"}', { timeout: 100 });
      await expect(this.flow.locator('[data-event="more.requested"]')).toHaveCount(0, { timeout: 100 });
    }).toPass({ timeout: 50_000 });
    await this.page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await expect.poll(async () => (await this.readDrawn()).at(-1)?.place ?? 0).toBeGreaterThan(0);
    return (await this.readDrawn()).at(-1)?.place ?? 0;
  }

  scrollTo(y: number): Promise<void> {
    return this.page.evaluate((place) => scrollTo(0, place), y);
  }

  readScrollY(): Promise<number> {
    return this.page.evaluate(() => scrollY);
  }
}
