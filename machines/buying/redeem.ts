import { assign, sendParent, setup } from 'xstate';
import { failed, fails, keepProblem } from '../loadable.ts';
import type { FlowInput, FlowNews } from '../flows/flow-input.ts';
import { listPath, subscribedPath, viewerPath } from '../model/paths.ts';
import type { Problem } from '../model/problem.ts';
import {
  codePath,
  isOwnedAlready,
  leadsToPayment,
  newTitles,
  paymentPath,
  type Offer,
  type OfferKind,
  type RedeemForm,
} from '../model/buying/redeem.ts';
import { hidden } from '../model/account/after-sign-in.ts';
import type { FieldProblems } from '../model/account/session.ts';
import { outputIn, problemIn, requestPort, safePort } from '../ports.ts';

type Context = {
  /** The store takes codes of some kind. */
  accepts: boolean;
  signedIn: boolean;
  resume: string | null;
  /** The address holds a code. */
  hasCode: boolean;
  offer: Offer | null;
  /** The title that is chosen where the code offers several. */
  chosen: string | null;
  /** The customer's copy of the title that it gave. */
  instanceId: string | null;
  fields: FieldProblems;
  problem: Problem | null;
  /** Held until the address holds it, and while a refused code is corrected. */
  pii: { form: RedeemForm | null };
};

/** Redeeming, as what goes on after sign-in. */
const redeem = 'redeem';

const withoutGiver = (offer: Offer): Offer => {
  const { pii: _giver, ...rest } = offer;
  return rest;
};

/**
 * Redeeming a code: the screen shows the benefits of the code first, and a press uses it. The code
 * itself stays in the address, which the ports read: a code that is typed leads to its address.
 * Used twice it gives nothing twice: the machine asks again after a lost answer.
 */
export const redeemMachine = setup({
  types: {} as {
    context: Context;
    events:
      | FlowNews
      | { type: 'retry.pressed' }
      | { type: 'code.submitted'; pii: { form: RedeemForm } }
      | { type: 'code.rejected'; fields: FieldProblems }
      | { type: 'title.chosen'; titleId: string }
      | { type: 'redeem.pressed' }
      | { type: 'signIn.pressed' }
      | { type: 'continue.pressed' }
      | { type: 'read.pressed' }
      | { type: 'another.pressed' };
    input: FlowInput;
  },
  actors: {
    /** Remembers which code the address is to hold. */
    keepCode: safePort<null, { pii: { form: RedeemForm | null } }>(),
    /**
     * The benefits of the code in the address; asking does not use it up. Rejects with `refused`
     * for one that gives nothing.
     */
    lookUp: requestPort<Offer>(),
    /** The code of the address, which was refused, so that the customer can correct it. */
    recallCode: safePort<{ pii: { form: RedeemForm | null } }>(),
    /**
     * Uses the code: the customer's copy of the title, null where it gives none. The same answer
     * however often it is asked for. Rejects with `refused code_at_payment` where the server uses
     * it up with the payment alone.
     */
    redeem: requestPort<string | null, { kind: OfferKind; titleId: string }>(),
  },
  actions: {
    keepForm: assign({
      pii: (_, form: RedeemForm) => ({ form }),
      fields: {},
      problem: null,
      resume: null,
    }),
    dropForm: assign({ pii: { form: null } }),
    keepRefused: assign({ pii: (_, { pii }: { pii: { form: RedeemForm | null } }) => pii }),
    keepFields: assign({ fields: (_, fields: FieldProblems) => fields }),
    keepOffer: assign((_, offer: Offer) => ({
      offer,
      instanceId: offer.instanceId,
      chosen: null,
      resume: null,
      problem: null,
    })),
    /** Who gives a gift is nobody's business where nothing is shown of it. */
    dropGiver: assign(({ context: { offer } }) => ({ offer: offer === null ? null : withoutGiver(offer) })),
    keepChosen: assign({ chosen: (_, titleId: string) => titleId }),
    keepGiven: assign({ instanceId: (_, instanceId: string | null) => instanceId, problem: null }),
    keepProblem: keepProblem(),
    startAnew: assign({ offer: null, chosen: null, instanceId: null, fields: {}, problem: null }),
    goToCode: sendParent({ type: 'go', to: codePath, replace: true }),
    /** The payment of its plan uses it, and may ask for a card. */
    keepForPayment: assign(({ context: { offer } }) => ({
      offer: offer && { ...withoutGiver(offer), trialDays: offer.trialDays ?? 0 },
    })),
    askSignIn: sendParent({ type: 'signIn.needed', action: redeem }),
    /** After sign-in the code is looked up, and nothing more. */
    askSignInFirst: sendParent({ type: 'signIn.needed', action: null }),
    beginAction: sendParent({ type: 'action.begun', action: redeem }),
    endAction: sendParent({ type: 'action.ended' }),
    goPay: sendParent(({ context: { offer } }) => ({
      type: 'go',
      to: offer === null ? listPath('all') : paymentPath(offer, hidden),
      replace: false,
    })),
    goRead: sendParent(({ context }) => ({ type: 'go', to: viewerPath(context.instanceId ?? ''), replace: false })),
    /** The page is loaded anew: all of the shop knows the subscription then. */
    goWelcome: sendParent({ type: 'leave', url: subscribedPath }),
  },
  guards: {
    acceptsNone: ({ context }) => !context.accepts,
    accepts: ({ context }) => context.accepts,
    hasCode: ({ context }) => context.hasCode,
    isVisitor: ({ context }) => !context.signedIn,
    isRedeemed: (_, { redeemed }: Offer) => redeemed,
    isOwned: (_, offer: Offer) => isOwnedAlready(offer),
    isForPayment: (_, offer: Offer) => leadsToPayment(offer),
    isChoice: (_, { kind }: Offer) => kind === 'titles',
    /** It was pressed before sign-in. */
    resumes: ({ context }) => context.signedIn && context.resume === redeem,
    isOffered: ({ context }, titleId: string) =>
      context.signedIn && context.offer !== null && newTitles(context.offer).some(({ id }) => id === titleId),
    hasChosen: ({ context }) => context.chosen !== null,
    givesSubscription: ({ context }) => context.offer?.kind === 'subscription',
    /** Of the one title that was given; of a bundle none is meant. */
    hasCopy: ({ context: { instanceId, offer } }) => instanceId !== null && (offer?.kind === 'title' || offer?.kind === 'titles'),
    /** The server tells customers alone. */
    isForCustomers: ({ context }, problem: Problem) => !context.signedIn && problem.kind === 'unauthorized',
    isAtPayment: (_, problem: Problem) => problem.kind === 'refused' && problem.code === 'code_at_payment',
    /** The server said no, and will say so again. */
    isRefusal: (_, problem: Problem) => problem.kind === 'refused' && !problem.code.startsWith('too_many_'),
  },
}).createMachine({
  id: 'redeem',
  context: ({ input: { route, store, signedIn, resume } }) => ({
    accepts: store.enableWebTitleRedeem || store.enableWebSubscriptionRedeem,
    signedIn,
    resume,
    hasCode: route.params['secret'] !== undefined,
    offer: null,
    chosen: null,
    instanceId: null,
    fields: {},
    problem: null,
    pii: { form: null },
  }),
  initial: 'deciding',
  states: {
    deciding: {
      // A gift is opened in any store; of other codes the server says whether it takes them.
      always: [{ guard: 'hasCode', target: 'loading' }, { target: 'typing' }],
    },
    typing: {
      meta: { spec: ['S2./redeem'] },
      always: { guard: 'acceptsNone', target: 'closed' },
      on: {
        'code.submitted': { target: 'keeping', actions: { type: 'keepForm', params: ({ event }) => event.pii.form } },
        'code.rejected': { actions: { type: 'keepFields', params: ({ event }) => event.fields } },
      },
    },
    keeping: {
      tags: 'busy',
      exit: 'dropForm',
      invoke: {
        id: 'keepCode',
        src: 'keepCode',
        input: ({ context }) => ({ pii: context.pii }),
        onDone: { target: 'kept', actions: 'goToCode' },
      },
    },
    /** The address follows at once; where it held a code before, this screen stays. */
    kept: { tags: 'busy', on: { 'route.changed': 'loading' } },
    loading: {
      meta: { spec: ['S2./redeem/code', 'S7.redeem/apply'] },
      tags: 'busy',
      invoke: {
        id: 'lookUp',
        src: 'lookUp',
        onDone: [
          {
            guard: { type: 'isRedeemed', params: outputIn },
            target: 'redeemed',
            actions: { type: 'keepOffer', params: outputIn },
          },
          { guard: { type: 'isOwned', params: outputIn }, target: 'owned', actions: { type: 'keepOffer', params: outputIn } },
          {
            guard: { type: 'isForPayment', params: outputIn },
            target: 'payable',
            actions: { type: 'keepOffer', params: outputIn },
          },
          { guard: { type: 'isChoice', params: outputIn }, target: 'choosing', actions: { type: 'keepOffer', params: outputIn } },
          { guard: 'resumes', target: 'redeeming', actions: { type: 'keepOffer', params: outputIn } },
          { target: 'offered', actions: { type: 'keepOffer', params: outputIn } },
        ],
        onError: [
          { guard: { type: 'isForCustomers', params: problemIn }, target: 'signInNeeded' },
          {
            guard: { type: 'isRefusal', params: problemIn },
            target: 'refused',
            actions: { type: 'keepProblem', params: problemIn },
          },
          fails,
        ],
      },
    },
    failed,
    /** The code stays in the address, and is looked up after sign-in. */
    signInNeeded: { on: { 'signIn.pressed': { actions: 'askSignInFirst' } } },
    offered: {
      on: {
        'redeem.pressed': [{ guard: 'isVisitor', actions: 'askSignIn' }, { target: 'redeeming' }],
        'another.pressed': { target: 'typing', actions: 'startAnew' },
        'language.changed': { target: 'loading', actions: 'dropGiver' },
      },
    },
    choosing: {
      on: {
        'title.chosen': {
          guard: { type: 'isOffered', params: ({ event }) => event.titleId },
          actions: { type: 'keepChosen', params: ({ event }) => event.titleId },
        },
        'redeem.pressed': [
          { guard: 'isVisitor', actions: 'askSignIn' },
          { guard: 'hasChosen', target: 'redeeming' },
        ],
        'another.pressed': { target: 'typing', actions: 'startAnew' },
      },
    },
    /** A card is left, or something bought; the payment uses the code. */
    payable: {
      on: {
        'continue.pressed': { actions: 'goPay' },
        'another.pressed': { target: 'typing', actions: 'startAnew' },
        'language.changed': 'loading',
      },
    },
    redeeming: {
      meta: { spec: ['S7.redeem/title', 'S7.redeem/titles'] },
      tags: 'busy',
      entry: 'beginAction',
      exit: 'endAction',
      invoke: {
        id: 'redeem',
        src: 'redeem',
        input: ({ context: { offer, chosen } }) => ({
          kind: offer?.kind ?? 'title',
          titleId: chosen ?? offer?.titles[0]?.id ?? '',
        }),
        onDone: [
          {
            guard: 'givesSubscription',
            target: 'redeemed',
            actions: [{ type: 'keepGiven', params: outputIn }, 'goWelcome'],
          },
          { target: 'redeemed', actions: { type: 'keepGiven', params: outputIn } },
        ],
        onError: [
          { guard: { type: 'isAtPayment', params: problemIn }, target: 'payable', actions: ['keepForPayment', 'goPay'] },
          {
            guard: { type: 'isRefusal', params: problemIn },
            target: 'refused',
            actions: { type: 'keepProblem', params: problemIn },
          },
          { target: 'unknown', actions: { type: 'keepProblem', params: problemIn } },
        ],
      },
    },
    /** Whether it was used is not known; to ask again uses it once all the same. */
    unknown: { on: { 'retry.pressed': 'redeeming' } },
    redeemed: {
      on: {
        'read.pressed': { guard: 'hasCopy', actions: 'goRead' },
        'continue.pressed': { guard: 'givesSubscription', actions: 'goWelcome' },
        'another.pressed': { target: 'typing', actions: 'startAnew' },
      },
    },
    /** The customer has all that it could give: it stays good for somebody else. */
    owned: { on: { 'another.pressed': { target: 'typing', actions: 'startAnew' } } },
    /** The code stays in the field, for the customer to correct. */
    refused: {
      entry: 'dropGiver',
      invoke: { id: 'recallCode', src: 'recallCode', onDone: { actions: { type: 'keepRefused', params: outputIn } } },
      on: {
        'code.submitted': {
          guard: 'accepts',
          target: 'keeping',
          actions: ['startAnew', { type: 'keepForm', params: ({ event }) => event.pii.form }],
        },
        'code.rejected': { guard: 'accepts', actions: { type: 'keepFields', params: ({ event }) => event.fields } },
      },
    },
    closed: {},
  },
});
