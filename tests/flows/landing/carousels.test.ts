import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createActor } from 'xstate';
import type { Api } from '../../../src/client/wire/client.ts';
import { fetchContinueChunk } from '../../../src/flows/landing/load-continue-chunk.ts';
import { flow } from '../../../src/flows/landing/ports.ts';
import { createShopEnvironment } from '../../support/client/shop-environment.ts';
import { environment, xml } from '../../support/client/fake-environment.ts';
import { createFlowInput } from '../../../machines/path-models/path-model.ts';

let api: Api;

const title = (id: string): string => `<Title><TitleId>${id}</TitleId><Name>Log</Name><TitleType>1</TitleType></Title>`;
const titles = `<Titles>${['1', '2', '3', '4', '5'].map(title).join('')}</Titles>`;

/** A store that never answers for some types of title. */
const hangCalls = (...codes: string[]): void => {
  api = environment([], {
    fetch: ({ url, signal }) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
        if (!codes.includes(new URL(url).searchParams.get('titletype') ?? '')) resolve(xml(titles));
      }),
  }).api;
};

const start = () => createActor(flow(createShopEnvironment(() => api)), { input: createFlowInput() }).start();

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

test('a hanging carousel delays the others for five seconds at most', async () => {
  hangCalls('2');
  const landing = start();
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(2));
  await vi.advanceTimersByTimeAsync(4_000);
  expect(landing.getSnapshot().value).toMatchObject({ loading: { shelves: 'stocking' } });
  await vi.advanceTimersByTimeAsync(1_000);
  await vi.waitFor(() => expect(landing.getSnapshot().value).toBe('shown'));
  expect(landing.getSnapshot().context.shelves.map(({ kinds }) => kinds[0]?.type)).toEqual(['all', 'ebook', 'video']);
});

test('a shop that does not answer at all is reported after eight seconds', async () => {
  hangCalls('0', '1', '2', '4');
  const landing = start();
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
  await vi.advanceTimersByTimeAsync(7_900);
  expect(landing.getSnapshot().value).toMatchObject({ loading: { shelves: 'stocking' } });
  await vi.advanceTimersByTimeAsync(100);
  await vi.waitFor(() => expect(landing.getSnapshot().value).toBe('failed'));
  expect(landing.getSnapshot().context.problem).toEqual({ kind: 'timeout' });
});

test('carousels that all arrive are shown at once', async () => {
  hangCalls();
  const landing = start();
  await vi.waitFor(() => expect(landing.getSnapshot().value).toBe('shown'));
  expect(landing.getSnapshot().context.shelves).toHaveLength(4);
  expect(vi.getTimerCount()).toBe(0);
});

const purchaseXml = (id: string, progress: number, opened: string): string =>
  `<Purchase><InstanceId>i${id}</InstanceId><PurchasedAt>2026-01-01T00:00:00Z</PurchasedAt><Progress>${progress}</Progress>
    <LastOpenedAt>${opened}</LastOpenedAt>${title(id)}</Purchase>`;

const startAsCustomer = () =>
  createActor(flow(createShopEnvironment(() => api)), { input: createFlowInput({}, { signedIn: true }) }).start();

test('a customer is offered their unfinished titles, the last opened first', async () => {
  await fetchContinueChunk();
  const opened: string[] = [];
  const purchases = [
    purchaseXml('1', 0.4, '2026-01-02T00:00:00Z'),
    purchaseXml('2', 1, '2026-01-05T00:00:00Z'),
    purchaseXml('3', 0.1, '2026-01-04T00:00:00Z'),
    purchaseXml('4', 0, ''),
  ];
  api = environment([], {
    fetch: async ({ url }) => {
      const { pathname, searchParams } = new URL(url);
      if (!pathname.endsWith('/user/purchases')) return xml(titles);
      opened.push(searchParams.get('sort') ?? '');
      return xml(`<Purchases total="4">${purchases.join('')}</Purchases>`);
    },
  }).api;
  const landing = startAsCustomer();
  await vi.waitFor(() => expect(landing.getSnapshot().value).toBe('shown'));
  expect(landing.getSnapshot().context.begun?.map(({ instanceId }) => instanceId)).toEqual(['i3', 'i1']);
  expect(opened).toEqual(['opened']);
});

test('a hanging library hides no title', async () => {
  await fetchContinueChunk();
  api = environment([], {
    fetch: ({ url }) => (url.includes('/user/purchases') ? new Promise(() => {}) : Promise.resolve(xml(titles))),
  }).api;
  const landing = startAsCustomer();
  await vi.waitFor(() => expect(landing.getSnapshot().value).toMatchObject({ loading: { shelves: 'stocked' } }));
  await vi.advanceTimersByTimeAsync(1_500);
  expect(landing.getSnapshot().value).toBe('shown');
});
