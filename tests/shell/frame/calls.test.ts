import { describe, expect, test } from 'vitest';
import { fetchSubscriptionStatus } from '../../../src/client/subscription/subscription.ts';
import { fetchSuggestions } from '../../../src/shell/header/suggestions-call.ts';
import { fetchStoreTheme } from '../../../src/shell/ports/theme-call.ts';
import { json, catchRejection, environment } from '../../support/client/fake-environment.ts';

describe('the store’s theme [S7.theme]', () => {
  test('is its colours by name, in any case', async () => {
    const { api, asked } = environment([json({ Sidebar: '#123456', footer: '#abc', topbar: '#000000', radius: '4px' })]);
    expect(await fetchStoreTheme(api)).toEqual({ sidebar: '#123456', footer: '#abc', topBar: '#000000' });
    expect(asked[0]).toMatchObject({ path: '/api/theme', query: { shelfid: 'demo' } });
  });

  test.each(['red;}body{display:none', 'url(https://evil.test/)', 'expression(1)', 'teal', 7, null, ['#fff']])(
    'leaves out %j, which is not a colour',
    async (sidebar) => {
      expect(await fetchStoreTheme(environment([json({ sidebar, footer: '#222222' })]).api)).toEqual({ footer: '#222222' });
    },
  );

  test('any answer but an object is malformed', async () => {
    expect(await catchRejection(fetchStoreTheme(environment([json('teal')]).api))).toMatchObject({
      kind: 'malformed',
      call: 'theme',
    });
  });
});

describe('whether the customer has subscribed [S7.subscription/status]', () => {
  test.each([
    [
      { subscribed: true, data: 'p1' },
      { subscribed: true, data: 'p1' },
    ],
    [{ subscribed: false }, { subscribed: false, data: null }],
  ])('%j', async (answer, expected) => {
    expect(await fetchSubscriptionStatus(environment([json(answer)]).api)).toEqual(expected);
  });

  test('an answer with neither a status nor a plan means no subscription', async () => {
    expect(await fetchSubscriptionStatus(environment([json({})]).api)).toEqual({ subscribed: false, data: null });
  });
});

describe('suggestions', () => {
  test('suggestions have their kind; titles have the fields shown beside them', async () => {
    const { api, asked } = environment([
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
    expect(asked[0]?.query).toMatchObject({ search: 'in', limit: '8' });
  });

  test('a text over the request’s limit is cut to its beginning', async () => {
    const { api, asked } = environment([json({ suggestions: [] })]);
    await fetchSuggestions(api, 'x'.repeat(10_000));
    expect(asked[0]?.query['search']).toHaveLength(200);
  });
});
