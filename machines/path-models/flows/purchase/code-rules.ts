import { isFreeTitle } from '../../../buying/purchase/context.ts';
import type { NewPrice, PriceRequest } from '../../../buying/purchase/offer.ts';
import type { purchaseMachine } from '../../../buying/purchase/purchase.ts';
import { getPortOutput, getPortInput, getPortProblem, rulesFor, type MomentOf, type Rule } from '../../../paths/rules.ts';
import { isSameJson } from '../../../same-json.ts';

const { always, invariant, leadsTo } = rulesFor<typeof purchaseMachine>();
type Moment = MomentOf<typeof purchaseMachine>;

const getPrices = ({ cart, plan, price, key, isReduced }: Moment['snapshot']['context']) => [cart, plan, price, key, isReduced];

const getNewPrice = (moment: Moment): NewPrice | undefined =>
  getPortOutput<NewPrice>(moment, 'applyCode') ?? getPortOutput<NewPrice>(moment, 'removeCode');

/** The rules of codes that are typed on the summary or removed from it. */
export const codeRules: Rule[] = [
  always('the submitted code is sent to the server unchanged', (moment) => {
    const input = getPortInput<PriceRequest & { pii: { form: unknown } }>(moment, 'applyCode');
    return input === undefined || isSameJson(input.pii, moment.event['pii']);
  }),
  always('a code is looked up for the goods of the purchase, at their prices', (moment) => {
    const input = getPortInput<PriceRequest>(moment, 'applyCode') ?? getPortInput<PriceRequest>(moment, 'removeCode');
    if (input === undefined) return true;
    const { of, titleId, planId, plan, title } = moment.snapshot.context;
    return isSameJson(
      [input.of, input.titleId, input.planId, input.plan, input.prices],
      [of, titleId, planId, plan, title?.prices ?? []],
    );
  }),
  always('a code is looked up only if no other is applied and there is something to pay', (moment) => {
    const { event, before, snapshot } = moment;
    if (before?.matches('ready') !== true) return getPortInput(moment, 'applyCode') === undefined;
    const isOpen = !before.context.isReduced && !isFreeTitle(before.context);
    if (event.type === 'code.rejected' && isOpen)
      return isSameJson(snapshot.context.fields, event.fields) && snapshot.matches('ready');
    return (event.type === 'code.submitted' && isOpen) === (getPortInput(moment, 'applyCode') !== undefined);
  }),
  always('a code is removed exactly if one is applied', (moment) => {
    const { event, before } = moment;
    const isThere = event.type === 'code.removed' && before?.matches('ready') === true && before.context.isReduced;
    return isThere === (getPortInput(moment, 'removeCode') !== undefined);
  }),
  always('the price with a code, or after its removal, is shown', (moment) => {
    const newPrice = getNewPrice(moment);
    if (newPrice === undefined) return true;
    const { value, context } = moment.snapshot;
    if (newPrice.cart !== null && newPrice.cart.total === null) return value === 'notForSale';
    const { cart, plan, price, key, isReduced } = newPrice;
    return (
      value === 'ready' && isSameJson(getPrices(context), [cart, plan, price, key, isReduced]) && context.codeProblem === null
    );
  }),
  always('a code that cannot be applied or removed leaves the price as it was and shows its problem', (moment) => {
    const problem = getPortProblem(moment, 'applyCode') ?? getPortProblem(moment, 'removeCode');
    if (problem === null) return true;
    const { value, context } = moment.snapshot;
    const isKept = moment.before !== null && isSameJson(getPrices(context), getPrices(moment.before.context));
    return value === 'ready' && isKept && isSameJson(context.codeProblem, problem);
  }),
  invariant('no earlier problem is shown while a code is looked up', ({ value, context }) => {
    return value !== 'applying' || (context.codeProblem === null && Object.keys(context.fields).length === 0);
  }),
  invariant('a typed code is kept only while it is looked up', ({ value, context }) => {
    return (value === 'applying') === (context.pii.code !== null);
  }),
  leadsTo('every look-up and every removal of a code ends', {
    after: (moment) => getPortInput(moment, 'applyCode') !== undefined || getPortInput(moment, 'removeCode') !== undefined,
    to: ({ snapshot }) => !snapshot.matches('applying') && !snapshot.matches('removing'),
  }),
];
