import { assign, sendParent, setup } from 'xstate';
import { formActions } from '../form.ts';
import { mayBeAddedYet, type AddedCard, type Card, type CardForm } from '../model/buying/card.ts';
import type { Problem } from '../model/problem.ts';
import type { FieldProblems } from '../model/account/session.ts';
import { requestPort } from '../ports.ts';
import { type RemovalAnswer } from './removal.ts';

/** The last change of a card, until the next press; null where the added card is not known. */
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

/** The ports, actions and guards of the customer's cards. */
export const cardsSetup = setup({
  types: {} as {
    context: Context;
    events: Events;
  },
  actors: {
    /** Adds the card with which the gateway has led back, once; null without one. */
    addCard: requestPort<AddedCard | null>(),
    /** The same after a failure; rejects with `refused card_over` where its token is too old. */
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
    /** A press ends the messages of the press before. */
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
});
