import type { Order } from '../../../buying/payment-setup.ts';
import type { purchaseMachine } from '../../../buying/purchase/purchase.ts';
import type { Card } from '../../../model/buying/card.ts';
import type { CreditBalance } from '../../../model/buying/subscription.ts';
import type { Offer } from '../../../buying/purchase/offer.ts';
import { answerOf, askedOf, failureOf, rulesFor, same, type MomentOf, type Rule } from '../../../paths/rules.ts';

const { always, invariant, remembering } = rulesFor<typeof purchaseMachine>();
type Moment = MomentOf<typeof purchaseMachine>;
type Context = Moment['snapshot']['context'];

const inCredits = ({ withCredits, credits, balance }: Context) =>
  withCredits ? { amount: credits, currency: balance?.currency ?? '' } : null;

const hasEnough = ({ credits, balance }: Context): boolean =>
  credits !== null && balance?.accepted === true && balance.balance >= credits;

/**
 * Whether a press in this step chooses one of the ways to pay; null where none was pressed on the
 * summary.
 */
const isTaken = ({ event, before }: Moment): boolean | null => {
  if (before?.matches('ready') !== true) return null;
  const { cards, balance, methods } = before.context;
  if (event.type === 'credits.chosen') return hasEnough(before.context);
  if (event.type === 'method.chosen') return methods.includes(event['method'] as string);
  if (event.type !== 'card.chosen') return null;
  if (event.cardId === null) return cards.length > 0 || balance !== null || methods.length > 0;
  return cards.some(({ id }) => id === event.cardId);
};

const chosenIn = ({ cardId, withCredits, method }: Context) => [cardId, withCredits, method];

/** The rules of the ways to pay, and of the choice among them. */
export const wayRules: Rule[] = [
  always('the first card that is still good pays, until another way is chosen', (moment) => {
    const { context, value } = moment.snapshot;
    const next = context.of === 'gift' || context.of === 'cartGift' ? 'writing' : 'ready';
    const isNext = value === (context.credits === null ? next : 'readingCredits');
    const all = answerOf<Card[]>(moment, 'keptCards');
    if (all !== undefined) {
      const good = all.filter(({ isExpired }) => !isExpired);
      return isNext && same(context.cards, good) && same(chosenIn(context), [good[0]?.id ?? null, false, null]);
    }
    return failureOf(moment, 'keptCards') === null || (isNext && context.cards.length === 0 && context.cardId === null);
  }),
  always('a press on a way to pay chooses it, and nothing beside it, where it is offered', (moment) => {
    const { event, before, snapshot } = moment;
    const taken = isTaken(moment);
    if (before === null || taken === null) return true;
    const pressed = [
      event.type === 'card.chosen' ? event.cardId : null,
      event.type === 'credits.chosen',
      event.type === 'method.chosen' ? event.method : null,
    ];
    return same(chosenIn(snapshot.context), taken ? pressed : chosenIn(before.context));
  }),
  always('a way to pay that is shown stays chosen until another one is pressed', (moment) => {
    const { before, snapshot } = moment;
    const shown = ['writing', 'previewing', 'ready', 'applying', 'removing'];
    if (before === null || isTaken(moment) !== null) return true;
    if (!shown.includes(before.value) || !shown.includes(snapshot.value)) return true;
    return same(chosenIn(snapshot.context), chosenIn(before.context)) && same(snapshot.context.cards, before.context.cards);
  }),
  invariant('no card pays that is not shown', ({ value, context: { cards, cardId } }) => {
    return !['writing', 'previewing', 'ready'].includes(value) || cardId === null || cards.some(({ id }) => id === cardId);
  }),
  invariant('credits pay where there are enough of them and the store takes them, and nothing else does then', ({ context }) => {
    if (!context.withCredits) return true;
    return hasEnough(context) && context.cardId === null && context.method === null && context.cart === null;
  }),
  // Remembered, so that the payment also follows a chosen way: its snapshot is otherwise like one
  // without a choice.
  remembering('a new payment is paid in the way that is chosen', null, (_: unknown, moment) => {
    const { context } = moment.snapshot;
    const { cardId, method } = context;
    const asked = askedOf<Order>(moment, 'payment');
    const chosen = [cardId, method, inCredits(context)];
    const isRight = asked === undefined || same([asked.cardId, asked.method, asked.credits], chosen);
    return isRight ? { memory: chosen } : { broken: `the payment is asked for ${JSON.stringify(asked)}` };
  }),
  remembering('the balance that is shown is the one last answered', null, (known: CreditBalance | null, moment) => {
    const said = answerOf<CreditBalance>(moment, 'creditBalance');
    const isNew = answerOf<Offer>(moment, 'offer') !== undefined;
    const memory = said ?? (isNew ? null : known);
    return same(moment.snapshot.context.balance, memory) ? { memory } : { broken: '' };
  }),
  always('where the balance does not come, money is taken all the same', (moment) => {
    const { of, balance } = moment.snapshot.context;
    const next = of === 'gift' ? 'writing' : 'ready';
    const [said, problem] = [answerOf<CreditBalance>(moment, 'creditBalance'), failureOf(moment, 'creditBalance')];
    if (said === undefined && problem === null) return true;
    return moment.snapshot.value === next && (said === undefined || same(balance, said));
  }),
];
