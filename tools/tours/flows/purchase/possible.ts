import type { AnyEventObject, AnyMachineSnapshot } from 'xstate';
import { isFreeTitle, type Context } from '../../../../machines/buying/purchase/context.ts';
import { isGift, type NewPrice, type Offer } from '../../../../machines/buying/purchase/offer.ts';
import type { PaymentOutcome, PaymentOutput } from '../../../../machines/buying/payment-setup.ts';
import { getPossibleOutcomes } from './outcomes.ts';

/** With a code a walk only removes the code: every other step would look it up again. */
const reducedPriceEvents = ['code.removed', 'xstate.done.actor.removeCode', 'xstate.error.actor.removeCode'];
/** The demo store adds no tax: it refuses a payment with tax. */
const outcomesWithTax: PaymentOutcome[] = ['failed', 'priceChanged'];

/** The possible server responses about an offer, after the outcome of the payment. */
const canBeOffered = ({ title, instanceId, transId, isReduced, pii }: Offer, { of, signedIn, outcome }: Context): boolean => {
  if (isReduced) return false;
  // After a payment has ended it is forgotten, but the text of a gift is kept.
  if (of === 'gift' || of === 'cartGift') return outcome === null ? pii.draft === null : transId === null;
  if (of !== 'title') return outcome === null || transId === null;
  if (outcome === 'owned') return instanceId !== null;
  if (outcome !== null) return instanceId === null && transId === null && title?.forSale === true;
  return signedIn || (instanceId === null && transId === null);
};

const canEnd = ({ outcome, paidFor, problem }: PaymentOutput, context: Context): boolean => {
  if (paidFor !== null) return false;
  if (context.addsTax && context.transId === null) return outcomesWithTax.includes(outcome) && problem?.kind !== 'malformed';
  const isOfForm = problem?.kind === 'refused' && problem.code === 'gift_day';
  return getPossibleOutcomes(context).includes(outcome) && !(isOfForm && context.transId !== null);
};

const isChosen = ({ cardId, withCredits, method }: Context, event: AnyEventObject): boolean => {
  if (event.type === 'credits.chosen') return withCredits;
  if (event.type === 'method.chosen') return method === event['method'];
  return !withCredits && method === null && cardId === event['cardId'];
};

/** Payment methods are shown if there are several; pressing the selected one has no effect. */
const canBeChosen = (context: Context, event: AnyEventObject): boolean => {
  const { cards, methods, credits, balance } = context;
  const takesCredits = credits !== null && balance?.accepted === true && balance.balance > 0;
  const isShown = cards.length > 0 || methods.length > 0 || takesCredits;
  const cardId = event['cardId'] as string | null | undefined;
  const isThere = typeof cardId !== 'string' || cards.some(({ id }) => id === cardId);
  return !isFreeTitle(context) && isShown && isThere && !isChosen(context, event);
};

const hasCodeEntry = (context: Context): boolean => !isFreeTitle(context) && !context.withCredits;

/** The server itself serves the gateway's page of a purchase that is not free. */
const leavesShop = (context: Context): boolean => {
  const { of, transId, cardId, withCredits, method, addsTax } = context;
  const isUsual = transId === null && cardId === null && !withCredits && method === null && !addsTax;
  return isUsual && of !== 'subscription' && !isFreeTitle(context);
};

const possibleByEvent: Record<string, (context: Context, event: AnyEventObject, snapshot: AnyMachineSnapshot) => boolean> = {
  'xstate.done.actor.offer': (context, event) => canBeOffered(event['output'] as Offer, context),
  'xstate.done.actor.payment': (context, event) => canEnd(event['output'] as PaymentOutput, context),
  // The server renders the e-mail of every gift.
  'xstate.done.actor.giftPreview': (_, event) => (event['output'] as { pii: { preview: unknown } }).pii.preview !== null,
  // The regular price of a title is known without a request.
  'xstate.error.actor.removeCode': ({ title }) => title === null,
  'xstate.done.actor.applyCode': ({ cart, plan }, event) => {
    const given = event['output'] as NewPrice;
    return (cart === null) === (given.cart === null) && (plan === null) === (given.plan === null);
  },
  leave: leavesShop,
  'page.returned': ({ transId, of }) => transId !== null && of !== 'subscription',
  'credits.chosen': (context, event, snapshot) => canBeChosen(context, event) && snapshot.can(event as never),
  'card.chosen': canBeChosen,
  'method.chosen': canBeChosen,
  'code.submitted': hasCodeEntry,
  'code.rejected': hasCodeEntry,
  'code.removed': hasCodeEntry,
  'change.pressed': isGift,
  'continue.pressed': ({ of }) => of === 'subscription',
  'read.pressed': ({ of }) => of === 'title',
  // With another address, the purchase restarts.
  'retry.pressed': ({ title, cart, plan }, _event, { value }) => value === 'unavailable' || (title ?? cart ?? plan) !== null,
};

/** The tax is reported once: choosing another place resets it, which the walks of `tax` cover. */
const canReportTax = (context: Context, event: AnyEventObject): boolean => {
  const { addsTax, signedIn, tax, withCredits, of } = context;
  const isDue = addsTax && signedIn && of !== 'subscription' && !isFreeTitle(context);
  return isDue && !withCredits && tax === null && event['tax'] !== null;
};

/** The events of a purchase that the shop permits and a browser can cause. */
export const isPossible = (snapshot: AnyMachineSnapshot, event: AnyEventObject): boolean => {
  const context = snapshot.context as Context;
  const { type } = event;
  if (context.isReduced && ['ready', 'removing'].includes(String(snapshot.value)) && !reducedPriceEvents.includes(type))
    return false;
  if (type === 'tax.told' || type === 'tax.outdated') return canReportTax(context, event);
  return possibleByEvent[type]?.(context, event, snapshot) ?? true;
};
