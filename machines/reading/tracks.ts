import { assign, sendParent, sendTo, setup, type EventObject } from 'xstate';
import { keepProblem } from '../loadable.ts';
import type { Problem } from '../model/problem.ts';
import type {
  AddressesInput,
  AddressesNews,
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
import { connectionPort, mayContinue, type ConnectionNews } from './connection.ts';
import { interruptionMachine } from './interruption.ts';
import { progressMachine } from './progress.ts';

type Context = TracksInput & {
  progress: ProgressInput;
  addresses: AddressesInput;
  itemId: string;
  position: TrackPosition | null;
  /** It plays, or was asked to: after a failure it goes on by itself. */
  plays: boolean;
  fullScreen: boolean;
  problem: Problem | null;
};
type Passed = Extract<TracksFact, { type: 'position.passed' | 'tracks.told' }>;

/** A part, or a chapter in it. */
type Chosen = { itemId: string; seconds?: number };

/** `rateOf` where the speed was chosen, for this title. */
export type PlaybackCommand = {
  type: 'playback.chosen';
  playback: Playback;
  rateOf?: { titleId: string; medium: TracksInput['medium'] };
};

/** What is done about every choice of how to play. */
const choosePlayback = <Event>(chosen: (event: Event) => Partial<Playback>) =>
  [
    { type: 'keepPlayback', params: ({ event }: { event: Event }) => chosen(event) },
    'changePlayback',
    'rememberPlayback',
  ] as const;

/** Listening or watching: play, pause, skip, choose a track and a speed; the position is saved. */
export const tracksMachine = setup({
  types: {} as {
    context: Context;
    events:
      | TracksFact
      | AddressesNews
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
      | { type: 'place.wanted'; place: Position }
      | { type: 'retry.pressed' }
      | { type: 'close.pressed' }
      | { type: 'page.hidden' }
      | ConnectionNews
      | { type: 'continuation.wanted' };
    input: { tracks: TracksInput; progress: ProgressInput; addresses: AddressesInput };
  },
  actors: {
    progress: progressMachine,
    addresses: addressesMachine,
    /** The media element; it moves the slider itself and reports its time to the machine only every five seconds. */
    element: channelPort<TracksCommand, TracksFact, TracksInput>(),
    interruption: interruptionMachine,
    connection: connectionPort(),
    /** Keeps how recordings play on this device, for the next one, and at what speed each title. */
    memory: channelPort<PlaybackCommand, EventObject>(),
  },
  actions: {
    keepPosition: assign({
      position: (_, { itemId, seconds, totalProgression }: Passed) => ({ itemId, seconds, totalProgression }),
    }),
    savePosition: sendTo('progress', (_, { itemId, seconds, totalProgression }: Passed) => ({
      type: 'position.moved',
      position: { itemId, seconds, totalProgression },
    })),
    keepItem: assign({ itemId: (_, itemId: string) => itemId }),
    keepPlays: assign({ plays: (_, plays: boolean) => plays }),
    keepFullScreen: assign({ fullScreen: (_, on: boolean) => on }),
    keepPlayback: assign({ playback: ({ context }, chosen: Partial<Playback>) => ({ ...context.playback, ...chosen }) }),
    keepMuted: assign({ playback: ({ context: { playback } }) => ({ ...playback, muted: !playback.muted }) }),
    keepProblem: keepProblem(),
    /** A part that has never played begins at its beginning. */
    startHere: assign({
      start: ({ context: { itemId, position, start } }) =>
        [position, start].find((place) => place?.itemId === itemId) ?? { itemId, seconds: 0 },
    }),
    play: sendTo('element', { type: 'tracks.play' }),
    pause: sendTo('element', { type: 'tracks.pause' }),
    skip: sendTo('element', (_, seconds: number) => ({ type: 'tracks.skip', seconds })),
    seek: sendTo('element', ({ context }, seconds: number) => ({ type: 'tracks.seek', itemId: context.itemId, seconds })),
    seekItem: sendTo('element', (_, { itemId, seconds = 0 }: Chosen) => ({ type: 'tracks.seek', itemId, seconds })),
    changePlayback: sendTo('element', ({ context }) => ({ type: 'tracks.playback', playback: context.playback })),
    rememberPlayback: sendTo('memory', ({ context }) => ({ type: 'playback.chosen', playback: context.playback })),
    rememberRate: sendTo('memory', ({ context: { playback, progress, medium } }) => ({
      type: 'playback.chosen',
      playback,
      rateOf: { titleId: progress.titleId, medium },
    })),
    changeFullScreen: sendTo('element', { type: 'tracks.fullScreen' }),
    askPosition: sendTo('element', { type: 'tracks.tell' }),
    saveNow: sendTo('progress', { type: 'page.hidden' }),
    keepAddresses: assign({ items: (_, items: ViewerItem[]) => items }),
    useRenewed: sendTo('element', ({ context }) => ({ type: 'tracks.renewed', items: context.items })),
    tellInterrupted: sendTo('interruption', (_, problem: Problem) => ({ type: 'interrupted', problem })),
    tellContinued: sendTo('interruption', { type: 'continued' }),
    continue: sendTo('element', { type: 'tracks.continue' }),
    tellNotRenewed: sendTo('element', (_, problem: Problem) => ({ type: 'tracks.notRenewed', problem })),
    askRenewal: sendTo('addresses', { type: 'addresses.expired' }),
    tellRefused: sendParent((_, problem: Problem) => ({ type: 'title.refused', problem })),
    tellProgress: sendTo('progress', ({ event }) => event),
    closeProgress: sendTo('progress', { type: 'close' }),
  },
  guards: {
    isInRecording: ({ context }, place: Position) => 'itemId' in place && context.items.some(({ id }) => id === place.itemId),
    wasPlaying: ({ context }) => context.plays,
    mayContinue,
    /** Since it was told last, by more than what a player rounds off. */
    hasMoved: ({ context: { items, position, start } }, told: Passed) => {
      const last = position ?? start ?? { itemId: items[0]?.id, seconds: 0 };
      return last.itemId !== told.itemId || Math.abs(last.seconds - told.seconds) > 0.1;
    },
  },
}).createMachine({
  id: 'tracks',
  context: ({ input: { tracks, progress, addresses } }) => ({
    ...tracks,
    progress,
    addresses,
    itemId: tracks.start?.itemId ?? tracks.items[0]?.id ?? '',
    position: null,
    plays: false,
    fullScreen: false,
    problem: null,
  }),
  invoke: [
    { id: 'progress', src: 'progress', input: ({ context }) => context.progress, onDone: '.closed' },
    { id: 'addresses', src: 'addresses', input: ({ context }) => context.addresses },
    { id: 'memory', src: 'memory' },
  ],
  on: {
    'page.hidden': { actions: 'tellProgress' },
    'close.pressed': '.closing',
    // A player that has stopped begins again at an address that opens.
    'addresses.renewed': { actions: { type: 'keepAddresses', params: ({ event }) => event.items } },
    'addresses.refused': { actions: { type: 'tellRefused', params: ({ event }) => event.problem } },
  },
  initial: 'attached',
  states: {
    attached: {
      meta: { spec: ['S2./viewer'] },
      invoke: [
        {
          id: 'element',
          src: 'element',
          input: ({ context: { medium, items, start, playback, about } }) => ({ medium, items, start, playback, about }),
        },
        { id: 'interruption', src: 'interruption' },
      ],
      on: {
        // The element knows to the second where it is; what it told last may be five seconds old.
        'page.hidden': { actions: 'askPosition' },
        'close.pressed': '.leaving',
        'tracks.told': [
          {
            guard: { type: 'hasMoved', params: ({ event }) => event },
            actions: [
              { type: 'keepPosition', params: ({ event }) => event },
              { type: 'savePosition', params: ({ event }) => event },
              'saveNow',
            ],
          },
          { actions: 'saveNow' },
        ],
        'position.passed': {
          meta: { spec: ['S3.player', 'S4.player'] },
          actions: [
            { type: 'keepPosition', params: ({ event }) => event },
            { type: 'savePosition', params: ({ event }) => event },
          ],
        },
        'tracks.itemChanged': { actions: { type: 'keepItem', params: ({ event }) => event.itemId } },
        'tracks.failed': { target: 'failed', actions: { type: 'keepProblem', params: ({ event }) => event.problem } },
        'tracks.interrupted': { actions: { type: 'tellInterrupted', params: ({ event }) => event.problem } },
        'tracks.continued': { actions: 'tellContinued' },
        'continuation.wanted': { actions: 'continue' },
        'tracks.expired': { actions: 'askRenewal' },
        'addresses.renewed': { actions: [{ type: 'keepAddresses', params: ({ event }) => event.items }, 'useRenewed'] },
        'addresses.failed': { actions: { type: 'tellNotRenewed', params: ({ event }) => event.problem } },
        'tracks.playing': { target: '.playing', actions: { type: 'keepPlays', params: true } },
        'tracks.paused': { target: '.paused', actions: { type: 'keepPlays', params: false } },
        'tracks.ended': { target: '.ended', actions: { type: 'keepPlays', params: false } },
        'tracks.fullScreenChanged': { actions: { type: 'keepFullScreen', params: ({ event }) => event.on } },
        'skip.pressed': { actions: { type: 'skip', params: ({ event }) => event.seconds } },
        'seek.chosen': { actions: { type: 'seek', params: ({ event }) => event.seconds } },
        'item.chosen': {
          actions: [{ type: 'seekItem', params: ({ event }) => event }, { type: 'keepPlays', params: true }, 'play'],
        },
        'place.wanted': {
          guard: { type: 'isInRecording', params: ({ event }) => event.place },
          actions: { type: 'seekItem', params: ({ event }) => event.place as TrackPosition },
        },
        'rate.chosen': {
          actions: [{ type: 'keepPlayback', params: ({ event: { rate } }) => ({ rate }) }, 'changePlayback', 'rememberRate'],
        },
        'volume.chosen': { actions: choosePlayback(({ volume }) => (volume === 0 ? { muted: true } : { volume, muted: false })) },
        'captions.chosen': { actions: choosePlayback(({ language }) => ({ captions: language })) },
        'mute.pressed': { actions: ['keepMuted', 'changePlayback', 'rememberPlayback'] },
        'fullScreen.pressed': { actions: 'changeFullScreen' },
      },
      initial: 'opening',
      states: {
        opening: {
          tags: 'busy',
          on: {
            'tracks.ready': [{ guard: 'wasPlaying', target: 'paused', actions: 'play' }, { target: 'paused' }],
            // There is no element yet that could tell.
            'page.hidden': { actions: 'tellProgress' },
            'close.pressed': '#tracks.closing',
          },
        },
        paused: { on: { 'play.pressed': { actions: 'play' }, 'tracks.blocked': 'blocked' } },
        playing: { on: { 'pause.pressed': { actions: 'pause' }, 'tracks.waiting': 'waiting' } },
        waiting: { tags: 'busy', on: { 'pause.pressed': { actions: 'pause' } } },
        blocked: { on: { 'play.pressed': { actions: 'play' } } },
        ended: { on: { 'play.pressed': { actions: 'play' } } },
        leaving: {
          tags: 'busy',
          entry: 'askPosition',
          on: {
            'tracks.told': [
              {
                guard: { type: 'hasMoved', params: ({ event }) => event },
                target: '#tracks.closing',
                actions: [
                  { type: 'keepPosition', params: ({ event }) => event },
                  { type: 'savePosition', params: ({ event }) => event },
                ],
              },
              { target: '#tracks.closing' },
            ],
          },
        },
      },
    },
    failed: {
      entry: 'startHere',
      invoke: { id: 'connection', src: 'connection' },
      on: { 'retry.pressed': 'attached', 'connection.returned': { guard: 'mayContinue', target: 'attached' } },
    },
    closing: { tags: 'busy', entry: 'closeProgress' },
    closed: { type: 'final' },
  },
});
