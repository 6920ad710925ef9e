import { expect, test } from 'vitest';
import { tracksMachine } from '../../../machines/reading/tracks.ts';
import { problems } from '../../../machines/path-models/path-model.ts';
import { stepThrough, getContext, isSendEffect } from '../../support/steps.ts';
import { emptyProgress } from '../../../machines/path-models/progress-input.ts';

const makeItem = (id: string, url = `/media/${id}`) => ({ id, name: id, url, durationSeconds: 60, captions: [] });
const items = [makeItem('a'), makeItem('b')];
const playback = { rate: 1, volume: 1, muted: false, captions: 'en' };
const createInput = (start: unknown) => ({
  tracks: { medium: 'audio', items, start, playback, about: { name: '', authors: [], cover: null } },
  progress: { titleId: '1001', contextKey: 'audio', ...emptyProgress },
  addresses: { instanceId: 'i1', sample: false, renewIn: 1000 },
});

const trackPosition = (itemId: string, seconds: number) => ({
  type: 'tracks.positionReported',
  itemId,
  seconds,
  totalProgression: 0,
});
const listSentTypes = (start: unknown, ...events: { type: string }[]) =>
  stepThrough(tracksMachine, createInput(start), ...events)
    .effects.filter(isSendEffect)
    .map(({ event }) => event.type);

test.each([
  ['at its beginning', null, trackPosition('a', 0), false],
  ['half a second after its beginning', null, trackPosition('a', 0.5), true],
  ['where it was left', { itemId: 'b', seconds: 12 }, trackPosition('b', 12.05), false],
  ['a tenth of a second further', { itemId: 'b', seconds: 0 }, trackPosition('b', 0.1), false],
  ['further than where it was left', { itemId: 'b', seconds: 12 }, trackPosition('b', 13), true],
  ['at the same second of another part', { itemId: 'b', seconds: 12 }, trackPosition('a', 12), true],
])('a recording that is %s is saved only if the part differs, or the position by over 0.1 s', (_, start, event, isSaved) => {
  expect(listSentTypes(start, event).includes('position.moved')).toBe(isSaved);
});

test('a saved position is not saved again', () => {
  expect(listSentTypes(null, trackPosition('a', 5), trackPosition('a', 5))).not.toContain('position.moved');
});

test('a recording starts with the part where it was left, otherwise with the first one', () => {
  expect(getContext(stepThrough(tracksMachine, createInput({ itemId: 'b', seconds: 1 })))['itemId']).toBe('b');
  expect(getContext(stepThrough(tracksMachine, createInput(null)))['itemId']).toBe('a');
});

test('after a player has been closed, the next one is at the start and does not play [S4.player-reset]', () => {
  const playedEvents = [
    { type: 'tracks.itemChanged', itemId: 'b' },
    { type: 'tracks.playing' },
    trackPosition('b', 30),
    { type: 'close.pressed' },
  ];
  expect(getContext(stepThrough(tracksMachine, createInput(null), ...playedEvents))).toMatchObject({ itemId: 'b', plays: true });
  expect(getContext(stepThrough(tracksMachine, createInput(null)))).toMatchObject({ itemId: 'a', position: null, plays: false });
});

test('after a failure, the part that was playing starts from its beginning', () => {
  const events = [
    { type: 'tracks.itemChanged', itemId: 'b' },
    { type: 'tracks.failed', problem: problems.offline },
  ];
  expect(getContext(stepThrough(tracksMachine, createInput(null), ...events))['start']).toEqual({ itemId: 'b', seconds: 0 });
});

test('renewed URLs replace the old ones, also after a failure', () => {
  const renewedItems = [makeItem('a', '/media/fresh')];
  const addressesRenewed = { type: 'addresses.renewed', items: renewedItems };
  expect(getContext(stepThrough(tracksMachine, createInput(null), addressesRenewed))['items']).toEqual(renewedItems);
  const [sentEffect] = stepThrough(tracksMachine, createInput(null), addressesRenewed).effects.filter(isSendEffect);
  expect(sentEffect?.event).toEqual({ type: 'tracks.renewed', items: renewedItems });
  const playbackFailed = { type: 'tracks.failed', problem: problems.offline };
  expect(getContext(stepThrough(tracksMachine, createInput(null), playbackFailed, addressesRenewed))['items']).toEqual(
    renewedItems,
  );
});

test('volume zero mutes and keeps the earlier volume, and another volume unmutes', () => {
  const getPlaybackAfter = (...volumes: number[]) =>
    getContext(stepThrough(tracksMachine, createInput(null), ...volumes.map((volume) => ({ type: 'volume.chosen', volume }))))[
      'playback'
    ];
  expect(getPlaybackAfter(0.5, 0)).toMatchObject({ muted: true, volume: 0.5 });
  expect(getPlaybackAfter(0.5, 0, 1)).toMatchObject({ muted: false, volume: 1 });
});

test('choosing a part seeks first, and then plays', () => {
  expect(listSentTypes(null, { type: 'item.chosen', itemId: 'b' } as { type: string })).toEqual(['tracks.seek', 'tracks.play']);
});
