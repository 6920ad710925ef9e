import { test as base, expect, type Page } from '@playwright/test';
import type { BookCommand, BookInput, ContentsEntry, Locator, ReadingLook } from '../../../../machines/model/reading/reading.ts';
import { startHarnessServer, type HarnessServer } from './harness-server.ts';
// Types of the page's globals.
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

/** Drives a book's engine as its machine does. */
export class BookDriver {
  readonly page: Page;
  readonly server: HarnessServer;

  constructor(page: Page, server: HarnessServer) {
    this.page = page;
    this.server = server;
  }

  async open(file: string, given: Partial<BookInput> = {}): Promise<ContentsEntry[]> {
    const medium = file.endsWith('.pdf') ? 'pdf' : 'epub';
    const input: BookInput = { medium, url: this.server.mediaUrl(file), start: null, look: defaultLook, ...given };
    await this.page.evaluate((value) => window.reader.openBook(value), input);
    await this.page.waitForFunction(() =>
      window.reader.facts.some(({ type }) => type === 'book.failed' || type === 'book.moved'),
    );
    const facts = await this.facts();
    expect(facts.filter(({ type }) => type === 'book.failed')).toEqual([]);
    const opened = facts.find((fact) => fact.type === 'book.opened');
    if (opened?.type !== 'book.opened') throw new Error('the book has reported a move before it was open');
    return opened.contents;
  }

  facts() {
    return this.page.evaluate(() => window.reader.facts);
  }

  async locator(): Promise<Locator> {
    const moved = (await this.facts()).findLast((fact) => fact.type === 'book.moved');
    if (moved?.type !== 'book.moved') throw new Error('the book has reported no move');
    return moved.locator;
  }

  /** Sends a command and waits for its result. */
  async command(command: BookCommand): Promise<void> {
    const before = await this.page.evaluate(() => window.reader.facts.length);
    await this.page.evaluate((value) => window.reader.send(value), command);
    await this.page.waitForFunction((count) => window.reader.facts.length > count, before);
  }

  async ended(): Promise<boolean> {
    return (await this.facts()).some(({ type }) => type === 'book.ended');
  }

  async turn(direction: 'next' | 'previous'): Promise<Locator> {
    await this.command({ type: 'book.turn', direction });
    return this.locator();
  }

  async close(): Promise<void> {
    await this.page.evaluate(() => window.reader.close());
  }

  /** The frames of the visible pages, since the reader's shadow roots are closed to selectors. */
  frames() {
    return this.page.frames().filter((frame) => frame.url().includes('.epub/'));
  }
}

export { expect };
