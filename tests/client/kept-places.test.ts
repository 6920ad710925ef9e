import { beforeEach, expect, test, vi } from 'vitest';
import type { Position } from '../../machines/model/reading/reading.ts';
import {
  keepOffer,
  keptPlace,
  openingPlace,
  rememberPlace,
  unsentPlaces,
  type KeptPlace,
} from '../../src/client/library/kept-places.ts';
import type { ServerPlace } from '../../src/client/library/places.ts';
import { placesSender } from '../../src/client/library/send-places.ts';
import { safeLocalStorage } from '../../src/storage/storage.ts';
import { json, world } from '../support/client/world.ts';

const key = { titleId: 't1', contextKey: 'audio' };
const at = (seconds: number): Position => ({ itemId: 'a', seconds, totalProgression: seconds / 1000 });
const [phone, laptop] = [
  { id: 'phone', name: 'Safari, iPhone' },
  { id: 'laptop', name: 'Firefox, Windows' },
];
const savedAt = '2026-01-02T10:00:00.000Z';
const untimed = { minutesAgo: null };
const serverAt = (seconds: number, device = laptop, version = 5): ServerPlace => ({
  place: { position: at(seconds), savedAt, device, ...untimed },
  known: { version },
  earlier: [],
});
const keptAt = (seconds: number, more: Partial<KeptPlace> = {}): KeptPlace => ({
  ...key,
  position: at(seconds),
  savedAt,
  known: { version: 4 },
  isSent: true,
  offered: null,
  ...more,
});
const open = (server: ServerPlace | null, kept: KeptPlace | null) =>
  openingPlace(server, kept, phone.id, (place) => ({ ...place, ...untimed }));

beforeEach(() => safeLocalStorage.removeItem('colophon.places.'));

test.each<[string, ServerPlace | null, KeptPlace | null, number | null, number | null, number | null]>([
  ['never opened', { place: null, known: { version: 0 }, earlier: [] }, null, null, null, null],
  ['opened on another device alone', serverAt(500), null, 500, null, null],
  ['read on by another device', serverAt(500), keptAt(40), 500, 40, null],
  ['read by this device alone', serverAt(500, phone), keptAt(40), 500, null, null],
  ['left offline, as nobody read on', serverAt(500, laptop, 4), keptAt(700, { isSent: false }), 700, null, 700],
  ['left offline, while another device read on', serverAt(500), keptAt(700, { isSent: false }), 500, 700, null],
  ['close by on both devices', serverAt(500), keptAt(495), 500, null, null],
  ['opened while the server does not answer', null, keptAt(700, { isSent: false }), 700, null, 700],
  ['opened while the server does not answer, and sent before', null, keptAt(700), 700, null, null],
])('a title that was %s opens at the newest place', (_, server, kept, position, offered, unsent) => {
  const opening = open(server, kept);
  const secondsOf = (place: Position | null | undefined) => (place && 'seconds' in place ? place.seconds : null);
  expect([opening.position, opening.progress.offered?.position, opening.progress.unsent].map(secondsOf)).toEqual([
    position,
    offered,
    unsent,
  ]);
});

test('a server without versions is believed where it still has what the place is based on', () => {
  const kept = keptAt(700, { isSent: false, known: { position: at(500) } });
  const server = { place: serverAt(500).place, known: { position: at(500) }, earlier: [] };
  expect(open(server, kept).progress.unsent).toEqual(at(700));
  const ahead = { place: serverAt(900).place, known: { position: at(900) }, earlier: [] };
  expect(open(ahead, kept)).toMatchObject({ position: at(900), progress: { unsent: null, offered: { position: at(700) } } });
});

test('a place that is offered stays offered until it is answered', () => {
  const opening = open(serverAt(500), keptAt(40));
  keepOffer(key, opening);
  rememberPlace({ type: 'place.moved', ...key, position: at(510), known: { version: 5 } });
  expect(open(serverAt(510, phone, 6), keptPlace(key)).progress.offered?.position).toEqual(at(40));
  rememberPlace({ type: 'place.answered', ...key });
  expect(open(serverAt(510, phone, 6), keptPlace(key)).progress.offered).toBeNull();
});

test('unsent places are kept longest', () => {
  rememberPlace({ type: 'place.moved', titleId: 'unsent', contextKey: 'epub', position: at(1), known: { version: 0 } });
  for (let nth = 0; nth < 60; nth += 1)
    rememberPlace({ type: 'place.sent', titleId: `t${nth}`, contextKey: 'epub', position: at(nth), known: { version: 1 } });
  expect(unsentPlaces().map(({ titleId }) => titleId)).toEqual(['unsent']);
  expect(keptPlace({ titleId: 't1', contextKey: 'epub' })).toBeNull();
  expect(keptPlace({ titleId: 't59', contextKey: 'epub' })).not.toBeNull();
});

test('places that were left over are sent at the next visit, and stay where the server cannot be reached', async () => {
  rememberPlace({ type: 'place.moved', ...key, position: at(7), known: { version: 2 } });
  await placesSender()(world([new TypeError('no network')]).api);
  expect(unsentPlaces()).toHaveLength(1);
  const { api, asked } = world([json({ version: 3 })]);
  await placesSender()(api);
  expect(JSON.parse(String(asked[0]?.body))).toMatchObject({ position: at(7), basedOn: 2 });
  expect([unsentPlaces(), keptPlace(key)?.known]).toEqual([[], { version: 3 }]);
});

test('a place that another device is ahead of is kept to be offered; one of a title that is gone stays, and holds up no other', async () => {
  rememberPlace({ type: 'place.moved', ...key, position: at(7), known: { version: 2 } });
  const newer = json({ error: 'Newer', status: 409, code: 'place_newer' }, 409);
  await placesSender()(world([newer, json({ position: at(900), version: 9 })]).api);
  expect(unsentPlaces()).toHaveLength(1);
  rememberPlace({ type: 'place.moved', ...key, titleId: 'gone', position: at(8), known: { version: 2 } });
  await placesSender()(world([json({ error: 'Gone', status: 404, code: 'not_found' }, 404), json({ version: 3 })]).api);
  expect(unsentPlaces().map(({ titleId }) => titleId)).toEqual(['gone']);
});

test('a place that is saved while others are sent is not sent again in its older form', async () => {
  rememberPlace({ type: 'place.moved', ...key, position: at(7), known: { version: 2 } });
  rememberPlace({ type: 'place.moved', ...key, titleId: 't2', position: at(8), known: { version: 2 } });
  const { api, asked } = world([json({ version: 3 }), json({ version: 3 })]);
  const send = placesSender();
  const [sending, atOnce] = [send(api), send(api)];
  rememberPlace({ type: 'place.sent', ...key, position: at(9), known: { version: 3 } });
  rememberPlace({ type: 'place.moved', ...key, position: at(10), known: { version: 3 } });
  await Promise.all([sending, atOnce]);
  expect(asked.map(({ body }) => JSON.parse(String(body)) as unknown)).toMatchObject([{ position: at(8) }]);
});

test('a full storage keeps the latest places, and none is lost to a place that does not fit', () => {
  for (const titleId of ['t1', 't2', 't3'])
    rememberPlace({ type: 'place.moved', ...key, titleId, position: at(1), known: { version: 2 } });
  const write = vi.spyOn(safeLocalStorage, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  rememberPlace({ type: 'place.moved', ...key, titleId: 't4', position: at(1), known: { version: 2 } });
  write.mockRestore();
  expect(unsentPlaces().map(({ titleId }) => titleId)).toEqual(['t3', 't2', 't1']);
});

test('a place that was sent while the reader moved on leaves the later one to be sent', () => {
  rememberPlace({ type: 'place.moved', ...key, position: at(700), known: { version: 2 } });
  rememberPlace({ type: 'place.sent', ...key, position: at(7), known: { version: 3 } });
  expect(unsentPlaces()).toMatchObject([{ position: at(700), known: { version: 3 } }]);
});
