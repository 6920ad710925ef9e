import { addressesMachine } from '../../../reading/addresses.ts';
import { bookMachine } from '../../../reading/book.ts';
import { interactiveMachine } from '../../../reading/interactive.ts';
import { interruptionMachine } from '../../../reading/interruption.ts';
import { noticesMachine } from '../../../reading/notices.ts';
import { progressMachine } from '../../../reading/progress.ts';
import { tracksMachine } from '../../../reading/tracks.ts';
import { viewerMachine } from '../../../reading/viewer.ts';
import { flowInput, problems, rejections, store, summary, type PathModel } from '../../path-model.ts';
import { untouched } from '../../progress-input.ts';
import { operator } from '../../preparations.ts';
import {
  addressesDescription,
  bookDescription,
  interactiveDescription,
  noticesDescription,
  progressDescription,
  tracksDescription,
  viewerDescription,
} from './descriptions.ts';
import { interruptionDescription } from './interruption-description.ts';
import { described } from '../../description.ts';

const progress = { titleId: '1001', contextKey: 'epub', ...untouched };
const look = { fontScale: 1, theme: 'light' };
const locator = {
  href: 'chapter-2.xhtml',
  progression: 0.5,
  totalProgression: 0.25,
  cfi: null,
  label: 'The second log',
  page: 4,
  pages: 9,
};
const pageOf = (context: unknown, name: 'locator' | 'wayBack') =>
  (context as Record<typeof name, { page: number } | null>)[name]?.page ?? 0;

/** Where a link of the chapter leads. */
const note = { ...locator, href: 'notes.xhtml', totalProgression: 0.9, label: 'Notes', page: 8 };
const item = { id: 'a', name: 'One', url: '/media/x/one.mp3', durationSeconds: 60, captions: [] };
const playback = { rate: 1, volume: 1, muted: false, captions: 'en' };
const about = { name: 'A title', authors: ['Ines Aldous'], cover: null };
const addresses = { instanceId: 'i1', sample: false, renewIn: 34_560_000 };
const renewal = {
  'addresses.renewed': [{ items: [item] }],
  'addresses.refused': [{ problem: problems.notOwned }],
  'addresses.failed': [{ problem: problems.offline }],
};
const renewed = { items: [item], renewIn: 34_560_000 };
const failed = [
  described('for lack of a connection', { problem: problems.offline }, 'Block `*/media/*`, before it is opened'),
  described('since it is damaged', { problem: problems.notFound }, 'Take its file away on the server, before it is opened'),
];
const interrupted = [described('', { problem: problems.offline }, 'Block `*/media/*`, before it continues')];
const opened = (medium: string, sample: boolean) => ({
  output: {
    publication: { titleId: '1001', instanceId: 'i1', name: 'A title', medium, sample, items: [item] },
    position: null,
    progress: untouched,
    look,
    playback,
    about: summary,
    renewIn: 34_560_000,
  },
});
const takenBack = `On a shop that was started with MEDIA_LIFETIME=100, give the order of the title back, ${operator('purchases refund --order NUMBER')}, with the number on its receipt, and wait for 80 seconds`;
const expired =
  'for addresses that expire, on a shop that was started with MEDIA_LIFETIME=100; then be Offline for two minutes, and come back';

/** Where another device is, as it is offered. */
const elsewhere = {
  position: { ...locator, href: 'chapter-7.xhtml', totalProgression: 0.57 },
  savedAt: '2026-01-02T10:00:00.000Z',
  device: { id: 'd2', name: 'Firefox, Windows' },
  minutesAgo: 20,
};
const kept = { output: { known: { version: 1 }, earlier: [], newer: null } };
const conflict = described(
  'another device has read on',
  { output: { known: { version: 9 }, earlier: [], newer: elsewhere } },
  'Meanwhile, on another device, open the same title and go to its end',
);
const progressCases = {
  'position.moved': [{ position: locator }],
  'earlier.chosen': [{ savedAt: elsewhere.savedAt }],
  'xstate.done.actor.saveProgress': [kept, conflict],
  'xstate.done.actor.saveLast': [kept, conflict],
  'xstate.error.actor.saveProgress': rejections(problems.offline, problems.rateLimited),
  'xstate.error.actor.saveLast': rejections(problems.offline),
};

const viewerCases = (sample = false) => ({
  'title.refused': [described('', { problem: problems.notOwned }, takenBack), { problem: problems.notFound }],
  'xstate.done.actor.openTitle': [
    described('it is a book', opened('epub', sample), 'Take the title 1001'),
    described('it is an audio book', opened('audio', sample), 'Take the title 1019'),
    described('it is interactive', opened('interactive', sample), 'Take the title 1024'),
  ],
  'xstate.error.actor.openTitle': rejections(problems.offline, problems.unauthorized, problems.notOwned, problems.notFound),
});

const viewer = (part: Partial<PathModel>): PathModel => ({
  name: 'viewer',
  machine: viewerMachine,
  description: viewerDescription,
  given: 'Signed in, with the titles 1001, 1019 and 1024 bought, press “Read” on one of them in My Library.',
  input: flowInput({ flow: 'viewer', params: { instanceid: 'i1' } }, { signedIn: true }),
  cases: viewerCases(),
  ...part,
});

const tracks = (given: string, medium: 'audio' | 'video'): PathModel => ({
  name: 'tracks',
  machine: tracksMachine,
  description: tracksDescription,
  given,
  input: { tracks: { medium, items: [item], start: null, playback, about }, progress, addresses },
  cases: {
    ...renewal,
    'position.passed': [{ itemId: 'a', seconds: 5, totalProgression: 0.1 }],
    'tracks.told': [{ itemId: 'a', seconds: 6, totalProgression: 0.12 }],
    'tracks.itemChanged': [{ itemId: 'a' }],
    'tracks.fullScreenChanged': [described('the film fills the screen', { on: true })],
    'tracks.paused': [{ itemId: 'a', seconds: 5 }],
    'tracks.failed': failed,
    'tracks.interrupted': interrupted,
    'place.wanted': [
      { place: { itemId: 'a', seconds: 40, totalProgression: 0.6 } },
      described('one in a part that is gone', { place: { itemId: 'gone', seconds: 40, totalProgression: 0.6 } }),
    ],
    'skip.pressed': [{ seconds: 30 }],
    'seek.chosen': [{ seconds: 12 }],
    'item.chosen': [{ itemId: 'a' }, described('a chapter within it', { itemId: 'a', seconds: 40 })],
    'rate.chosen': [{ rate: 1.5 }],
    'volume.chosen': [{ volume: 0.5 }],
    'captions.chosen': [{ language: '' }],
  },
});

export const models: PathModel[] = [
  {
    name: 'book',
    machine: bookMachine,
    description: bookDescription,
    given: `Signed in, open an EPUB of your own, 1001, from My Library (${expired}).`,
    input: { book: { medium: 'epub', url: '/media/x/manifest.json', start: null, look }, progress, addresses },
    cases: {
      ...renewal,
      'book.opened': [{ contents: [{ title: 'One', href: 'chapter-1.xhtml', children: [] }] }],
      'book.moved': [{ locator }],
      'place.read': [{ locator }],
      'place.wanted': [
        { place: locator },
        described('one that is none in a book', { place: { node: 'cave', totalProgression: 0 } }),
      ],
      'book.failed': failed,
      'book.interrupted': interrupted,
      'book.skipped': [{ problem: problems.notFound }],
      'book.linkPressed': [{ href: note.href }],
      'book.turnRequested': [{ direction: 'next' }],
      'turn.pressed': [{ direction: 'next' }],
      'entry.chosen': [{ href: 'chapter-2.xhtml' }],
      'fraction.chosen': [{ fraction: 0.5 }],
      'look.chosen': [{ look: { fontScale: 1.2, theme: 'dark' } }],
      'xstate.error.actor.rememberLook': rejections(problems.offline),
    },
  },
  tracks(`Signed in, open an audio book of your own, 1019, from My Library (${expired}).`, 'audio'),
  tracks('Signed in, open a film of your own, 1022, from My Library.', 'video'),
  {
    name: 'interactive',
    machine: interactiveMachine,
    description: interactiveDescription,
    given: `Signed in, open an interactive title of your own, 1024, from My Library (${expired}).`,
    input: { interactive: { url: '/media/x/index.html', start: null }, progress, addresses },
    cases: {
      ...renewal,
      'interactive.moved': [{ node: 'cave', totalProgression: 0.3 }],
      'place.wanted': [
        { place: { node: 'cave', totalProgression: 0.3 } },
        described('one that is none in an interactive title', { place: locator }),
      ],
      'interactive.failed': failed,
    },
  },
  {
    name: 'progress',
    machine: progressMachine,
    description: progressDescription,
    given: 'Signed in, open a title of your own and watch the network panel.',
    input: progress,
    cases: progressCases,
  },
  {
    name: 'progress',
    machine: progressMachine,
    description: progressDescription,
    given:
      'Signed in on two devices, open a title of your own on one, turn some pages, and open it on the other one, which had another place in it.',
    input: { ...progress, known: { version: 2 }, offered: elsewhere },
    cases: progressCases,
  },
  {
    name: 'progress',
    machine: progressMachine,
    description: progressDescription,
    given:
      'Signed in, turn some pages of a title of your own while you are Offline, close the window, be online again, and open the title.',
    input: { ...progress, unsent: locator, earlier: [elsewhere] },
    cases: progressCases,
  },
  {
    name: 'notices',
    machine: noticesMachine,
    description: noticesDescription,
    given: 'Signed in, open an EPUB of your own that has links to notes and lacks the file of a chapter.',
    // A way back leads to one place or another.
    kind: ({ value, context }): unknown[] => [value, pageOf(context, 'locator'), pageOf(context, 'wayBack')],
    cases: {
      'book.moved': [described('to where a link was followed', { locator }), described('to a note', { locator: note })],
      'book.skipped': [{ problem: problems.notFound }],
      'book.turnRequested': [{ direction: 'next' }, { direction: 'previous' }],
      'turn.pressed': [{ direction: 'next' }, { direction: 'previous' }],
    },
  },
  {
    name: 'interruption',
    machine: interruptionMachine,
    description: interruptionDescription,
    given: 'Signed in, open an EPUB of your own, 1001.',
    cases: {
      interrupted: [
        described('for lack of a connection', { problem: problems.offline }, 'Block `*/media/*`, and choose another chapter'),
        described('for another reason', { problem: problems.notFound }, 'Take all of its chapters but one away on the server'),
      ],
    },
  },
  {
    name: 'addresses',
    machine: addressesMachine,
    description: addressesDescription,
    given:
      'Signed in, open a title of your own at a server that was started with MEDIA_LIFETIME=100, where 34560 seconds are 80 at most, and watch the network panel.',
    input: addresses,
    cases: {
      'xstate.done.actor.renewAddresses': [{ output: renewed }],
      'xstate.done.actor.renewNow': [{ output: renewed }],
      'xstate.error.actor.renewAddresses': rejections(problems.offline, problems.notOwned, problems.notFound),
      'xstate.error.actor.renewNow': rejections(problems.offline, problems.notOwned, problems.notFound),
    },
  },
  viewer({ given: 'Signed in, open the viewer without a title: /viewer.', input: flowInput({ flow: 'viewer' }) }),
  viewer({}),
  viewer({
    given:
      'Signed in, open a title from My Library, and in a store with EnableWebReader off open its address anew: /viewer?instanceid=….',
    input: flowInput(
      { flow: 'viewer', params: { instanceid: 'i1' } },
      { signedIn: true, store: { ...store, enableWebReader: false } },
    ),
  }),
  viewer({
    given: 'Signed in, press “Read a sample” (“Listen to a sample”) on the page of a title that you do not own.',
    input: flowInput({ flow: 'viewer', params: { instanceid: '1001', sample: '1' } }, { signedIn: true }),
    cases: viewerCases(true),
  }),
];
