import { describe, expect, test } from 'vitest';
import {
  campaignPath,
  categoryPath,
  collectionPath,
  libraryPath,
  listPath,
  pagePath,
  resetPasswordPath,
  samplePath,
  searchPath,
  signInPath,
  signUpPath,
  toSlug,
  titlePath,
  viewerPath,
  withQuery,
} from '../../machines/model/paths.ts';
import { paymentReturnPath, purchasePath, purchaseSuccessPath } from '../../machines/model/purchase-paths.ts';
import { seededRandom } from '../../machines/paths/walk.ts';
import { parsePath } from '../../machines/path-models/route-at.ts';

/** An id with characters that are special in URLs. */
const specialChars = 'a&b=c d/e?f#g%h+i';

describe('every path leads to its flow, with any names in it', () => {
  test.each<[string, string, Record<string, string>, Record<string, string>]>([
    [titlePath(specialChars, specialChars), 'title', { titleId: specialChars, name: toSlug(specialChars) }, {}],
    [titlePath(specialChars), 'title', { titleId: specialChars }, {}],
    [listPath('audio'), 'catalogue', { type: 'audio' }, {}],
    [searchPath(specialChars), 'catalogue', { type: 'all' }, { search: specialChars }],
    [searchPath(''), 'catalogue', { type: 'all' }, {}],
    [
      categoryPath({ id: specialChars, name: 'Sea / Land' }),
      'catalogue',
      { type: 'all', parent: 'sea-land', category: specialChars },
      {},
    ],
    [categoryPath({ id: specialChars, name: '/' }, 'audio'), 'catalogue', { type: 'audio', category: specialChars }, {}],
    [collectionPath('catalog', specialChars), 'catalogue', { catalog: specialChars }, {}],
    [collectionPath('titleset', specialChars), 'catalogue', { titleset: specialChars }, {}],
    [purchasePath(specialChars), 'purchase', { of: 'title', titleid: specialChars }, {}],
    [paymentReturnPath(specialChars), 'purchase', { transId: specialChars }, {}],
    [purchaseSuccessPath(specialChars), 'receipt', { transId: specialChars }, {}],
    [viewerPath(specialChars), 'viewer', { instanceid: specialChars }, {}],
    [samplePath(specialChars), 'viewer', { instanceid: specialChars }, { sample: '1' }],
    [libraryPath(), 'library', {}, {}],
    [libraryPath('ebook', specialChars), 'library', { type: 'ebook' }, { sort: specialChars }],
    [signInPath(), 'signIn', {}, {}],
    [signInPath({ return: '/all?search=x', action: '' }), 'signIn', {}, { return: '/all?search=x' }],
    [signUpPath('return=%2Fall'), 'signUp', {}, { return: '/all' }],
    [pagePath(specialChars), 'page', { page: specialChars }, {}],
    [campaignPath(specialChars), 'campaign', {}, {}],
  ])('the path %s leads to its flow', (path, flow, params, query) => {
    const route = parsePath(path);
    expect(route.flow).toBe(flow);
    expect({ ...route.params, ...route.query }).toMatchObject({ ...params, ...query });
  });

  test('the route of a password reset does not store the secret', () => {
    expect(decodeURIComponent(resetPasswordPath(specialChars))).toBe(`/resetpassword/${specialChars}`);
    expect(parsePath(resetPasswordPath(specialChars))).toMatchObject({ flow: 'resetPassword', path: '/resetpassword/…' });
  });
});

test('paths are as short as possible', () => {
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

describe('the slug of a name [S9.slug]', () => {
  test('a slug has dashes for spaces and slashes, and at most 60 characters', () => {
    expect(toSlug('Sea / Land and  Sky')).toBe('Sea-Land-and-Sky');
    expect(toSlug('/ /')).toBe('');
    expect([...toSlug('é'.repeat(80))]).toHaveLength(60);
    expect([...toSlug('🌊'.repeat(80))]).toHaveLength(60);
  });

  test('the paths of a thousand random names lead to their title', () => {
    const random = seededRandom(907);
    const characters = [
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
      const name = Array.from(
        { length: Math.floor(random() * 90) },
        () => characters[Math.floor(random() * characters.length)],
      ).join('');
      const slug = toSlug(name);
      expect([...slug].length).toBeLessThanOrEqual(60);
      expect(slug).not.toMatch(/[\s/]|^-|-$/);
      expect(toSlug(slug)).toBe(slug);
      expect(parsePath(titlePath('1001', name))).toMatchObject({ flow: 'title', params: { titleId: '1001' } });
    }
  });
});
