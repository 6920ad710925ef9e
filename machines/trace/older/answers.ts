import { noOffer } from '../../buying/purchase/offer.ts';
import type { Plain, RecordedEvent } from '../format.ts';
import { actorToday, isObject, type OldFlow, type PlainObject } from './names.ts';

/** An answer out of a file, which may lack any field. */
type Answer = PlainObject;

const nothing = noOffer as unknown as PlainObject;

const priceOfCart = (quote: Plain | undefined): Plain => (isObject(quote) ? (quote['total'] ?? null) : null);

const isReducedCart = (quote: Plain | undefined): boolean => isObject(quote) && 'off' in quote;

const offerOfCart = ({ quote = null, ...rest }: Answer): Answer => ({
  ...nothing,
  ...rest,
  cart: quote,
  price: priceOfCart(quote),
  isReduced: isReducedCart(quote),
});

/** `loadPlan` answered a list of at most one. */
export const offerOfPlan = (plan: Plain): Answer => ({
  ...nothing,
  plan,
  price: isObject(plan) ? (plan['price'] ?? null) : null,
  key: '',
});

const newPriceOfCart = ({ quote = null, key = '' }: Answer): Answer => ({
  cart: quote,
  plan: null,
  price: priceOfCart(quote),
  isReduced: isReducedCart(quote),
  key,
});

/** Without a code the usual price applies; the old answer could leave it out. */
const newPriceOfTitle = ({ price = null, key = '' }: Answer, isReduced: boolean, usualPrice: Plain): Answer => ({
  cart: null,
  plan: null,
  price: isReduced ? price : (price ?? usualPrice),
  isReduced,
  key,
});

const usualPriceIn = (title: Plain | undefined): Plain => {
  const prices = isObject(title) ? title['prices'] : undefined;
  return Array.isArray(prices) ? (prices[0] ?? null) : null;
};

/** Translates the answer of a port; `title` is the offered one. */
export const outputToday = (flow: OldFlow, port: string, output: Plain, title: Plain): Plain => {
  if (!isObject(output)) return output;
  if (port === 'quote' || port === 'giftOffer') return { ...nothing, ...output };
  if (port === 'cartOrder') return offerOfCart(output);
  if (port !== 'applyCode' && port !== 'removeCode') return output;
  return flow === 'cartCheckout' ? newPriceOfCart(output) : newPriceOfTitle(output, port === 'applyCode', usualPriceIn(title));
};

/** The event with which XState says that an actor has ended, by today's name of the actor. */
export const endingToday = (event: RecordedEvent, output: Plain | undefined): RecordedEvent => {
  const [, start = '', id = ''] = /^(xstate\.(?:done|error)\.actor\.)(.*)$/.exec(event.type) ?? [];
  if (id === '') return event;
  const name = actorToday(id).split('/').at(-1) ?? id;
  return {
    ...event,
    type: `${start}${name}`,
    ...('actorId' in event && { actorId: name }),
    ...(output !== undefined && { output }),
  };
};
