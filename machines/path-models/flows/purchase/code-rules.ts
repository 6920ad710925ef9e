import { isFreeTitle } from '../../../buying/purchase/context.ts';
import type { NewPrice, PriceRequest } from '../../../buying/purchase/offer.ts';
import type { purchaseMachine } from '../../../buying/purchase/purchase.ts';
import { getPortOutput, getPortInput, getPortProblem, rulesFor, isSame, type MomentOf, type Rule } from '../../../paths/rules.ts';

const { always, invariant, leadsTo } = rulesFor<typeof purchaseMachine>();
type Moment = MomentOf<typeof purchaseMachine>;

const getPrices = ({ cart, plan, price, key, isReduced }: Moment['snapshot']['context']) => [cart, plan, price, key, isReduced];

const getNewPrice = (moment: Moment): NewPrice | undefined =>
  getPortOutput<NewPrice>(moment, 'applyCode') ?? getPortOutput<NewPrice>(moment, 'removeCode');

/** The rules of codes that are typed on the summary or removed from it. */
export const codeRules: Rule[] = [
  always('the server is asked about the code that was sent', (moment) => {
    const asked = getPortInput<PriceRequest & { pii: { form: unknown } }>(moment, 'applyCode');
    return asked === undefined || isSame(asked.pii, moment.event['pii']);
  }),
  always('a code is asked about for what is bought, at its prices', (moment) => {
    const asked = getPortInput<PriceRequest>(moment, 'applyCode') ?? getPortInput<PriceRequest>(moment, 'removeCode');
    if (asked === undefined) return true;
    const { of, titleId, planId, plan, title } = moment.snapshot.context;
    return isSame(
      [asked.of, asked.titleId, asked.planId, asked.plan, asked.prices],
      [of, titleId, planId, plan, title?.prices ?? []],
    );
  }),
  always('a code is looked up where none is taken off yet and something is to be paid', (moment) => {
    const { event, before, snapshot } = moment;
    if (before?.matches('ready') !== true) return getPortInput(moment, 'applyCode') === undefined;
    const isOpen = !before.context.isReduced && !isFreeTitle(before.context);
    if (event.type === 'code.rejected' && isOpen)
      return isSame(snapshot.context.fields, event.fields) && snapshot.matches('ready');
    return (event.type === 'code.submitted' && isOpen) === (getPortInput(moment, 'applyCode') !== undefined);
  }),
  always('a code is taken back where there is one', (moment) => {
    const { event, before } = moment;
    const isThere = event.type === 'code.removed' && before?.matches('ready') === true && before.context.isReduced;
    return isThere === (getPortInput(moment, 'removeCode') !== undefined);
  }),
  always('what a code leaves is shown, and what is without it', (moment) => {
    const given = getNewPrice(moment);
    if (given === undefined) return true;
    const { value, context } = moment.snapshot;
    if (given.cart !== null && given.cart.total === null) return value === 'notForSale';
    const { cart, plan, price, key, isReduced } = given;
    return value === 'ready' && isSame(getPrices(context), [cart, plan, price, key, isReduced]) && context.codeProblem === null;
  }),
  always('a code that takes nothing off, or cannot be taken back, leaves the price as it was and says why', (moment) => {
    const problem = getPortProblem(moment, 'applyCode') ?? getPortProblem(moment, 'removeCode');
    if (problem === null) return true;
    const { value, context } = moment.snapshot;
    const isKept = moment.before !== null && isSame(getPrices(context), getPrices(moment.before.context));
    return value === 'ready' && isKept && isSame(context.codeProblem, problem);
  }),
  invariant('what was wrong with a code is forgotten while the next one is looked up', ({ value, context }) => {
    return value !== 'applying' || (context.codeProblem === null && Object.keys(context.fields).length === 0);
  }),
  invariant('a code that was typed is kept no longer than until it is looked up', ({ value, context }) => {
    return (value === 'applying') === (context.pii.code !== null);
  }),
  leadsTo('a code that is typed is answered', {
    after: (moment) => getPortInput(moment, 'applyCode') !== undefined || getPortInput(moment, 'removeCode') !== undefined,
    to: ({ snapshot }) => !snapshot.matches('applying') && !snapshot.matches('removing'),
  }),
];
