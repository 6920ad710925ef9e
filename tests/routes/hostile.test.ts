import { expect, test } from 'vitest';
import { isSameScreen, signInOrUpPath } from '../../machines/flows/route.ts';
import { seededRandom } from '../../machines/paths/walk.ts';
import { flows } from '../../machines/flows/registry.ts';
import { parsePath } from '../../machines/path-models/route-at.ts';

const knownFlows = new Set<string>([...flows.map(({ name }) => name), 'invalid']);

/**
 * Expects a route that machines can handle: plain data of a known flow, which stays the same when
 * its own path is parsed again.
 */
const expectSoundRoute = (path: string): void => {
  const route = parsePath(path);
  expect(knownFlows.has(route.flow), path).toBe(true);
  expect(JSON.parse(JSON.stringify(route)), path).toEqual(route);
  expect(Object.getPrototypeOf(route.params)).toBe(Object.prototype);
  expect(parsePath(route.path).path, path).toBe(route.path);
  expect(isSameScreen(parsePath(route.path), route)).toBe(true);
  expect(signInOrUpPath(route, { action: null, expired: true })).toMatch(/^\/sign(?:in|up)\?return=/);
};

const longText = 'x'.repeat(10_000);

test.each([
  ['/id:%E0%A4%A', 'title'],
  ['/id:%00', 'title'],
  ['/id:%', 'title'],
  ['/id:__proto__', 'title'],
  ['/id:constructor/__proto__', 'title'],
  ['/id:%E2%80%AEgnp', 'title'],
  ['/id:..', 'title'],
  ['/id:%2E%2E%2F%2E%2E', 'title'],
  ['/pages/public/%2E%2E%2Fprivate', 'page'],
  ['/pages/public/__proto__', 'page'],
  ['/campaign/%00', 'campaign'],
  ['/%', 'notFound'],
  ['/__proto__', 'notFound'],
  ['/constructor', 'notFound'],
  ['/..;/account', 'notFound'],
  ['//account', 'notFound'],
  ['/account//', 'account'],
  ['////', 'landing'],
  ['/id:', 'notFound'],
  ['/id:/', 'notFound'],
  ['/%E2%80%AE', 'notFound'],
  ['/ａccount', 'notFound'],
  ['/ACCOUNT', 'notFound'],
  ['/account?__proto__=1&constructor=2&a=%&%=b&=&&', 'account'],
  ['/all?lang=xx', 'catalogue'],
  ['/signin?return=%E0%A4%A', 'signIn'],
])('%s is of the %s flow', (path, flow) => {
  expect(parsePath(path).flow).toBe(flow);
  expectSoundRoute(path);
});

test.each([
  [`/id:${longText}`, 'title'],
  [`/id:1/${longText}`, 'title'],
  [`/pages/public/${longText}`, 'page'],
  [`/redeem/${longText}`, 'redeem'],
  [`/${longText}`, 'notFound'],
  [`/${'a/'.repeat(5_000)}`, 'notFound'],
  [`${'/'.repeat(10_000)}x`, 'notFound'],
  [`/account?${Array.from({ length: 2_000 }, (_, index) => `p${index}=${index}`).join('&')}`, 'account'],
  [`/account?${'&'.repeat(10_000)}`, 'account'],
  [`/signin?${'return=/signin?'.repeat(700)}`, 'signIn'],
])('an address of thousands of characters has its flow, in bounded time (%#)', (path, flow) => {
  const start = performance.now();
  expect(parsePath(path).flow).toBe(flow);
  expectSoundRoute(path);
  expect(performance.now() - start).toBeLessThan(500);
});

test('ten thousand random addresses all have a valid route', () => {
  const random = seededRandom(2026);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const pieces = (
    'id: isbn: all audio ebook video catalog titleset titles pages public private about terms privacy campaign purchase title cart ' +
    'checkout complete success subscription redeem resetpassword forgotpassword signin signup account mylibrary viewer pdfviewer ' +
    'invalid 404 500 .aspx .. . %00 %E0%A4%A %2F %5C __proto__ constructor … é 雨 %E2%80%AE x 1001 ; : ( [ \\ " \' < > + * $ ^ |'
  ).split(' ');
  const keys = ['titleid', 'transId', 'instanceid', 'sample', 'return', 'action', 'code', 'token', 'lang', '__proto__', '%', ''];
  const createRandomArray = (maxLength: number): number[] => Array.from({ length: Math.floor(random() * (maxLength + 1)) });
  for (let round = 0; round < 10_000; round += 1) {
    const path = createRandomArray(5).map(
      () =>
        pick(['/', '/', '/', '', '//']) +
        createRandomArray(2)
          .map(() => pick(pieces))
          .join(''),
    );
    const query = createRandomArray(4).map(() => `${pick(keys)}${pick(['=', '=', '', '=='])}${pick(pieces)}`);
    expectSoundRoute(
      `/${path.join('')}${pick(['', '/'])}${query.length === 0 ? '' : `?${query.join(pick(['&', '&', '?', ';']))}`}`,
    );
  }
});
