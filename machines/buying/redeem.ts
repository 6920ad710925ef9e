import { failed, fails } from '../loadable.ts';
import { outputIn, problemIn } from '../ports.ts';
import { redeemSetup } from './redeem-setup.ts';

/**
 * Redeeming a code: the screen shows the benefits of the code first, and a press uses it. The code
 * itself stays in the address, which the ports read: a code that is typed leads to its address.
 * Used twice it gives nothing twice: the machine asks again after a lost answer.
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
