import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { Playback, TracksCommand, TracksInput } from '../../../machines/model/reading/reading.ts';
import { createWav } from './support/wav.ts';
import { expect, test as base } from './support/fixtures.ts';

type TrackItem = TracksInput['items'][number];

const test = base.extend<{ items: TrackItem[] }>({
  /** Three recordings of 2, 20 and 3 seconds; the length of the last one is unstated. */
  items: async ({ server, page }, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'colophon-tracks-'));
    const items: TrackItem[] = [];
    for (const [id, seconds] of [
      ['a', 2],
      ['b', 20],
      ['c', 3],
    ] as const) {
      await writeFile(join(folder, `${id}.wav`), createWav(seconds));
      items.push({
        id,
        name: `Track ${id}`,
        url: server.mediaUrl(join(folder, `${id}.wav`)),
        durationSeconds: id === 'c' ? null : seconds,
        captions: [],
      });
    }
    await page.goto('/');
    await use(items);
    await rm(folder, { recursive: true });
  },
});

const playback: Playback = { rate: 1, volume: 1, muted: false, captions: 'en' };
const cover = { url: '/cover.svg', smallUrl: '', widths: [], width: 600, height: 900, color: '' };
const about: TracksInput['about'] = { name: 'A Quiet Hum', authors: ['Ines Marlow', 'Rufus Oldacre'], cover };

const startTracks = (page: Page, input: Partial<TracksInput> & { items: TrackItem[] }) =>
  page.evaluate((value) => window.reader.openTracks(value), {
    medium: 'audio' as const,
    start: null,
    playback,
    about,
    ...input,
  });
const sendCommand = (page: Page, command: TracksCommand) => page.evaluate((value) => window.reader.send(value), command);
const readFacts = (page: Page) => page.evaluate(() => window.reader.facts);
const readFactTypes = async (page: Page) => (await readFacts(page)).map(({ type }) => type);
const readLastPosition = async (page: Page) => (await readFacts(page)).findLast((fact) => fact.type === 'position.passed');

test('audio plays from track to track, and reports its last position and its end', async ({ page, items }) => {
  await startTracks(page, { items: items.filter(({ id }) => id !== 'b') });
  await expect.poll(() => readFactTypes(page)).toContain('tracks.ready');
  await sendCommand(page, { type: 'tracks.playback', playback: { ...playback, rate: 3 } });
  await sendCommand(page, { type: 'tracks.play' });
  await expect.poll(() => readFactTypes(page), { timeout: 15_000 }).toContain('tracks.ended');
  const facts = await readFacts(page);
  expect(facts.flatMap((fact) => (fact.type === 'tracks.itemChanged' ? [fact.itemId] : []))).toEqual(['a', 'c']);
  expect(facts.filter(({ type }) => type === 'tracks.paused')).toEqual([]);
  expect(await readLastPosition(page)).toMatchObject({ itemId: 'c', totalProgression: 1 });
});

test('audio starts at the saved position, and reports its position after a pause, a seek and a skip across tracks', async ({
  page,
  items,
}) => {
  await startTracks(page, { items, start: { itemId: 'b', seconds: 7.5 } });
  await expect.poll(() => readFactTypes(page)).toContain('tracks.ready');
  await expect.poll(() => page.locator('[data-clock=elapsed]').textContent()).toBe('00:07');
  await expect(page.locator('[data-clock=left]')).toHaveText('00:12');
  await expect(page.locator('[data-clock=slider]')).toHaveAttribute('max', '20');

  await sendCommand(page, { type: 'tracks.play' });
  await expect.poll(() => readFactTypes(page)).toContain('tracks.playing');
  await sendCommand(page, { type: 'tracks.pause' });
  await expect.poll(() => readFactTypes(page)).toContain('tracks.paused');
  expect(await readLastPosition(page)).toMatchObject({ itemId: 'b' });

  await sendCommand(page, { type: 'tracks.seek', itemId: 'b', seconds: 12 });
  await expect.poll(() => readLastPosition(page)).toMatchObject({ itemId: 'b', seconds: 12 });
  await expect(page.locator('[data-clock=slider]')).toHaveValue('12');
  await sendCommand(page, { type: 'tracks.skip', seconds: -13 });
  await expect.poll(() => readLastPosition(page)).toMatchObject({ itemId: 'a', seconds: 1 });
  await sendCommand(page, { type: 'tracks.skip', seconds: 30 });
  await expect.poll(async () => (await readLastPosition(page)) ?? null).toMatchObject({ itemId: 'c' });
  await sendCommand(page, { type: 'tracks.skip', seconds: -500 });
  await expect.poll(() => readLastPosition(page)).toMatchObject({ itemId: 'a', seconds: 0, totalProgression: 0 });
});

test('while audio plays its position is reported every five seconds, and the displayed time advances without an event [S4.player]', async ({
  page,
  items,
}) => {
  await startTracks(page, { items, start: { itemId: 'b', seconds: 0 }, playback: { ...playback, rate: 2 } });
  await expect.poll(() => readFactTypes(page)).toContain('tracks.ready');
  await sendCommand(page, { type: 'tracks.play' });
  await expect.poll(() => readFactTypes(page)).toContain('tracks.playing');
  // Sampled once a second, a clock at double speed may skip any single number.
  await expect(page.locator('[data-clock=elapsed]')).toHaveText(/^00:0[2-6]$/);
  expect(await readLastPosition(page)).toBeUndefined();
  await expect.poll(() => readLastPosition(page), { timeout: 8_000 }).toMatchObject({ itemId: 'b' });
  const position = await readLastPosition(page);
  expect(position?.type === 'position.passed' ? position.seconds : 0).toBeGreaterThan(9);
});

test('blocked autoplay is reported as such, and a press plays the sound', async ({ page, items }) => {
  await startTracks(page, { items });
  await expect.poll(() => readFactTypes(page)).toContain('tracks.ready');
  await page.evaluate(() => {
    const { play } = HTMLMediaElement.prototype;
    HTMLMediaElement.prototype.play = function once() {
      HTMLMediaElement.prototype.play = play;
      return Promise.reject(new DOMException('', 'NotAllowedError'));
    };
  });
  await sendCommand(page, { type: 'tracks.play' });
  await expect.poll(() => readFactTypes(page)).toContain('tracks.blocked');
  await sendCommand(page, { type: 'tracks.play' });
  await expect.poll(() => readFactTypes(page)).toContain('tracks.playing');
});

test('a missing file fails with the server’s reason, a file of another kind as malformed', async ({ page, items, server }) => {
  const missingItems = items.map((item) => ({ ...item, url: item.url.replace(/\w\.wav$/, 'gone.wav') }));
  await startTracks(page, { items: missingItems });
  await expect
    .poll(async () => (await readFacts(page)).at(-1))
    .toMatchObject({ type: 'tracks.failed', problem: { kind: 'http', status: 404 } });
  await startTracks(page, { items: items.map((item) => ({ ...item, url: `${server.url}/` })) });
  await expect
    .poll(async () => (await readFacts(page)).at(-1))
    .toMatchObject({ type: 'tracks.failed', problem: { kind: 'malformed', field: 'a' } });
});

test('a recording whose URL expires continues at the same position with the renewed URL', async ({ page, server }) => {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-long-'));
  // An hour: more than a browser loads ahead.
  for (const name of ['old', 'new']) await writeFile(join(folder, `${name}.wav`), createWav(3600));
  const item = (name: string): TrackItem => ({
    id: 'a',
    name,
    url: server.mediaUrl(join(folder, `${name}.wav`)),
    durationSeconds: 3600,
    captions: [],
  });
  await page.goto('/');
  await startTracks(page, { items: [item('old')] });
  await expect.poll(() => readFactTypes(page)).toContain('tracks.ready');
  await page.route('**/old.wav', (route) =>
    route.fulfill({ status: 403, json: { error: '', status: 403, code: 'media_denied' } }),
  );
  await sendCommand(page, { type: 'tracks.play' });
  await sendCommand(page, { type: 'tracks.seek', itemId: 'a', seconds: 3000 });
  await expect.poll(() => readFactTypes(page), { timeout: 20_000 }).toContain('tracks.expired');
  await sendCommand(page, { type: 'tracks.renewed', items: [item('new')] });
  await expect
    .poll(async () => (await readFactTypes(page)).lastIndexOf('tracks.playing'))
    .toBeGreaterThan((await readFactTypes(page)).indexOf('tracks.expired'));
  const seconds = await page.evaluate(() => {
    window.reader.send({ type: 'tracks.reportPosition' });
    return window.reader.facts.findLast((fact) => fact.type === 'tracks.positionReported')?.seconds;
  });
  // Some seconds may have been loaded ahead, or have been played since.
  expect(seconds).toBeGreaterThanOrEqual(3000);
  expect(seconds).toBeLessThan(3060);
  expect(await readFactTypes(page)).not.toContain('tracks.failed');
  await rm(folder, { recursive: true });
});

test('a request for the position is answered at once with the exact position', async ({ page, items }) => {
  await startTracks(page, { items, start: { itemId: 'b', seconds: 7.5 } });
  await expect.poll(() => readFactTypes(page)).toContain('tracks.ready');
  const lastFact = await page.evaluate(() => {
    window.reader.send({ type: 'tracks.reportPosition' });
    return window.reader.facts.at(-1);
  });
  expect(lastFact).toMatchObject({ type: 'tracks.positionReported', itemId: 'b', seconds: 7.5 });
});

test('a track that cannot be loaded reports its position before the interruption', async ({ page, items }) => {
  const brokenItems = items.map((item) => (item.id === 'b' ? { ...item, url: item.url.replace('b.wav', 'gone.wav') } : item));
  await startTracks(page, { items: brokenItems });
  await expect.poll(() => readFactTypes(page)).toContain('tracks.ready');
  await sendCommand(page, { type: 'tracks.seek', itemId: 'b', seconds: 0 });
  await expect.poll(() => readFactTypes(page)).toContain('tracks.interrupted');
  expect((await readFacts(page)).slice(-3)).toMatchObject([
    { type: 'tracks.itemChanged', itemId: 'b' },
    { type: 'position.passed', itemId: 'b', seconds: 0 },
    { type: 'tracks.interrupted' },
  ]);
});

test('lock screens show the track, author, title, cover and position, and can switch tracks', async ({ page, items }) => {
  await page.evaluate(() => {
    const { mediaSession } = navigator;
    const handlers: Record<string, MediaSessionActionHandler | null> = {};
    const states: unknown[] = [];
    mediaSession.setActionHandler = (name, handler) => void (handlers[name] = handler);
    mediaSession.setPositionState = (state) => void states.push(state ?? null);
    Object.assign(window, { handlers, states });
  });
  type MediaSessionLog = { handlers: Record<string, (details: object) => void>; states: unknown[] };
  const readMetadata = () =>
    page.evaluate(() => {
      const { title, artist, album, artwork } = navigator.mediaSession.metadata ?? {};
      return { title, artist, album, artwork: artwork?.map(({ src, sizes }) => [new URL(src).pathname, sizes]) };
    });
  const readPositionState = () => page.evaluate(() => (window as unknown as MediaSessionLog).states.at(-1));
  const pressMediaKey = (name: string, details = {}) =>
    page.evaluate(([action, actionDetails]) => (window as unknown as MediaSessionLog).handlers[action]?.(actionDetails), [
      name,
      details,
    ] as const);

  await startTracks(page, { items, start: { itemId: 'b', seconds: 7.5 } });
  await expect.poll(() => readFactTypes(page)).toContain('tracks.ready');
  expect(await readMetadata()).toEqual({
    title: 'Track b',
    artist: 'Ines Marlow, Rufus Oldacre',
    album: 'A Quiet Hum',
    artwork: [['/cover.svg', '600x900']],
  });
  expect(await readPositionState()).toEqual({ duration: 20, playbackRate: 1, position: 7.5 });
  await pressMediaKey('seekto', { seekTime: 12 });
  await expect.poll(readPositionState).toEqual({ duration: 20, playbackRate: 1, position: 12 });
  // In the middle of a track, "previous" first returns to its start.
  await pressMediaKey('previoustrack');
  await expect.poll(() => readLastPosition(page)).toMatchObject({ itemId: 'b', seconds: 0 });
  await pressMediaKey('previoustrack');
  await expect.poll(async () => (await readMetadata()).title).toBe('Track a');
  await pressMediaKey('nexttrack');
  await expect.poll(async () => (await readMetadata()).title).toBe('Track b');
});

test('a film shows the chosen captions at the chosen volume, and no captions when they are switched off', async ({
  page,
  items,
}) => {
  const [film] = items;
  const captions = ['en', 'fr'].map((language) => ({ url: `/none.${language}.vtt`, language }));
  await startTracks(page, {
    medium: 'video',
    items: film ? [{ ...film, captions }] : [],
    playback: { ...playback, captions: 'fr-CA', volume: 0.5, muted: true },
  });
  await expect.poll(() => readFactTypes(page)).toContain('tracks.ready');
  const readVideoState = () =>
    page.locator('video').evaluate((video: HTMLVideoElement) => ({
      captions: [...video.textTracks].flatMap(({ mode, language }) => (mode === 'showing' ? [language] : [])),
      volume: video.volume,
      muted: video.muted,
      poster: new URL(video.poster).pathname,
    }));
  expect(await readVideoState()).toEqual({ captions: ['fr'], volume: 0.5, muted: true, poster: '/cover.svg' });
  await sendCommand(page, { type: 'tracks.playback', playback: { ...playback, captions: '' } });
  expect(await readVideoState()).toEqual({ captions: [], volume: 1, muted: false, poster: '/cover.svg' });
});

test('a film is mounted with its captions and is removed with its engine', async ({ page, items }) => {
  const [film] = items;
  await startTracks(page, {
    medium: 'video',
    items: film ? [{ ...film, captions: [{ url: '/none.vtt', language: 'en' }] }] : [],
  });
  await expect.poll(() => readFactTypes(page)).toContain('tracks.ready');
  expect(await page.locator('#mount-point > video').count()).toBe(1);
  expect(await page.locator('video track').getAttribute('label')).toBe('English');
  await page.evaluate(() => window.reader.close());
  expect(await page.locator('#mount-point > *').count()).toBe(0);
});
