import type { checkoutMachine } from '../buying/checkout.ts';
import type { Order } from '../buying/payment.ts';
import type { Card } from '../model/card.ts';
import { answerOf, askedOf, failureOf, rulesFor, type Rule } from '../paths/rules.ts';

/** What titles, gifts and carts know of ways to pay has the same names. */
const { always, remembering } = rulesFor<typeof checkoutMachine>();

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/**
 * What must hold of what may pay, and of what is chosen of it.
 * @param shown the state that offers the ways to pay
 * @param next the one after they are read
 */
export const wayRules = ({ shown, next = shown }: { shown: string; next?: string }): Rule[] => [
  always('the first card that is still good is the one that pays, until another is chosen', (moment) => {
    const { context, value } = moment.snapshot;
    const isNext = value === (context.credits === undefined ? next : 'readingCredits');
    const all = answerOf<Card[]>(moment, 'keptCards');
    if (all !== undefined) {
      const good = all.filter(({ isExpired }) => !isExpired);
      return isNext && same(context.cards, good) && context.cardId === (good[0]?.id ?? null) && !context.method;
    }
    if (failureOf(moment, 'keptCards') !== null) return isNext && context.cards.length === 0;
    const { event, before } = moment;
    if (event.type !== 'card.chosen' || String(before?.value) !== shown) return true;
    const { cards, balance, methods, cardId } = before?.context ?? context;
    const isChosen =
      event.cardId === null
        ? cards.length > 0 || balance !== undefined || methods !== undefined
        : cards.some(({ id }) => id === event.cardId);
    return (
      context.cardId === (isChosen ? event.cardId : cardId) && (!isChosen || (context.withCredits !== true && !context.method))
    );
  }),
  always('a way to pay is one that the gateway offers, chosen by a press alone, in place of card and credits', (moment) => {
    const { method, methods = [], cardId, withCredits } = moment.snapshot.context;
    if (!method) return true;
    const isKept = moment.before?.context.method === method;
    return (
      methods.includes(method) && cardId === null && withCredits !== true && (isKept || moment.event.type === 'method.chosen')
    );
  }),
  always('a way to pay that is pressed is chosen where it is offered', (moment) => {
    const { event, before, snapshot } = moment;
    if (event.type !== 'method.chosen' || String(before?.value) !== shown) return true;
    const { methods = [], method } = before?.context ?? {};
    const pressed = String(event.method);
    return snapshot.context.method === (methods.includes(pressed) ? pressed : method);
  }),
  // Kept in mind, so that it is also paid from where a way is chosen, which is otherwise the like of where none is.
  remembering('what is paid is paid in the way that is chosen', null, (_: string | null, moment) => {
    const { method = null, cardId } = moment.snapshot.context;
    const asked = askedOf<Order>(moment, 'payment');
    const isRight = asked === undefined || ((asked.method ?? null) === method && asked.cardId === cardId);
    return isRight ? { memory: method } : { broken: `the payment is asked for ${asked.method ?? 'by card'}` };
  }),
];
