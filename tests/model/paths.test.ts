import { describe, expect, test } from 'vitest';
import {
  campaignPath,
  categoryPath,
  collectionPath,
  libraryPath,
  listPath,
  pagePath,
  paymentReturnPath,
  purchasePath,
  purchaseSuccessPath,
  resetPasswordPath,
  samplePath,
  searchPath,
  signInPath,
  signUpPath,
  slug,
  titlePath,
  viewerPath,
  withQuery,
} from '../../machines/model/paths.ts';
import { seeded } from '../../machines/paths/walk.ts';
import { routeAt } from '../../machines/path-models/route-at.ts';

/** What an id may be made of at worst. */
const odd = 'a&b=c d/e?f#g%h+i';

describe('every address leads to its flow, whatever the names in it', () => {
  test.each<[string, string, Record<string, string>, Record<string, string>]>([
    [titlePath(odd, odd), 'title', { titleId: odd, name: slug(odd) }, {}],
    [titlePath(odd), 'title', { titleId: odd }, {}],
    [listPath('audio'), 'catalogue', { type: 'audio' }, {}],
    [searchPath(odd), 'catalogue', { type: 'all' }, { search: odd }],
    [searchPath(''), 'catalogue', { type: 'all' }, {}],
    [categoryPath({ id: odd, name: 'Sea / Land' }), 'catalogue', { type: 'all', parent: 'sea-land', category: odd }, {}],
    [categoryPath({ id: odd, name: '/' }, 'audio'), 'catalogue', { type: 'audio', category: odd }, {}],
    [collectionPath('catalog', odd), 'catalogue', { catalog: odd }, {}],
    [collectionPath('titleset', odd), 'catalogue', { titleset: odd }, {}],
    [purchasePath(odd), 'purchase', { of: 'title', titleid: odd }, {}],
    [paymentReturnPath(odd), 'purchase', { transId: odd }, {}],
    [purchaseSuccessPath(odd), 'receipt', { transId: odd }, {}],
    [viewerPath(odd), 'viewer', { instanceid: odd }, {}],
    [samplePath(odd), 'viewer', { instanceid: odd }, { sample: '1' }],
    [libraryPath(), 'library', {}, {}],
    [libraryPath('ebook', odd), 'library', { type: 'ebook' }, { sort: odd }],
    [signInPath(), 'signIn', {}, {}],
    [signInPath({ return: '/all?search=x', action: '' }), 'signIn', {}, { return: '/all?search=x' }],
    [signUpPath('return=%2Fall'), 'signUp', {}, { return: '/all' }],
    [pagePath(odd), 'page', { page: odd }, {}],
    [campaignPath(odd), 'campaign', {}, {}],
  ])('%s', (path, flow, params, query) => {
    const route = routeAt(path);
    expect(route.flow).toBe(flow);
    expect({ ...route.params, ...route.query }).toMatchObject({ ...params, ...query });
  });

  test('with a secret, which no route keeps', () => {
    expect(decodeURIComponent(resetPasswordPath(odd))).toBe(`/resetpassword/${odd}`);
    expect(routeAt(resetPasswordPath(odd))).toMatchObject({ flow: 'resetPassword', path: '/resetpassword/…' });
  });
});

test('addresses are as short as they can be', () => {
  expect(titlePath('1001', 'What? 100% #1')).toBe('/id:1001/What%3F-100%25-%231');
  expect(titlePath('1001', ' / ')).toBe('/id:1001');
  expect(categoryPath({ id: '12', name: 'Craft / Kitchen' })).toBe('/all/craft-kitchen/12');
  expect(categoryPath({ id: '12', name: '/' })).toBe('/all/12');
  expect(categoryPath({ id: '12', name: 'All of it' }, 'audio')).toBe('/audio/all-of-it/12');
  expect([libraryPath(), libraryPath('all', 'name'), libraryPath('audio')]).toEqual([
    '/mylibrary',
    '/mylibrary?sort=name',
    '/mylibrary/audio',
  ]);
  expect(samplePath('1001')).toBe('/viewer?instanceid=1001&sample=1');
  expect([withQuery('/a', ''), withQuery('/a', 'b=1'), withQuery('/a', { b: '', c: '1 2' })]).toEqual([
    '/a',
    '/a?b=1',
    '/a?c=1%202',
  ]);
});

describe('a name as the end of an address [S9.slug]', () => {
  test('spaces and slashes become dashes, at most 60 characters', () => {
    expect(slug('Sea / Land and  Sky')).toBe('Sea-Land-and-Sky');
    expect(slug('/ /')).toBe('');
    expect([...slug('é'.repeat(80))]).toHaveLength(60);
    expect([...slug('🌊'.repeat(80))]).toHaveLength(60);
  });

  test('a thousand random names lead to their title', () => {
    const chance = seeded(907);
    const signs = [
      'a',
      'É',
      '🌊',
      '\uD83C',
      '\uDF0A',
      '中',
      ' ',
      '\t',
      '\n',
      '/',
      '-',
      '?',
      '#',
      '%',
      '&',
      '.',
      '"',
      '\\',
      ':',
      '\u202E',
    ];
    for (let count = 0; count < 1000; count += 1) {
      const name = Array.from({ length: Math.floor(chance() * 90) }, () => signs[Math.floor(chance() * signs.length)]).join('');
      const end = slug(name);
      expect([...end].length).toBeLessThanOrEqual(60);
      expect(end).not.toMatch(/[\s/]|^-|-$/);
      expect(slug(end)).toBe(end);
      expect(routeAt(titlePath('1001', name))).toMatchObject({ flow: 'title', params: { titleId: '1001' } });
    }
  });
});
