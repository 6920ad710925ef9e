import { onForm } from '../form.ts';
import { failed, fails } from '../loadable.ts';
import { outputIn, problemIn } from '../ports.ts';
import { asking, thenShown } from './removal.ts';
import { passkeysSetup } from './passkeys-setup.ts';

/** The passkeys that open the account: adding one with this device, giving one another name, and deleting one after a question. */
export const passkeysMachine = passkeysSetup.createMachine({
  id: 'passkeys',
  context: {
    passkeys: [],
    canAdd: false,
    chosen: null,
    isNamed: false,
    fields: {},
    news: null,
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
          { guard: { type: 'hasNone', params: outputIn }, target: 'none' },
          { target: 'shown', actions: { type: 'keepLoaded', params: outputIn } },
        ],
        onError: fails,
      },
    },
    shown: {
      on: {
        'add.pressed': { guard: 'canAdd', target: 'adding', actions: 'startAnew' },
        'rename.pressed': {
          guard: { type: 'isThere', params: ({ event }) => event.passkeyId },
          target: 'naming',
          actions: ['startAnew', 'keepNamed', { type: 'keepChosen', params: ({ event }) => event.passkeyId }],
        },
        'remove.pressed': {
          guard: { type: 'isThere', params: ({ event }) => event.passkeyId },
          target: 'asking',
          actions: ['startAnew', { type: 'keepChosen', params: ({ event }) => event.passkeyId }],
        },
      },
    },
    /** The customer is asked by their device. */
    adding: {
      tags: 'busy',
      invoke: {
        id: 'addPasskey',
        src: 'addPasskey',
        onDone: { target: 'shown', actions: { type: 'keepAdded', params: outputIn } },
        onError: [
          { guard: { type: 'isCancelled', params: problemIn }, target: 'shown' },
          { target: 'shown', actions: { type: 'keepProblem', params: problemIn } },
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
        onDone: { target: 'shown', actions: { type: 'keepRenamed', params: outputIn } },
        onError: { target: 'naming', actions: { type: 'keepProblem', params: problemIn } },
      },
    },
    /** The server has no passkeys, and nothing is shown of them. */
    none: {},
    asking,
    removing: {
      tags: 'busy',
      invoke: {
        id: 'removePasskey',
        src: 'removePasskey',
        input: ({ context }) => ({ passkeyId: context.chosen ?? '' }),
        ...thenShown,
      },
    },
    failed,
  },
});
