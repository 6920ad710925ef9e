import type { Order } from '../../../buying/payment-setup.ts';
import type { purchaseMachine } from '../../../buying/purchase/purchase.ts';
import type { Card } from '../../../model/buying/card.ts';
import type { CreditBalance } from '../../../model/buying/subscription.ts';
import type { Offer } from '../../../buying/purchase/offer.ts';
import { getPortOutput, getPortInput, getPortProblem, rulesFor, type MomentOf, type Rule } from '../../../paths/rules.ts';
import { isSameJson } from '../../../same-json.ts';

const { always, invariant, remembering } = rulesFor<typeof purchaseMachine>();
type Moment = MomentOf<typeof purchaseMachine>;
type Context = Moment['snapshot']['context'];

const getCreditsPrice = ({ withCredits, credits, balance }: Context) =>
  withCredits ? { amount: credits, currency: balance?.currency ?? '' } : null;

const hasEnoughCredits = ({ credits, balance }: Context): boolean =>
  credits !== null && balance?.accepted === true && balance.balance >= credits;

/**
 * Whether the payment option that was pressed on the summary is offered; null if no
 * option was pressed.
 */
const isChoiceAccepted = ({ event, before }: Moment): boolean | null => {
  if (before?.matches('ready') !== true) return null;
  const { cards, balance, methods } = before.context;
  if (event.type === 'credits.chosen') return hasEnoughCredits(before.context);
  if (event.type === 'method.chosen') return methods.includes(event['method'] as string);
  if (event.type !== 'card.chosen') return null;
  if (event.cardId === null) return cards.length > 0 || balance !== null || methods.length > 0;
  return cards.some(({ id }) => id === event.cardId);
};

const getChoice = ({ cardId, withCredits, method }: Context) => [cardId, withCredits, method];

/** The rules of the payment options and the choice among them. */
export const paymentOptionRules: Rule[] = [
  always('the first card that has not expired is selected when the cards load', (moment) => {
    const { context, value } = moment.snapshot;
    const nextState = context.of === 'gift' || context.of === 'cartGift' ? 'writing' : 'ready';
    const isNext = value === (context.credits === null ? nextState : 'readingCredits');
    const loadedCards = getPortOutput<Card[]>(moment, 'savedCards');
    if (loadedCards !== undefined) {
      const validCards = loadedCards.filter(({ isExpired }) => !isExpired);
      return (
        isNext &&
        isSameJson(context.cards, validCards) &&
        isSameJson(getChoice(context), [validCards[0]?.id ?? null, false, null])
      );
    }
    return getPortProblem(moment, 'savedCards') === null || (isNext && context.cards.length === 0 && context.cardId === null);
  }),
  always('a press on an offered payment option selects it alone', (moment) => {
    const { event, before, snapshot } = moment;
    const isAccepted = isChoiceAccepted(moment);
    if (before === null || isAccepted === null) return true;
    const pressedChoice = [
      event.type === 'card.chosen' ? event.cardId : null,
      event.type === 'credits.chosen',
      event.type === 'method.chosen' ? event.method : null,
    ];
    return isSameJson(getChoice(snapshot.context), isAccepted ? pressedChoice : getChoice(before.context));
  }),
  always('the selected payment option stays until another one is pressed', (moment) => {
    const { before, snapshot } = moment;
    const summaryStates = ['writing', 'previewing', 'ready', 'applying', 'removing'];
    if (before === null || isChoiceAccepted(moment) !== null) return true;
    if (!summaryStates.includes(before.value) || !summaryStates.includes(snapshot.value)) return true;
    return (
      isSameJson(getChoice(snapshot.context), getChoice(before.context)) &&
      isSameJson(snapshot.context.cards, before.context.cards)
    );
  }),
  invariant('the selected card is one of the shown cards', ({ value, context: { cards, cardId } }) => {
    return !['writing', 'previewing', 'ready'].includes(value) || cardId === null || cards.some(({ id }) => id === cardId);
  }),
  invariant('credits are selected only if they suffice and are accepted, and only alone', ({ context }) => {
    if (!context.withCredits) return true;
    return hasEnoughCredits(context) && context.cardId === null && context.method === null && context.cart === null;
  }),
  // With a memory, so that exploration continues separately for each choice, even in states whose
  // kind does not distinguish it.
  remembering('a new payment uses the selected payment option', null, (_: unknown, moment) => {
    const { context } = moment.snapshot;
    const { cardId, method } = context;
    const input = getPortInput<Order>(moment, 'payment');
    const choice = [cardId, method, getCreditsPrice(context)];
    const isCorrect = input === undefined || isSameJson([input.cardId, input.method, input.credits], choice);
    return isCorrect ? { memory: choice } : { broken: `the payment is requested with ${JSON.stringify(input)}` };
  }),
  remembering('the shown balance is that of the server’s last answer', null, (knownBalance: CreditBalance | null, moment) => {
    const loadedBalance = getPortOutput<CreditBalance>(moment, 'creditBalance');
    const isNew = getPortOutput<Offer>(moment, 'offer') !== undefined;
    const memory = loadedBalance ?? (isNew ? null : knownBalance);
    return isSameJson(moment.snapshot.context.balance, memory) ? { memory } : { broken: '' };
  }),
  always('the purchase continues even if the balance cannot be loaded', (moment) => {
    const { of, balance } = moment.snapshot.context;
    const nextState = of === 'gift' ? 'writing' : 'ready';
    const [loadedBalance, problem] = [
      getPortOutput<CreditBalance>(moment, 'creditBalance'),
      getPortProblem(moment, 'creditBalance'),
    ];
    if (loadedBalance === undefined && problem === null) return true;
    return moment.snapshot.value === nextState && (loadedBalance === undefined || isSameJson(balance, loadedBalance));
  }),
];
