import { expect, type Page } from '@playwright/test';
import type { TitleSummary } from '../../../../machines/model/catalogue/title.ts';
import { renderElement, type Markup } from '../../../../server/base/xml/write.ts';
import { titleElement } from '../../wires.ts';

type PendingResponse = { url: string; resolve: (response: Response) => void; reject: (error: unknown) => void };
type Lists = { asked: PendingResponse[]; body: ReadableStreamDefaultController<Uint8Array> | null };
declare global {
  var colophonLists: Lists;
}

/**
 * Holds the page's requests for lists, so that a test can stream the responses in chunks, which
 * request routing cannot do.
 */
export const holdLists = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    const usual = globalThis.fetch;
    const lists: Lists = { asked: [], body: null };
    globalThis.colophonLists = lists;
    globalThis.fetch = (request, more) => {
      if (!(request instanceof Request) || !new URL(request.url).pathname.endsWith('/api/titles')) return usual(request, more);
      return new Promise((resolve, reject) => {
        const asked = { url: request.url, resolve, reject };
        lists.asked.push(asked);
        request.signal.addEventListener('abort', () => {
          lists.asked = lists.asked.filter((each) => each !== asked);
          if (lists.body) lists.body = null;
          reject(request.signal.reason);
        });
      });
    };
  });
};

const waitForRequest = (page: Page): Promise<void> =>
  expect
    .poll(() => page.evaluate(() => globalThis.colophonLists.asked.length), { message: 'the list sends its request' })
    .toBeGreaterThan(0);

const isOpen = (page: Page): Promise<boolean> => page.evaluate(() => globalThis.colophonLists.body !== null);

/** Starts a response, unless one has started. */
const startResponse = async (page: Page, head: string): Promise<void> => {
  if (await isOpen(page)) return;
  await waitForRequest(page);
  await page.evaluate((text) => {
    const lists = globalThis.colophonLists;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        lists.body = controller;
        controller.enqueue(new TextEncoder().encode(text));
      },
    });
    lists.asked.shift()?.resolve(new Response(body, { headers: { 'content-type': 'application/xml' } }));
  }, head);
};

const sendText = (page: Page, text: string): Promise<void> =>
  page.evaluate((part) => globalThis.colophonLists.body?.enqueue(new TextEncoder().encode(part)), text);

const toOpeningTag = (total: number): string => `<Titles total="${total}">`;

/** Sends a chunk of a response: some titles, without the end. */
export const sendTitles = async (page: Page, titles: TitleSummary[], total: number): Promise<void> => {
  await startResponse(page, toOpeningTag(total));
  await sendText(page, titles.map((title) => titleElement(title).text).join(''));
};

/** Ends a response, or sends an empty one if none has started. */
export const endList = async (page: Page, total: number, next: string | null): Promise<void> => {
  await startResponse(page, toOpeningTag(total));
  const more: Markup | null = next === null ? null : renderElement('next', next);
  await sendText(page, `${more?.text ?? ''}</Titles>`);
  await page.evaluate(() => {
    globalThis.colophonLists.body?.close();
    globalThis.colophonLists.body = null;
  });
};

/** Responds with a refusal. */
export const rejectList = async (page: Page, status: number, body: string): Promise<void> => {
  await waitForRequest(page);
  await page.evaluate(([code, text]) => globalThis.colophonLists.asked.shift()?.resolve(new Response(text, { status: code })), [
    status,
    body,
  ] as const);
};

/** Aborts a response, or fails a request and its retries. */
export const breakList = async (page: Page, repetitions: number): Promise<void> => {
  if (await isOpen(page)) {
    await page.evaluate(() => {
      globalThis.colophonLists.body?.error(new TypeError('torn'));
      globalThis.colophonLists.body = null;
    });
    return;
  }
  for (let attempt = 0; attempt <= repetitions; attempt += 1) {
    await waitForRequest(page);
    await page.evaluate(() => globalThis.colophonLists.asked.shift()?.reject(new TypeError('lost')));
    await page.clock.runFor(5_000);
  }
};
