import { assign, sendParent, sendTo, setup } from 'xstate';
import { libraryPath, titlePath } from '../model/paths.ts';
import { purchasePath } from '../model/purchase-paths.ts';
import { keepProblem } from '../loadable.ts';
import { bookMachine } from './book.ts';
import { connectionPort, mayContinue, type ConnectionSignal } from './connection.ts';
import { interactiveMachine } from './interactive.ts';
import type { FlowInput, FlowSignal } from '../flows/flow-input.ts';
import type { Problem } from '../model/problem.ts';
import type {
  Playback,
  Position,
  ProgressInput,
  ProgressKey,
  Publication,
  ReadingLook,
  TitleKey,
} from '../model/reading/reading.ts';
import type { TitleSummary } from '../model/catalogue/title.ts';
import { isMissing, requestPort } from '../ports.ts';
import { tracksMachine } from './tracks.ts';

/**
 * An opened title with all data needed to continue reading or playing it, such as the last position
 * and the reader's settings.
 */
export type OpenedTitle = {
  publication: Publication;
  position: Position | null;
  progress: Omit<ProgressInput, keyof ProgressKey>;
  look: ReadingLook;
  playback: Playback;
  /** The title's list data, if a player shows it; null if unknown. */
  about: TitleSummary | null;
  /** Milliseconds until the title's URLs must be renewed. */
  renewIn: number;
};

export type Context = {
  instanceId: string;
  sample: boolean;
  /** Whether the reader shows its own top bar; not at the path `/pdfviewer`. */
  topBar: boolean;
  /** Whether titles can be read here; a store may restrict reading and playing to its app. */
  readsHere: boolean;
  opened: OpenedTitle | null;
  problem: Problem | null;
};

/** The ports, actions and guards of the viewer. */
export const viewerSetup = setup({
  types: {} as {
    context: Context;
    events:
      | FlowSignal
      | { type: 'retry.pressed' }
      | { type: 'close.pressed' }
      | { type: 'buy.pressed' }
      | ConnectionSignal
      | { type: 'title.refused'; problem: Problem };
    input: FlowInput;
  },
  actors: {
    book: bookMachine,
    tracks: tracksMachine,
    interactive: interactiveMachine,
    /** Rejects with `refused not_owned` if the customer does not own the title. */
    openTitle: requestPort<OpenedTitle, TitleKey>(),
    connection: connectionPort(),
  },
  actions: {
    // The instance id may be a sample's even if the URL does not mark it as one.
    keepOpened: assign(({ context }, title: OpenedTitle) => ({
      opened: title,
      sample: context.sample || title.publication.sample,
      problem: null,
    })),
    keepProblem: keepProblem(),
    sendToBook: sendTo('book', ({ event }) => event),
    sendToTracks: sendTo('tracks', ({ event }) => event),
    sendToInteractive: sendTo('interactive', ({ event }) => event),
    // Before the customer leaves a sample to buy its title, the position is saved as on Close.
    saveBook: sendTo('book', { type: 'page.hidden' }),
    saveTracks: sendTo('tracks', { type: 'page.hidden' }),
    saveInteractive: sendTo('interactive', { type: 'page.hidden' }),
    goBack: sendParent(({ context }) => ({
      type: 'go',
      to: context.sample ? titlePath(context.opened?.publication.titleId ?? context.instanceId) : libraryPath(),
      replace: true,
    })),
    goPurchase: sendParent(({ context }) => ({
      type: 'go',
      to: purchasePath(context.opened?.publication.titleId ?? context.instanceId),
      replace: false,
    })),
  },
  guards: {
    isMissing,
    isNotOwned: (_, problem: Problem) => problem.kind === 'refused' && problem.code === 'not_owned',
    isBook: (_, { publication }: OpenedTitle) => publication.medium === 'epub' || publication.medium === 'pdf',
    isInteractive: (_, { publication }: OpenedTitle) => publication.medium === 'interactive',
    isForApp: ({ context }) => !context.readsHere,
    isForNoGoods: ({ context }) => context.instanceId === '',
    isSample: ({ context }) => context.sample,
    mayContinue,
  },
});
