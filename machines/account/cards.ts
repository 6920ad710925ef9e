import { onForm } from '../form.ts';
import { toFailed } from '../loadable.ts';
import { getOutput, getProblem } from '../ports.ts';
import { asking, showAfterRemoval } from './removal.ts';
import { cardsSetup } from './cards-setup.ts';

/**
 * The customer's cards, which the payment gateway stores. The customer types a card on the
 * gateway's page, and it is added when they return; its secret stays in the URL, which a port
 * reads. If the server has no gateway page, the customer types the card here.
 */
export const cardsMachine = cardsSetup.createMachine({
  id: 'cards',
  context: { cards: [], problem: null, notAdded: null, chosen: null, notice: null, fields: {}, pii: { form: null } },
  initial: 'adding',
  states: {
    adding: {
      meta: { spec: ['S7.card/add'] },
      tags: 'busy',
      invoke: {
        id: 'addCard',
        src: 'addCard',
        onDone: [
          {
            guard: { type: 'isAdded', params: getOutput },
            target: 'shown',
            actions: { type: 'keepAdded', params: getOutput },
          },
          { target: 'loading' },
        ],
        onError: { target: 'loading', actions: { type: 'keepNotAdded', params: getProblem } },
      },
    },
    loading: {
      meta: { spec: ['S7.card/all'] },
      tags: 'busy',
      invoke: {
        id: 'loadCards',
        src: 'loadCards',
        onDone: [
          { guard: 'isOneMissing', target: 'shown.oneMissing', actions: { type: 'keepCards', params: getOutput } },
          { target: 'shown', actions: { type: 'keepCards', params: getOutput } },
        ],
        onError: toFailed,
      },
    },
    shown: {
      on: {
        'add.pressed': { target: 'starting', actions: 'restart' },
        'default.pressed': {
          guard: { type: 'isNoDefault', params: ({ event }) => event.cardId },
          target: 'changing',
          actions: { type: 'choose', params: ({ event }) => event.cardId },
        },
        'remove.pressed': {
          guard: { type: 'isThere', params: ({ event }) => event.cardId },
          target: 'asking',
          actions: { type: 'choose', params: ({ event }) => event.cardId },
        },
      },
      initial: 'whole',
      states: {
        whole: {},
        /** The card with which the customer returned from the gateway was not added. */
        oneMissing: { on: { 'again.pressed': { guard: 'mayBeAddedAgain', target: '#cards.addingAgain' } } },
      },
    },
    addingAgain: {
      tags: 'busy',
      invoke: {
        id: 'addCardAgain',
        src: 'addCardAgain',
        onDone: { target: 'shown', actions: { type: 'keepAdded', params: getOutput } },
        onError: { target: 'shown.oneMissing', actions: { type: 'keepNotAdded', params: getProblem } },
      },
    },
    /** Asks for confirmation, since the gateway offers no undo. */
    asking,
    removing: {
      meta: { spec: ['S7.card/delete'] },
      tags: 'busy',
      invoke: {
        id: 'removeCard',
        src: 'removeCard',
        input: ({ context }) => ({ cardId: context.chosen ?? '' }),
        ...showAfterRemoval,
      },
    },
    changing: {
      meta: { spec: ['S7.card/change'] },
      tags: 'busy',
      invoke: {
        id: 'changeDefault',
        src: 'changeDefault',
        input: ({ context }) => ({ cardId: context.chosen ?? '' }),
        onDone: { target: 'shown', actions: { type: 'keepDefault', params: getOutput } },
        onError: { target: 'shown', actions: { type: 'keepProblem', params: getProblem } },
      },
    },
    /** A customer who returns by the Back button finds the cards unchanged. */
    starting: {
      tags: 'busy',
      invoke: {
        id: 'startCard',
        src: 'startCard',
        onDone: [
          { guard: { type: 'isTypedHere', params: getOutput }, target: 'typing' },
          { target: 'shown', actions: { type: 'goToGateway', params: getOutput } },
        ],
        onError: { target: 'shown', actions: { type: 'keepProblem', params: getProblem } },
      },
    },
    typing: {
      on: {
        ...onForm('card', 'sending'),
        'typing.cancelled': { target: 'shown', actions: 'dropFields' },
      },
    },
    sending: {
      meta: { spec: ['S7.card/add'] },
      tags: 'busy',
      invoke: {
        id: 'sendCard',
        src: 'sendCard',
        input: ({ context: { pii } }) => ({ pii: { form: pii.form } }),
        onDone: { target: 'shown', actions: ['dropForm', { type: 'keepAdded', params: getOutput }] },
        onError: { target: 'typing', actions: ['dropForm', { type: 'keepProblem', params: getProblem }] },
      },
    },
    failed: { on: { 'retry.pressed': 'adding' } },
  },
});
