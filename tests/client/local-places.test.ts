import { beforeEach, expect, test, vi } from 'vitest';
import type { Position } from '../../machines/model/reading/reading.ts';
import {
  saveOffer,
  findLocalPlace,
  chooseOpeningPlace,
  applyPlaceCommand,
  getUnsentPlaces,
  type LocalPlace,
} from '../../src/client/library/local-places.ts';
import type { ServerPlace } from '../../src/client/library/places.ts';
import { createPlacesSender } from '../../src/client/library/send-places.ts';
import { safeLocalStorage } from '../../src/storage/storage.ts';
import { json, createFakeServer } from '../support/client/fake-environment.ts';

const key = { titleId: 't1', contextKey: 'audio' };
const positionAt = (seconds: number): Position => ({ itemId: 'a', seconds, totalProgression: seconds / 1000 });
const [phone, laptop] = [
  { id: 'phone', name: 'Safari, iPhone' },
  { id: 'laptop', name: 'Firefox, Windows' },
];
const savedAt = '2026-01-02T10:00:00.000Z';
const placeWithoutTime = { minutesAgo: null };
const serverPlaceAt = (seconds: number, device = laptop, version = 5): ServerPlace => ({
  place: { position: positionAt(seconds), savedAt, device, ...placeWithoutTime },
  known: { version },
  earlier: [],
});
const localPlaceAt = (seconds: number, overrides: Partial<LocalPlace> = {}): LocalPlace => ({
  ...key,
  position: positionAt(seconds),
  savedAt,
  known: { version: 4 },
  isSent: true,
  offered: null,
  ...overrides,
});
const resolveOpeningPlace = (server: ServerPlace | null, localPlace: LocalPlace | null) =>
  chooseOpeningPlace(server, localPlace, phone.id, (place) => ({ ...place, ...placeWithoutTime }));

beforeEach(() => safeLocalStorage.removeItem('colophon.places.'));

test.each<[string, ServerPlace | null, LocalPlace | null, number | null, number | null, number | null]>([
  ['never opened', { place: null, known: { version: 0 }, earlier: [] }, null, null, null, null],
  ['opened only on another device', serverPlaceAt(500), null, 500, null, null],
  ['read on by another device', serverPlaceAt(500), localPlaceAt(40), 500, 40, null],
  ['read only on this device', serverPlaceAt(500, phone), localPlaceAt(40), 500, null, null],
  ['left offline, and not read elsewhere', serverPlaceAt(500, laptop, 4), localPlaceAt(700, { isSent: false }), 700, null, 700],
  ['left offline, while another device read on', serverPlaceAt(500), localPlaceAt(700, { isSent: false }), 500, 700, null],
  ['close by on both devices', serverPlaceAt(500), localPlaceAt(495), 500, null, null],
  ['opened while the server does not answer', null, localPlaceAt(700, { isSent: false }), 700, null, 700],
  ['opened while the server does not answer, and sent before', null, localPlaceAt(700), 700, null, null],
])('the opening place and the offered place of a title that was %s', (_, server, localPlace, position, offered, unsent) => {
  const openingPlace = resolveOpeningPlace(server, localPlace);
  const getSeconds = (place: Position | null | undefined) => (place && 'seconds' in place ? place.seconds : null);
  expect([openingPlace.position, openingPlace.progress.offered?.position, openingPlace.progress.unsent].map(getSeconds)).toEqual([
    position,
    offered,
    unsent,
  ]);
});

test('without versions, an unsent place counts as newer only while the server has the place it is based on', () => {
  const localPlace = localPlaceAt(700, { isSent: false, known: { position: positionAt(500) } });
  const server = { place: serverPlaceAt(500).place, known: { position: positionAt(500) }, earlier: [] };
  expect(resolveOpeningPlace(server, localPlace).progress.unsent).toEqual(positionAt(700));
  const newerServerPlace = { place: serverPlaceAt(900).place, known: { position: positionAt(900) }, earlier: [] };
  expect(resolveOpeningPlace(newerServerPlace, localPlace)).toMatchObject({
    position: positionAt(900),
    progress: { unsent: null, offered: { position: positionAt(700) } },
  });
});

test('an offered place stays offered until the customer answers', () => {
  const openingPlace = resolveOpeningPlace(serverPlaceAt(500), localPlaceAt(40));
  saveOffer(key, openingPlace);
  applyPlaceCommand({ type: 'place.moved', ...key, position: positionAt(510), known: { version: 5 } });
  expect(resolveOpeningPlace(serverPlaceAt(510, phone, 6), findLocalPlace(key)).progress.offered?.position).toEqual(
    positionAt(40),
  );
  applyPlaceCommand({ type: 'place.answered', ...key });
  expect(resolveOpeningPlace(serverPlaceAt(510, phone, 6), findLocalPlace(key)).progress.offered).toBeNull();
});

test('unsent places are evicted last', () => {
  applyPlaceCommand({
    type: 'place.moved',
    titleId: 'unsent',
    contextKey: 'epub',
    position: positionAt(1),
    known: { version: 0 },
  });
  for (let index = 0; index < 60; index += 1)
    applyPlaceCommand({
      type: 'place.sent',
      titleId: `t${index}`,
      contextKey: 'epub',
      position: positionAt(index),
      known: { version: 1 },
    });
  expect(getUnsentPlaces().map(({ titleId }) => titleId)).toEqual(['unsent']);
  expect(findLocalPlace({ titleId: 't1', contextKey: 'epub' })).toBeNull();
  expect(findLocalPlace({ titleId: 't59', contextKey: 'epub' })).not.toBeNull();
});

test('unsent places are sent at the next visit, and kept while the server is unreachable', async () => {
  applyPlaceCommand({ type: 'place.moved', ...key, position: positionAt(7), known: { version: 2 } });
  await createPlacesSender()(createFakeServer([new TypeError('no network')]).api);
  expect(getUnsentPlaces()).toHaveLength(1);
  const { api, requests } = createFakeServer([json({ version: 3 })]);
  await createPlacesSender()(api);
  expect(JSON.parse(String(requests[0]?.body))).toMatchObject({ position: positionAt(7), basedOn: 2 });
  expect([getUnsentPlaces(), findLocalPlace(key)?.known]).toEqual([[], { version: 3 }]);
});

test('a place that the server refuses stays unsent and does not block another', async () => {
  applyPlaceCommand({ type: 'place.moved', ...key, position: positionAt(7), known: { version: 2 } });
  const newerResponse = json({ error: 'Newer', status: 409, code: 'place_newer' }, 409);
  await createPlacesSender()(createFakeServer([newerResponse, json({ position: positionAt(900), version: 9 })]).api);
  expect(getUnsentPlaces()).toHaveLength(1);
  applyPlaceCommand({ type: 'place.moved', ...key, titleId: 'gone', position: positionAt(8), known: { version: 2 } });
  await createPlacesSender()(
    createFakeServer([json({ error: 'Gone', status: 404, code: 'not_found' }, 404), json({ version: 3 })]).api,
  );
  expect(getUnsentPlaces().map(({ titleId }) => titleId)).toEqual(['gone']);
});

test('a place saved while others are sent is not sent again in its older form', async () => {
  applyPlaceCommand({ type: 'place.moved', ...key, position: positionAt(7), known: { version: 2 } });
  applyPlaceCommand({ type: 'place.moved', ...key, titleId: 't2', position: positionAt(8), known: { version: 2 } });
  const { api, requests } = createFakeServer([json({ version: 3 }), json({ version: 3 })]);
  const send = createPlacesSender();
  const [firstSend, secondSend] = [send(api), send(api)];
  applyPlaceCommand({ type: 'place.sent', ...key, position: positionAt(9), known: { version: 3 } });
  applyPlaceCommand({ type: 'place.moved', ...key, position: positionAt(10), known: { version: 3 } });
  await Promise.all([firstSend, secondSend]);
  expect(requests.map(({ body }) => JSON.parse(String(body)) as unknown)).toMatchObject([{ position: positionAt(8) }]);
});

test('a place that does not fit into the storage evicts no other', () => {
  for (const titleId of ['t1', 't2', 't3'])
    applyPlaceCommand({ type: 'place.moved', ...key, titleId, position: positionAt(1), known: { version: 2 } });
  const setItemSpy = vi.spyOn(safeLocalStorage, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  applyPlaceCommand({ type: 'place.moved', ...key, titleId: 't4', position: positionAt(1), known: { version: 2 } });
  setItemSpy.mockRestore();
  expect(getUnsentPlaces().map(({ titleId }) => titleId)).toEqual(['t3', 't2', 't1']);
});

test('sending an older place leaves the later one to be sent', () => {
  applyPlaceCommand({ type: 'place.moved', ...key, position: positionAt(700), known: { version: 2 } });
  applyPlaceCommand({ type: 'place.sent', ...key, position: positionAt(7), known: { version: 3 } });
  expect(getUnsentPlaces()).toMatchObject([{ position: positionAt(700), known: { version: 3 } }]);
});
