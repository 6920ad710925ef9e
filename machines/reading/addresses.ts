import { assign, sendParent, setup } from 'xstate';
import { isMissing, outputIn, problemIn, requestPort } from '../ports.ts';
import type { Problem } from '../model/problem.ts';
import type { AddressesInput, RenewedAddresses, TitleKey } from '../model/reading/reading.ts';

const renewed = {
  target: 'fresh',
  actions: [
    { type: 'keepRenewIn', params: outputIn<RenewedAddresses> },
    { type: 'tellRenewed', params: outputIn<RenewedAddresses> },
  ],
} as const;

const whenRefused = {
  guard: { type: 'isRefused', params: problemIn },
  target: 'refused',
  actions: { type: 'tellRefused', params: problemIn },
} as const;

/**
 * Keeps the addresses of an open title's media from expiring: gets others in good time, and at once when the server takes
 * the old ones no longer. Tells its player `addresses.renewed`, `addresses.refused` when the title is not the customer's any
 * more, and `addresses.failed` when the player waits and none came.
 */
export const addressesMachine = setup({
  types: {} as {
    context: AddressesInput;
    events: { type: 'addresses.expired' };
    input: AddressesInput;
  },
  actors: {
    /** Rejects with `refused not_owned` when the customer has lost the title. */
    renewAddresses: requestPort<RenewedAddresses, TitleKey>(),
  },
  actions: {
    keepRenewIn: assign({ renewIn: (_, { renewIn }: RenewedAddresses) => renewIn }),
    tellRenewed: sendParent((_, { items }: RenewedAddresses) => ({ type: 'addresses.renewed', items })),
    tellRefused: sendParent((_, problem: Problem) => ({ type: 'addresses.refused', problem })),
    tellFailed: sendParent((_, problem: Problem) => ({ type: 'addresses.failed', problem })),
  },
  guards: {
    /** A session that has ended is the app's business. */
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
    /** Ahead of time: nobody waits, and what fails is tried again later. */
    renewing: {
      invoke: {
        id: 'renewAddresses',
        src: 'renewAddresses',
        input: ({ context: { instanceId, sample } }) => ({ instanceId, sample }),
        onDone: renewed,
        onError: [whenRefused, { target: 'stale' }],
      },
      on: { 'addresses.expired': 'awaited' },
    },
    stale: { on: { 'addresses.expired': 'awaited' }, after: { tryAgain: 'renewing' } },
    /** The player cannot go on without. */
    awaited: {
      tags: 'busy',
      invoke: {
        id: 'renewNow',
        src: 'renewAddresses',
        input: ({ context: { instanceId, sample } }) => ({ instanceId, sample }),
        onDone: renewed,
        onError: [whenRefused, { target: 'stale', actions: { type: 'tellFailed', params: problemIn } }],
      },
    },
    refused: { type: 'final' },
  },
});
