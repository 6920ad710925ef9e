import { expect, test } from 'vitest';
import { tracksMachine } from '../../../machines/reading/tracks.ts';
import { problems } from '../../../machines/path-models/path-model.ts';
import { after, contextOf, isSend } from '../../support/steps.ts';
import { untouched } from '../../../machines/path-models/progress-input.ts';

const itemOf = (id: string, url = `/media/${id}`) => ({ id, name: id, url, durationSeconds: 60, captions: [] });
const items = [itemOf('a'), itemOf('b')];
const playback = { rate: 1, volume: 1, muted: false, captions: 'en' };
const inputWith = (start: unknown) => ({
  tracks: { medium: 'audio', items, start, playback, about: { name: '', authors: [], cover: null } },
  progress: { titleId: '1001', contextKey: 'audio', ...untouched },
  addresses: { instanceId: 'i1', sample: false, renewIn: 1000 },
});

const told = (itemId: string, seconds: number) => ({ type: 'tracks.told', itemId, seconds, totalProgression: 0 });
const sentAfter = (start: unknown, ...events: { type: string }[]) =>
  after(tracksMachine, inputWith(start), ...events)
    .effects.filter(isSend)
    .map(({ event }) => event.type);

test.each([
  ['at its beginning', null, told('a', 0), false],
  ['next to its beginning', null, told('a', 0.5), true],
  ['where it was left', { itemId: 'b', seconds: 12 }, told('b', 12.05), false],
  ['a tenth of a second on', { itemId: 'b', seconds: 0 }, told('b', 0.1), false],
  ['further than it was left', { itemId: 'b', seconds: 12 }, told('b', 13), true],
  ['at the same second of another part', { itemId: 'b', seconds: 12 }, told('a', 12), true],
])('a recording that stands %s is saved if it has moved', (_, start, event, isSaved) => {
  expect(sentAfter(start, event).includes('position.moved')).toBe(isSaved);
});

test('what has been saved is not saved again', () => {
  expect(sentAfter(null, told('a', 5), told('a', 5))).not.toContain('position.moved');
});

test('a recording begins with the part where it was left, else with the first one', () => {
  expect(contextOf(after(tracksMachine, inputWith({ itemId: 'b', seconds: 1 })))['itemId']).toBe('b');
  expect(contextOf(after(tracksMachine, inputWith(null)))['itemId']).toBe('a');
});

test('a player that is closed is reset: the next one stands at the beginning, and does not play [S4.player-reset]', () => {
  const played = [
    { type: 'tracks.itemChanged', itemId: 'b' },
    { type: 'tracks.playing' },
    told('b', 30),
    { type: 'close.pressed' },
  ];
  expect(contextOf(after(tracksMachine, inputWith(null), ...played))).toMatchObject({ itemId: 'b', plays: true });
  expect(contextOf(after(tracksMachine, inputWith(null)))).toMatchObject({ itemId: 'a', position: null, plays: false });
});

test('after a failure, the part that was playing begins at its beginning', () => {
  const events = [
    { type: 'tracks.itemChanged', itemId: 'b' },
    { type: 'tracks.failed', problem: problems.offline },
  ];
  expect(contextOf(after(tracksMachine, inputWith(null), ...events))['start']).toEqual({ itemId: 'b', seconds: 0 });
});

test('renewed addresses take the place of the old ones, at once and for a later beginning', () => {
  const fresh = [itemOf('a', '/media/fresh')];
  const renewed = { type: 'addresses.renewed', items: fresh };
  expect(contextOf(after(tracksMachine, inputWith(null), renewed))['items']).toEqual(fresh);
  const [told] = after(tracksMachine, inputWith(null), renewed).effects.filter(isSend);
  expect(told?.event).toEqual({ type: 'tracks.renewed', items: fresh });
  const stopped = { type: 'tracks.failed', problem: problems.offline };
  expect(contextOf(after(tracksMachine, inputWith(null), stopped, renewed))['items']).toEqual(fresh);
});

test('sound that is turned all the way down is muted, and keeps its volume for later', () => {
  const after0 = (...volumes: number[]) =>
    contextOf(after(tracksMachine, inputWith(null), ...volumes.map((volume) => ({ type: 'volume.chosen', volume }))))['playback'];
  expect(after0(0.5, 0)).toMatchObject({ muted: true, volume: 0.5 });
  expect(after0(0.5, 0, 1)).toMatchObject({ muted: false, volume: 1 });
});

test('a part that is chosen is sought and played, in this order', () => {
  expect(sentAfter(null, { type: 'item.chosen', itemId: 'b' } as { type: string })).toEqual(['tracks.seek', 'tracks.play']);
});
