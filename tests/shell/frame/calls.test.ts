import { describe, expect, test } from 'vitest';
import { subscriptionStatus } from '../../../src/client/subscription/subscription.ts';
import { suggestions } from '../../../src/shell/header/suggestions-call.ts';
import { storeTheme } from '../../../src/shell/ports/theme-call.ts';
import { json, rejection, world } from '../../support/client/world.ts';

describe('the store’s theme [S7.theme]', () => {
  test('is its colours by name, in any case', async () => {
    const { api, asked } = world([json({ Sidebar: '#123456', footer: '#abc', topbar: '#000000', radius: '4px' })]);
    expect(await storeTheme(api)).toEqual({ sidebar: '#123456', footer: '#abc', topBar: '#000000' });
    expect(asked[0]).toMatchObject({ path: '/api/theme', query: { shelfid: 'demo' } });
  });

  test.each(['red;}body{display:none', 'url(https://evil.test/)', 'expression(1)', 'teal', 7, null, ['#fff']])(
    'leaves out %j, which is no colour',
    async (sidebar) => {
      expect(await storeTheme(world([json({ sidebar, footer: '#222222' })]).api)).toEqual({ footer: '#222222' });
    },
  );

  test('anything but an object is malformed', async () => {
    expect(await rejection(storeTheme(world([json('teal')]).api))).toMatchObject({ kind: 'malformed', call: 'theme' });
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
    expect(await subscriptionStatus(world([json(answer)]).api)).toEqual(expected);
  });

  test('an answer that names neither a word nor a plan is of a customer without a subscription', async () => {
    expect(await subscriptionStatus(world([json({})]).api)).toEqual({ subscribed: false, data: null });
  });
});

describe('suggestions', () => {
  test('come with their kind; titles with what is shown beside them', async () => {
    const { api, asked } = world([
      json({
        suggestions: [
          { kind: 'author', text: 'Ines' },
          { kind: 'title', text: 'T', id: '1', authors: ['Ines'], medium: 'audio', coverUrl: '/media/t.jpg' },
          { kind: 'title', text: 'U', id: '2', medium: 'cassette', coverUrl: 'javascript:alert(1)' },
        ],
      }),
    ]);
    expect(await suggestions(api, 'in')).toEqual([
      { kind: 'author', text: 'Ines', id: '', authors: [], medium: null, coverUrl: '' },
      { kind: 'title', text: 'T', id: '1', authors: ['Ines'], medium: 'audio', coverUrl: 'https://shop.test/media/t.jpg' },
      { kind: 'title', text: 'U', id: '2', authors: [], medium: null, coverUrl: '' },
    ]);
    expect(asked[0]?.query).toMatchObject({ search: 'in', limit: '8' });
  });

  test('of a text too long for the wire its beginning is asked for', async () => {
    const { api, asked } = world([json({ suggestions: [] })]);
    await suggestions(api, 'x'.repeat(10_000));
    expect(asked[0]?.query['search']).toHaveLength(200);
  });
});
