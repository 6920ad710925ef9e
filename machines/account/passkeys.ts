import { onForm } from '../form.ts';
import { failed, toFailed } from '../loadable.ts';
import { getOutput, getProblem } from '../ports.ts';
import { asking, showAfterRemoval } from './removal.ts';
import { passkeysSetup } from './passkeys-setup.ts';

/**
 * The account's passkeys: adds one on this device, renames one, or deletes one after a
 * confirmation.
 */
export const passkeysMachine = passkeysSetup.createMachine({
  id: 'passkeys',
  context: {
    passkeys: [],
    canAdd: false,
    chosen: null,
    isNamed: false,
    fields: {},
    notice: null,
    problem: null,
    pii: { form: null },
  },
  initial: 'loading',
  states: {
    loading: {
      tags: 'busy',
      invoke: {
        id: 'loadPasskeys',
        src: 'loadPasskeys',
        onDone: [
          { guard: { type: 'hasNone', params: getOutput }, target: 'none' },
          { target: 'shown', actions: { type: 'keepLoaded', params: getOutput } },
        ],
        onError: toFailed,
      },
    },
    shown: {
      on: {
        'add.pressed': { guard: 'canAdd', target: 'adding', actions: 'restart' },
        'rename.pressed': {
          guard: { type: 'isThere', params: ({ event }) => event.passkeyId },
          target: 'naming',
          actions: ['restart', 'keepNamed', { type: 'keepChosen', params: ({ event }) => event.passkeyId }],
        },
        'remove.pressed': {
          guard: { type: 'isThere', params: ({ event }) => event.passkeyId },
          target: 'asking',
          actions: ['restart', { type: 'keepChosen', params: ({ event }) => event.passkeyId }],
        },
      },
    },
    /** The device prompts the customer. */
    adding: {
      tags: 'busy',
      invoke: {
        id: 'addPasskey',
        src: 'addPasskey',
        onDone: { target: 'shown', actions: { type: 'keepAdded', params: getOutput } },
        onError: [
          { guard: { type: 'isCancelled', params: getProblem }, target: 'shown' },
          { target: 'shown', actions: { type: 'keepProblem', params: getProblem } },
        ],
      },
    },
    naming: {
      on: {
        ...onForm('name', 'renaming'),
        'cancel.pressed': 'shown',
      },
    },
    renaming: {
      tags: 'busy',
      exit: 'dropForm',
      invoke: {
        id: 'renamePasskey',
        src: 'renamePasskey',
        input: ({ context }) => ({ passkeyId: context.chosen ?? '', pii: context.pii }),
        onDone: { target: 'shown', actions: { type: 'keepRenamed', params: getOutput } },
        onError: { target: 'naming', actions: { type: 'keepProblem', params: getProblem } },
      },
    },
    /** The server does not support passkeys; the section is hidden. */
    none: {},
    asking,
    removing: {
      tags: 'busy',
      invoke: {
        id: 'removePasskey',
        src: 'removePasskey',
        input: ({ context }) => ({ passkeyId: context.chosen ?? '' }),
        ...showAfterRemoval,
      },
    },
    failed,
  },
});
