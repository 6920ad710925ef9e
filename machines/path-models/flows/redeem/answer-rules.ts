import { HIDDEN_SECRET } from '../../../model/account/after-sign-in.ts';
import { subscribedPath } from '../../../model/purchase-paths.ts';
import { codePath, ownsAllTitles, leadsToPayment, paymentPath, type CodeOffer } from '../../../model/buying/redeem.ts';
import type { FlowInput } from '../../../flows/flow-input.ts';
import type { redeemMachine } from '../../../buying/redeem.ts';
import {
  getPortOutput,
  getPortInput,
  getPortProblem,
  rulesFor,
  getSentEvents,
  type MomentOf,
  type Rule,
} from '../../../paths/rules.ts';
import { isSameJson } from '../../../same-json.ts';

const { always } = rulesFor<typeof redeemMachine>();
type Moment = MomentOf<typeof redeemMachine>;

const removeGiver = ({ pii: _giver, ...offer }: CodeOffer): CodeOffer => offer;

const isEventInState = ({ event, before }: Moment, type: string, state: string): boolean =>
  event.type === type && before?.value === state;

/** The state that shows an offer of the server. */
const getShownState = (offer: CodeOffer, { signedIn, resume }: { signedIn: boolean; resume: string | null }): string => {
  if (offer.redeemed) return 'redeemed';
  if (ownsAllTitles(offer)) return 'owned';
  if (leadsToPayment(offer)) return 'payable';
  if (offer.kind === 'titles') return 'choosing';
  return signedIn && resume === 'redeem' ? 'redeeming' : 'offered';
};

/** The list of events of a machine that navigates once. */
const createGoEvents = (to: string, replace = false) => [{ type: 'go', to, replace }];

/** The rules about the next state, and the events sent to the app, for each answer and press. */
export const answerRules: Rule[] = [
  always('the first state depends on the URL and on whether the store takes codes', ({ before, event, snapshot }) => {
    if (before !== null) return true;
    const { route, store } = event['input'] as FlowInput;
    const accepts = store.enableWebTitleRedeem || store.enableWebSubscriptionRedeem;
    const initialState = route.params['secret'] !== undefined ? 'loading' : accepts ? 'typing' : 'closed';
    const { context } = snapshot;
    return isSameJson(
      [snapshot.value, context.accepts, context.fields, context.pii],
      [initialState, accepts, {}, { form: null }],
    );
  }),
  always('the errors of an invalid code are shown where a code can be typed', (moment) => {
    const { event, before, snapshot } = moment;
    const hasForm = before?.value === 'typing' || (before?.value === 'refused' && before.context.accepts);
    if (event.type !== 'code.rejected') return true;
    return isSameJson(snapshot.context.fields, hasForm ? event.fields : before?.context.fields);
  }),
  always('a corrected code is sent if the store takes codes, and clears the earlier offer', (moment) => {
    if (!isEventInState(moment, 'code.submitted', 'refused')) return true;
    const { value, context } = moment.snapshot;
    if (!context.accepts) return value === 'refused';
    const { offer, chosen, instanceId, problem, fields } = context;
    return isSameJson([value, offer, chosen, instanceId, problem, fields], ['keeping', null, null, null, null, {}]);
  }),
  always('a stored code leads to its URL, which requests its offer', (moment) => {
    const { event, before, snapshot } = moment;
    if (getPortOutput(moment, 'saveCode') !== undefined) {
      return isSameJson(
        [snapshot.value, snapshot.context.pii, getSentEvents(moment, 'go')],
        ['kept', { form: null }, createGoEvents(codePath, true)],
      );
    }
    return before?.value !== 'kept' || event.type !== 'route.changed' || getPortInput(moment, 'lookUp') !== undefined;
  }),
  always('the offer of a code is shown in the state for its kind', (moment) => {
    const offer = getPortOutput<CodeOffer>(moment, 'lookUp');
    if (offer === undefined || moment.before === null) return true;
    const { value, context } = moment.snapshot;
    const { chosen, resume, problem, instanceId } = context;
    return isSameJson(
      [value, context.offer, instanceId, chosen, resume, problem],
      [getShownState(offer, moment.before.context), offer, offer.instanceId, null, null, null],
    );
  }),
  always('a refused code is shown as refused, and any other failed look-up as failed', (moment) => {
    const problem = getPortProblem(moment, 'lookUp');
    if (problem === null || moment.snapshot.matches('signInNeeded')) return true;
    const isRefusal = problem.kind === 'refused' && !problem.code.startsWith('too_many_');
    return isSameJson([moment.snapshot.value, moment.snapshot.context.problem], [isRefusal ? 'refused' : 'failed', problem]);
  }),
  always('an offer that is no longer shown loses its giver and nothing else', (moment) => {
    const { before, snapshot } = moment;
    const shownOffer = before?.context.offer ?? null;
    const isHidden =
      (isEventInState(moment, 'language.changed', 'offered') && snapshot.matches('loading')) ||
      (snapshot.matches('refused') && before?.matches('redeeming') === true);
    return !isHidden || shownOffer === null || isSameJson(snapshot.context.offer, removeGiver(shownOffer));
  }),
  always('a change of the language reloads a shown offer', (moment) => {
    const isShown =
      isEventInState(moment, 'language.changed', 'offered') || isEventInState(moment, 'language.changed', 'payable');
    return !isShown || getPortInput(moment, 'lookUp') !== undefined;
  }),
  always('only a signed-in customer can choose a title, and only one that they do not own', (moment) => {
    const { event, before, snapshot } = moment;
    if (event.type !== 'title.chosen' || before === null || !before.matches('choosing')) return true;
    const { offer, signedIn, chosen } = before.context;
    const isNew =
      offer?.titles.some(({ id }) => id === event.titleId) === true && !offer.owned.includes(event['titleId'] as string);
    return snapshot.context.chosen === (signedIn && isNew ? event.titleId : chosen);
  }),
  always('a press redeems only for a customer, and only once any required title is chosen', (moment) => {
    const { event, before } = moment;
    if (event.type !== 'redeem.pressed' || before === null) return true;
    const isReady = before.matches('offered') || (before.matches('choosing') && before.context.chosen !== null);
    return (isReady && before.context.signedIn) === (getPortInput(moment, 'redeem') !== undefined);
  }),
  always('the redeemed title is the chosen one, else the first of the offer', (moment) => {
    const input = getPortInput<{ titleId: string }>(moment, 'redeem');
    const { offer, chosen } = moment.snapshot.context;
    return input === undefined || input.titleId === (chosen ?? offer?.titles[0]?.id ?? '');
  }),
  always('signIn.needed has the action redeem exactly after redeem.pressed', (moment) => {
    const isRedeemPressed = moment.event.type === 'redeem.pressed';
    return getSentEvents(moment, 'signIn.needed').every(({ action }) => action === (isRedeemPressed ? 'redeem' : null));
  }),
  always('redeem is the only action that begins', (moment) =>
    getSentEvents(moment, 'action.started').every(({ action }) => action === 'redeem'),
  ),
  always('a redeemed code shows its copy, and a subscription leads to its success page', (moment) => {
    const copyId = getPortOutput<string | null>(moment, 'redeem');
    const isContinued = isEventInState(moment, 'continue.pressed', 'redeemed');
    if (copyId === undefined && !isContinued) return true;
    const { value, context } = moment.snapshot;
    if (copyId !== undefined && !isSameJson([value, context.instanceId, context.problem], ['redeemed', copyId, null]))
      return false;
    const isSubscription = context.offer?.kind === 'subscription';
    return isSameJson(getSentEvents(moment, 'leave'), isSubscription ? [{ type: 'leave', url: subscribedPath }] : []);
  }),
  always('a code for a payment leads to the payment with the code', (moment) => {
    const problem = getPortProblem(moment, 'redeem');
    const isAtPayment = problem?.kind === 'refused' && problem.code === 'code_at_payment';
    const offer = moment.before?.context.offer ?? null;
    if (offer === null || (!isAtPayment && !isEventInState(moment, 'continue.pressed', 'payable'))) return true;
    const expectedOffer = isAtPayment ? { ...removeGiver(offer), trialDays: offer.trialDays ?? 0 } : offer;
    return isSameJson(
      [moment.snapshot.context.offer, getSentEvents(moment, 'go')],
      [expectedOffer, createGoEvents(paymentPath(expectedOffer, HIDDEN_SECRET))],
    );
  }),
  always('Read opens the copy of a single title, and nothing if there are several', (moment) => {
    if (!isEventInState(moment, 'read.pressed', 'redeemed')) return true;
    const { instanceId, offer } = moment.snapshot.context;
    const isSingleTitle = offer?.kind === 'title' || offer?.kind === 'titles';
    return isSameJson(
      getSentEvents(moment, 'go'),
      isSingleTitle && instanceId !== null ? createGoEvents(`/viewer?instanceid=${instanceId}`) : [],
    );
  }),
  always('another code starts with an empty form', ({ event, fired, snapshot: { value, context } }) => {
    if (event.type !== 'another.pressed' || fired.length === 0) return true;
    return ['typing', 'closed'].includes(value) && isSameJson([context.fields, context.problem], [{}, null]);
  }),
];
