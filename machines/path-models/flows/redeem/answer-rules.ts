import { HIDDEN_SECRET } from '../../../model/account/after-sign-in.ts';
import { subscribedPath } from '../../../model/paths.ts';
import { codePath, ownsAllTitles, leadsToPayment, paymentPath, type CodeOffer } from '../../../model/buying/redeem.ts';
import type { FlowInput } from '../../../flows/flow-input.ts';
import type { redeemMachine } from '../../../buying/redeem.ts';
import {
  getPortOutput,
  getPortInput,
  getPortProblem,
  rulesFor,
  isSame,
  getSentEvents,
  type MomentOf,
  type Rule,
} from '../../../paths/rules.ts';

const { always } = rulesFor<typeof redeemMachine>();
type Moment = MomentOf<typeof redeemMachine>;

const withoutGiver = ({ pii: _giver, ...offer }: CodeOffer): CodeOffer => offer;

const isPressed = ({ event, before }: Moment, type: string, state: string): boolean =>
  event.type === type && before?.value === state;

/** The state of a code's page for the server's offer. */
const getShownState = (offer: CodeOffer, { signedIn, resume }: { signedIn: boolean; resume: string | null }): string => {
  if (offer.redeemed) return 'redeemed';
  if (ownsAllTitles(offer)) return 'owned';
  if (leadsToPayment(offer)) return 'payable';
  if (offer.kind === 'titles') return 'choosing';
  return signedIn && resume === 'redeem' ? 'redeeming' : 'offered';
};

/** Navigates to an address of the shop. */
const toGoEvents = (to: string, replace = false) => [{ type: 'go', to, replace }];

/** Each answer and each press, with the state that follows and the messages to the app. */
export const answerRules: Rule[] = [
  always('a store that takes codes of either kind asks for one; nothing is known yet', ({ before, event, snapshot }) => {
    if (before !== null) return true;
    const { route, store } = event['input'] as FlowInput;
    const accepts = store.enableWebTitleRedeem || store.enableWebSubscriptionRedeem;
    const first = route.params['secret'] !== undefined ? 'loading' : accepts ? 'typing' : 'closed';
    const { context } = snapshot;
    return isSame([snapshot.value, context.accepts, context.fields, context.pii], [first, accepts, {}, { form: null }]);
  }),
  always('what was wrong with a code that could not be sent is shown beside it', (moment) => {
    const { event, before, snapshot } = moment;
    const isShown = before?.value === 'typing' || (before?.value === 'refused' && before.context.accepts);
    if (event.type !== 'code.rejected') return true;
    return isSame(snapshot.context.fields, isShown ? event.fields : before?.context.fields);
  }),
  always('a refused code is corrected and sent where the store takes codes, and the one before is forgotten', (moment) => {
    if (!isPressed(moment, 'code.submitted', 'refused')) return true;
    const { value, context } = moment.snapshot;
    if (!context.accepts) return value === 'refused';
    const { offer, chosen, instanceId, problem, fields } = context;
    return isSame([value, offer, chosen, instanceId, problem, fields], ['keeping', null, null, null, null, {}]);
  }),
  always('a code that is typed leads to its address, and the address to what it gives', (moment) => {
    const { event, before, snapshot } = moment;
    if (getPortOutput(moment, 'keepCode') !== undefined) {
      return isSame(
        [snapshot.value, snapshot.context.pii, getSentEvents(moment, 'go')],
        ['kept', { form: null }, toGoEvents(codePath, true)],
      );
    }
    return before?.value !== 'kept' || event.type !== 'route.changed' || getPortInput(moment, 'lookUp') !== undefined;
  }),
  always('what a code gives is shown as the server says', (moment) => {
    const offer = getPortOutput<CodeOffer>(moment, 'lookUp');
    if (offer === undefined || moment.before === null) return true;
    const { value, context } = moment.snapshot;
    const { chosen, resume, problem, instanceId } = context;
    return isSame(
      [value, context.offer, instanceId, chosen, resume, problem],
      [getShownState(offer, moment.before.context), offer, offer.instanceId, null, null, null],
    );
  }),
  always('a code that is refused is told so; what may go well next time can be tried again', (moment) => {
    const problem = getPortProblem(moment, 'lookUp');
    if (problem === null || moment.snapshot.matches('signInNeeded')) return true;
    const isRefusal = problem.kind === 'refused' && !problem.code.startsWith('too_many_');
    return isSame([moment.snapshot.value, moment.snapshot.context.problem], [isRefusal ? 'refused' : 'failed', problem]);
  }),
  always('of an offer that is shown no more, the giver is forgotten and the rest stays', (moment) => {
    const { before, snapshot } = moment;
    const shown = before?.context.offer ?? null;
    const isLeft =
      (isPressed(moment, 'language.changed', 'offered') && snapshot.matches('loading')) ||
      (snapshot.matches('refused') && before?.matches('redeeming') === true);
    return !isLeft || shown === null || isSame(snapshot.context.offer, withoutGiver(shown));
  }),
  always('in another language the offer is asked for again', (moment) => {
    const isShown = isPressed(moment, 'language.changed', 'offered') || isPressed(moment, 'language.changed', 'payable');
    return !isShown || getPortInput(moment, 'lookUp') !== undefined;
  }),
  always('a customer chooses among the titles that they do not have', (moment) => {
    const { event, before, snapshot } = moment;
    if (event.type !== 'title.chosen' || before === null || !before.matches('choosing')) return true;
    const { offer, signedIn, chosen } = before.context;
    const isNew =
      offer?.titles.some(({ id }) => id === event.titleId) === true && !offer.owned.includes(event['titleId'] as string);
    return snapshot.context.chosen === (signedIn && isNew ? event.titleId : chosen);
  }),
  always('a press redeems for a customer, once a title is chosen where there are several', (moment) => {
    const { event, before } = moment;
    if (event.type !== 'redeem.pressed' || before === null) return true;
    const isReady = before.matches('offered') || (before.matches('choosing') && before.context.chosen !== null);
    return (isReady && before.context.signedIn) === (getPortInput(moment, 'redeem') !== undefined);
  }),
  always('the title that is asked for is the one that is chosen, else the first that the code gives', (moment) => {
    const asked = getPortInput<{ titleId: string }>(moment, 'redeem');
    const { offer, chosen } = moment.snapshot.context;
    return asked === undefined || asked.titleId === (chosen ?? offer?.titles[0]?.id ?? '');
  }),
  always('sign-in is asked for with the press that waits for it', (moment) => {
    const isRedeeming = moment.event.type === 'redeem.pressed';
    return getSentEvents(moment, 'signIn.needed').every(({ action }) => action === (isRedeeming ? 'redeem' : null));
  }),
  always('what has begun is to redeem', (moment) =>
    getSentEvents(moment, 'action.begun').every(({ action }) => action === 'redeem'),
  ),
  always('what a code gave is shown, and a subscription welcomed', (moment) => {
    const given = getPortOutput<string | null>(moment, 'redeem');
    const isAgain = isPressed(moment, 'continue.pressed', 'redeemed');
    if (given === undefined && !isAgain) return true;
    const { value, context } = moment.snapshot;
    if (given !== undefined && !isSame([value, context.instanceId, context.problem], ['redeemed', given, null])) return false;
    const isSubscription = context.offer?.kind === 'subscription';
    return isSame(getSentEvents(moment, 'leave'), isSubscription ? [{ type: 'leave', url: subscribedPath }] : []);
  }),
  always('a code that the payment uses goes along to it, without the giver', (moment) => {
    const problem = getPortProblem(moment, 'redeem');
    const isAtPayment = problem?.kind === 'refused' && problem.code === 'code_at_payment';
    const offer = moment.before?.context.offer ?? null;
    if (offer === null || (!isAtPayment && !isPressed(moment, 'continue.pressed', 'payable'))) return true;
    const kept = isAtPayment ? { ...withoutGiver(offer), trialDays: offer.trialDays ?? 0 } : offer;
    return isSame(
      [moment.snapshot.context.offer, getSentEvents(moment, 'go')],
      [kept, toGoEvents(paymentPath(kept, HIDDEN_SECRET))],
    );
  }),
  always('Read opens the copy of the one title that was given; of several none is meant', (moment) => {
    if (!isPressed(moment, 'read.pressed', 'redeemed')) return true;
    const { instanceId, offer } = moment.snapshot.context;
    const isOne = offer?.kind === 'title' || offer?.kind === 'titles';
    return isSame(
      getSentEvents(moment, 'go'),
      isOne && instanceId !== null ? toGoEvents(`/viewer?instanceid=${instanceId}`) : [],
    );
  }),
  always('another code begins with an empty form', ({ event, fired, snapshot: { value, context } }) => {
    if (event.type !== 'another.pressed' || fired.length === 0) return true;
    return ['typing', 'closed'].includes(value) && isSame([context.fields, context.problem], [{}, null]);
  }),
];
