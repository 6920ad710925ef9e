import { assign, sendParent, setup } from 'xstate';
import { formActions, onForm } from '../form.ts';
import { fails } from '../loadable.ts';
import { mayBeAddedYet, type AddedCard, type Card, type CardForm } from '../model/buying/card.ts';
import type { Problem } from '../model/problem.ts';
import type { FieldProblems } from '../model/account/session.ts';
import { outputIn, problemIn, requestPort } from '../ports.ts';
import { asking, thenShown, type RemovalAnswer } from './removal.ts';

/** What has been done with a card, until something else is pressed; null where it is not known which one was added. */
export type CardNews = { what: 'added'; card: Card | null } | { what: 'removed' | 'default'; card: Card };

type Context = {
  /** The default one first. */
  cards: Card[];
  problem: Problem | null;
  /** Why the card with which the customer has come back from the gateway is not among them. */
  notAdded: Problem | null;
  /** The card that something is done with, or was last. */
  chosen: string | null;
  news: CardNews | null;
  /** Of a card that is typed here. */
  fields: FieldProblems;
  /** A card that was typed, held only until it is added. */
  pii: { form: CardForm | null };
};

type Events =
  | { type: 'retry.pressed' }
  | { type: 'add.pressed' }
  | { type: 'again.pressed' }
  | { type: 'card.submitted'; pii: { form: CardForm } }
  | { type: 'card.rejected'; fields: FieldProblems }
  | { type: 'typing.cancelled' }
  | { type: 'default.pressed'; cardId: string }
  | { type: 'remove.pressed'; cardId: string }
  | RemovalAnswer;

/**
 * The customer's cards, which the payment gateway keeps. A card is typed at the gateway, on a page of its own, and added when
 * the customer comes back; the secret that it is added by stays in the address, which a port
 * reads. Where the server has no such page, the card is typed here.
 */
export const cardsMachine = setup({
  types: {} as {
    context: Context;
    events: Events;
  },
  actors: {
    /** Adds the card with which the customer has come back, once; null where there is none. */
    addCard: requestPort<AddedCard | null>(),
    /** The same, when it has failed; rejects with `refused card_over` where there is none any more. */
    addCardAgain: requestPort<AddedCard>(),
    loadCards: requestPort<Card[]>(),
    /** The address of the gateway's page; null where the server takes the card itself. */
    startCard: requestPort<{ url: string | null }>(),
    sendCard: requestPort<AddedCard, { pii: { form: CardForm | null } }>(),
    changeDefault: requestPort<Card[], { cardId: string }>(),
    removeCard: requestPort<Card[], { cardId: string }>(),
  },
  actions: {
    keepCards: assign({ cards: (_, cards: Card[]) => cards, problem: null }),
    keepNotAdded: assign({ notAdded: (_, problem: Problem) => problem }),
    /** What was said before is over when something is pressed. */
    startAnew: assign({ problem: null, notAdded: null, news: null }),
    choose: assign({ chosen: (_, cardId: string) => cardId, problem: null, notAdded: null, news: null }),
    keepAdded: assign((_, added: AddedCard | null) => {
      const cards = added?.cards ?? [];
      const card = cards.find(({ id }) => id === added?.addedId) ?? null;
      return { cards, problem: null, notAdded: null, news: { what: 'added' as const, card } };
    }),
    keepRemoved: assign(({ context }, cards: Card[]) => {
      const card = context.cards.find(({ id }) => id === context.chosen);
      return { cards, news: card === undefined ? null : { what: 'removed' as const, card } };
    }),
    keepDefault: assign(({ context }, cards: Card[]) => {
      const card = cards.find(({ id, isDefault }) => isDefault && id === context.chosen);
      return { cards, news: card === undefined ? null : { what: 'default' as const, card } };
    }),
    goToGateway: sendParent((_, { url }: { url: string | null }) => ({ type: 'leave', url: url ?? '' })),
    ...formActions<Context, Events, CardForm>(),
    dropFields: assign({ fields: {}, problem: null }),
  },
  guards: {
    isAdded: (_, added: AddedCard | null) => added !== null,
    isThere: ({ context }, cardId: string) => context.cards.some(({ id }) => id === cardId),
    isNoDefault: ({ context }, cardId: string) => context.cards.some(({ id, isDefault }) => id === cardId && !isDefault),
    isOneMissing: ({ context }) => context.notAdded !== null,
    isTypedHere: (_, { url }: { url: string | null }) => url === null,
    mayBeAddedYet: ({ context }) => mayBeAddedYet(context.notAdded),
  },
}).createMachine({
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
