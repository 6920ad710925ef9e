import { assign, sendParent, sendTo, setup, type EventObject } from 'xstate';
import { keepProblem } from '../loadable.ts';
import type { Problem } from '../model/problem.ts';
import type {
  AddressesInput,
  AddressesSignal,
  Playback,
  Position,
  ProgressInput,
  TrackPosition,
  TracksCommand,
  TracksFact,
  TracksInput,
  ViewerItem,
} from '../model/reading/reading.ts';
import { channelPort } from '../ports.ts';
import { addressesMachine } from './addresses.ts';
import { connectionPort, mayContinue, type ConnectionSignal } from './connection.ts';
import { interruptionMachine } from './interruption.ts';
import { progressMachine } from './progress.ts';

type Context = TracksInput & {
  progress: ProgressInput;
  addresses: AddressesInput;
  itemId: string;
  position: TrackPosition | null;
  /** The recording plays or was requested to play: it resumes by itself after a failure. */
  plays: boolean;
  fullScreen: boolean;
  problem: Problem | null;
};
type PositionFact = Extract<TracksFact, { type: 'position.passed' | 'tracks.positionReported' }>;

/** An item of the recording, or a chapter within the item. */
type TrackTarget = { itemId: string; seconds?: number };

/** A command to store the playback settings; with `rateOf`, also the speed for this title. */
export type PlaybackCommand = {
  type: 'playback.chosen';
  playback: Playback;
  rateOf?: { titleId: string; medium: TracksInput['medium'] };
};

/** The ports, actions and guards of listening and watching. */
export const tracksSetup = setup({
  types: {} as {
    context: Context;
    events:
      | TracksFact
      | AddressesSignal
      | { type: 'play.pressed' }
      | { type: 'pause.pressed' }
      | { type: 'skip.pressed'; seconds: number }
      | { type: 'seek.chosen'; seconds: number }
      | { type: 'item.chosen'; itemId: string; seconds?: number }
      | { type: 'rate.chosen'; rate: number }
      | { type: 'volume.chosen'; volume: number }
      | { type: 'mute.pressed' }
      | { type: 'captions.chosen'; language: string }
      | { type: 'fullScreen.pressed' }
      | { type: 'place.requested'; place: Position }
      | { type: 'retry.pressed' }
      | { type: 'close.pressed' }
      | { type: 'page.hidden' }
      | ConnectionSignal
      | { type: 'continuation.requested' };
    input: { tracks: TracksInput; progress: ProgressInput; addresses: AddressesInput };
  },
  actors: {
    progress: progressMachine,
    addresses: addressesMachine,
    /**
     * The media element; moves the slider itself and reports its position to the machine only every
     * five seconds.
     */
    element: channelPort<TracksCommand, TracksFact, TracksInput>(),
    interruption: interruptionMachine,
    connection: connectionPort(),
    /** Stores the playback settings of this device, and the speed for each title. */
    memory: channelPort<PlaybackCommand, EventObject>(),
  },
  actions: {
    keepPosition: assign({
      position: (_, { itemId, seconds, totalProgression }: PositionFact) => ({ itemId, seconds, totalProgression }),
    }),
    savePosition: sendTo('progress', (_, { itemId, seconds, totalProgression }: PositionFact) => ({
      type: 'position.moved',
      position: { itemId, seconds, totalProgression },
    })),
    keepItem: assign({ itemId: (_, itemId: string) => itemId }),
    keepPlays: assign({ plays: (_, plays: boolean) => plays }),
    keepFullScreen: assign({ fullScreen: (_, on: boolean) => on }),
    keepPlayback: assign({ playback: ({ context }, settings: Partial<Playback>) => ({ ...context.playback, ...settings }) }),
    keepMuted: assign({ playback: ({ context: { playback } }) => ({ ...playback, muted: !playback.muted }) }),
    keepProblem: keepProblem(),
    /** Starts at the last position of the item; at its beginning if the item was never played. */
    startHere: assign({
      start: ({ context: { itemId, position, start } }) =>
        [position, start].find((candidate) => candidate?.itemId === itemId) ?? { itemId, seconds: 0 },
    }),
    play: sendTo('element', { type: 'tracks.play' }),
    pause: sendTo('element', { type: 'tracks.pause' }),
    skip: sendTo('element', (_, seconds: number) => ({ type: 'tracks.skip', seconds })),
    seek: sendTo('element', ({ context }, seconds: number) => ({ type: 'tracks.seek', itemId: context.itemId, seconds })),
    seekItem: sendTo('element', (_, { itemId, seconds = 0 }: TrackTarget) => ({ type: 'tracks.seek', itemId, seconds })),
    changePlayback: sendTo('element', ({ context }) => ({ type: 'tracks.playback', playback: context.playback })),
    rememberPlayback: sendTo('memory', ({ context }) => ({ type: 'playback.chosen', playback: context.playback })),
    rememberRate: sendTo('memory', ({ context: { playback, progress, medium } }) => ({
      type: 'playback.chosen',
      playback,
      rateOf: { titleId: progress.titleId, medium },
    })),
    changeFullScreen: sendTo('element', { type: 'tracks.fullScreen' }),
    requestPosition: sendTo('element', { type: 'tracks.reportPosition' }),
    saveNow: sendTo('progress', { type: 'page.hidden' }),
    keepAddresses: assign({ items: (_, items: ViewerItem[]) => items }),
    useRenewed: sendTo('element', ({ context }) => ({ type: 'tracks.renewed', items: context.items })),
    reportInterrupted: sendTo('interruption', (_, problem: Problem) => ({ type: 'interrupted', problem })),
    reportContinued: sendTo('interruption', { type: 'continued' }),
    continue: sendTo('element', { type: 'tracks.continue' }),
    reportNotRenewed: sendTo('element', (_, problem: Problem) => ({ type: 'tracks.notRenewed', problem })),
    requestRenewal: sendTo('addresses', { type: 'addresses.expired' }),
    reportRefused: sendParent((_, problem: Problem) => ({ type: 'title.refused', problem })),
    sendToProgress: sendTo('progress', ({ event }) => event),
    closeProgress: sendTo('progress', { type: 'close' }),
  },
  guards: {
    isInRecording: ({ context }, place: Position) => 'itemId' in place && context.items.some(({ id }) => id === place.itemId),
    wasPlaying: ({ context }) => context.plays,
    mayContinue,
    /** The position changed since the last report by more than a player's rounding error. */
    hasMoved: ({ context: { items, position, start } }, reportedPosition: PositionFact) => {
      const lastPosition = position ?? start ?? { itemId: items[0]?.id, seconds: 0 };
      return lastPosition.itemId !== reportedPosition.itemId || Math.abs(lastPosition.seconds - reportedPosition.seconds) > 0.1;
    },
  },
});
