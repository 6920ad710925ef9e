import type { SnapshotFrom } from 'xstate';
import { subscribedPath } from '../../../model/purchase-paths.ts';
import type { redeemMachine } from '../../../buying/redeem.ts';
import { codePath, ownsAllTitles, leadsToPayment, type CodeOffer, type OfferKind } from '../../../model/buying/redeem.ts';
import { HIDDEN_SECRET } from '../../../model/account/after-sign-in.ts';
import { getPortOutput, getPortInput, getPortProblem, rulesFor, getSentEvents } from '../../../paths/rules.ts';
import { createSubmittedFormRules } from '../../form-rules.ts';
import type { MachineRules } from '../../machine-rules.ts';
import { answerRules } from './answer-rules.ts';

const { always, invariant, leadsTo, onlyAfter } = rulesFor<typeof redeemMachine>();

type Context = SnapshotFrom<typeof redeemMachine>['context'];
type RedeemRequest = { kind: OfferKind; titleId: string };

export const rules: Record<string, MachineRules> = {
  redeem: {
    rules: [
      ...createSubmittedFormRules({ event: 'code', port: 'saveCode', editingState: 'typing', sendingState: 'keeping' }),
      leadsTo('every look-up of a code ends', {
        after: (moment) => getPortInput(moment, 'lookUp') !== undefined,
        to: ({ snapshot }) => snapshot.value !== 'loading',
      }),
      always('a code is redeemed only after a press, now or before sign-in', (moment) => {
        if (getPortInput(moment, 'redeem') === undefined) return true;
        return ['redeem.pressed', 'retry.pressed'].includes(moment.event.type) || moment.before?.context.resume === 'redeem';
      }),
      always('a press before sign-in does not redeem the next submitted code', (moment) => {
        return moment.event.type !== 'code.submitted' || moment.fired.length === 0 || moment.snapshot.context.resume === null;
      }),
      always('only a customer redeems, and only an unused offer that needs no payment', (moment) => {
        if (getPortInput(moment, 'redeem') === undefined) return true;
        const { signedIn, offer } = moment.snapshot.context;
        return signedIn && offer !== null && !leadsToPayment(offer) && !offer.redeemed && !ownsAllTitles(offer);
      }),
      always('the redeemed offer is the shown one, with the chosen title', (moment) => {
        const input = getPortInput<RedeemRequest>(moment, 'redeem');
        const { offer, chosen } = moment.snapshot.context;
        if (input === undefined) return true;
        if (input.kind !== offer?.kind) return false;
        return input.kind !== 'titles' || (input.titleId === chosen && !offer.owned.includes(input.titleId));
      }),
      onlyAfter('a code is shown as redeemed only after the server has confirmed it', {
        cause: (moment) =>
          getPortOutput(moment, 'redeem') !== undefined || getPortOutput<CodeOffer>(moment, 'lookUp')?.redeemed === true,
        what: ({ snapshot }) => snapshot.matches('redeemed'),
      }),
      leadsTo('every redemption ends', {
        after: (moment) => getPortInput(moment, 'redeem') !== undefined,
        to: ({ snapshot }) => snapshot.value !== 'redeeming',
      }),
      always('a final refusal is shown as refused, and a lost answer as unknown', (moment) => {
        const problem = getPortProblem(moment, 'redeem');
        if (problem === null) return true;
        if (problem.kind === 'refused' && problem.code === 'code_at_payment') return moment.snapshot.value === 'payable';
        const isFinal = problem.kind === 'refused' && !problem.code.startsWith('too_many_');
        return moment.snapshot.value === (isFinal ? 'refused' : 'unknown');
      }),
      always('redeeming sends action.started at its start and action.ended at its end', (moment) => {
        const isRedeeming = moment.snapshot.matches('redeeming');
        const wasRedeeming = moment.before?.matches('redeeming') === true;
        return (
          getSentEvents(moment, 'action.started').length === (isRedeeming && !wasRedeeming ? 1 : 0) &&
          getSentEvents(moment, 'action.ended').length === (wasRedeeming && !isRedeeming ? 1 : 0)
        );
      }),
      always('a visitor’s press, and nothing else, requests sign-in', (moment) => {
        const isPress = ['redeem.pressed', 'signIn.pressed'].includes(moment.event.type);
        const isVisitorPress = isPress && moment.fired.length > 0 && !moment.snapshot.context.signedIn;
        return getSentEvents(moment, 'signIn.needed').length === (isVisitorPress ? 1 : 0);
      }),
      always('no URL that the machine navigates to contains the code', (moment) => {
        return getSentEvents(moment, 'go').every(({ to }) => {
          const address = String(to);
          return (
            address === codePath ||
            !/redeem|code=/.test(address) ||
            address.endsWith(`code=${encodeURIComponent(HIDDEN_SECRET)}`) ||
            address.endsWith(`code=${HIDDEN_SECRET}`)
          );
        });
      }),
      always('the page is left only for the success page of a redeemed subscription', (moment) => {
        const leaveEvents = getSentEvents(moment, 'leave');
        return (
          leaveEvents.every(({ url }) => url === subscribedPath) &&
          (leaveEvents.length === 0 || moment.snapshot.matches('redeemed'))
        );
      }),
      always('a copy is opened only if the customer has one', (moment) => {
        return moment.event.type !== 'read.pressed' || moment.fired.length === 0 || moment.snapshot.context.instanceId !== null;
      }),
      invariant('every state that shows an offer has one', ({ value, context }) => {
        const showsOffer = ['offered', 'choosing', 'payable', 'redeeming', 'redeemed', 'owned'].includes(value);
        return !showsOffer || context.offer !== null;
      }),
      always('signInNeeded follows exactly an unauthorized look-up of a visitor', (moment) => {
        const problem = getPortProblem(moment, 'lookUp');
        const isSignInNeeded = problem?.kind === 'unauthorized' && !moment.snapshot.context.signedIn;
        return problem === null || moment.snapshot.matches('signInNeeded') === isSignInNeeded;
      }),
      invariant('a refused code has its problem', ({ value, context }) => value !== 'refused' || context.problem !== null),
      always('the saved code fills the field', (moment) => {
        const recallOutput = getPortOutput<{ pii: { form: { code: string } | null } }>(moment, 'readSavedCode');
        return recallOutput === undefined || moment.snapshot.context.pii.form?.code === recallOutput.pii.form?.code;
      }),
      invariant('an empty form shows nothing of the previous code', ({ value, context }) => {
        return value !== 'typing' || (context.offer === null && context.instanceId === null && context.chosen === null);
      }),
      ...answerRules,
      invariant('a store that takes no codes shows no form for one', ({ value, context }) => {
        return context.accepts || (value !== 'typing' && value !== 'keeping');
      }),
    ],
    pii: {
      'redeem.keeping': 'the code is being stored',
      'redeem.refused': 'the customer corrects the code',
      'redeem.offered': 'the giver of a gift and the message',
      'redeem.redeeming': 'the offer stays on the screen',
      'redeem.unknown': 'a retry redeems the same offer',
      'redeem.redeemed': 'the giver of the gift',
      'redeem.owned': 'the giver of the gift',
    },
    getReadValues: ({ context }) => {
      const { signedIn, chosen, offer, instanceId } = context as Context;
      const ownedCount = offer?.owned.length ?? 0;
      return [
        signedIn,
        chosen,
        offer?.kind,
        offer?.trialDays,
        ownedCount,
        offer?.redeemed,
        offer?.pii !== undefined,
        instanceId !== null,
      ];
    },
    pressable: {
      'redeem.typing': ['code.submitted', 'code.rejected'],
      'redeem.failed': ['retry.pressed'],
      'redeem.signInNeeded': ['signIn.pressed'],
      'redeem.offered': ['redeem.pressed', 'another.pressed'],
      'redeem.choosing': ['another.pressed'],
      'redeem.payable': ['continue.pressed', 'another.pressed'],
      'redeem.unknown': ['retry.pressed'],
      'redeem.redeemed': ['another.pressed'],
      'redeem.owned': ['another.pressed'],
    },
    externalExits: { 'redeem.kept': 'the app navigates to the URL of the code at once' },
  },
};
