import { describe, expect, test } from 'vitest';
import { purchaseFreeTitle } from '../../src/client/catalogue/free-title.ts';
import { startTitlePayment } from '../../src/flows/purchase/calls/title.ts';
import { fetchTitle } from '../../src/client/catalogue/title.ts';
import { saveViewerProgress } from '../../src/client/library/places.ts';
import { fetchItemUrl } from '../../src/flows/viewer/calls.ts';
import { config, json, catchRejection, createFakeServer, xml } from '../support/client/fake-environment.ts';

const titleResponse = () =>
  xml('<Title><TitleId>t1</TitleId><Name>One</Name><TitleType>1</TitleType><Medium>epub</Medium></Title>');
const grantResponse = () => json({ transId: 'tr1', titleId: 't1', instanceId: 'i1', status: 'paid' });
const device = { id: 'd1', name: 'Firefox, Linux' };
const busyResponse = () => new Response('busy', { status: 503 });

describe('headers and parameters of every request', () => {
  test('a visitor’s request has the store id alone', async () => {
    const { api, requests } = createFakeServer([titleResponse]);
    await fetchTitle(api, 't1');
    expect(requests).toEqual([
      { method: 'GET', path: '/api/titles/t1', query: { shelfid: 'demo' }, headers: {}, cache: 'default', body: '' },
    ]);
  });

  test('a customer’s request has the token and the store under its configured name, and is not cached [S6.credentials] [S7.store-id]', async () => {
    const { api, requests } = createFakeServer([titleResponse], {
      token: () => 'secret-token-0001',
      config: { ...config, storeParameter: 'tenant', apiBase: 'https://shop.test/api/' },
    });
    await fetchTitle(api, 't1');
    expect(requests[0]).toMatchObject({
      path: '/api/titles/t1',
      query: { tenant: 'demo', accesstoken: 'secret-token-0001' },
      cache: 'no-store',
    });
  });

  test('the token is read for each request, not once', async () => {
    let token: string | null = 'first-token-00001';
    const { api, requests } = createFakeServer([titleResponse], { token: () => token });
    await fetchTitle(api, 't1');
    token = null;
    await fetchTitle(api, 't1');
    expect(requests.map(({ query }) => query['accesstoken'])).toEqual(['first-token-00001', undefined]);
  });

  test('a change has a key, no cache, a limit of 30 s; a read has no key, may be cached, a limit of 15 s', async () => {
    const { api, requests, limits } = createFakeServer([grantResponse, titleResponse]);
    await purchaseFreeTitle(api, { titleId: 't1', key: 'attempt-0001' });
    await fetchTitle(api, 't1');
    expect(requests.map(({ headers, cache }) => [headers['idempotency-key'], cache])).toEqual([
      ['attempt-0001', 'no-store'],
      [undefined, 'default'],
    ]);
    expect(limits.map(({ ms }) => ms)).toEqual([30_000, 15_000]);
  });

  test('a change without an idempotency key gets a new one', () => {
    const { api } = createFakeServer([]);
    expect(api.changeOptions().headers.get('Idempotency-Key')).toBe('key-00000001');
    expect(api.changeOptions(null).headers.has('Idempotency-Key')).toBe(false);
  });

  test('a relative API base without a page is a programming error, not a network error', () => {
    expect(() => createFakeServer([], { config: { ...config, apiBase: '/api' } })).toThrow('Invalid URL');
  });
});

describe('retries', () => {
  test.each([502, 503, 504])('a read that is answered with %i is retried twice, with growing delays', async (status) => {
    const { api, requests, waits } = createFakeServer([
      () => new Response('x', { status }),
      () => new Response('x', { status }),
      titleResponse,
    ]);
    expect((await fetchTitle(api, 't1')).name).toBe('One');
    expect(requests).toHaveLength(3);
    expect(waits).toEqual([300, 600]);
  });

  test('a read that fails on the network is retried twice, then reported as offline', async () => {
    const { api, requests } = createFakeServer([new TypeError('Failed to fetch')]);
    expect(await catchRejection(fetchTitle(api, 't1'))).toEqual({ kind: 'offline' });
    expect(requests).toHaveLength(3);
  });

  test('a read that is answered with 500 is not retried', async () => {
    const { api, requests } = createFakeServer([() => new Response('x', { status: 500 })]);
    expect(await catchRejection(fetchTitle(api, 't1'))).toEqual({ kind: 'http', status: 500, message: 'HTTP Error: 500' });
    expect(requests).toHaveLength(1);
  });

  test.each([
    ['network failure', new TypeError('Failed to fetch'), { kind: 'offline' }],
    ['busy gateway', busyResponse, { kind: 'http', status: 503, message: 'HTTP Error: 503' }],
  ])('a change is never sent twice: %s', async (_, reply, problem) => {
    const { api, requests, waits } = createFakeServer([reply]);
    const purchase = { titleId: 't1', price: null, key: 'attempt-0001', code: '', tax: null, giftInfo: undefined };
    expect(await catchRejection(startTitlePayment(api, { ...purchase, method: null }))).toEqual(problem);
    expect([requests.length, waits]).toEqual([1, []]);
  });

  test('an aborted call is not retried', async () => {
    const abortController = new AbortController();
    const { api, requests } = createFakeServer([
      () => {
        abortController.abort();
        throw new TypeError('Failed to fetch');
      },
    ]);
    await catchRejection(fetchTitle(api, 't1', abortController.signal));
    expect(requests).toHaveLength(1);
  });

  test('the time limit spans all attempts', async () => {
    const { api, requests, limits } = createFakeServer([
      () => {
        limits[0]?.end();
        return busyResponse();
      },
      titleResponse,
    ]);
    expect(await catchRejection(fetchTitle(api, 't1'))).toEqual({ kind: 'timeout' });
    expect([requests.length, limits.length]).toEqual([2, 1]);
  });
});

describe('a rate-limit refusal has the time of the next allowed call', () => {
  const createRefusal = (retryAfter?: string) => {
    const refusal = { error: 'Too many attempts.', status: 429, code: 'too_many_requests' };
    const headers = { 'content-type': 'application/json', ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }) };
    return new Response(JSON.stringify(refusal), { status: 429, headers });
  };
  const problem = { kind: 'refused', code: 'too_many_requests', message: 'Too many attempts.' };

  test.each([
    ['90', { ...problem, retryAfterSeconds: 90 }],
    [undefined, problem],
    ['0', problem],
    ['Wed, 21 Oct 2026 07:28:00 GMT', problem],
  ])('a rate-limit refusal has the seconds of Retry-After, if it is a number: %s', async (retryAfter, expected) => {
    const { api } = createFakeServer([createRefusal(retryAfter)]);
    const savePromise = saveViewerProgress(
      api,
      { titleId: 't1', contextKey: 'epub' },
      { position: { node: 'n', totalProgression: 0 }, known: { version: 0 }, device },
    );
    expect(await catchRejection(savePromise)).toEqual(expected);
  });
});

describe('bodies', () => {
  test('progress is posted as JSON [S7.viewer/progress-save]', async () => {
    const { api, requests } = createFakeServer([json({ position: null })], { token: () => 'secret-token-0001' });
    await saveViewerProgress(
      api,
      { titleId: 't1', contextKey: 'audio' },
      { position: { itemId: 'track1', seconds: 61.5, totalProgression: 0.2 }, known: { version: 3 }, device },
    );
    expect(requests).toMatchObject([
      {
        method: 'POST',
        path: '/api/viewer/progress',
        query: { shelfid: 'demo', accesstoken: 'secret-token-0001', titleid: 't1', contextkey: 'audio' },
        headers: { 'content-type': 'application/json' },
        body: '{"position":{"itemId":"track1","seconds":61.5,"totalProgression":0.2},"basedOn":3,"device":{"id":"d1","name":"Firefox, Linux"}}',
      },
    ]);
  });

  test('a query has no empty parameters, and is encoded [S7.viewer/url]', async () => {
    const { api, requests } = createFakeServer([json({ url: '/media/token/book.epub', expiresAt: 'x' })]);
    const itemUrl = await fetchItemUrl(api, { instanceId: 'i&1=', itemId: 'main', sample: false });
    expect(itemUrl).toEqual({ url: 'https://shop.test/media/token/book.epub', expiresIn: null });
    expect(requests[0]?.query).toEqual({ instanceid: 'i&1=', content: 'main', shelfid: 'demo' });
  });
});
