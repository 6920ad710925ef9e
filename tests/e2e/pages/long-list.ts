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

  waitForState(state: unknown): Promise<void> {
    return expect(this.flow).toHaveAttribute('data-state', JSON.stringify(state), { timeout: 20_000 });
  }

  /** Reads the addresses and positions, counted from 1, of the rendered titles. */
  async readRendered(): Promise<{ position: number; href: string }[]> {
    return this.titles.evaluateAll((links) =>
      links.map((link) => ({
        position: Number(link.closest('[data-place]')?.getAttribute('aria-posinset')),
        href: link.getAttribute('href') ?? '',
      })),
    );
  }

  /** Reads the addresses of titles whose covers are visible without scrolling, in order. */
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

  /** Reads the distinct heights of the rendered rows, in whole pixels: one if all are alike. */
  async readRowHeights(): Promise<number[]> {
    const heights = await this.flow
      .locator('[data-place]')
      .evaluateAll((rows) => rows.map((row) => Math.round(row.clientHeight)));
    return [...new Set(heights)];
  }

  /** Scrolls to the end of the list; returns the position of its last title. */
  async scrollToEnd(): Promise<number> {
    await expect(async () => {
      await this.page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      await expect(this.flow).toHaveAttribute('data-state', '{"shown":"resting"}', { timeout: 100 });
      await expect(this.flow.locator('[data-event="more.requested"]')).toHaveCount(0, { timeout: 100 });
    }).toPass({ timeout: 50_000 });
    await this.page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await expect.poll(async () => (await this.readRendered()).at(-1)?.position ?? 0).toBeGreaterThan(0);
    return (await this.readRendered()).at(-1)?.position ?? 0;
  }

  scrollTo(y: number): Promise<void> {
    return this.page.evaluate((pageY) => scrollTo(0, pageY), y);
  }

  readScrollY(): Promise<number> {
    return this.page.evaluate(() => scrollY);
  }
}
