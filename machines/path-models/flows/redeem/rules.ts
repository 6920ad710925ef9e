import type { SnapshotFrom } from 'xstate';
import { subscribedPath } from '../../../model/paths.ts';
import type { redeemMachine } from '../../../buying/redeem.ts';
import { codePath, ownsAllTitles, leadsToPayment, type CodeOffer, type OfferKind } from '../../../model/buying/redeem.ts';
import { HIDDEN_SECRET } from '../../../model/account/after-sign-in.ts';
import { getPortOutput, getPortInput, getPortProblem, rulesFor, getSentEvents } from '../../../paths/rules.ts';
import { createSentFormRules } from '../../form-rules.ts';
import type { MachineRules } from '../../machine-rules.ts';
import { answerRules } from './answer-rules.ts';

const { always, invariant, leadsTo, onlyAfter } = rulesFor<typeof redeemMachine>();

type Context = SnapshotFrom<typeof redeemMachine>['context'];
type RedeemRequest = { kind: OfferKind; titleId: string };

export const rules: Record<string, MachineRules> = {
  redeem: {
    rules: [
      ...createSentFormRules({ event: 'code', port: 'keepCode', asking: 'typing', sending: 'keeping' }),
      leadsTo('a code is answered: what it gives, or a word why not', {
        after: (moment) => getPortInput(moment, 'lookUp') !== undefined,
        to: ({ snapshot }) => snapshot.value !== 'loading',
      }),
      always('nothing is redeemed without a press, before sign-in or now', (moment) => {
        if (getPortInput(moment, 'redeem') === undefined) return true;
        return ['redeem.pressed', 'retry.pressed'].includes(moment.event.type) || moment.before?.context.resume === 'redeem';
      }),
      always('a press before sign-in redeems one code, and never the next', (moment) => {
        return moment.event.type !== 'code.submitted' || moment.fired.length === 0 || moment.snapshot.context.resume === null;
      }),
      always('only customers redeem, and only what a press alone can give', (moment) => {
        if (getPortInput(moment, 'redeem') === undefined) return true;
        const { signedIn, offer } = moment.snapshot.context;
        return signedIn && offer !== null && !leadsToPayment(offer) && !offer.redeemed && !ownsAllTitles(offer);
      }),
      always('what is redeemed is what is shown, and the title is the one that was chosen', (moment) => {
        const asked = getPortInput<RedeemRequest>(moment, 'redeem');
        const { offer, chosen } = moment.snapshot.context;
        if (asked === undefined) return true;
        if (asked.kind !== offer?.kind) return false;
        return asked.kind !== 'titles' || (asked.titleId === chosen && !offer.owned.includes(asked.titleId));
      }),
      onlyAfter('a code is only said to be redeemed when the server says so', {
        cause: (moment) =>
          getPortOutput(moment, 'redeem') !== undefined || getPortOutput<CodeOffer>(moment, 'lookUp')?.redeemed === true,
        what: ({ snapshot }) => snapshot.matches('redeemed'),
      }),
      leadsTo('a press is answered: what it gave, or a word why not', {
        after: (moment) => getPortInput(moment, 'redeem') !== undefined,
        to: ({ snapshot }) => snapshot.value !== 'redeeming',
      }),
      always('a lost answer is not said to be a refusal', (moment) => {
        const problem = getPortProblem(moment, 'redeem');
        if (problem === null) return true;
        if (problem.kind === 'refused' && problem.code === 'code_at_payment') return moment.snapshot.value === 'payable';
        const isFinal = problem.kind === 'refused' && !problem.code.startsWith('too_many_');
        return moment.snapshot.value === (isFinal ? 'refused' : 'unknown');
      }),
      always('what is going on has begun and ended, so that a session that ends loses nothing', (moment) => {
        const is = moment.snapshot.matches('redeeming');
        const was = moment.before?.matches('redeeming') === true;
        return (
          getSentEvents(moment, 'action.begun').length === (is && !was ? 1 : 0) &&
          getSentEvents(moment, 'action.ended').length === (was && !is ? 1 : 0)
        );
      }),
      always('a visitor’s press asks for sign-in, and nobody else’s', (moment) => {
        const isPress = ['redeem.pressed', 'signIn.pressed'].includes(moment.event.type);
        const isVisitors = isPress && moment.fired.length > 0 && !moment.snapshot.context.signedIn;
        return getSentEvents(moment, 'signIn.needed').length === (isVisitors ? 1 : 0);
      }),
      always('no address that the machine names holds a code', (moment) => {
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
      always('only a subscription that was given leaves the page, for the one that says thank you', (moment) => {
        const left = getSentEvents(moment, 'leave');
        return left.every(({ url }) => url === subscribedPath) && (left.length === 0 || moment.snapshot.matches('redeemed'));
      }),
      always('what is opened is the customer’s own copy', (moment) => {
        return moment.event.type !== 'read.pressed' || moment.fired.length === 0 || moment.snapshot.context.instanceId !== null;
      }),
      invariant('what is shown of a code is known', ({ value, context }) => {
        const shows = ['offered', 'choosing', 'payable', 'redeeming', 'redeemed', 'owned'].includes(value);
        return !shows || context.offer !== null;
      }),
      always('a visitor is asked to sign in where the server shows codes to customers alone, and a customer is not', (moment) => {
        const problem = getPortProblem(moment, 'lookUp');
        const isNeeded = problem?.kind === 'unauthorized' && !moment.snapshot.context.signedIn;
        return problem === null || moment.snapshot.matches('signInNeeded') === isNeeded;
      }),
      invariant('what is refused is told why', ({ value, context }) => value !== 'refused' || context.problem !== null),
      always('a refused code stays in the field', (moment) => {
        const recalled = getPortOutput<{ pii: { form: { code: string } | null } }>(moment, 'recallCode');
        return recalled === undefined || moment.snapshot.context.pii.form?.code === recalled.pii.form?.code;
      }),
      invariant('who begins anew sees nothing of the code before', ({ value, context }) => {
        return value !== 'typing' || (context.offer === null && context.instanceId === null && context.chosen === null);
      }),
      ...answerRules,
      invariant('a store that takes no codes asks for none', ({ value, context }) => {
        return context.accepts || (value !== 'typing' && value !== 'keeping');
      }),
    ],
    pii: {
      'redeem.keeping': 'the code is on its way into the address',
      'redeem.refused': 'the customer corrects the code',
      'redeem.offered': 'who gives a gift, and what they wish',
      'redeem.redeeming': 'the page stays while it is redeemed',
      'redeem.unknown': 'it may be asked for again',
      'redeem.redeemed': 'who has given it',
      'redeem.owned': 'who gives it',
    },
    reads: ({ context }) => {
      const { signedIn, chosen, offer, instanceId } = context as Context;
      const owned = offer?.owned.length ?? 0;
      return [
        signedIn,
        chosen,
        offer?.kind,
        offer?.trialDays,
        owned,
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
    externalExits: { 'redeem.kept': 'the shop goes to the address at once' },
  },
};
