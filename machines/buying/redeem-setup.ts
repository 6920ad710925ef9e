import { assign, sendParent, setup } from 'xstate';
import { keepProblem } from '../loadable.ts';
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
import { requestPort, safePort } from '../ports.ts';

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

/** Redeeming, as the action that is resumed after sign-in. */
const redeem = 'redeem';

/** The ports, actions and guards of redeeming a code. */
export const redeemSetup = setup({
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
    /** The giver of a gift is not kept where nothing is shown of the gift. */
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
    /** The page is loaded again: all of the shop knows the subscription then. */
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
});

function withoutGiver(offer: Offer): Offer {
  const { pii: _giver, ...rest } = offer;
  return rest;
}
