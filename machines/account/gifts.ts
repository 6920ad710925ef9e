import { assign, setup } from 'xstate';
import { formActions, onForm } from '../form.ts';
import { failed, fails } from '../loadable.ts';
import { type GiftAddressForm, type GivenGift, isOver } from '../model/buying/gift.ts';
import type { Problem } from '../model/problem.ts';
import type { FieldProblems } from '../model/account/session.ts';
import { outputIn, problemIn, requestPort } from '../ports.ts';

/** What goes out again, and where to; null for the same address. */
export type GiftToSend = { giftId: string; pii: { form: GiftAddressForm | null } };

type Context = {
  fields: FieldProblems;
  problem: Problem | null;
  gifts: GivenGift[];
  /** The gift that is sent again, or whose address is corrected. */
  chosen: string | null;
  isCorrecting: boolean;
  /** What was done last, until something else is pressed. */
  done: { giftId: string; isCorrected: boolean } | null;
  /** Held only while it is on its way. */
  pii: { form: GiftAddressForm | null };
};

type Events =
  | { type: 'retry.pressed' }
  | { type: 'resend.pressed'; giftId: string }
  | { type: 'correct.pressed'; giftId: string }
  | { type: 'address.submitted'; pii: { form: GiftAddressForm } }
  | { type: 'address.rejected'; fields: FieldProblems }
  | { type: 'cancel.pressed' };

/** What the customer has given away: to whom, and what has become of it. Until it is opened, it can be sent again, or elsewhere. */
export const giftsMachine = setup({
  types: {} as {
    context: Context;
    events: Events;
  },
  actors: {
    /** The latest first; null where the server does not list them. */
    loadGifts: requestPort<GivenGift[] | null>(),
    /** The gift as it is then. */
    sendGift: requestPort<GivenGift, GiftToSend>(),
  },
  actions: {
    keepGifts: assign({ gifts: (_, gifts: GivenGift[] | null) => gifts ?? [], problem: null }),
    choose: assign((_, { giftId, isCorrecting }: { giftId: string; isCorrecting: boolean }) => ({
      chosen: giftId,
      isCorrecting,
      done: null,
      problem: null,
      fields: {},
    })),
    ...formActions<Context, Events, GiftAddressForm>(),
    keepSent: assign(({ context: { gifts, isCorrecting } }, gift: GivenGift) => ({
      gifts: gifts.map((each) => (each.giftId === gift.giftId ? gift : each)),
      done: { giftId: gift.giftId, isCorrected: isCorrecting },
      chosen: null,
    })),
    dropChosen: assign({ chosen: null, fields: {} }),
    dropProblem: assign({ problem: null }),
  },
  guards: {
    hasNone: (_, gifts: GivenGift[] | null) => gifts === null,
    isEmpty: (_, gifts: GivenGift[] | null) => gifts?.length === 0,
    /** It has been sent, and nobody has opened it. */
    canBeResent: ({ context }, giftId: string) =>
      context.gifts.some((gift) => gift.giftId === giftId && (gift.status === 'sent' || gift.status === 'failed')),
    canBeCorrected: ({ context }, giftId: string) => context.gifts.some((gift) => gift.giftId === giftId && !isOver(gift)),
    isCorrecting: ({ context }) => context.isCorrecting,
  },
}).createMachine({
  id: 'gifts',
  context: { fields: {}, problem: null, gifts: [], chosen: null, isCorrecting: false, done: null, pii: { form: null } },
  initial: 'loading',
  states: {
    loading: {
      tags: 'busy',
      invoke: {
        id: 'loadGifts',
        src: 'loadGifts',
        onDone: [
          { guard: { type: 'hasNone', params: outputIn }, target: 'none' },
          { guard: { type: 'isEmpty', params: outputIn }, target: 'empty' },
          { target: 'shown', actions: { type: 'keepGifts', params: outputIn } },
        ],
        onError: fails,
      },
    },
    shown: {
      on: {
        'resend.pressed': {
          guard: { type: 'canBeResent', params: ({ event }) => event.giftId },
          target: 'sending',
          actions: { type: 'choose', params: ({ event: { giftId } }) => ({ giftId, isCorrecting: false }) },
        },
        'correct.pressed': {
          guard: { type: 'canBeCorrected', params: ({ event }) => event.giftId },
          target: 'correcting',
          actions: { type: 'choose', params: ({ event: { giftId } }) => ({ giftId, isCorrecting: true }) },
        },
      },
    },
    correcting: {
      on: {
        ...onForm('address', 'sending'),
        'cancel.pressed': { target: 'shown', actions: ['dropChosen', 'dropProblem'] },
      },
    },
    sending: {
      tags: 'busy',
      exit: 'dropForm',
      invoke: {
        id: 'sendGift',
        src: 'sendGift',
        input: ({ context: { chosen, pii } }) => ({ giftId: chosen ?? '', pii: { form: pii.form } }),
        onDone: { target: 'shown', actions: { type: 'keepSent', params: outputIn } },
        onError: [
          { guard: 'isCorrecting', target: 'correcting', actions: { type: 'keepProblem', params: problemIn } },
          { target: 'shown', actions: [{ type: 'keepProblem', params: problemIn }, 'dropChosen'] },
        ],
      },
    },
    /** The customer has given nothing. */
    empty: {},
    /** The server does not list gifts, and nothing is shown of them. */
    none: {},
    failed,
  },
});
