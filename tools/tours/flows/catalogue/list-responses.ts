import { expect, type Page } from '@playwright/test';
import type { TitleSummary } from '../../../../machines/model/catalogue/title.ts';
import { renderElement, type Markup } from '../../../../server/base/xml/write.ts';
import { renderTitle } from '../../wires.ts';

type PendingResponse = { url: string; resolve: (response: Response) => void; reject: (error: unknown) => void };
type HeldLists = { pending: PendingResponse[]; body: ReadableStreamDefaultController<Uint8Array> | null };
declare global {
  var colophonLists: HeldLists;
}

/**
 * Holds the page's requests for lists, so that a test can stream the responses in chunks, which
 * request routing cannot do.
 */
export const holdLists = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    const originalFetch = globalThis.fetch;
    const lists: HeldLists = { pending: [], body: null };
    globalThis.colophonLists = lists;
    globalThis.fetch = (request, options) => {
      if (!(request instanceof Request) || !new URL(request.url).pathname.endsWith('/api/titles'))
        return originalFetch(request, options);
      return new Promise((resolve, reject) => {
        const response = { url: request.url, resolve, reject };
        lists.pending.push(response);
        request.signal.addEventListener('abort', () => {
          lists.pending = lists.pending.filter((other) => other !== response);
          if (lists.body) lists.body = null;
          reject(request.signal.reason);
        });
      });
    };
  });
};

const waitForRequest = (page: Page): Promise<void> =>
  expect
    .poll(() => page.evaluate(() => globalThis.colophonLists.pending.length), { message: 'the list sends its request' })
    .toBeGreaterThan(0);

/** Whether a response has started and not ended. */
const isResponding = (page: Page): Promise<boolean> => page.evaluate(() => globalThis.colophonLists.body !== null);

/** Starts the response to the list's request, unless a response has started. */
const startResponse = async (page: Page, openingTag: string): Promise<void> => {
  if (await isResponding(page)) return;
  await waitForRequest(page);
  await page.evaluate((text) => {
    const lists = globalThis.colophonLists;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        lists.body = controller;
        controller.enqueue(new TextEncoder().encode(text));
      },
    });
    lists.pending.shift()?.resolve(new Response(body, { headers: { 'content-type': 'application/xml' } }));
  }, openingTag);
};

const sendText = (page: Page, text: string): Promise<void> =>
  page.evaluate((chunk) => globalThis.colophonLists.body?.enqueue(new TextEncoder().encode(chunk)), text);

const toOpeningTag = (total: number): string => `<Titles total="${total}">`;

/** Sends a chunk of a response: some titles, without the end. */
export const sendTitles = async (page: Page, titles: TitleSummary[], total: number): Promise<void> => {
  await startResponse(page, toOpeningTag(total));
  await sendText(page, titles.map((title) => renderTitle(title).text).join(''));
};

/** Ends the response, or sends an empty response if none has started. */
export const endList = async (page: Page, total: number, next: string | null): Promise<void> => {
  await startResponse(page, toOpeningTag(total));
  const nextElement: Markup | null = next === null ? null : renderElement('next', next);
  await sendText(page, `${nextElement?.text ?? ''}</Titles>`);
  await page.evaluate(() => {
    globalThis.colophonLists.body?.close();
    globalThis.colophonLists.body = null;
  });
};

/** Responds to the list's request with an error. */
export const rejectList = async (page: Page, status: number, body: string): Promise<void> => {
  await waitForRequest(page);
  await page.evaluate(([code, text]) => globalThis.colophonLists.pending.shift()?.resolve(new Response(text, { status: code })), [
    status,
    body,
  ] as const);
};

/** Aborts a started response, or fails a request and `retries` retries of it. */
export const breakList = async (page: Page, retries: number): Promise<void> => {
  if (await isResponding(page)) {
    await page.evaluate(() => {
      globalThis.colophonLists.body?.error(new TypeError('The test broke the response off.'));
      globalThis.colophonLists.body = null;
    });
    return;
  }
  for (let attempt = 0; attempt <= retries; attempt += 1) {
    await waitForRequest(page);
    await page.evaluate(() => globalThis.colophonLists.pending.shift()?.reject(new TypeError('The test failed the request.')));
    await page.clock.runFor(5_000);
  }
};
