import { assign, sendParent, setup } from 'xstate';
import { isMissing, getOutput, getProblem, requestPort } from '../ports.ts';
import type { Problem } from '../model/problem.ts';
import type { AddressesInput, RenewedAddresses, TitleKey } from '../model/reading/reading.ts';

const onRenewed = {
  target: 'fresh',
  actions: [
    { type: 'keepRenewIn', params: getOutput<RenewedAddresses> },
    { type: 'reportRenewed', params: getOutput<RenewedAddresses> },
  ],
} as const;

const onRefused = {
  guard: { type: 'isRefused', params: getProblem },
  target: 'refused',
  actions: { type: 'reportRefused', params: getProblem },
} as const;

/**
 * Renews the media URLs of an open title before they expire, and at once if the server no longer
 * accepts them. Sends events to its player: `addresses.renewed`, `addresses.refused` if the
 * customer no longer owns the title, and `addresses.failed` if renewal failed while the player
 * waits.
 */
export const addressesMachine = setup({
  types: {} as {
    context: AddressesInput;
    events: { type: 'addresses.expired' };
    input: AddressesInput;
  },
  actors: {
    /** Rejects with `refused not_owned` if the customer no longer owns the title. */
    renewAddresses: requestPort<RenewedAddresses, TitleKey>(),
  },
  actions: {
    keepRenewIn: assign({ renewIn: (_, { renewIn }: RenewedAddresses) => renewIn }),
    reportRenewed: sendParent((_, { items }: RenewedAddresses) => ({ type: 'addresses.renewed', items })),
    reportRefused: sendParent((_, problem: Problem) => ({ type: 'addresses.refused', problem })),
    reportFailed: sendParent((_, problem: Problem) => ({ type: 'addresses.failed', problem })),
  },
  guards: {
    /** The title no longer exists or is not owned. The app handles a session that has ended. */
    isRefused: (_, problem: Problem) => isMissing(_, problem) || (problem.kind === 'refused' && problem.code === 'not_owned'),
  },
  delays: {
    renewal: ({ context }) => context.renewIn,
    tryAgain: 60_000,
  },
}).createMachine({
  id: 'addresses',
  context: ({ input }) => input,
  initial: 'fresh',
  states: {
    fresh: { on: { 'addresses.expired': 'awaited' }, after: { renewal: 'renewing' } },
    /** Renews before the URLs expire: the player does not wait, and a failure is retried later. */
    renewing: {
      invoke: {
        id: 'renewAddresses',
        src: 'renewAddresses',
        input: ({ context: { instanceId, sample } }) => ({ instanceId, sample }),
        onDone: onRenewed,
        onError: [onRefused, { target: 'stale' }],
      },
      on: { 'addresses.expired': 'awaited' },
    },
    stale: { on: { 'addresses.expired': 'awaited' }, after: { tryAgain: 'renewing' } },
    /** The player cannot continue without new URLs. */
    awaited: {
      tags: 'busy',
      invoke: {
        id: 'renewNow',
        src: 'renewAddresses',
        input: ({ context: { instanceId, sample } }) => ({ instanceId, sample }),
        onDone: onRenewed,
        onError: [onRefused, { target: 'stale', actions: { type: 'reportFailed', params: getProblem } }],
      },
    },
    refused: { type: 'final' },
  },
});
