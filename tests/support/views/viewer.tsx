import { act } from '@testing-library/react';
import { vi } from 'vitest';
import { addressesMachine } from '../../../machines/reading/addresses.ts';
import { bookMachine } from '../../../machines/reading/book.ts';
import { interactiveMachine } from '../../../machines/reading/interactive.ts';
import type {
  BookCommand,
  BookFact,
  BookInput,
  InteractiveCommand,
  InteractiveFact,
  InteractiveInput,
  Playback,
  TracksCommand,
  TracksFact,
  TitleKey,
  TracksInput,
} from '../../../machines/model/reading/reading.ts';
import { channelPort } from '../../../machines/ports.ts';
import { connectionPort } from '../../../machines/reading/connection.ts';
import { interruptionMachine } from '../../../machines/reading/interruption.ts';
import { progressMachine } from '../../../machines/reading/progress.ts';
import { tracksMachine } from '../../../machines/reading/tracks.ts';
import type { PlaybackCommand } from '../../../machines/reading/tracks-setup.ts';
import { viewerMachine } from '../../../machines/reading/viewer.ts';
import type { OpenedTitle } from '../../../machines/reading/viewer-setup.ts';
import { ViewerView } from '../../../src/flows/viewer/ViewerView.tsx';
import type { ActorRefFrom, EventObject } from 'xstate';
import { answers, flowInput, heldChannel, underShop, waits, type Port } from './flow.ts';
import { StillObserver } from './list.ts';
import { show } from './show.tsx';

vi.stubGlobal('ResizeObserver', StillObserver);

// jsdom has dialogs, but no top layer to open them in.
Object.assign(HTMLDialogElement.prototype, {
  showModal(this: HTMLDialogElement) {
    this.open = true;
  },
  close(this: HTMLDialogElement) {
    this.open = false;
  },
});

/** What the player's `progress` holds. */
const positionIn = (viewer: ActorRefFrom<typeof viewerMachine>): unknown => {
  const { book, tracks } = viewer.getSnapshot().children as Record<string, ActorRefFrom<typeof bookMachine> | undefined>;
  const progress = (book ?? tracks)?.getSnapshot().children.progress as ActorRefFrom<typeof progressMachine> | undefined;
  return progress?.getSnapshot().context.position;
};

/** The viewer with its engines in the test's own hands; `say…` speaks as an engine does. */
export const startViewer = async (
  openTitle: Port<OpenedTitle, TitleKey>,
  params: Record<string, string> = { instanceid: 'i-1' },
) => {
  const pages = heldChannel<BookCommand, BookFact, BookInput>();
  const element = heldChannel<TracksCommand, TracksFact, TracksInput>();
  const remembered: Playback[] = [];
  const memory = channelPort<PlaybackCommand, EventObject>(({ receive }) =>
    receive(({ playback }) => void remembered.push(playback)),
  );
  const iframe = heldChannel<InteractiveCommand, InteractiveFact, InteractiveInput>();
  const connection = connectionPort(() => {});
  const interruption = interruptionMachine.provide({ actors: { connection } });
  const progress = progressMachine.provide({ actors: { saveProgress: waits(), memory: channelPort(() => {}), connection } });
  const addresses = addressesMachine.provide({ actors: { renewAddresses: waits() } });
  const machine = viewerMachine.provide({
    actors: {
      openTitle,
      connection,
      book: bookMachine.provide({
        actors: { progress, addresses, interruption, connection, pages: pages.port, rememberLook: answers(null) },
      }),
      tracks: tracksMachine.provide({ actors: { progress, addresses, interruption, connection, memory, element: element.port } }),
      interactive: interactiveMachine.provide({ actors: { progress, addresses, iframe: iframe.port } }),
    },
  });
  const { actor, told } = underShop(machine, flowInput(params));
  const container = show(<ViewerView actor={actor} />);
  await act(() => Promise.resolve());
  return {
    container,
    told,
    pages: pages.commands,
    element: element.commands,
    /** Inputs that the media element was started with, and what is to be remembered for the next recording. */
    started: element.inputs,
    remembered,
    hide: () => act(() => actor.send({ type: 'page.hidden' })),
    /** The position that is about to be kept. */
    saved: () => positionIn(actor),
    sayBook: (fact: BookFact) => act(() => pages.say(fact)),
    sayTracks: (fact: TracksFact) => act(() => element.say(fact)),
    sayIframe: (fact: InteractiveFact) => act(() => iframe.say(fact)),
  };
};
