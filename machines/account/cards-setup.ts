import { assign, sendParent, setup } from 'xstate';
import { createFormActions } from '../form.ts';
import { canStillAddCard, type AddedCard, type Card, type CardForm } from '../model/buying/card.ts';
import type { Problem } from '../model/problem.ts';
import type { FieldProblems } from '../model/account/session.ts';
import { requestPort } from '../ports.ts';
import { type RemovalDecision } from './removal.ts';

/** The last change of a card, until the next press. `card` is null if the added card is unknown. */
export type CardNotice = { what: 'added'; card: Card | null } | { what: 'removed' | 'default'; card: Card };

type Context = {
  /** The default card is first. */
  cards: Card[];
  problem: Problem | null;
  /** The reason why the card was not added when the customer returned from the gateway. */
  notAdded: Problem | null;
  /** The card that an action applies to, or applied to last. */
  chosen: string | null;
  notice: CardNotice | null;
  /** Problems of the form for typing a card on this page. */
  fields: FieldProblems;
  /** The typed card, held only until the request settles. */
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
  | RemovalDecision;

/** The ports, actions and guards of the customer's cards. */
export const cardsSetup = setup({
  types: {} as {
    context: Context;
    events: Events;
  },
  actors: {
    /** Adds the card of the gateway's redirect, once; null if the URL has no card token. */
    addCard: requestPort<AddedCard | null>(),
    /** Retries a failed `addCard`; rejects with `refused card_over` if the token has expired. */
    addCardAgain: requestPort<AddedCard>(),
    loadCards: requestPort<Card[]>(),
    /** The URL of the gateway's page; null if the server takes card data itself. */
    startCard: requestPort<{ url: string | null }>(),
    sendCard: requestPort<AddedCard, { pii: { form: CardForm | null } }>(),
    changeDefault: requestPort<Card[], { cardId: string }>(),
    removeCard: requestPort<Card[], { cardId: string }>(),
  },
  actions: {
    keepCards: assign({ cards: (_, cards: Card[]) => cards, problem: null }),
    keepNotAdded: assign({ notAdded: (_, problem: Problem) => problem }),
    /** Clears the messages of the previous action. */
    restart: assign({ problem: null, notAdded: null, notice: null }),
    choose: assign({ chosen: (_, cardId: string) => cardId, problem: null, notAdded: null, notice: null }),
    keepAdded: assign((_, result: AddedCard | null) => {
      const cards = result?.cards ?? [];
      const card = cards.find(({ id }) => id === result?.addedId) ?? null;
      return { cards, problem: null, notAdded: null, notice: { what: 'added' as const, card } };
    }),
    keepRemoved: assign(({ context }, cards: Card[]) => {
      const card = context.cards.find(({ id }) => id === context.chosen);
      return { cards, notice: card === undefined ? null : { what: 'removed' as const, card } };
    }),
    keepDefault: assign(({ context }, cards: Card[]) => {
      const card = cards.find(({ id, isDefault }) => isDefault && id === context.chosen);
      return { cards, notice: card === undefined ? null : { what: 'default' as const, card } };
    }),
    goToGateway: sendParent((_, { url }: { url: string | null }) => ({ type: 'leave', url: url ?? '' })),
    ...createFormActions<Context, Events, CardForm>(),
    dropFields: assign({ fields: {}, problem: null }),
  },
  guards: {
    isAdded: (_, result: AddedCard | null) => result !== null,
    isThere: ({ context }, cardId: string) => context.cards.some(({ id }) => id === cardId),
    isNoDefault: ({ context }, cardId: string) => context.cards.some(({ id, isDefault }) => id === cardId && !isDefault),
    isOneMissing: ({ context }) => context.notAdded !== null,
    isTypedHere: (_, { url }: { url: string | null }) => url === null,
    mayBeAddedAgain: ({ context }) => canStillAddCard(context.notAdded),
  },
});
