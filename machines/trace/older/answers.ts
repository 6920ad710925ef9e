import { noOffer } from '../../buying/purchase/offer.ts';
import type { Plain, RecordedEvent } from '../format.ts';
import { getNestedObject, toCurrentActor, isObject, type OldFlow, type PlainObject } from './names.ts';

/** A recorded answer of a port; any field may be missing. */
type OldOutput = PlainObject;

const emptyOffer = noOffer as unknown as PlainObject;

const getCartPrice = (quote: Plain | undefined): Plain => (isObject(quote) ? (quote['total'] ?? null) : null);

const isReducedCart = (quote: Plain | undefined): boolean => isObject(quote) && 'off' in quote;

const toCartOffer = ({ quote = null, ...rest }: OldOutput): OldOutput => ({
  ...emptyOffer,
  ...rest,
  cart: quote,
  price: getCartPrice(quote),
  isReduced: isReducedCart(quote),
});

/** Converts a plan that `loadPlan` returned, in a list of at most one plan, to an offer. */
export const toPlanOffer = (plan: Plain): OldOutput => ({
  ...emptyOffer,
  plan,
  price: isObject(plan) ? (plan['price'] ?? null) : null,
  key: '',
});

const toNewCartPrice = ({ quote = null, key = '' }: OldOutput): OldOutput => ({
  cart: quote,
  plan: null,
  price: getCartPrice(quote),
  isReduced: isReducedCart(quote),
  key,
});

/** Without a code the usual price applies, which the old answer could omit. */
const toNewTitlePrice = ({ price = null, key = '' }: OldOutput, isReduced: boolean, usualPrice: Plain): OldOutput => ({
  cart: null,
  plan: null,
  price: isReduced ? price : (price ?? usualPrice),
  isReduced,
  key,
});

const getUsualPrice = (title: Plain | undefined): Plain => {
  const prices = isObject(title) ? title['prices'] : undefined;
  return Array.isArray(prices) ? (prices[0] ?? null) : null;
};

/** Translates the answer of an old port; `title` is the offered title. */
export const toCurrentOutput = (flow: OldFlow, port: string, output: Plain, title: Plain): Plain => {
  if (!isObject(output)) return output;
  if (port === 'quote' || port === 'giftOffer') return { ...emptyOffer, ...output };
  if (port === 'cartOrder') return toCartOffer(output);
  if (port === 'giftLetter') return { pii: { preview: getNestedObject(output, 'pii')['letter'] ?? null } };
  if (port !== 'applyCode' && port !== 'removeCode') return output;
  return flow === 'cartCheckout' ? toNewCartPrice(output) : toNewTitlePrice(output, port === 'applyCode', getUsualPrice(title));
};

/** Translates XState's event for the end of an actor: sets the actor's current name. */
export const toCurrentEnding = (event: RecordedEvent, output: Plain | undefined): RecordedEvent => {
  const [, start = '', id = ''] = /^(xstate\.(?:done|error)\.actor\.)(.*)$/.exec(event.type) ?? [];
  if (id === '') return event;
  const name = toCurrentActor(id).split('/').at(-1) ?? id;
  return {
    ...event,
    type: `${start}${name}`,
    ...('actorId' in event && { actorId: name }),
    ...(output !== undefined && { output }),
  };
};
