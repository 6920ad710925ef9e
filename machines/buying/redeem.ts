import { failed, toFailed } from '../loadable.ts';
import { getOutput, getProblem } from '../ports.ts';
import { redeemSetup } from './redeem-setup.ts';

/**
 * Redeems a code: shows its benefits first, and a press consumes it. The code stays in the URL,
 * which the ports read: submitting a code navigates to its URL. Redeeming is idempotent, so after a
 * lost response the customer can send the request again.
 */
export const redeemMachine = redeemSetup.createMachine({
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
      // Every store accepts gifts; for other codes the server decides.
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
        id: 'saveCode',
        src: 'saveCode',
        input: ({ context }) => ({ pii: context.pii }),
        onDone: { target: 'kept', actions: 'goToCode' },
      },
    },
    /** The URL changes at once; if it already contained a code, this screen stays. */
    kept: { tags: 'busy', on: { 'route.changed': 'loading' } },
    loading: {
      meta: { spec: ['S2./redeem/code', 'S7.redeem/apply'] },
      tags: 'busy',
      invoke: {
        id: 'lookUp',
        src: 'lookUp',
        onDone: [
          {
            guard: { type: 'isRedeemed', params: getOutput },
            target: 'redeemed',
            actions: { type: 'keepOffer', params: getOutput },
          },
          { guard: { type: 'isOwned', params: getOutput }, target: 'owned', actions: { type: 'keepOffer', params: getOutput } },
          {
            guard: { type: 'isForPayment', params: getOutput },
            target: 'payable',
            actions: { type: 'keepOffer', params: getOutput },
          },
          {
            guard: { type: 'isChoice', params: getOutput },
            target: 'choosing',
            actions: { type: 'keepOffer', params: getOutput },
          },
          { guard: 'resumes', target: 'redeeming', actions: { type: 'keepOffer', params: getOutput } },
          { target: 'offered', actions: { type: 'keepOffer', params: getOutput } },
        ],
        onError: [
          { guard: { type: 'isForCustomers', params: getProblem }, target: 'signInNeeded' },
          {
            guard: { type: 'isRefusal', params: getProblem },
            target: 'refused',
            actions: { type: 'keepProblem', params: getProblem },
          },
          toFailed,
        ],
      },
    },
    failed,
    /** The code stays in the URL and is looked up after sign-in. */
    signInNeeded: { on: { 'signIn.pressed': { actions: 'requestSignInFirst' } } },
    offered: {
      on: {
        'redeem.pressed': [{ guard: 'isVisitor', actions: 'requestSignIn' }, { target: 'redeeming' }],
        'another.pressed': { target: 'typing', actions: 'restart' },
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
          { guard: 'isVisitor', actions: 'requestSignIn' },
          { guard: 'hasChosen', target: 'redeeming' },
        ],
        'another.pressed': { target: 'typing', actions: 'restart' },
      },
    },
    /** The customer stores a card, or buys something; the payment consumes the code. */
    payable: {
      on: {
        'continue.pressed': { actions: 'goPay' },
        'another.pressed': { target: 'typing', actions: 'restart' },
        'language.changed': 'loading',
      },
    },
    redeeming: {
      meta: { spec: ['S7.redeem/title', 'S7.redeem/titles'] },
      tags: 'busy',
      entry: 'startAction',
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
            actions: [{ type: 'keepGiven', params: getOutput }, 'goWelcome'],
          },
          { target: 'redeemed', actions: { type: 'keepGiven', params: getOutput } },
        ],
        onError: [
          { guard: { type: 'isAtPayment', params: getProblem }, target: 'payable', actions: ['keepForPayment', 'goPay'] },
          {
            guard: { type: 'isRefusal', params: getProblem },
            target: 'refused',
            actions: { type: 'keepProblem', params: getProblem },
          },
          { target: 'unknown', actions: { type: 'keepProblem', params: getProblem } },
        ],
      },
    },
    /** Unknown whether the code was consumed; a retry consumes it at most once. */
    unknown: { on: { 'retry.pressed': 'redeeming' } },
    redeemed: {
      on: {
        'read.pressed': { guard: 'hasCopy', actions: 'goRead' },
        'continue.pressed': { guard: 'givesSubscription', actions: 'goWelcome' },
        'another.pressed': { target: 'typing', actions: 'restart' },
      },
    },
    /** The customer has everything that the code offers: it stays valid for another customer. */
    owned: { on: { 'another.pressed': { target: 'typing', actions: 'restart' } } },
    /** The code stays in the field for correction. */
    refused: {
      entry: 'dropGiver',
      invoke: { id: 'readSavedCode', src: 'readSavedCode', onDone: { actions: { type: 'keepRefused', params: getOutput } } },
      on: {
        'code.submitted': {
          guard: 'accepts',
          target: 'keeping',
          actions: ['restart', { type: 'keepForm', params: ({ event }) => event.pii.form }],
        },
        'code.rejected': { guard: 'accepts', actions: { type: 'keepFields', params: ({ event }) => event.fields } },
      },
    },
    closed: {},
  },
});
