import type { Order } from '../../../buying/payment-setup.ts';
import type { purchaseMachine } from '../../../buying/purchase/purchase.ts';
import type { Card } from '../../../model/buying/card.ts';
import type { CreditBalance } from '../../../model/buying/subscription.ts';
import type { Offer } from '../../../buying/purchase/offer.ts';
import { getPortOutput, getPortInput, getPortProblem, rulesFor, isSame, type MomentOf, type Rule } from '../../../paths/rules.ts';

const { always, invariant, remembering } = rulesFor<typeof purchaseMachine>();
type Moment = MomentOf<typeof purchaseMachine>;
type Context = Moment['snapshot']['context'];

const getCreditsPrice = ({ withCredits, credits, balance }: Context) =>
  withCredits ? { amount: credits, currency: balance?.currency ?? '' } : null;

const hasEnough = ({ credits, balance }: Context): boolean =>
  credits !== null && balance?.accepted === true && balance.balance >= credits;

/**
 * Whether a press in this step selects one of the payment options; null if none was pressed on the
 * summary.
 */
const isChoiceAccepted = ({ event, before }: Moment): boolean | null => {
  if (before?.matches('ready') !== true) return null;
  const { cards, balance, methods } = before.context;
  if (event.type === 'credits.chosen') return hasEnough(before.context);
  if (event.type === 'method.chosen') return methods.includes(event['method'] as string);
  if (event.type !== 'card.chosen') return null;
  if (event.cardId === null) return cards.length > 0 || balance !== null || methods.length > 0;
  return cards.some(({ id }) => id === event.cardId);
};

const getChoice = ({ cardId, withCredits, method }: Context) => [cardId, withCredits, method];

/** The rules of the payment options and the choice among them. */
export const paymentOptionRules: Rule[] = [
  always('the first card that is still good pays, until another way is chosen', (moment) => {
    const { context, value } = moment.snapshot;
    const next = context.of === 'gift' || context.of === 'cartGift' ? 'writing' : 'ready';
    const isNext = value === (context.credits === null ? next : 'readingCredits');
    const all = getPortOutput<Card[]>(moment, 'keptCards');
    if (all !== undefined) {
      const good = all.filter(({ isExpired }) => !isExpired);
      return isNext && isSame(context.cards, good) && isSame(getChoice(context), [good[0]?.id ?? null, false, null]);
    }
    return getPortProblem(moment, 'keptCards') === null || (isNext && context.cards.length === 0 && context.cardId === null);
  }),
  always('a press on a way to pay chooses it, and nothing beside it, where it is offered', (moment) => {
    const { event, before, snapshot } = moment;
    const taken = isChoiceAccepted(moment);
    if (before === null || taken === null) return true;
    const pressed = [
      event.type === 'card.chosen' ? event.cardId : null,
      event.type === 'credits.chosen',
      event.type === 'method.chosen' ? event.method : null,
    ];
    return isSame(getChoice(snapshot.context), taken ? pressed : getChoice(before.context));
  }),
  always('a way to pay that is shown stays chosen until another one is pressed', (moment) => {
    const { before, snapshot } = moment;
    const shown = ['writing', 'previewing', 'ready', 'applying', 'removing'];
    if (before === null || isChoiceAccepted(moment) !== null) return true;
    if (!shown.includes(before.value) || !shown.includes(snapshot.value)) return true;
    return isSame(getChoice(snapshot.context), getChoice(before.context)) && isSame(snapshot.context.cards, before.context.cards);
  }),
  invariant('no card pays that is not shown', ({ value, context: { cards, cardId } }) => {
    return !['writing', 'previewing', 'ready'].includes(value) || cardId === null || cards.some(({ id }) => id === cardId);
  }),
  invariant('credits pay where there are enough of them and the store takes them, and nothing else does then', ({ context }) => {
    if (!context.withCredits) return true;
    return hasEnough(context) && context.cardId === null && context.method === null && context.cart === null;
  }),
  // Remembered, so that the rule also follows a chosen option into the payment, whose snapshot does
  // not differ by the choice.
  remembering('a new payment is paid in the way that is chosen', null, (_: unknown, moment) => {
    const { context } = moment.snapshot;
    const { cardId, method } = context;
    const asked = getPortInput<Order>(moment, 'payment');
    const chosen = [cardId, method, getCreditsPrice(context)];
    const isRight = asked === undefined || isSame([asked.cardId, asked.method, asked.credits], chosen);
    return isRight ? { memory: chosen } : { broken: `the payment is asked for ${JSON.stringify(asked)}` };
  }),
  remembering('the balance that is shown is the one last answered', null, (known: CreditBalance | null, moment) => {
    const said = getPortOutput<CreditBalance>(moment, 'creditBalance');
    const isNew = getPortOutput<Offer>(moment, 'offer') !== undefined;
    const memory = said ?? (isNew ? null : known);
    return isSame(moment.snapshot.context.balance, memory) ? { memory } : { broken: '' };
  }),
  always('where the balance does not come, money is taken all the same', (moment) => {
    const { of, balance } = moment.snapshot.context;
    const next = of === 'gift' ? 'writing' : 'ready';
    const [said, problem] = [getPortOutput<CreditBalance>(moment, 'creditBalance'), getPortProblem(moment, 'creditBalance')];
    if (said === undefined && problem === null) return true;
    return moment.snapshot.value === next && (said === undefined || isSame(balance, said));
  }),
];
