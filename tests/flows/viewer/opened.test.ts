import { describe, expect, test } from 'vitest';
import { addressesMachine } from '../../../machines/reading/addresses.ts';
import { bookMachine } from '../../../machines/reading/book.ts';
import { interactiveMachine } from '../../../machines/reading/interactive.ts';
import { noticesMachine } from '../../../machines/reading/notices.ts';
import { viewerMachine } from '../../../machines/reading/viewer.ts';
import { emptyProgress } from '../../../machines/path-models/progress-input.ts';
import { createFlowInput, problems, summary } from '../../../machines/path-models/path-model.ts';
import { stepThrough, getContext, doneEvent, errorEvent, isSendEffect, isStartEffect } from '../../support/steps.ts';

const item = { id: 'a', name: 'One', url: '/media/x/one', durationSeconds: 60, captions: [] };
const look = { fontScale: 1, theme: 'light' };
const playback = { rate: 1, volume: 1, muted: false, captions: 'en' };
const place = { href: 'chapter-2.xhtml', progression: 0.5, totalProgression: 0.25, cfi: null, label: '', page: 4, pages: 9 };
const audioPlace = { itemId: 'a', seconds: 12, totalProgression: 0.2 };
const gameState = { node: 'cave', totalProgression: 0.3 };

const opened = (medium: string, position: unknown = null, about: unknown = summary) => ({
  publication: { titleId: '1001', instanceId: 'i1', name: 'A title', medium, sample: false, items: [item] },
  position,
  look,
  playback,
  about,
  renewIn: 1000,
});

const input = createFlowInput({ flow: 'viewer', params: { instanceid: 'i1' } }, { signedIn: true });

/** The input that the player of a title is started with. */
const startedAfter = (...title: Parameters<typeof opened>): unknown => {
  const { effects } = stepThrough(viewerMachine, input, doneEvent('openTitle', opened(...title)));
  const [started] = effects.filter(isStartEffect).map((effect) => effect.input as Record<string, unknown>);
  return started?.['book'] ?? started?.['tracks'] ?? started?.['interactive'];
};

describe('a title is opened', () => {
  test.each([
    ['epub', place, { medium: 'epub', url: item.url, start: place, look }],
    ['pdf', place, { medium: 'pdf', start: place }],
    ['epub', audioPlace, { medium: 'epub', start: null }],
    ['audio', audioPlace, { medium: 'audio', start: { itemId: 'a', seconds: 12 } }],
    ['video', place, { medium: 'video', start: null, items: [item] }],
    ['interactive', gameState, { url: item.url, start: 'cave' }],
    ['interactive', place, { start: null }],
  ])('%s, at its saved place', (medium, position, expected) => {
    expect(startedAfter(medium, position)).toMatchObject(expected);
  });

  test('a recording passes its metadata to the system’s media controls', () => {
    const cover = { url: '/covers/1001', width: 400, height: 600 };
    expect(startedAfter('audio', null, { ...summary, cover })).toMatchObject({
      about: { name: 'A title', authors: summary.authors, cover },
    });
    expect(startedAfter('audio', null, null)).toMatchObject({ about: { authors: [], cover: null } });
  });
});

const sampleInput = createFlowInput({ flow: 'viewer', params: { instanceid: 'i1', sample: '' } });
const navigationAfter = (...events: { type: string }[]) =>
  stepThrough(viewerMachine, sampleInput, ...events)
    .effects.filter(isSendEffect)
    .map(({ event }) => event['to'] as unknown)
    .filter((to) => to !== undefined);

test('a sample links to its title, as named by the address until it is open', () => {
  const title = doneEvent('openTitle', opened('epub'));
  expect(navigationAfter({ type: 'close.pressed' })).toEqual(['/id:i1']);
  expect(navigationAfter(title, { type: 'buy.pressed' })).toEqual([expect.stringContaining('1001')]);
});

test('a sample named only by its instance id has its own saved place, and offers the title', () => {
  const named = createFlowInput({ flow: 'viewer', params: { instanceid: 'sample-1001' } }, { signedIn: true });
  const title = opened('epub');
  const event = doneEvent('openTitle', { ...title, publication: { ...title.publication, sample: true } });
  const [started] = stepThrough(viewerMachine, named, event).effects.filter(isStartEffect);
  expect(started?.input).toMatchObject({
    progress: { titleId: '1001', contextKey: 'sample' },
    addresses: { instanceId: 'sample-1001', sample: true },
  });
  const sent = stepThrough(viewerMachine, named, event, { type: 'buy.pressed' }).effects.filter(isSendEffect);
  expect(sent.map(({ event: { to } }) => String(to))).toContainEqual(expect.stringContaining('titleid=1001'));
});

const progress = { titleId: '1001', contextKey: 'epub', ...emptyProgress };
const addresses = { instanceId: 'i1', sample: false, renewIn: 34_560_000 };
const book = { book: { medium: 'epub', url: item.url, start: place, look }, progress, addresses };
const bookRestart = [{ type: 'book.failed', problem: problems.offline }, { type: 'retry.pressed' }];

describe('a book', () => {
  test('starts at its saved place, and after a failure at the last one reached', () => {
    const further = { ...place, page: 7 };
    const pages = stepThrough(bookMachine, book)
      .effects.filter(isStartEffect)
      .find(({ id }) => id === 'pages');
    expect(pages?.input).toMatchObject({ start: place });
    expect(getContext(stepThrough(bookMachine, book, ...bookRestart))['start']).toEqual(place);
    const moved = [
      { type: 'book.opened', contents: [] },
      { type: 'book.moved', locator: further },
    ];
    expect(getContext(stepThrough(bookMachine, book, ...moved, ...bookRestart))['start']).toEqual(further);
  });

  test('that is read from right to left says so', () => {
    const read = (part: object) => getContext(stepThrough(bookMachine, book, { type: 'book.opened', contents: [], ...part }));
    expect(read({ rightToLeft: true })['rightToLeft']).toBe(true);
    expect(read({})).not.toHaveProperty('rightToLeft');
  });

  test('that opens after a failure has no problem any more', () => {
    const events = [...bookRestart, { type: 'book.opened', contents: [] }];
    expect(getContext(stepThrough(bookMachine, book, ...events))['problem']).toBeNull();
  });
});

const noItems = { type: 'addresses.renewed', items: [] };

test('a URL that fails to load leaves the current one', () => {
  expect(getContext(stepThrough(bookMachine, book, noItems))['url']).toBe(item.url);
  const game = { interactive: { url: item.url, start: null }, progress, addresses };
  expect(getContext(stepThrough(interactiveMachine, game, noItems))['url']).toBe(item.url);
});

test('URLs are renewed when the last ones expire', () => {
  const again = doneEvent('renewAddresses', { items: [item], renewIn: 5000 });
  const due = { type: 'xstate.after.renewal.addresses.fresh' };
  expect(getContext(stepThrough(addressesMachine, addresses, due, again))['renewIn']).toBe(5000);
});

test('a customer who has lost a title is refused, one with another refusal is not', () => {
  const due = { type: 'xstate.after.renewal.addresses.fresh' };
  const stateAfter = (problem: unknown): unknown =>
    stepThrough(addressesMachine, addresses, due, errorEvent('renewAddresses', problem)).snapshot.value;
  expect([problems.notOwned, problems.notFound].map(stateAfter)).toEqual(['refused', 'refused']);
  expect([problems.declined, problems.offline].map(stateAfter)).toEqual(['stale', 'stale']);
});

test('a viewer knows its title before anything is opened', () => {
  const viewer = (part: object, more: object = {}) =>
    stepThrough(viewerMachine, createFlowInput({ flow: 'viewer', ...part }, more));
  expect(getContext(viewer({ hides: ['topBar'] }))['topBar']).toBe(false);
  expect(getContext(viewer({}))['topBar']).toBe(true);
  expect(viewer({}, { store: { ...input.store, enableWebReader: false } }).snapshot.value).toBe('inApp');
});

test('the way back from a link leads to the page with the link, not to another of the chapter', () => {
  const movedTo = (page: number) => ({ type: 'book.moved', locator: { ...place, page } });
  const followed = [movedTo(4), { type: 'book.linkPressed', href: 'chapter-2.xhtml#note' }];
  const wayAfter = (page: number): unknown => stepThrough(noticesMachine, undefined, ...followed, movedTo(page)).snapshot.value;
  expect(wayAfter(4)).toMatchObject({ wayBack: 'none' });
  expect(wayAfter(8)).toMatchObject({ wayBack: 'looking' });
});
