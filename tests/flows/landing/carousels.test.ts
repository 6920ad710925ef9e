import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createActor } from 'xstate';
import type { Api } from '../../../src/client/wire/client.ts';
import { fetchContinueChunk } from '../../../src/flows/landing/load-continue-chunk.ts';
import { flow } from '../../../src/flows/landing/ports.ts';
import { createShopEnvironment } from '../../support/client/shop-environment.ts';
import { createFakeServer, xml } from '../../support/client/fake-environment.ts';
import { createFlowInput } from '../../../machines/path-models/path-model.ts';

let api: Api;

const titleXml = (id: string): string => `<Title><TitleId>${id}</TitleId><Name>Log</Name><TitleType>1</TitleType></Title>`;
const titlesXml = `<Titles>${['1', '2', '3', '4', '5'].map(titleXml).join('')}</Titles>`;

/** Sets a server that never responds to requests for these types of title. */
const hangTitleTypes = (...codes: string[]): void => {
  api = createFakeServer([], {
    fetch: ({ url, signal }) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
        if (!codes.includes(new URL(url).searchParams.get('titletype') ?? '')) resolve(xml(titlesXml));
      }),
  }).api;
};

const start = () => createActor(flow(createShopEnvironment(() => api)), { input: createFlowInput() }).start();

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

test('a hanging carousel delays the others for five seconds at most', async () => {
  hangTitleTypes('2');
  const landing = start();
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(2));
  await vi.advanceTimersByTimeAsync(4_000);
  expect(landing.getSnapshot().value).toMatchObject({ loading: { shelves: 'loading' } });
  await vi.advanceTimersByTimeAsync(1_000);
  await vi.waitFor(() => expect(landing.getSnapshot().value).toBe('shown'));
  expect(landing.getSnapshot().context.shelves.map(({ kinds }) => kinds[0]?.type)).toEqual(['all', 'ebook', 'video']);
});

test('a server that responds to no request is reported after eight seconds', async () => {
  hangTitleTypes('0', '1', '2', '4');
  const landing = start();
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
  await vi.advanceTimersByTimeAsync(7_900);
  expect(landing.getSnapshot().value).toMatchObject({ loading: { shelves: 'loading' } });
  await vi.advanceTimersByTimeAsync(100);
  await vi.waitFor(() => expect(landing.getSnapshot().value).toBe('failed'));
  expect(landing.getSnapshot().context.problem).toEqual({ kind: 'timeout' });
});

test('carousels that all arrive are shown at once', async () => {
  hangTitleTypes();
  const landing = start();
  await vi.waitFor(() => expect(landing.getSnapshot().value).toBe('shown'));
  expect(landing.getSnapshot().context.shelves).toHaveLength(4);
  expect(vi.getTimerCount()).toBe(0);
});

const purchaseXml = (id: string, progress: number, lastOpenedAt: string): string =>
  `<Purchase><InstanceId>i${id}</InstanceId><PurchasedAt>2026-01-01T00:00:00Z</PurchasedAt><Progress>${progress}</Progress>
    <LastOpenedAt>${lastOpenedAt}</LastOpenedAt>${titleXml(id)}</Purchase>`;

const startAsCustomer = () =>
  createActor(flow(createShopEnvironment(() => api)), { input: createFlowInput({}, { signedIn: true }) }).start();

test('a customer is offered their unfinished titles, the last opened first', async () => {
  await fetchContinueChunk();
  const sortOrders: string[] = [];
  const purchases = [
    purchaseXml('1', 0.4, '2026-01-02T00:00:00Z'),
    purchaseXml('2', 1, '2026-01-05T00:00:00Z'),
    purchaseXml('3', 0.1, '2026-01-04T00:00:00Z'),
    purchaseXml('4', 0, ''),
  ];
  api = createFakeServer([], {
    fetch: async ({ url }) => {
      const { pathname, searchParams } = new URL(url);
      if (!pathname.endsWith('/user/purchases')) return xml(titlesXml);
      sortOrders.push(searchParams.get('sort') ?? '');
      return xml(`<Purchases total="4">${purchases.join('')}</Purchases>`);
    },
  }).api;
  const landing = startAsCustomer();
  await vi.waitFor(() => expect(landing.getSnapshot().value).toBe('shown'));
  expect(landing.getSnapshot().context.startedTitles?.map(({ instanceId }) => instanceId)).toEqual(['i3', 'i1']);
  expect(sortOrders).toEqual(['opened']);
});

test('a library that never responds delays the landing page by 1.5 seconds at most', async () => {
  await fetchContinueChunk();
  api = createFakeServer([], {
    fetch: ({ url }) => (url.includes('/user/purchases') ? new Promise(() => {}) : Promise.resolve(xml(titlesXml))),
  }).api;
  const landing = startAsCustomer();
  await vi.waitFor(() => expect(landing.getSnapshot().value).toMatchObject({ loading: { shelves: 'loaded' } }));
  await vi.advanceTimersByTimeAsync(1_500);
  expect(landing.getSnapshot().value).toBe('shown');
});
