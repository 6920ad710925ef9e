import { assign, setup } from 'xstate';
import { createFormActions, onForm } from '../form.ts';
import { failed, toFailed } from '../loadable.ts';
import { type GiftAddressForm, type GivenGift, isGiftOver } from '../model/buying/gift.ts';
import type { Problem } from '../model/problem.ts';
import type { FieldProblems } from '../model/account/session.ts';
import { getOutput, getProblem, requestPort } from '../ports.ts';

/** The gift to send again, and the form with its new address; null for the same address. */
export type GiftToSend = { giftId: string; pii: { form: GiftAddressForm | null } };

type Context = {
  fields: FieldProblems;
  problem: Problem | null;
  gifts: GivenGift[];
  /** The gift that is sent again or whose address is corrected. */
  chosen: string | null;
  isCorrecting: boolean;
  /** The gift that was sent again last, until the next press. */
  done: { giftId: string; isCorrected: boolean } | null;
  /** The typed address, held only until the request settles. */
  pii: { form: GiftAddressForm | null };
};

type Events =
  | { type: 'retry.pressed' }
  | { type: 'resend.pressed'; giftId: string }
  | { type: 'correct.pressed'; giftId: string }
  | { type: 'address.submitted'; pii: { form: GiftAddressForm } }
  | { type: 'address.rejected'; fields: FieldProblems }
  | { type: 'cancel.pressed' };

/**
 * The gifts that the customer has given, with recipient and status. A gift can be sent again, or to
 * another address, until it is redeemed or refunded.
 */
export const giftsMachine = setup({
  types: {} as {
    context: Context;
    events: Events;
  },
  actors: {
    /** The given gifts, newest first; null if the server does not list gifts. */
    loadGifts: requestPort<GivenGift[] | null>(),
    /** Sends the gift again and returns the updated gift. */
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
    ...createFormActions<Context, Events, GiftAddressForm>(),
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
    /** Whether the e-mail was sent or has failed, and the gift is not redeemed. */
    canBeResent: ({ context }, giftId: string) =>
      context.gifts.some((gift) => gift.giftId === giftId && (gift.status === 'sent' || gift.status === 'failed')),
    canBeCorrected: ({ context }, giftId: string) => context.gifts.some((gift) => gift.giftId === giftId && !isGiftOver(gift)),
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
          { guard: { type: 'hasNone', params: getOutput }, target: 'none' },
          { guard: { type: 'isEmpty', params: getOutput }, target: 'empty' },
          { target: 'shown', actions: { type: 'keepGifts', params: getOutput } },
        ],
        onError: toFailed,
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
        onDone: { target: 'shown', actions: { type: 'keepSent', params: getOutput } },
        onError: [
          { guard: 'isCorrecting', target: 'correcting', actions: { type: 'keepProblem', params: getProblem } },
          { target: 'shown', actions: [{ type: 'keepProblem', params: getProblem }, 'dropChosen'] },
        ],
      },
    },
    /** The customer has given no gifts. */
    empty: {},
    /** The server does not list gifts; the section is hidden. */
    none: {},
    failed,
  },
});
