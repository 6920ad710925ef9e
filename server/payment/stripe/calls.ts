import Stripe from 'stripe';
import { DomainError } from '../../kernel/errors.ts';
import { PaymentUnknown } from '../port.ts';

/** Whether Stripe refused the request, so that it changed nothing. */
const isRefusal = (error: unknown): error is Stripe.errors.StripeError =>
  error instanceof Stripe.errors.StripeCardError ||
  (error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode !== 409);

const isMissing = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError && (error.code === 'resource_missing' || error.statusCode === 404);

/**
 * Calls Stripe.
 * @param onRefusal handles a refusal; left out, a refusal is thrown as PaymentUnknown
 * @throws PaymentUnknown; a DomainError of `call`; the errors of `onRefusal`
 */
export async function callStripe<Result>(
  call: () => Promise<Result>,
  onRefusal?: (error: Stripe.errors.StripeError) => Promise<Result>,
): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof PaymentUnknown || error instanceof DomainError) throw error;
    if (onRefusal && isRefusal(error)) return onRefusal(error);
    throw new PaymentUnknown(error);
  }
}

/** Reads an object from Stripe; undefined if it does not exist. @throws PaymentUnknown */
export async function retrieveOrUndefined<Result>(call: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await call();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new PaymentUnknown(error);
  }
}

/** Maximum attempts to create an object, each with the next idempotency key. */
const MAX_ATTEMPTS = 5;

/**
 * Creates an object once for an idempotency key, which Stripe remembers for a day. Stripe also
 * replays its own failures; after such a replay the object is created with the next key.
 * @param isHarmless the object holds no money and no customer has seen it: if the key was used with
 * other parameters, such as another language, the object is created with the next key
 */
export async function createOnce<Result>(
  key: string,
  create: (options: Stripe.RequestOptions) => Promise<Result>,
  isHarmless = false,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await create({ idempotencyKey: `${key}/${attempt}` });
    } catch (error) {
      const isReplayedFailure =
        error instanceof Stripe.errors.StripeAPIError && error.headers?.['idempotent-replayed'] === 'true';
      const hasOtherParameters = isHarmless && error instanceof Stripe.errors.StripeIdempotencyError;
      if (attempt >= MAX_ATTEMPTS || (!isReplayedFailure && !hasOtherParameters)) throw error;
    }
  }
}
