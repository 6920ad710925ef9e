import { describe, expect, test } from 'vitest';
import { fetchSubscriptionStatus } from '../../../src/client/subscription/subscription.ts';
import { fetchSuggestions } from '../../../src/shell/header/suggestions-call.ts';
import { fetchStoreTheme } from '../../../src/shell/ports/theme-call.ts';
import { json, catchRejection, createFakeServer } from '../../support/client/fake-environment.ts';

describe('the store’s theme [S7.theme]', () => {
  test('a store’s theme has its colours by name, in any case', async () => {
    const { api, requests } = createFakeServer([json({ Sidebar: '#123456', footer: '#abc', topbar: '#000000', radius: '4px' })]);
    expect(await fetchStoreTheme(api)).toEqual({ sidebar: '#123456', footer: '#abc', topBar: '#000000' });
    expect(requests[0]).toMatchObject({ path: '/api/theme', query: { shelfid: 'demo' } });
  });

  test.each(['red;}body{display:none', 'url(https://evil.test/)', 'expression(1)', 'teal', 7, null, ['#fff']])(
    'a store’s theme leaves out %j, which is not a colour',
    async (sidebar) => {
      expect(await fetchStoreTheme(createFakeServer([json({ sidebar, footer: '#222222' })]).api)).toEqual({ footer: '#222222' });
    },
  );

  test('a theme that is not an object is malformed', async () => {
    expect(await catchRejection(fetchStoreTheme(createFakeServer([json('teal')]).api))).toMatchObject({
      kind: 'malformed',
      call: 'theme',
    });
  });
});

describe('the subscription status [S7.subscription/status]', () => {
  test.each([
    [
      { subscribed: true, data: 'p1' },
      { subscribed: true, data: 'p1' },
    ],
    [{ subscribed: false }, { subscribed: false, data: null }],
  ])('the subscription status %j is read', async (answer, expected) => {
    expect(await fetchSubscriptionStatus(createFakeServer([json(answer)]).api)).toEqual(expected);
  });

  test('a subscription status with neither a status nor a plan means no subscription', async () => {
    expect(await fetchSubscriptionStatus(createFakeServer([json({})]).api)).toEqual({ subscribed: false, data: null });
  });
});

describe('suggestions', () => {
  test('suggestions have their kind; titles have the fields shown beside them', async () => {
    const { api, requests } = createFakeServer([
      json({
        suggestions: [
          { kind: 'author', text: 'Ines' },
          { kind: 'title', text: 'T', id: '1', authors: ['Ines'], medium: 'audio', coverUrl: '/media/t.jpg' },
          { kind: 'title', text: 'U', id: '2', medium: 'cassette', coverUrl: 'javascript:alert(1)' },
        ],
      }),
    ]);
    expect(await fetchSuggestions(api, 'in')).toEqual([
      { kind: 'author', text: 'Ines', id: '', authors: [], medium: null, coverUrl: '' },
      { kind: 'title', text: 'T', id: '1', authors: ['Ines'], medium: 'audio', coverUrl: 'https://shop.test/media/t.jpg' },
      { kind: 'title', text: 'U', id: '2', authors: [], medium: null, coverUrl: '' },
    ]);
    expect(requests[0]?.query).toMatchObject({ search: 'in', limit: '8' });
  });

  test('a search text over the limit is cut to its beginning', async () => {
    const { api, requests } = createFakeServer([json({ suggestions: [] })]);
    await fetchSuggestions(api, 'x'.repeat(10_000));
    expect(requests[0]?.query['search']).toHaveLength(200);
  });
});
