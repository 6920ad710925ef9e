import type { AnyEventObject, AnyMachineSnapshot } from 'xstate';
import { isFreeTitle, type Context } from '../../../../machines/buying/purchase/context.ts';
import { isGift, type NewPrice, type Offer } from '../../../../machines/buying/purchase/offer.ts';
import type { PaymentOutcome, PaymentOutput } from '../../../../machines/buying/payment-setup.ts';
import { getPossibleOutcomes } from './outcomes.ts';

/** While a code is applied, a walk only removes it: other steps would look the code up again. */
const reducedPriceEvents = ['code.removed', 'xstate.done.actor.removeCode', 'xstate.error.actor.removeCode'];

/** Outcomes of a payment with tax: the demo store has no tax, so its server refuses the payment. */
const outcomesWithTax: PaymentOutcome[] = ['failed', 'priceChanged'];

/** Whether the server can respond with an offer after the outcome of the last payment. */
const canBeOffered = ({ title, instanceId, transId, isReduced, pii }: Offer, { of, signedIn, outcome }: Context): boolean => {
  if (isReduced) return false;
  // After its end a payment is forgotten, but the text of a gift is kept.
  if (of === 'gift' || of === 'cartGift') return outcome === null ? pii.draft === null : transId === null;
  if (of !== 'title') return outcome === null || transId === null;
  if (outcome === 'owned') return instanceId !== null;
  if (outcome !== null) return instanceId === null && transId === null && title?.forSale === true;
  return signedIn || (instanceId === null && transId === null);
};

const isPossibleOutcome = ({ outcome, paidFor, problem }: PaymentOutput, context: Context): boolean => {
  if (paidFor !== null) return false;
  if (context.addsTax && context.transId === null) return outcomesWithTax.includes(outcome) && problem?.kind !== 'malformed';
  const isFormProblem = problem?.kind === 'refused' && problem.code === 'gift_day';
  return getPossibleOutcomes(context).includes(outcome) && !(isFormProblem && context.transId !== null);
};

const isSelected = ({ cardId, withCredits, method }: Context, event: AnyEventObject): boolean => {
  if (event.type === 'credits.chosen') return withCredits;
  if (event.type === 'method.chosen') return method === event['method'];
  return !withCredits && method === null && cardId === event['cardId'];
};

/** Whether a payment method can be chosen: several are shown, and this one is not selected. */
const canBeChosen = (context: Context, event: AnyEventObject): boolean => {
  const { cards, methods, credits, balance } = context;
  const acceptsCredits = credits !== null && balance?.accepted === true && balance.balance > 0;
  const hasSeveralMethods = cards.length > 0 || methods.length > 0 || acceptsCredits;
  const cardId = event['cardId'] as string | null | undefined;
  const isCardListed = typeof cardId !== 'string' || cards.some(({ id }) => id === cardId);
  return !isFreeTitle(context) && hasSeveralMethods && isCardListed && !isSelected(context, event);
};

const hasCodeField = (context: Context): boolean => !isFreeTitle(context) && !context.withCredits;

/** Whether the payment goes to the gateway, whose page the server's own response opens. */
const leavesShop = (context: Context): boolean => {
  const { of, transId, cardId, withCredits, method, addsTax } = context;
  const isDefaultPayment = transId === null && cardId === null && !withCredits && method === null && !addsTax;
  return isDefaultPayment && of !== 'subscription' && !isFreeTitle(context);
};

const possibleByEvent: Record<string, (context: Context, event: AnyEventObject, snapshot: AnyMachineSnapshot) => boolean> = {
  'xstate.done.actor.offer': (context, event) => canBeOffered(event['output'] as Offer, context),
  'xstate.done.actor.payment': (context, event) => isPossibleOutcome(event['output'] as PaymentOutput, context),
  // The server renders the e-mail of every gift.
  'xstate.done.actor.giftPreview': (_, event) => (event['output'] as { pii: { preview: unknown } }).pii.preview !== null,
  // The regular price of a title is known without a request.
  'xstate.error.actor.removeCode': ({ title }) => title === null,
  'xstate.done.actor.applyCode': ({ cart, plan }, event) => {
    const newPrice = event['output'] as NewPrice;
    return (cart === null) === (newPrice.cart === null) && (plan === null) === (newPrice.plan === null);
  },
  leave: leavesShop,
  'page.returned': ({ transId, of }) => transId !== null && of !== 'subscription',
  'credits.chosen': (context, event, snapshot) => canBeChosen(context, event) && snapshot.can(event as never),
  'card.chosen': canBeChosen,
  'method.chosen': canBeChosen,
  'code.submitted': hasCodeField,
  'code.rejected': hasCodeField,
  'code.removed': hasCodeField,
  'change.pressed': isGift,
  'continue.pressed': ({ of }) => of === 'subscription',
  'read.pressed': ({ of }) => of === 'title',
  // With another path, the purchase restarts.
  'retry.pressed': ({ title, cart, plan }, _event, { value }) => value === 'unavailable' || (title ?? cart ?? plan) !== null,
};

/**
 * Whether the machine `tax` reports a tax: once, since a chosen location, which resets the tax, is
 * covered by the walks of `tax`.
 */
const canReportTax = (context: Context, event: AnyEventObject): boolean => {
  const { addsTax, signedIn, tax, withCredits, of } = context;
  const isDue = addsTax && signedIn && of !== 'subscription' && !isFreeTitle(context);
  return isDue && !withCredits && tax === null && event['tax'] !== null;
};

/** Whether the shop permits an event of a purchase and a browser can cause it. */
export const isPossible = (snapshot: AnyMachineSnapshot, event: AnyEventObject): boolean => {
  const context = snapshot.context as Context;
  const { type } = event;
  if (context.isReduced && ['ready', 'removing'].includes(String(snapshot.value)) && !reducedPriceEvents.includes(type))
    return false;
  if (type === 'tax.changed' || type === 'tax.outdated') return canReportTax(context, event);
  return possibleByEvent[type]?.(context, event, snapshot) ?? true;
};
