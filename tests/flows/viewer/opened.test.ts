import { describe, expect, test } from 'vitest';
import { addressesMachine } from '../../../machines/reading/addresses.ts';
import { bookMachine } from '../../../machines/reading/book.ts';
import { interactiveMachine } from '../../../machines/reading/interactive.ts';
import { noticesMachine } from '../../../machines/reading/notices.ts';
import { viewerMachine } from '../../../machines/reading/viewer.ts';
import { emptyProgress } from '../../../machines/path-models/progress-input.ts';
import { createFlowInput, problems, titleSummary } from '../../../machines/path-models/path-model.ts';
import { stepThrough, getContext, doneEvent, errorEvent, isSendEffect, isStartEffect } from '../../support/steps.ts';

const item = { id: 'a', name: 'One', url: '/media/x/one', durationSeconds: 60, captions: [] };
const look = { fontScale: 1, theme: 'light' };
const playback = { rate: 1, volume: 1, muted: false, captions: 'en' };
const place = { href: 'chapter-2.xhtml', progression: 0.5, totalProgression: 0.25, cfi: null, label: '', page: 4, pages: 9 };
const audioPlace = { itemId: 'a', seconds: 12, totalProgression: 0.2 };
const gameState = { node: 'cave', totalProgression: 0.3 };

const createOpened = (medium: string, position: unknown = null, about: unknown = titleSummary) => ({
  publication: { titleId: '1001', instanceId: 'i1', name: 'A title', medium, sample: false, items: [item] },
  position,
  look,
  playback,
  about,
  renewIn: 1000,
});

const input = createFlowInput({ flow: 'viewer', params: { instanceid: 'i1' } }, { signedIn: true });

/** Returns the input of the player that is started for a title. */
const getPlayerInput = (...title: Parameters<typeof createOpened>): unknown => {
  const { effects } = stepThrough(viewerMachine, input, doneEvent('openTitle', createOpened(...title)));
  const [playerInput] = effects.filter(isStartEffect).map((effect) => effect.input as Record<string, unknown>);
  return playerInput?.['book'] ?? playerInput?.['tracks'] ?? playerInput?.['interactive'];
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
  ])('a title of medium %s opens at its saved position, if that fits the medium', (medium, position, expected) => {
    expect(getPlayerInput(medium, position)).toMatchObject(expected);
  });

  test('a recording passes its metadata to the system’s media controls', () => {
    const cover = { url: '/covers/1001', width: 400, height: 600 };
    expect(getPlayerInput('audio', null, { ...titleSummary, cover })).toMatchObject({
      about: { name: 'A title', authors: titleSummary.authors, cover },
    });
    expect(getPlayerInput('audio', null, null)).toMatchObject({ about: { authors: [], cover: null } });
  });
});

const sampleInput = createFlowInput({ flow: 'viewer', params: { instanceid: 'i1', sample: '' } });
const listNavigations = (...events: { type: string }[]) =>
  stepThrough(viewerMachine, sampleInput, ...events)
    .effects.filter(isSendEffect)
    .map(({ event }) => event['to'] as unknown)
    .filter((to) => to !== undefined);

test('a sample links to its title, identified by the address until the sample is open', () => {
  const title = doneEvent('openTitle', createOpened('epub'));
  expect(listNavigations({ type: 'close.pressed' })).toEqual(['/id:i1']);
  expect(listNavigations(title, { type: 'buy.pressed' })).toEqual([expect.stringContaining('1001')]);
});

test('a sample identified by its instance id saves its own position, and offers the title', () => {
  const sampleByInstance = createFlowInput({ flow: 'viewer', params: { instanceid: 'sample-1001' } }, { signedIn: true });
  const title = createOpened('epub');
  const event = doneEvent('openTitle', { ...title, publication: { ...title.publication, sample: true } });
  const [startEffect] = stepThrough(viewerMachine, sampleByInstance, event).effects.filter(isStartEffect);
  expect(startEffect?.input).toMatchObject({
    progress: { titleId: '1001', contextKey: 'sample' },
    addresses: { instanceId: 'sample-1001', sample: true },
  });
  const sentEffects = stepThrough(viewerMachine, sampleByInstance, event, { type: 'buy.pressed' }).effects.filter(isSendEffect);
  expect(sentEffects.map(({ event: { to } }) => String(to))).toContainEqual(expect.stringContaining('titleid=1001'));
});

const progress = { titleId: '1001', contextKey: 'epub', ...emptyProgress };
const addresses = { instanceId: 'i1', sample: false, renewIn: 34_560_000 };
const book = { book: { medium: 'epub', url: item.url, start: place, look }, progress, addresses };
const bookRestart = [{ type: 'book.failed', problem: problems.offline }, { type: 'retry.pressed' }];

describe('a book', () => {
  test('a book starts at its saved position, and after a failure at the last position reached', () => {
    const laterPlace = { ...place, page: 7 };
    const pages = stepThrough(bookMachine, book)
      .effects.filter(isStartEffect)
      .find(({ id }) => id === 'pages');
    expect(pages?.input).toMatchObject({ start: place });
    expect(getContext(stepThrough(bookMachine, book, ...bookRestart))['start']).toEqual(place);
    const movedEvents = [
      { type: 'book.opened', contents: [] },
      { type: 'book.moved', locator: laterPlace },
    ];
    expect(getContext(stepThrough(bookMachine, book, ...movedEvents, ...bookRestart))['start']).toEqual(laterPlace);
  });

  test('a book read from right to left is marked as such in the context', () => {
    const openBook = (fields: object) =>
      getContext(stepThrough(bookMachine, book, { type: 'book.opened', contents: [], ...fields }));
    expect(openBook({ rightToLeft: true })['rightToLeft']).toBe(true);
    expect(openBook({})).not.toHaveProperty('rightToLeft');
  });

  test('a book that opens after a failure has no problem any more', () => {
    const events = [...bookRestart, { type: 'book.opened', contents: [] }];
    expect(getContext(stepThrough(bookMachine, book, ...events))['problem']).toBeNull();
  });
});

const noItems = { type: 'addresses.renewed', items: [] };

test('a renewal without items keeps the current URL', () => {
  expect(getContext(stepThrough(bookMachine, book, noItems))['url']).toBe(item.url);
  const interactiveInput = { interactive: { url: item.url, start: null }, progress, addresses };
  expect(getContext(stepThrough(interactiveMachine, interactiveInput, noItems))['url']).toBe(item.url);
});

test('media URLs are renewed when their renewal is due', () => {
  const renewalDone = doneEvent('renewAddresses', { items: [item], renewIn: 5000 });
  const renewalDue = { type: 'xstate.after.renewal.addresses.fresh' };
  expect(getContext(stepThrough(addressesMachine, addresses, renewalDue, renewalDone))['renewIn']).toBe(5000);
});

test('a customer who has lost a title is refused; after another failure the URLs stay in use', () => {
  const renewalDue = { type: 'xstate.after.renewal.addresses.fresh' };
  const getStateAfter = (problem: unknown): unknown =>
    stepThrough(addressesMachine, addresses, renewalDue, errorEvent('renewAddresses', problem)).snapshot.value;
  expect([problems.notOwned, problems.notFound].map(getStateAfter)).toEqual(['refused', 'refused']);
  expect([problems.declined, problems.offline].map(getStateAfter)).toEqual(['stale', 'stale']);
});

test('a viewer takes its top bar from the route, and its right to open titles from the store', () => {
  const stepViewer = (routeFields: object, overrides: object = {}) =>
    stepThrough(viewerMachine, createFlowInput({ flow: 'viewer', ...routeFields }, overrides));
  expect(getContext(stepViewer({ hides: ['topBar'] }))['topBar']).toBe(false);
  expect(getContext(stepViewer({}))['topBar']).toBe(true);
  expect(stepViewer({}, { store: { ...input.store, enableWebReader: false } }).snapshot.value).toBe('inApp');
});

test('the way back from a link ends on the page with the link, not on another page of its chapter', () => {
  const bookMoved = (page: number) => ({ type: 'book.moved', locator: { ...place, page } });
  const followEvents = [bookMoved(4), { type: 'book.linkPressed', href: 'chapter-2.xhtml#note' }];
  const getStateAfter = (page: number): unknown =>
    stepThrough(noticesMachine, undefined, ...followEvents, bookMoved(page)).snapshot.value;
  expect(getStateAfter(4)).toMatchObject({ wayBack: 'none' });
  expect(getStateAfter(8)).toMatchObject({ wayBack: 'looking' });
});
