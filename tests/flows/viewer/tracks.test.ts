import { expect, test } from 'vitest';
import { tracksMachine } from '../../../machines/reading/tracks.ts';
import { problems } from '../../../machines/path-models/path-model.ts';
import { stepThrough, getContext, isSendEffect } from '../../support/steps.ts';
import { emptyProgress } from '../../../machines/path-models/progress-input.ts';

const makeItem = (id: string, url = `/media/${id}`) => ({ id, name: id, url, durationSeconds: 60, captions: [] });
const items = [makeItem('a'), makeItem('b')];
const playback = { rate: 1, volume: 1, muted: false, captions: 'en' };
const inputWith = (start: unknown) => ({
  tracks: { medium: 'audio', items, start, playback, about: { name: '', authors: [], cover: null } },
  progress: { titleId: '1001', contextKey: 'audio', ...emptyProgress },
  addresses: { instanceId: 'i1', sample: false, renewIn: 1000 },
});

const trackPosition = (itemId: string, seconds: number) => ({ type: 'tracks.told', itemId, seconds, totalProgression: 0 });
const sentAfter = (start: unknown, ...events: { type: string }[]) =>
  stepThrough(tracksMachine, inputWith(start), ...events)
    .effects.filter(isSendEffect)
    .map(({ event }) => event.type);

test.each([
  ['at its beginning', null, trackPosition('a', 0), false],
  ['half a second after its beginning', null, trackPosition('a', 0.5), true],
  ['where it was left', { itemId: 'b', seconds: 12 }, trackPosition('b', 12.05), false],
  ['a tenth of a second further', { itemId: 'b', seconds: 0 }, trackPosition('b', 0.1), false],
  ['further than where it was left', { itemId: 'b', seconds: 12 }, trackPosition('b', 13), true],
  ['at the same second of another part', { itemId: 'b', seconds: 12 }, trackPosition('a', 12), true],
])('a recording that is %s is saved if its position has changed', (_, start, event, isSaved) => {
  expect(sentAfter(start, event).includes('position.moved')).toBe(isSaved);
});

test('a saved position is not saved again', () => {
  expect(sentAfter(null, trackPosition('a', 5), trackPosition('a', 5))).not.toContain('position.moved');
});

test('a recording starts with the part where it was left, otherwise with the first one', () => {
  expect(getContext(stepThrough(tracksMachine, inputWith({ itemId: 'b', seconds: 1 })))['itemId']).toBe('b');
  expect(getContext(stepThrough(tracksMachine, inputWith(null)))['itemId']).toBe('a');
});

test('a closed player is reset: the next one is at the start, and does not play [S4.player-reset]', () => {
  const played = [
    { type: 'tracks.itemChanged', itemId: 'b' },
    { type: 'tracks.playing' },
    trackPosition('b', 30),
    { type: 'close.pressed' },
  ];
  expect(getContext(stepThrough(tracksMachine, inputWith(null), ...played))).toMatchObject({ itemId: 'b', plays: true });
  expect(getContext(stepThrough(tracksMachine, inputWith(null)))).toMatchObject({ itemId: 'a', position: null, plays: false });
});

test('after a failure, the part that was playing starts from its beginning', () => {
  const events = [
    { type: 'tracks.itemChanged', itemId: 'b' },
    { type: 'tracks.failed', problem: problems.offline },
  ];
  expect(getContext(stepThrough(tracksMachine, inputWith(null), ...events))['start']).toEqual({ itemId: 'b', seconds: 0 });
});

test('renewed URLs replace the old ones, at once and for a later start', () => {
  const fresh = [makeItem('a', '/media/fresh')];
  const renewed = { type: 'addresses.renewed', items: fresh };
  expect(getContext(stepThrough(tracksMachine, inputWith(null), renewed))['items']).toEqual(fresh);
  const [told] = stepThrough(tracksMachine, inputWith(null), renewed).effects.filter(isSendEffect);
  expect(told?.event).toEqual({ type: 'tracks.renewed', items: fresh });
  const stopped = { type: 'tracks.failed', problem: problems.offline };
  expect(getContext(stepThrough(tracksMachine, inputWith(null), stopped, renewed))['items']).toEqual(fresh);
});

test('volume at zero mutes, and unmuting restores the earlier volume', () => {
  const after0 = (...volumes: number[]) =>
    getContext(stepThrough(tracksMachine, inputWith(null), ...volumes.map((volume) => ({ type: 'volume.chosen', volume }))))[
      'playback'
    ];
  expect(after0(0.5, 0)).toMatchObject({ muted: true, volume: 0.5 });
  expect(after0(0.5, 0, 1)).toMatchObject({ muted: false, volume: 1 });
});

test('choosing a part seeks and plays, in this order', () => {
  expect(sentAfter(null, { type: 'item.chosen', itemId: 'b' } as { type: string })).toEqual(['tracks.seek', 'tracks.play']);
});
