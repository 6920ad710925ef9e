import { test as base, expect, type Page } from '@playwright/test';
import type { BookCommand, BookInput, ContentsEntry, Locator, ReadingLook } from '../../../../machines/model/reading/reading.ts';
import { startHarnessServer, type HarnessServer } from './harness-server.ts';
// Declares `window.reader`.
import type {} from './harness.ts';

export const defaultLook: ReadingLook = { fontScale: 1, theme: 'light' };

type Fixtures = { book: BookDriver };

export const test = base.extend<Fixtures, { server: HarnessServer }>({
  server: [
    async ({}, use) => {
      const server = await startHarnessServer();
      await use(server);
      await server.close();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  baseURL: async ({ server }, use) => use(server.url),
  book: async ({ page, server }, use) => {
    await page.goto('/');
    await use(new BookDriver(page, server));
  },
});

/** Drives the engine of a book as the state machine of reading does. */
export class BookDriver {
  readonly page: Page;
  readonly server: HarnessServer;

  constructor(page: Page, server: HarnessServer) {
    this.page = page;
    this.server = server;
  }

  async open(file: string, overrides: Partial<BookInput> = {}): Promise<ContentsEntry[]> {
    const medium = file.endsWith('.pdf') ? 'pdf' : 'epub';
    const input: BookInput = { medium, url: this.server.mediaUrl(file), start: null, look: defaultLook, ...overrides };
    await this.page.evaluate((value) => window.reader.openBook(value), input);
    await this.page.waitForFunction(() =>
      window.reader.facts.some(({ type }) => type === 'book.failed' || type === 'book.moved'),
    );
    const events = await this.readFacts();
    expect(events.filter(({ type }) => type === 'book.failed')).toEqual([]);
    const openedFact = events.find((fact) => fact.type === 'book.opened');
    if (openedFact?.type !== 'book.opened') throw new Error('the book has reported a move before it was open');
    return openedFact.contents;
  }

  readFacts() {
    return this.page.evaluate(() => window.reader.facts);
  }

  async readLocator(): Promise<Locator> {
    const movedFact = (await this.readFacts()).findLast((fact) => fact.type === 'book.moved');
    if (movedFact?.type !== 'book.moved') throw new Error('the book has reported no move');
    return movedFact.locator;
  }

  /** Sends a command and waits for the next event. */
  async command(command: BookCommand): Promise<void> {
    const factCount = await this.page.evaluate(() => window.reader.facts.length);
    await this.page.evaluate((value) => window.reader.send(value), command);
    await this.page.waitForFunction((count) => window.reader.facts.length > count, factCount);
  }

  async hasEnded(): Promise<boolean> {
    return (await this.readFacts()).some(({ type }) => type === 'book.ended');
  }

  async turn(direction: 'next' | 'previous'): Promise<Locator> {
    await this.command({ type: 'book.turn', direction });
    return this.readLocator();
  }

  async close(): Promise<void> {
    await this.page.evaluate(() => window.reader.close());
  }

  /**
   * The frames of the visible pages. Selectors do not find them in the reader's closed shadow
   * roots.
   */
  getPageFrames() {
    return this.page.frames().filter((frame) => frame.url().includes('.epub/'));
  }
}

export { expect };
