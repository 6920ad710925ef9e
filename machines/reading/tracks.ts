import { assign, sendParent, sendTo, setup } from 'xstate';
import { keepProblem } from '../loadable.ts';
import type { Problem } from '../model/problem.ts';
import type {
  AddressesInput,
  AddressesNews,
  ProgressKey,
  TrackPosition,
  TracksCommand,
  TracksFact,
  TracksInput,
  ViewerItem,
} from '../model/reading.ts';
import { channelPort } from '../ports.ts';
import { addressesMachine } from './addresses.ts';
import { progressMachine } from './progress.ts';

type Context = TracksInput & {
  progressKey: ProgressKey;
  addresses: AddressesInput;
  itemId: string;
  position: TrackPosition | null;
  problem: Problem | null;
};
type Passed = Extract<TracksFact, { type: 'position.passed' }>;

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
      | { type: 'item.chosen'; itemId: string }
      | { type: 'rate.chosen'; rate: number }
      | { type: 'retry.pressed' }
      | { type: 'close.pressed' }
      | { type: 'page.hidden' };
    input: { tracks: TracksInput; progressKey: ProgressKey; addresses: AddressesInput };
  },
  actors: {
    progress: progressMachine,
    addresses: addressesMachine,
    /** The media element; it moves the slider itself and reports its time to the machine only every five seconds. */
    element: channelPort<TracksCommand, TracksFact, TracksInput>(),
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
    keepRate: assign({ rate: (_, rate: number) => rate }),
    keepProblem: keepProblem(),
    startHere: assign({ start: ({ context }) => context.position ?? context.start }),
    play: sendTo('element', { type: 'tracks.play' }),
    pause: sendTo('element', { type: 'tracks.pause' }),
    skip: sendTo('element', (_, seconds: number) => ({ type: 'tracks.skip', seconds })),
    seek: sendTo('element', ({ context }, seconds: number) => ({ type: 'tracks.seek', itemId: context.itemId, seconds })),
    seekItem: sendTo('element', (_, itemId: string) => ({ type: 'tracks.seek', itemId, seconds: 0 })),
    changeRate: sendTo('element', (_, rate: number) => ({ type: 'tracks.rate', rate })),
    keepAddresses: assign({ items: (_, items: ViewerItem[]) => items }),
    useRenewed: sendTo('element', ({ context }) => ({ type: 'tracks.renewed', items: context.items })),
    askRenewal: sendTo('addresses', { type: 'addresses.expired' }),
    tellRefused: sendParent((_, problem: Problem) => ({ type: 'title.refused', problem })),
    tellProgress: sendTo('progress', ({ event }) => event),
    closeProgress: sendTo('progress', { type: 'close' }),
  },
}).createMachine({
  id: 'tracks',
  context: ({ input: { tracks, progressKey, addresses } }) => ({
    ...tracks,
    progressKey,
    addresses,
    itemId: tracks.start?.itemId ?? tracks.items[0]?.id ?? '',
    position: null,
    problem: null,
  }),
  invoke: [
    { id: 'progress', src: 'progress', input: ({ context }) => context.progressKey, onDone: '.closed' },
    { id: 'addresses', src: 'addresses', input: ({ context }) => context.addresses },
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
      invoke: {
        id: 'element',
        src: 'element',
        input: ({ context: { medium, items, start, rate } }) => ({ medium, items, start, rate }),
      },
      on: {
        'position.passed': {
          meta: { spec: ['S3.player', 'S4.player'] },
          actions: [
            { type: 'keepPosition', params: ({ event }) => event },
            { type: 'savePosition', params: ({ event }) => event },
          ],
        },
        'tracks.itemChanged': { actions: { type: 'keepItem', params: ({ event }) => event.itemId } },
        'tracks.failed': { target: 'failed', actions: { type: 'keepProblem', params: ({ event }) => event.problem } },
        'tracks.expired': { actions: 'askRenewal' },
        'addresses.renewed': { actions: [{ type: 'keepAddresses', params: ({ event }) => event.items }, 'useRenewed'] },
        'addresses.failed': { target: 'failed', actions: { type: 'keepProblem', params: ({ event }) => event.problem } },
        'tracks.playing': '.playing',
        'tracks.paused': '.paused',
        'tracks.ended': '.ended',
        'skip.pressed': { actions: { type: 'skip', params: ({ event }) => event.seconds } },
        'seek.chosen': { actions: { type: 'seek', params: ({ event }) => event.seconds } },
        'item.chosen': { actions: [{ type: 'seekItem', params: ({ event }) => event.itemId }, 'play'] },
        'rate.chosen': {
          actions: [
            { type: 'keepRate', params: ({ event }) => event.rate },
            { type: 'changeRate', params: ({ event }) => event.rate },
          ],
        },
      },
      initial: 'opening',
      states: {
        opening: { tags: 'busy', on: { 'tracks.ready': 'paused' } },
        paused: { on: { 'play.pressed': { actions: 'play' }, 'tracks.blocked': 'blocked' } },
        playing: { on: { 'pause.pressed': { actions: 'pause' }, 'tracks.waiting': 'waiting' } },
        waiting: { tags: 'busy', on: { 'pause.pressed': { actions: 'pause' } } },
        blocked: { on: { 'play.pressed': { actions: 'play' } } },
        ended: { on: { 'play.pressed': { actions: 'play' } } },
      },
    },
    failed: { entry: 'startHere', on: { 'retry.pressed': 'attached' } },
    closing: { tags: 'busy', entry: 'closeProgress' },
    closed: { type: 'final' },
  },
});
