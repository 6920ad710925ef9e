import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { mediaAddresses, type MediaPart } from '../../../server/media/media.ts';
import { verify } from '../../../server/publication/media-token.ts';

const HALF = 600;
const mediaSecret = Buffer.alloc(32, 7);
const addressOf = mediaAddresses({ mediaSecret, mediaLifetime: 2 * HALF });
const part: MediaPart = {
  storeId: 'demo',
  titleId: '1001',
  reader: { userId: 'ann', session: 'hash' },
  file: 'book.epub',
  mimeType: 'application/epub+zip',
};

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 27) }));
afterEach(() => vi.useRealTimers());
const wait = (seconds: number): void => void vi.setSystemTime(Date.now() + seconds * 1000);

/** Seconds after which the part first has another address. */
function untilNext(of: MediaPart): number {
  const { url } = addressOf(of);
  for (let waited = 1; waited <= 2 * HALF; waited += 1) {
    wait(1);
    if (addressOf(of).url !== url) return waited;
  }
  throw new Error('The address stays the same for its whole life.');
}

test('an address stays the same for half of the longest life, then there is another one', () => {
  untilNext(part);
  expect(untilNext(part)).toBe(HALF);
});

test('an address opens for as long as is said, which is half of the longest life at least', () => {
  untilNext(part);
  for (const waited of [0, 1, HALF / 2, HALF / 2 - 2]) {
    wait(waited);
    const { url, expiresAt, expiresIn } = addressOf(part);
    expect(expiresAt.getTime()).toBe(Date.now() + expiresIn * 1000);
    expect([expiresIn > HALF, expiresIn <= 2 * HALF]).toEqual([true, true]);
    const [, , token = ''] = url.split('/');
    const end = Date.now() / 1000 + expiresIn;
    expect([verify(token, mediaSecret, end - 1)?.path, verify(token, mediaSecret, end)]).toEqual(['book.epub', null]);
  }
});

test('an address that is renewed after four fifths of its life is another one', () => {
  untilNext(part);
  for (const waited of [0, HALF / 2, HALF - 1]) {
    wait(waited);
    const { url, expiresIn } = addressOf(part);
    wait(Math.floor(expiresIn * 0.8));
    expect(addressOf(part).url).not.toBe(url);
    untilNext(part);
  }
});

test('addresses of other readers do not change at the same moment', () => {
  const others = Array.from({ length: 5 }, (_, nth) => ({ ...part, reader: { userId: `u${nth}`, session: `s${nth}` } }));
  const begun = Date.now();
  const moments = others.map((other) => {
    vi.setSystemTime(begun);
    return untilNext(other);
  });
  expect(new Set(moments).size).toBe(others.length);
});

test('an address that lives for a second opens for one', () => {
  expect(mediaAddresses({ mediaSecret, mediaLifetime: 1 })(part).expiresIn).toBe(1);
});
