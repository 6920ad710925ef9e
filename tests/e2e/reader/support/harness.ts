import type {
  BookCommand,
  BookFact,
  BookInput,
  InteractiveFact,
  InteractiveInput,
  TracksCommand,
  TracksFact,
  TracksInput,
} from '../../../../machines/model/reading/reading.ts';
import { loadBook, loadInteractive, loadTracks } from '../../../../src/reader/programs.ts';

type Fact = BookFact | TracksFact | InteractiveFact;
type Command = BookCommand | TracksCommand;
type MountPointName = 'book' | 'video' | 'interactive';

/** What a test does with an engine: opens it as a machine would, commands it and reads its facts. */
export type Reader = {
  facts: Fact[];
  openBook(input: BookInput): void;
  openTracks(input: TracksInput): void;
  openInteractive(input: InteractiveInput): void;
  send(command: Command): void;
  close(): void;
};

declare global {
  interface Window {
    reader: Reader;
  }
}

let stop = new AbortController();
let handler: (command: never) => void = () => undefined;

const io = {
  send: (fact: Fact) => void window.reader.facts.push(fact),
  receive: (listener: (command: never) => void) => {
    handler = listener;
  },
  get signal() {
    return stop.signal;
  },
};

/** Runs an engine before its mount point is there, as machines do. */
function open(run: () => Promise<void>, name: MountPointName): void {
  stop.abort();
  stop = new AbortController();
  window.reader.facts.length = 0;
  document.body.replaceChildren();
  run().catch((error: unknown) => window.reader.facts.push({ type: 'book.failed', problem: error as never }));
  requestAnimationFrame(() => {
    const mountPoint = document.createElement('div');
    mountPoint.id = 'mount-point';
    mountPoint.dataset['mountPoint'] = name;
    mountPoint.dataset['enlargeHint'] = 'Press Enter to enlarge';
    mountPoint.tabIndex = -1;
    document.body.append(mountPoint, clock('span', 'elapsed'), clock('span', 'left'), clock('input', 'slider'));
  });
}

function clock(tag: 'span' | 'input', name: string): HTMLElement {
  const element = document.createElement(tag);
  if (element instanceof HTMLInputElement) element.type = 'range';
  element.dataset['clock'] = name;
  return element;
}

window.reader = {
  facts: [],
  openBook: (input) => open(async () => (await loadBook(input.medium))(input, io), 'book'),
  openTracks: (input) => open(async () => (await loadTracks())(input, io), 'video'),
  openInteractive: (input) => open(async () => (await loadInteractive())(input, io), 'interactive'),
  send: (command) => handler(command as never),
  close: () => stop.abort(),
};
