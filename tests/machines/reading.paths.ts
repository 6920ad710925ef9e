import { bookMachine } from '../../machines/book.ts';
import { interactiveMachine } from '../../machines/interactive.ts';
import { progressMachine } from '../../machines/progress.ts';
import { tracksMachine } from '../../machines/tracks.ts';
import { viewerMachine } from '../../machines/viewer.ts';
import { flowInput, problems, rejections, type PathModel } from './model.ts';

const place = { titleId: '1001', contextKey: 'epub' };
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
const item = { id: 'a', name: 'One', url: '/media/x/one.mp3', durationSeconds: 60, captions: [] };
const failed = [{ problem: problems.offline }];
const opened = (medium: string) => ({
  output: {
    publication: { titleId: '1001', instanceId: 'i1', name: 'A title', medium, sample: true, items: [item] },
    position: null,
    look,
    rate: 1,
  },
});
const viewerCases = {
  'xstate.done.actor.openTitle': ['epub', 'audio', 'interactive'].map(opened),
  'xstate.error.actor.openTitle': rejections(problems.offline, problems.unauthorized, problems.notOwned, problems.notFound),
};

export const readingModels: PathModel[] = [
  {
    name: 'book',
    machine: bookMachine,
    input: { book: { medium: 'epub', url: '/media/x/manifest.json', start: null, look }, place },
    cases: {
      'book.opened': [{ contents: [{ title: 'One', href: 'chapter-1.xhtml', children: [] }] }],
      'book.moved': [{ locator }],
      'book.failed': failed,
      'book.turnRequested': [{ direction: 'next' }],
      'turn.pressed': [{ direction: 'next' }],
      'entry.chosen': [{ href: 'chapter-2.xhtml' }],
      'fraction.chosen': [{ fraction: 0.5 }],
      'look.chosen': [{ look: { fontScale: 1.2, theme: 'dark' } }],
      'xstate.error.actor.rememberLook': rejections(problems.offline),
    },
  },
  {
    name: 'tracks',
    machine: tracksMachine,
    input: { tracks: { medium: 'audio', items: [item], start: null, rate: 1 }, place },
    cases: {
      'position.passed': [{ itemId: 'a', seconds: 5, totalProgression: 0.1 }],
      'tracks.itemChanged': [{ itemId: 'a' }],
      'tracks.paused': [{ itemId: 'a', seconds: 5 }],
      'tracks.failed': failed,
      'skip.pressed': [{ seconds: 30 }],
      'seek.chosen': [{ seconds: 12 }],
      'item.chosen': [{ itemId: 'a' }],
      'rate.chosen': [{ rate: 1.5 }],
    },
  },
  {
    name: 'interactive',
    machine: interactiveMachine,
    input: { interactive: { url: '/media/x/index.html', start: null }, place },
    cases: {
      'interactive.moved': [{ node: 'cave', totalProgression: 0.3 }],
      'interactive.failed': failed,
    },
  },
  {
    name: 'progress',
    machine: progressMachine,
    input: place,
    cases: {
      'position.moved': [{ position: locator }],
      'xstate.error.actor.saveProgress': rejections(problems.offline),
      'xstate.error.actor.saveLast': rejections(problems.offline),
    },
  },
  { name: 'viewer', machine: viewerMachine, input: flowInput({ flow: 'viewer' }) },
  {
    name: 'viewer',
    machine: viewerMachine,
    input: flowInput({ flow: 'viewer', params: { instanceid: 'i1' } }, { signedIn: true }),
    cases: viewerCases,
  },
  {
    name: 'viewer',
    machine: viewerMachine,
    input: flowInput({ flow: 'viewer', params: { instanceid: '1001', sample: '1' } }, { signedIn: true }),
    cases: viewerCases,
  },
];
