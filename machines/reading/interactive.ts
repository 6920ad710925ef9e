import { assign, sendParent, sendTo, setup } from 'xstate';
import { keepProblem } from '../loadable.ts';
import type { Problem } from '../model/problem.ts';
import type {
  AddressesInput,
  AddressesSignal,
  InteractiveCommand,
  InteractiveFact,
  InteractiveInput,
  NodePosition,
  Position,
  ProgressInput,
  ViewerItem,
} from '../model/reading/reading.ts';
import { channelPort } from '../ports.ts';
import { addressesMachine } from './addresses.ts';
import { progressMachine } from './progress.ts';

type Context = InteractiveInput & { progress: ProgressInput; addresses: AddressesInput; problem: Problem | null };
type MovedFact = Extract<InteractiveFact, { type: 'interactive.moved' }>;

/**
 * Plays an interactive title, which runs sandboxed and reports that it is ready, the customer's
 * position, and its end.
 */
export const interactiveMachine = setup({
  types: {} as {
    context: Context;
    events:
      | InteractiveFact
      | AddressesSignal
      | { type: 'place.requested'; place: Position }
      | { type: 'retry.pressed' }
      | { type: 'close.pressed' }
      | { type: 'page.hidden' };
    input: { interactive: InteractiveInput; progress: ProgressInput; addresses: AddressesInput };
  },
  actors: {
    progress: progressMachine,
    addresses: addressesMachine,
    /** The sandboxed iframe; its messages are validated before they become facts. */
    iframe: channelPort<InteractiveCommand, InteractiveFact, InteractiveInput>(),
  },
  actions: {
    keepNode: assign({ start: (_, node: string) => node }),
    savePosition: sendTo('progress', (_, { node, totalProgression }: MovedFact) => ({
      type: 'position.moved',
      position: { node, totalProgression },
    })),
    keepProblem: keepProblem(),
    keepAddress: assign({ url: ({ context }, items: ViewerItem[]) => items[0]?.url ?? context.url }),
    useRenewed: sendTo('iframe', ({ context }) => ({ type: 'interactive.renewed', url: context.url })),
    requestRenewal: sendTo('addresses', { type: 'addresses.expired' }),
    reportRefused: sendParent((_, problem: Problem) => ({ type: 'title.refused', problem })),
    sendToProgress: sendTo('progress', ({ event }) => event),
    closeProgress: sendTo('progress', { type: 'close' }),
  },
  guards: { isInTitle: (_, place: Position) => 'node' in place },
}).createMachine({
  id: 'interactive',
  context: ({ input: { interactive, progress, addresses } }) => ({ ...interactive, progress, addresses, problem: null }),
  invoke: [
    { id: 'progress', src: 'progress', input: ({ context }) => context.progress, onDone: '.closed' },
    { id: 'addresses', src: 'addresses', input: ({ context }) => context.addresses },
  ],
  on: {
    'page.hidden': { actions: 'sendToProgress' },
    'close.pressed': '.closing',
    // After a failure, the retry opens the new URL.
    'addresses.renewed': { actions: { type: 'keepAddress', params: ({ event }) => event.items } },
    'addresses.refused': { actions: { type: 'reportRefused', params: ({ event }) => event.problem } },
  },
  initial: 'running',
  states: {
    running: {
      meta: { spec: ['S2./viewer'] },
      invoke: { id: 'iframe', src: 'iframe', input: ({ context: { url, start } }) => ({ url, start }) },
      on: {
        'interactive.failed': {
          target: 'failed',
          actions: { type: 'keepProblem', params: ({ event }) => event.problem },
        },
        'interactive.expired': { actions: 'requestRenewal' },
        'addresses.renewed': { actions: [{ type: 'keepAddress', params: ({ event }) => event.items }, 'useRenewed'] },
        'addresses.failed': { target: 'failed', actions: { type: 'keepProblem', params: ({ event }) => event.problem } },
        // The title accepts a position only while it starts, so it is restarted.
        'place.requested': {
          guard: { type: 'isInTitle', params: ({ event }) => event.place },
          target: 'running',
          reenter: true,
          actions: { type: 'keepNode', params: ({ event }) => (event.place as NodePosition).node },
        },
        'interactive.moved': {
          target: '.open',
          actions: [
            { type: 'keepNode', params: ({ event }) => event.node },
            { type: 'savePosition', params: ({ event }) => event },
          ],
        },
      },
      initial: 'opening',
      states: {
        opening: { tags: 'busy', on: { 'interactive.ready': 'open' } },
        open: { on: { 'interactive.ended': 'ended' } },
        ended: {},
      },
    },
    failed: { on: { 'retry.pressed': 'running' } },
    closing: { tags: 'busy', entry: 'closeProgress' },
    closed: { type: 'final' },
  },
});
