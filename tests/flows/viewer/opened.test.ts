import { describe, expect, test } from 'vitest';
import { addressesMachine } from '../../../machines/reading/addresses.ts';
import { bookMachine } from '../../../machines/reading/book.ts';
import { interactiveMachine } from '../../../machines/reading/interactive.ts';
import { noticesMachine } from '../../../machines/reading/notices.ts';
import { viewerMachine } from '../../../machines/reading/viewer.ts';
import { untouched } from '../../../machines/path-models/progress-input.ts';
import { flowInput, problems, summary } from '../../../machines/path-models/path-model.ts';
import { after, contextOf, done, failed, isSend, isStart } from '../../support/steps.ts';

const item = { id: 'a', name: 'One', url: '/media/x/one', durationSeconds: 60, captions: [] };
const look = { fontScale: 1, theme: 'light' };
const playback = { rate: 1, volume: 1, muted: false, captions: 'en' };
const place = { href: 'chapter-2.xhtml', progression: 0.5, totalProgression: 0.25, cfi: null, label: '', page: 4, pages: 9 };
const heard = { itemId: 'a', seconds: 12, totalProgression: 0.2 };
const played = { node: 'cave', totalProgression: 0.3 };

const opened = (medium: string, position: unknown = null, about: unknown = summary) => ({
  publication: { titleId: '1001', instanceId: 'i1', name: 'A title', medium, sample: false, items: [item] },
  position,
  look,
  playback,
  about,
  renewIn: 1000,
});

const input = flowInput({ flow: 'viewer', params: { instanceid: 'i1' } }, { signedIn: true });

/** What the player of a title is started with. */
const startOf = (...title: Parameters<typeof opened>): unknown => {
  const { effects } = after(viewerMachine, input, done('openTitle', opened(...title)));
  const [started] = effects.filter(isStart).map((effect) => effect.input as Record<string, unknown>);
  return started?.['book'] ?? started?.['tracks'] ?? started?.['interactive'];
};

describe('a title is opened', () => {
  test.each([
    ['epub', place, { medium: 'epub', url: item.url, start: place, look }],
    ['pdf', place, { medium: 'pdf', start: place }],
    ['epub', heard, { medium: 'epub', start: null }],
    ['audio', heard, { medium: 'audio', start: { itemId: 'a', seconds: 12 } }],
    ['video', place, { medium: 'video', start: null, items: [item] }],
    ['interactive', played, { url: item.url, start: 'cave' }],
    ['interactive', place, { start: null }],
  ])('%s, where it was left', (medium, position, expected) => {
    expect(startOf(medium, position)).toMatchObject(expected);
  });

  test('a recording tells the system what it is', () => {
    const cover = { url: '/covers/1001', width: 400, height: 600 };
    expect(startOf('audio', null, { ...summary, cover })).toMatchObject({
      about: { name: 'A title', authors: summary.authors, cover },
    });
    expect(startOf('audio', null, null)).toMatchObject({ about: { authors: [], cover: null } });
  });
});

const sample = flowInput({ flow: 'viewer', params: { instanceid: 'i1', sample: '' } });
const goesTo = (...events: { type: string }[]) =>
  after(viewerMachine, sample, ...events)
    .effects.filter(isSend)
    .map(({ event }) => event['to'] as unknown)
    .filter((to) => to !== undefined);

test('a sample leads to the title that it is of, by what the address says until it is open', () => {
  const title = done('openTitle', opened('epub'));
  expect(goesTo({ type: 'close.pressed' })).toEqual(['/id:i1']);
  expect(goesTo(title, { type: 'buy.pressed' })).toEqual([expect.stringContaining('1001')]);
});

test('a sample that its instance id alone names keeps its place apart, and offers the title', () => {
  const named = flowInput({ flow: 'viewer', params: { instanceid: 'sample-1001' } }, { signedIn: true });
  const title = opened('epub');
  const event = done('openTitle', { ...title, publication: { ...title.publication, sample: true } });
  const [started] = after(viewerMachine, named, event).effects.filter(isStart);
  expect(started?.input).toMatchObject({
    progress: { titleId: '1001', contextKey: 'sample' },
    addresses: { instanceId: 'sample-1001', sample: true },
  });
  const sent = after(viewerMachine, named, event, { type: 'buy.pressed' }).effects.filter(isSend);
  expect(sent.map(({ event: { to } }) => String(to))).toContainEqual(expect.stringContaining('titleid=1001'));
});

const progress = { titleId: '1001', contextKey: 'epub', ...untouched };
const addresses = { instanceId: 'i1', sample: false, renewIn: 34_560_000 };
const book = { book: { medium: 'epub', url: item.url, start: place, look }, progress, addresses };
const restarted = [{ type: 'book.failed', problem: problems.offline }, { type: 'retry.pressed' }];

describe('a book', () => {
  test('begins where it was left, and after a failure where it had come to', () => {
    const further = { ...place, page: 7 };
    const pages = after(bookMachine, book)
      .effects.filter(isStart)
      .find(({ id }) => id === 'pages');
    expect(pages?.input).toMatchObject({ start: place });
    expect(contextOf(after(bookMachine, book, ...restarted))['start']).toEqual(place);
    const moved = [
      { type: 'book.opened', contents: [] },
      { type: 'book.moved', locator: further },
    ];
    expect(contextOf(after(bookMachine, book, ...moved, ...restarted))['start']).toEqual(further);
  });

  test('that is read from right to left says so', () => {
    const read = (part: object) => contextOf(after(bookMachine, book, { type: 'book.opened', contents: [], ...part }));
    expect(read({ rightToLeft: true })['rightToLeft']).toBe(true);
    expect(read({})).not.toHaveProperty('rightToLeft');
  });

  test('that opens after all has no problem any more', () => {
    const events = [...restarted, { type: 'book.opened', contents: [] }];
    expect(contextOf(after(bookMachine, book, ...events))['problem']).toBeNull();
  });
});

const none = { type: 'addresses.renewed', items: [] };

test('an address that does not come leaves the one that there is', () => {
  expect(contextOf(after(bookMachine, book, none))['url']).toBe(item.url);
  const game = { interactive: { url: item.url, start: null }, progress, addresses };
  expect(contextOf(after(interactiveMachine, game, none))['url']).toBe(item.url);
});

test('addresses are renewed when the last ones ask for it', () => {
  const again = done('renewAddresses', { items: [item], renewIn: 5000 });
  const due = { type: 'xstate.after.renewal.addresses.fresh' };
  expect(contextOf(after(addressesMachine, addresses, due, again))['renewIn']).toBe(5000);
});

test('who has lost a title is refused, who only meets another refusal is not', () => {
  const due = { type: 'xstate.after.renewal.addresses.fresh' };
  const stateAfter = (problem: unknown): unknown =>
    after(addressesMachine, addresses, due, failed('renewAddresses', problem)).snapshot.value;
  expect([problems.notOwned, problems.notFound].map(stateAfter)).toEqual(['refused', 'refused']);
  expect([problems.declined, problems.offline].map(stateAfter)).toEqual(['stale', 'stale']);
});

test('a viewer knows what it shows before anything is opened', () => {
  const viewer = (part: object, more: object = {}) => after(viewerMachine, flowInput({ flow: 'viewer', ...part }, more));
  expect(contextOf(viewer({ hides: ['topBar'] }))['topBar']).toBe(false);
  expect(contextOf(viewer({}))['topBar']).toBe(true);
  expect(viewer({}, { store: { ...input.store, enableWebReader: false } }).snapshot.value).toBe('inApp');
});

test('who has followed a link is back on the page where the link stands, not on another one of the chapter', () => {
  const movedTo = (page: number) => ({ type: 'book.moved', locator: { ...place, page } });
  const followed = [movedTo(4), { type: 'book.linkPressed', href: 'chapter-2.xhtml#note' }];
  const wayAfter = (page: number): unknown => after(noticesMachine, undefined, ...followed, movedTo(page)).snapshot.value;
  expect(wayAfter(4)).toMatchObject({ wayBack: 'none' });
  expect(wayAfter(8)).toMatchObject({ wayBack: 'looking' });
});
