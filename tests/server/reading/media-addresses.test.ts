import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createMediaAddresses, type MediaFile } from '../../../server/media/media.ts';
import { openToken } from '../../../server/publication/media-token.ts';

const HALF_LIFETIME_S = 600;
const mediaSecret = Buffer.alloc(32, 7);
const createAddress = createMediaAddresses({ mediaSecret, mediaLifetime: 2 * HALF_LIFETIME_S });
const mediaFile: MediaFile = {
  storeId: 'demo',
  titleId: '1001',
  reader: { userId: 'ann', session: 'hash' },
  file: 'book.epub',
  mimeType: 'application/epub+zip',
};

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 27) }));
afterEach(() => vi.useRealTimers());
const advanceSeconds = (seconds: number): void => void vi.setSystemTime(Date.now() + seconds * 1000);

/** Advances the clock until a new address is issued for the file. @returns the seconds it took */
function countSecondsUntilNextAddress(requestedFile: MediaFile): number {
  const { url } = createAddress(requestedFile);
  for (let seconds = 1; seconds <= 2 * HALF_LIFETIME_S; seconds += 1) {
    advanceSeconds(1);
    if (createAddress(requestedFile).url !== url) return seconds;
  }
  throw new Error(`The address did not change within its maximum lifetime of ${2 * HALF_LIFETIME_S} s.`);
}

test('a media address is reused for half of the maximum lifetime, then a new one is issued', () => {
  countSecondsUntilNextAddress(mediaFile);
  expect(countSecondsUntilNextAddress(mediaFile)).toBe(HALF_LIFETIME_S);
});

test('a media address is valid for its stated time, which is at least half of the maximum lifetime', () => {
  countSecondsUntilNextAddress(mediaFile);
  for (const seconds of [0, 1, HALF_LIFETIME_S / 2, HALF_LIFETIME_S / 2 - 2]) {
    advanceSeconds(seconds);
    const { url, expiresAt, expiresIn } = createAddress(mediaFile);
    expect(expiresAt.getTime()).toBe(Date.now() + expiresIn * 1000);
    expect([expiresIn > HALF_LIFETIME_S, expiresIn <= 2 * HALF_LIFETIME_S]).toEqual([true, true]);
    const [, , token = ''] = url.split('/');
    const end = Date.now() / 1000 + expiresIn;
    expect([openToken(token, mediaSecret, end - 1)?.path, openToken(token, mediaSecret, end)]).toEqual(['book.epub', null]);
  }
});

test('a renewal after four fifths of the lifetime issues a new media address', () => {
  countSecondsUntilNextAddress(mediaFile);
  for (const seconds of [0, HALF_LIFETIME_S / 2, HALF_LIFETIME_S - 1]) {
    advanceSeconds(seconds);
    const { url, expiresIn } = createAddress(mediaFile);
    advanceSeconds(Math.floor(expiresIn * 0.8));
    expect(createAddress(mediaFile).url).not.toBe(url);
    countSecondsUntilNextAddress(mediaFile);
  }
});

test('media addresses of different readers change at different times', () => {
  const otherFiles = Array.from({ length: 5 }, (_, index) => ({
    ...mediaFile,
    reader: { userId: `u${index}`, session: `s${index}` },
  }));
  const startTime = Date.now();
  const moments = otherFiles.map((otherFile) => {
    vi.setSystemTime(startTime);
    return countSecondsUntilNextAddress(otherFile);
  });
  expect(new Set(moments).size).toBe(otherFiles.length);
});

test('a media address with a lifetime of one second is valid for one second', () => {
  expect(createMediaAddresses({ mediaSecret, mediaLifetime: 1 })(mediaFile).expiresIn).toBe(1);
});
