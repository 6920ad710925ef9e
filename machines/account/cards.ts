import { onForm } from '../form.ts';
import { fails } from '../loadable.ts';
import { outputIn, problemIn } from '../ports.ts';
import { asking, thenShown } from './removal.ts';
import { cardsSetup } from './cards-setup.ts';

/**
 * The customer's cards, which the payment gateway keeps. A card is typed at the gateway, on a page of its own, and added when
 * the customer comes back; the secret that it is added by stays in the address, which a port
 * reads. Where the server has no such page, the card is typed here.
 */
export const cardsMachine = cardsSetup.createMachine({
  id: 'cards',
  context: { cards: [], problem: null, notAdded: null, chosen: null, news: null, fields: {}, pii: { form: null } },
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
            guard: { type: 'isAdded', params: outputIn },
            target: 'shown',
            actions: { type: 'keepAdded', params: outputIn },
          },
          { target: 'loading' },
        ],
        onError: { target: 'loading', actions: { type: 'keepNotAdded', params: problemIn } },
      },
    },
    loading: {
      meta: { spec: ['S7.card/all'] },
      tags: 'busy',
      invoke: {
        id: 'loadCards',
        src: 'loadCards',
        onDone: [
          { guard: 'isOneMissing', target: 'shown.oneMissing', actions: { type: 'keepCards', params: outputIn } },
          { target: 'shown', actions: { type: 'keepCards', params: outputIn } },
        ],
        onError: fails,
      },
    },
    shown: {
      on: {
        'add.pressed': { target: 'starting', actions: 'startAnew' },
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
        /** The card with which the customer has come back is not among them. */
        oneMissing: { on: { 'again.pressed': { guard: 'mayBeAddedYet', target: '#cards.addingAgain' } } },
      },
    },
    addingAgain: {
      tags: 'busy',
      invoke: {
        id: 'addCardAgain',
        src: 'addCardAgain',
        onDone: { target: 'shown', actions: { type: 'keepAdded', params: outputIn } },
        onError: { target: 'shown.oneMissing', actions: { type: 'keepNotAdded', params: problemIn } },
      },
    },
    /** Only here, not at the gateway, can something still be taken back: so it is asked. */
    asking,
    removing: {
      meta: { spec: ['S7.card/delete'] },
      tags: 'busy',
      invoke: {
        id: 'removeCard',
        src: 'removeCard',
        input: ({ context }) => ({ cardId: context.chosen ?? '' }),
        ...thenShown,
      },
    },
    changing: {
      meta: { spec: ['S7.card/change'] },
      tags: 'busy',
      invoke: {
        id: 'changeDefault',
        src: 'changeDefault',
        input: ({ context }) => ({ cardId: context.chosen ?? '' }),
        onDone: { target: 'shown', actions: { type: 'keepDefault', params: outputIn } },
        onError: { target: 'shown', actions: { type: 'keepProblem', params: problemIn } },
      },
    },
    /** Whoever comes back by Back finds the cards as they were left. */
    starting: {
      tags: 'busy',
      invoke: {
        id: 'startCard',
        src: 'startCard',
        onDone: [
          { guard: { type: 'isTypedHere', params: outputIn }, target: 'typing' },
          { target: 'shown', actions: { type: 'goToGateway', params: outputIn } },
        ],
        onError: { target: 'shown', actions: { type: 'keepProblem', params: problemIn } },
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
        onDone: { target: 'shown', actions: ['dropForm', { type: 'keepAdded', params: outputIn }] },
        onError: { target: 'typing', actions: ['dropForm', { type: 'keepProblem', params: problemIn }] },
      },
    },
    failed: { on: { 'retry.pressed': 'adding' } },
  },
});
