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
import { answeringPort, makeFlowInput, createControlledChannel, startUnderShop, pendingPort, type Port } from './flow.ts';
import { InertObserver } from './list.ts';
import { renderInShop } from './show.tsx';

vi.stubGlobal('ResizeObserver', InertObserver);

// jsdom has dialogs, but no top layer.
Object.assign(HTMLDialogElement.prototype, {
  showModal(this: HTMLDialogElement) {
    this.open = true;
  },
  close(this: HTMLDialogElement) {
    this.open = false;
  },
});

/** The position in the context of the `progress` machine, below the book or the player. */
const readPosition = (viewer: ActorRefFrom<typeof viewerMachine>): unknown => {
  const { book, tracks } = viewer.getSnapshot().children as Record<string, ActorRefFrom<typeof bookMachine> | undefined>;
  const progress = (book ?? tracks)?.getSnapshot().children.progress as ActorRefFrom<typeof progressMachine> | undefined;
  return progress?.getSnapshot().context.position;
};

/** Renders the viewer with engines that the test controls by sending their events. */
export const startViewer = async (
  openTitle: Port<OpenedTitle, TitleKey>,
  params: Record<string, string> = { instanceid: 'i-1' },
) => {
  const pages = createControlledChannel<BookCommand, BookFact, BookInput>();
  const element = createControlledChannel<TracksCommand, TracksFact, TracksInput>();
  const savedPlaybacks: Playback[] = [];
  const memory = channelPort<PlaybackCommand, EventObject>(({ receive }) =>
    receive(({ playback }) => void savedPlaybacks.push(playback)),
  );
  const iframe = createControlledChannel<InteractiveCommand, InteractiveFact, InteractiveInput>();
  const connection = connectionPort(() => {});
  const interruption = interruptionMachine.provide({ actors: { connection } });
  const progress = progressMachine.provide({
    actors: { saveProgress: pendingPort(), memory: channelPort(() => {}), connection },
  });
  const addresses = addressesMachine.provide({ actors: { renewAddresses: pendingPort() } });
  const machine = viewerMachine.provide({
    actors: {
      openTitle,
      connection,
      book: bookMachine.provide({
        actors: { progress, addresses, interruption, connection, pages: pages.port, saveLook: answeringPort(null) },
      }),
      tracks: tracksMachine.provide({ actors: { progress, addresses, interruption, connection, memory, element: element.port } }),
      interactive: interactiveMachine.provide({ actors: { progress, addresses, iframe: iframe.port } }),
    },
  });
  const { actor, receivedEvents } = startUnderShop(machine, makeFlowInput(params));
  const container = renderInShop(<ViewerView actor={actor} />);
  await act(() => Promise.resolve());
  return {
    container,
    receivedEvents,
    pages: pages.commands,
    element: element.commands,
    /**
     * Inputs of the media element, one for each start; each has the recording and the position to
     * begin at.
     */
    elementInputs: element.inputs,
    savedPlaybacks,
    hidePage: () => act(() => actor.send({ type: 'page.hidden' })),
    /** The position that will be saved. */
    readPositionToSave: () => readPosition(actor),
    sendBookFact: (fact: BookFact) => act(() => pages.say(fact)),
    sendTracksFact: (fact: TracksFact) => act(() => element.say(fact)),
    sendIframeFact: (fact: InteractiveFact) => act(() => iframe.say(fact)),
  };
};
