import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createActor } from 'xstate';
import type { Api } from '../../../src/client/client.ts';
import { flow } from '../../../src/flows/landing/ports.ts';
import { world, xml } from '../../support/client/world.ts';
import { flowInput } from '../../support/path-model.ts';

let api: Api;
vi.mock('../../../src/client/open-client.ts', () => ({ api: async () => api }));

const titles = '<Titles><Title><TitleId>1</TitleId><Name>Log</Name><TitleType>1</TitleType></Title></Titles>';

/** A store that never answers for some types of title. */
const hangsFor = (...codes: string[]): void => {
  api = world([], {
    fetch: ({ url, signal }) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
        if (!codes.includes(new URL(url).searchParams.get('titletype') ?? '')) resolve(xml(titles));
      }),
  }).api;
};

const start = () => createActor(flow, { input: flowInput() }).start();

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

test('a carousel that hangs holds up the others for five seconds at most', async () => {
  hangsFor('2');
  const landing = start();
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
  await vi.advanceTimersByTimeAsync(4_000);
  expect(landing.getSnapshot().value).toBe('loading');
  await vi.advanceTimersByTimeAsync(1_000);
  await vi.waitFor(() => expect(landing.getSnapshot().value).toBe('shown'));
  expect(landing.getSnapshot().context.carousels.map(({ type }) => type)).toEqual(['all', 'ebook', 'video']);
});

test('carousels that all come wait for nothing', async () => {
  hangsFor();
  const landing = start();
  await vi.waitFor(() => expect(landing.getSnapshot().value).toBe('shown'));
  expect(landing.getSnapshot().context.carousels).toHaveLength(4);
  expect(vi.getTimerCount()).toBe(0);
});
