import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createMediaAddresses, type MediaFile } from '../../../server/media/media.ts';
import { openToken } from '../../../server/publication/media-token.ts';

const HALF_LIFETIME_S = 600;
const mediaSecret = Buffer.alloc(32, 7);
const createAddress = createMediaAddresses({ mediaSecret, mediaLifetime: 2 * HALF_LIFETIME_S });
const part: MediaFile = {
  storeId: 'demo',
  titleId: '1001',
  reader: { userId: 'ann', session: 'hash' },
  file: 'book.epub',
  mimeType: 'application/epub+zip',
};

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 27) }));
afterEach(() => vi.useRealTimers());
const advanceSeconds = (seconds: number): void => void vi.setSystemTime(Date.now() + seconds * 1000);

/** Seconds until a new address is issued for the part. */
function secondsUntilNextAddress(of: MediaFile): number {
  const { url } = createAddress(of);
  for (let waited = 1; waited <= 2 * HALF_LIFETIME_S; waited += 1) {
    advanceSeconds(1);
    if (createAddress(of).url !== url) return waited;
  }
  throw new Error('The address did not change during its maximum lifetime.');
}

test('an address is reused for half of the maximum lifetime, then a new one is issued', () => {
  secondsUntilNextAddress(part);
  expect(secondsUntilNextAddress(part)).toBe(HALF_LIFETIME_S);
});

test('an address is valid for its stated time, which is at least half of the maximum lifetime', () => {
  secondsUntilNextAddress(part);
  for (const waited of [0, 1, HALF_LIFETIME_S / 2, HALF_LIFETIME_S / 2 - 2]) {
    advanceSeconds(waited);
    const { url, expiresAt, expiresIn } = createAddress(part);
    expect(expiresAt.getTime()).toBe(Date.now() + expiresIn * 1000);
    expect([expiresIn > HALF_LIFETIME_S, expiresIn <= 2 * HALF_LIFETIME_S]).toEqual([true, true]);
    const [, , token = ''] = url.split('/');
    const end = Date.now() / 1000 + expiresIn;
    expect([openToken(token, mediaSecret, end - 1)?.path, openToken(token, mediaSecret, end)]).toEqual(['book.epub', null]);
  }
});

test('a renewal after four fifths of the lifetime issues a new address', () => {
  secondsUntilNextAddress(part);
  for (const waited of [0, HALF_LIFETIME_S / 2, HALF_LIFETIME_S - 1]) {
    advanceSeconds(waited);
    const { url, expiresIn } = createAddress(part);
    advanceSeconds(Math.floor(expiresIn * 0.8));
    expect(createAddress(part).url).not.toBe(url);
    secondsUntilNextAddress(part);
  }
});

test('addresses of different readers change at different times', () => {
  const others = Array.from({ length: 5 }, (_, nth) => ({ ...part, reader: { userId: `u${nth}`, session: `s${nth}` } }));
  const begun = Date.now();
  const moments = others.map((other) => {
    vi.setSystemTime(begun);
    return secondsUntilNextAddress(other);
  });
  expect(new Set(moments).size).toBe(others.length);
});

test('an address with a lifetime of one second is valid for one second', () => {
  expect(createMediaAddresses({ mediaSecret, mediaLifetime: 1 })(part).expiresIn).toBe(1);
});
