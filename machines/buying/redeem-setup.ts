import { assign, sendParent, setup } from 'xstate';
import { keepProblem } from '../loadable.ts';
import type { FlowInput, FlowSignal } from '../flows/flow-input.ts';
import { listPath, viewerPath } from '../model/paths.ts';
import { subscribedPath } from '../model/purchase-paths.ts';
import type { Problem } from '../model/problem.ts';
import {
  codePath,
  ownsAllTitles,
  leadsToPayment,
  getUnownedTitles,
  paymentPath,
  type CodeOffer,
  type OfferKind,
  type RedeemForm,
} from '../model/buying/redeem.ts';
import { HIDDEN_SECRET } from '../model/account/after-sign-in.ts';
import type { FieldProblems } from '../model/account/session.ts';
import { requestPort, safePort } from '../ports.ts';

type Context = {
  /** Whether the store accepts codes of any kind. */
  accepts: boolean;
  signedIn: boolean;
  resume: string | null;
  /** Whether the URL contains a code. */
  hasCode: boolean;
  offer: CodeOffer | null;
  /** The chosen title, if the code offers several. */
  chosen: string | null;
  /** The customer's copy of the title that the code granted. */
  instanceId: string | null;
  fields: FieldProblems;
  problem: Problem | null;
  /** The typed code, held until the URL contains it, and while the customer corrects it. */
  pii: { form: RedeemForm | null };
};

/** The action that redeems the code after sign-in. */
const REDEEM = 'redeem';

/** The ports, actions and guards of redeeming a code. */
export const redeemSetup = setup({
  types: {} as {
    context: Context;
    events:
      | FlowSignal
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
    /** Stores the code, which the navigation then puts into the URL. */
    saveCode: safePort<null, { pii: { form: RedeemForm | null } }>(),
    /**
     * The benefits of the code in the URL; the lookup does not consume the code. Rejects with
     * `refused` if the code has no benefit.
     */
    lookUp: requestPort<CodeOffer>(),
    /** The refused code in the URL, so that the customer can correct it. */
    readSavedCode: safePort<{ pii: { form: RedeemForm | null } }>(),
    /**
     * Consumes the code and returns the customer's copy of the title, null if the code grants none;
     * idempotent. Rejects with `refused code_at_payment` if only a payment consumes the code.
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
    keepOffer: assign((_, offer: CodeOffer) => ({
      offer,
      instanceId: offer.instanceId,
      chosen: null,
      resume: null,
      problem: null,
    })),
    /** Drops the giver's data where the gift is not shown. */
    dropGiver: assign(({ context: { offer } }) => ({ offer: offer === null ? null : withoutGiver(offer) })),
    keepChosen: assign({ chosen: (_, titleId: string) => titleId }),
    keepGiven: assign({ instanceId: (_, instanceId: string | null) => instanceId, problem: null }),
    keepProblem: keepProblem(),
    restart: assign({ offer: null, chosen: null, instanceId: null, fields: {}, problem: null }),
    goToCode: sendParent({ type: 'go', to: codePath, replace: true }),
    /** Marks the offer's plan as one whose payment consumes the code, and may require a card. */
    keepForPayment: assign(({ context: { offer } }) => ({
      offer: offer && { ...withoutGiver(offer), trialDays: offer.trialDays ?? 0 },
    })),
    requestSignIn: sendParent({ type: 'signIn.needed', action: REDEEM }),
    /** After sign-in the code is only looked up, not redeemed. */
    requestSignInFirst: sendParent({ type: 'signIn.needed', action: null }),
    startAction: sendParent({ type: 'action.started', action: REDEEM }),
    endAction: sendParent({ type: 'action.ended' }),
    goPay: sendParent(({ context: { offer } }) => ({
      type: 'go',
      to: offer === null ? listPath('all') : paymentPath(offer, HIDDEN_SECRET),
      replace: false,
    })),
    goRead: sendParent(({ context }) => ({ type: 'go', to: viewerPath(context.instanceId ?? ''), replace: false })),
    /** Reloads the page so that the whole shop knows the subscription. */
    goWelcome: sendParent({ type: 'leave', url: subscribedPath }),
  },
  guards: {
    acceptsNone: ({ context }) => !context.accepts,
    accepts: ({ context }) => context.accepts,
    hasCode: ({ context }) => context.hasCode,
    isVisitor: ({ context }) => !context.signedIn,
    isRedeemed: (_, { redeemed }: CodeOffer) => redeemed,
    isOwned: (_, offer: CodeOffer) => ownsAllTitles(offer),
    isForPayment: (_, offer: CodeOffer) => leadsToPayment(offer),
    isChoice: (_, { kind }: CodeOffer) => kind === 'titles',
    /** Redeem was pressed before sign-in. */
    resumes: ({ context }) => context.signedIn && context.resume === REDEEM,
    isOffered: ({ context }, titleId: string) =>
      context.signedIn && context.offer !== null && getUnownedTitles(context.offer).some(({ id }) => id === titleId),
    hasChosen: ({ context }) => context.chosen !== null,
    givesSubscription: ({ context }) => context.offer?.kind === 'subscription',
    /** The copy of a single granted title; for a bundle no copy is singled out. */
    hasCopy: ({ context: { instanceId, offer } }) => instanceId !== null && (offer?.kind === 'title' || offer?.kind === 'titles'),
    /** The server answers only signed-in customers. */
    isForCustomers: ({ context }, problem: Problem) => !context.signedIn && problem.kind === 'unauthorized',
    isAtPayment: (_, problem: Problem) => problem.kind === 'refused' && problem.code === 'code_at_payment',
    /** The server refused the code, and a retry would be refused as well. */
    isRefusal: (_, problem: Problem) => problem.kind === 'refused' && !problem.code.startsWith('too_many_'),
  },
});

function withoutGiver(offer: CodeOffer): CodeOffer {
  const { pii: _giver, ...rest } = offer;
  return rest;
}
