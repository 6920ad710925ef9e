import { noOffer } from '../../buying/purchase/offer.ts';
import type { Plain, RecordedEvent } from '../format.ts';
import { getObjectAt, toCurrentActor, isObject, type OldFlow, type PlainObject } from './names.ts';

/** An answer from a file, which may lack any field. */
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

/** `loadPlan` returned a list of at most one plan. */
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

/** Without a code the usual price applies; the old answer could omit it. */
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

/** Translates the answer of a port; `title` is the offered one. */
export const toCurrentOutput = (flow: OldFlow, port: string, output: Plain, title: Plain): Plain => {
  if (!isObject(output)) return output;
  if (port === 'quote' || port === 'giftOffer') return { ...emptyOffer, ...output };
  if (port === 'cartOrder') return toCartOffer(output);
  if (port === 'giftLetter') return { pii: { preview: getObjectAt(output, 'pii')['letter'] ?? null } };
  if (port !== 'applyCode' && port !== 'removeCode') return output;
  return flow === 'cartCheckout' ? toNewCartPrice(output) : toNewTitlePrice(output, port === 'applyCode', getUsualPrice(title));
};

/** XState's event that an actor ended, with the actor's current name. */
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
