import { addressesMachine } from '../../../reading/addresses.ts';
import { bookMachine } from '../../../reading/book.ts';
import { interactiveMachine } from '../../../reading/interactive.ts';
import { interruptionMachine } from '../../../reading/interruption.ts';
import { noticesMachine } from '../../../reading/notices.ts';
import { progressMachine } from '../../../reading/progress.ts';
import { tracksMachine } from '../../../reading/tracks.ts';
import { viewerMachine } from '../../../reading/viewer.ts';
import { createFlowInput, problems, toRejectionCases, store, titleSummary, type PathModel } from '../../path-model.ts';
import { emptyProgress } from '../../progress-input.ts';
import { formatOperatorInstruction } from '../../preparations.ts';
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
import { describeCase } from '../../description.ts';

const progress = { titleId: '1001', contextKey: 'epub', ...emptyProgress };
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
const getPageNumber = (context: unknown, name: 'locator' | 'wayBack') =>
  (context as Record<typeof name, { page: number } | null>)[name]?.page ?? 0;

/** The target of a link in the chapter. */
const notesPlace = { ...locator, href: 'notes.xhtml', totalProgression: 0.9, label: 'Notes', page: 8 };
const item = { id: 'a', name: 'One', url: '/media/x/one.mp3', durationSeconds: 60, captions: [] };
const playback = { rate: 1, volume: 1, muted: false, captions: 'en' };
const titleInfo = { name: 'A title', authors: ['Ines Aldous'], cover: null };
const addresses = { instanceId: 'i1', sample: false, renewIn: 34_560_000 };
const renewalEvents = {
  'addresses.renewed': [{ items: [item] }],
  'addresses.refused': [{ problem: problems.notOwned }],
  'addresses.failed': [{ problem: problems.offline }],
};
const renewedAddresses = { items: [item], renewIn: 34_560_000 };
const failedCases = [
  describeCase('for lack of a connection', { problem: problems.offline }, 'Block `*/media/*` before it is opened'),
  describeCase('since its file is missing', { problem: problems.notFound }, 'Remove its file on the server before it is opened'),
];
const interruptedCases = [describeCase('', { problem: problems.offline }, 'Block `*/media/*`, before it continues')];
const createOpenOutput = (medium: string, sample: boolean) => ({
  output: {
    publication: { titleId: '1001', instanceId: 'i1', name: 'A title', medium, sample, items: [item] },
    position: null,
    progress: emptyProgress,
    look,
    playback,
    about: titleSummary,
    renewIn: 34_560_000,
  },
});
const refundInstruction = `On a shop that was started with MEDIA_LIFETIME=100, refund the order of the title by ${formatOperatorInstruction('purchases refund --order NUMBER')}, with the number on its receipt, and wait for 80 seconds`;
const expiredAddressText =
  'for URLs that expire, on a shop that was started with MEDIA_LIFETIME=100; then be Offline for two minutes, and online again';

/** The position of another device, as the app offers it. */
const otherDevicePlace = {
  position: { ...locator, href: 'chapter-7.xhtml', totalProgression: 0.57 },
  savedAt: '2026-01-02T10:00:00.000Z',
  device: { id: 'd2', name: 'Firefox, Windows' },
  minutesAgo: 20,
};
const savedOutput = { output: { known: { version: 1 }, earlier: [], newer: null } };
const conflictCase = describeCase(
  'another device has read on',
  { output: { known: { version: 9 }, earlier: [], newer: otherDevicePlace } },
  'On another device, open the same title and go to its end',
);
const progressCases = {
  'position.moved': [{ position: locator }],
  'earlier.chosen': [{ savedAt: otherDevicePlace.savedAt }],
  'xstate.done.actor.saveProgress': [savedOutput, conflictCase],
  'xstate.done.actor.saveLast': [savedOutput, conflictCase],
  'xstate.error.actor.saveProgress': toRejectionCases(problems.offline, problems.rateLimited),
  'xstate.error.actor.saveLast': toRejectionCases(problems.offline),
};

const createViewerCases = (sample = false) => ({
  'title.refused': [describeCase('', { problem: problems.notOwned }, refundInstruction), { problem: problems.notFound }],
  'xstate.done.actor.openTitle': [
    describeCase('it is a book', createOpenOutput('epub', sample), 'Take the title 1001'),
    describeCase('it is an audio book', createOpenOutput('audio', sample), 'Take the title 1019'),
    describeCase('it is interactive', createOpenOutput('interactive', sample), 'Take the title 1024'),
  ],
  'xstate.error.actor.openTitle': toRejectionCases(problems.offline, problems.unauthorized, problems.notOwned, problems.notFound),
});

const createViewerModel = (overrides: Partial<PathModel>): PathModel => ({
  name: 'viewer',
  machine: viewerMachine,
  description: viewerDescription,
  startInstruction: 'Signed in, with the titles 1001, 1019 and 1024 bought, press “Read” on one of them in My Library.',
  input: createFlowInput({ flow: 'viewer', params: { instanceid: 'i1' } }, { signedIn: true }),
  cases: createViewerCases(),
  ...overrides,
});

const createTracksModel = (startInstruction: string, medium: 'audio' | 'video'): PathModel => ({
  name: 'tracks',
  machine: tracksMachine,
  description: tracksDescription,
  startInstruction,
  input: { tracks: { medium, items: [item], start: null, playback, about: titleInfo }, progress, addresses },
  cases: {
    ...renewalEvents,
    'position.passed': [{ itemId: 'a', seconds: 5, totalProgression: 0.1 }],
    'tracks.positionReported': [{ itemId: 'a', seconds: 6, totalProgression: 0.12 }],
    'tracks.itemChanged': [{ itemId: 'a' }],
    'tracks.fullScreenChanged': [describeCase('the film fills the screen', { on: true })],
    'tracks.paused': [{ itemId: 'a', seconds: 5 }],
    'tracks.failed': failedCases,
    'tracks.interrupted': interruptedCases,
    'place.requested': [
      { place: { itemId: 'a', seconds: 40, totalProgression: 0.6 } },
      describeCase('one in a part that no longer exists', { place: { itemId: 'gone', seconds: 40, totalProgression: 0.6 } }),
    ],
    'skip.pressed': [{ seconds: 30 }],
    'seek.chosen': [{ seconds: 12 }],
    'item.chosen': [{ itemId: 'a' }, describeCase('a chapter within it', { itemId: 'a', seconds: 40 })],
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
    startInstruction: `Signed in, open an EPUB of your own, 1001, from My Library (${expiredAddressText}).`,
    input: { book: { medium: 'epub', url: '/media/x/manifest.json', start: null, look }, progress, addresses },
    cases: {
      ...renewalEvents,
      'book.opened': [{ contents: [{ title: 'One', href: 'chapter-1.xhtml', children: [] }] }],
      'book.moved': [{ locator }],
      'place.changed': [{ locator }],
      'place.requested': [
        { place: locator },
        describeCase('a position that does not exist in a book', { place: { node: 'cave', totalProgression: 0 } }),
      ],
      'book.failed': failedCases,
      'book.interrupted': interruptedCases,
      'book.skipped': [{ problem: problems.notFound }],
      'book.linkPressed': [{ href: notesPlace.href }],
      'book.turnRequested': [{ direction: 'next' }],
      'turn.pressed': [{ direction: 'next' }],
      'entry.chosen': [{ href: 'chapter-2.xhtml' }],
      'fraction.chosen': [{ fraction: 0.5 }],
      'look.chosen': [{ look: { fontScale: 1.2, theme: 'dark' } }],
      'xstate.error.actor.saveLook': toRejectionCases(problems.offline),
    },
  },
  createTracksModel(`Signed in, open an audio book of your own, 1019, from My Library (${expiredAddressText}).`, 'audio'),
  createTracksModel('Signed in, open a film of your own, 1022, from My Library.', 'video'),
  {
    name: 'interactive',
    machine: interactiveMachine,
    description: interactiveDescription,
    startInstruction: `Signed in, open an interactive title of your own, 1024, from My Library (${expiredAddressText}).`,
    input: { interactive: { url: '/media/x/index.html', start: null }, progress, addresses },
    cases: {
      ...renewalEvents,
      'interactive.moved': [{ node: 'cave', totalProgression: 0.3 }],
      'place.requested': [
        { place: { node: 'cave', totalProgression: 0.3 } },
        describeCase('a position that does not exist in an interactive title', { place: locator }),
      ],
      'interactive.failed': failedCases,
    },
  },
  {
    name: 'progress',
    machine: progressMachine,
    description: progressDescription,
    startInstruction: 'Signed in, open a title of your own and watch the network panel.',
    input: progress,
    cases: progressCases,
  },
  {
    name: 'progress',
    machine: progressMachine,
    description: progressDescription,
    startInstruction:
      'Signed in on two devices, open a title of your own on one, turn some pages, and open it on the other one, which had another position.',
    input: { ...progress, known: { version: 2 }, offered: otherDevicePlace },
    cases: progressCases,
  },
  {
    name: 'progress',
    machine: progressMachine,
    description: progressDescription,
    startInstruction:
      'Signed in, turn some pages of a title of your own while you are Offline, close the window, go online again, and open the title.',
    input: { ...progress, unsent: locator, earlier: [otherDevicePlace] },
    cases: progressCases,
  },
  {
    name: 'notices',
    machine: noticesMachine,
    description: noticesDescription,
    startInstruction: 'Signed in, open an EPUB of your own that has links to notes and lacks the file of a chapter.',
    // The pages distinguish the positions to which the way back may lead.
    kind: ({ value, context }): unknown[] => [value, getPageNumber(context, 'locator'), getPageNumber(context, 'wayBack')],
    cases: {
      'book.moved': [describeCase('with a followed link', { locator }), describeCase('with the note', { locator: notesPlace })],
      'book.skipped': [{ problem: problems.notFound }],
      'book.turnRequested': [{ direction: 'next' }, { direction: 'previous' }],
      'turn.pressed': [{ direction: 'next' }, { direction: 'previous' }],
    },
  },
  {
    name: 'interruption',
    machine: interruptionMachine,
    description: interruptionDescription,
    startInstruction: 'Signed in, open an EPUB of your own, 1001.',
    cases: {
      interrupted: [
        describeCase('for lack of a connection', { problem: problems.offline }, 'Block `*/media/*`, and choose another chapter'),
        describeCase('for another reason', { problem: problems.notFound }, 'Remove all of its chapters but one on the server'),
      ],
    },
  },
  {
    name: 'addresses',
    machine: addressesMachine,
    description: addressesDescription,
    startInstruction:
      'Signed in, open a title of your own at a server that was started with MEDIA_LIFETIME=100, on which the 34560 seconds of the plan are at most 80, and watch the network panel.',
    input: addresses,
    cases: {
      'xstate.done.actor.renewAddresses': [{ output: renewedAddresses }],
      'xstate.done.actor.renewNow': [{ output: renewedAddresses }],
      'xstate.error.actor.renewAddresses': toRejectionCases(problems.offline, problems.notOwned, problems.notFound),
      'xstate.error.actor.renewNow': toRejectionCases(problems.offline, problems.notOwned, problems.notFound),
    },
  },
  createViewerModel({
    startInstruction: 'Signed in, open the viewer without a title: /viewer.',
    input: createFlowInput({ flow: 'viewer' }),
  }),
  createViewerModel({}),
  createViewerModel({
    startInstruction:
      'Signed in, open a title from My Library, and in a store with EnableWebReader off open its URL again: /viewer?instanceid=….',
    input: createFlowInput(
      { flow: 'viewer', params: { instanceid: 'i1' } },
      { signedIn: true, store: { ...store, enableWebReader: false } },
    ),
  }),
  createViewerModel({
    startInstruction: 'Signed in, press “Read a sample” (“Listen to a sample”) on the page of a title that you do not own.',
    input: createFlowInput({ flow: 'viewer', params: { instanceid: '1001', sample: '1' } }, { signedIn: true }),
    cases: createViewerCases(true),
  }),
];
