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
import { loadBookEngine, loadInteractiveEngine, loadTracksEngine } from '../../../../src/reader/load-engine.ts';

type ReaderFact = BookFact | TracksFact | InteractiveFact;
type ReaderCommand = BookCommand | TracksCommand;
type MountPointName = 'book' | 'video' | 'interactive';

/** Lets a test use an engine: opens it as a machine would, commands it and reads its events. */
export type ReaderHarness = {
  facts: ReaderFact[];
  openBook(input: BookInput): void;
  openTracks(input: TracksInput): void;
  openInteractive(input: InteractiveInput): void;
  send(command: ReaderCommand): void;
  close(): void;
};

declare global {
  interface Window {
    reader: ReaderHarness;
  }
}

let abortController = new AbortController();
let handler: (command: never) => void = () => undefined;

const readerPort = {
  send: (fact: ReaderFact) => void window.reader.facts.push(fact),
  receive: (listener: (command: never) => void) => {
    handler = listener;
  },
  get signal() {
    return abortController.signal;
  },
};

/** Starts an engine before its mount point exists, as machines do. */
function openReader(runEngine: () => Promise<void>, name: MountPointName): void {
  abortController.abort();
  abortController = new AbortController();
  window.reader.facts.length = 0;
  document.body.replaceChildren();
  runEngine().catch((error: unknown) => window.reader.facts.push({ type: 'book.failed', problem: error as never }));
  requestAnimationFrame(() => {
    const mountPoint = document.createElement('div');
    mountPoint.id = 'mount-point';
    mountPoint.dataset['mountPoint'] = name;
    mountPoint.dataset['enlargeHint'] = 'Press Enter to enlarge';
    mountPoint.tabIndex = -1;
    document.body.append(mountPoint, createClock('span', 'elapsed'), createClock('span', 'left'), createClock('input', 'slider'));
  });
}

function createClock(tag: 'span' | 'input', name: string): HTMLElement {
  const element = document.createElement(tag);
  if (element instanceof HTMLInputElement) element.type = 'range';
  element.dataset['clock'] = name;
  return element;
}

window.reader = {
  facts: [],
  openBook: (input) => openReader(async () => (await loadBookEngine(input.medium))(input, readerPort), 'book'),
  openTracks: (input) => openReader(async () => (await loadTracksEngine())(input, readerPort), 'video'),
  openInteractive: (input) => openReader(async () => (await loadInteractiveEngine())(input, readerPort), 'interactive'),
  send: (command) => handler(command as never),
  close: () => abortController.abort(),
};
