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
 * @param refused handles a refusal; left out, a refusal counts as no answer
 * @throws PaymentUnknown
 */
export async function callStripe<Answer>(
  call: () => Promise<Answer>,
  refused?: (error: Stripe.errors.StripeError) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof PaymentUnknown || error instanceof DomainError) throw error;
    if (refused && isRefusal(error)) return refused(error);
    throw new PaymentUnknown(error);
  }
}

/** Reads an object from Stripe; undefined if it does not exist. @throws PaymentUnknown */
export async function retrieveOrUndefined<Answer>(call: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await call();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new PaymentUnknown(error);
  }
}

/** Maximum attempts, each with the next idempotency key. */
const MAX_FAILURES = 5;

/**
 * Creates an object once for an idempotency key, which Stripe remembers for a day. Stripe also
 * replays its own failures; after such a replay the object is created with the next key.
 * @param isHarmless the object holds no money and no customer has seen it: if the key was used with
 * other parameters, such as another language, it is created with the next key
 */
export async function createOnce<Answer>(
  key: string,
  make: (options: Stripe.RequestOptions) => Promise<Answer>,
  isHarmless = false,
): Promise<Answer> {
  for (let time = 1; ; time += 1) {
    try {
      return await make({ idempotencyKey: `${key}/${time}` });
    } catch (error) {
      const isRemembered = error instanceof Stripe.errors.StripeAPIError && error.headers?.['idempotent-replayed'] === 'true';
      const isOther = isHarmless && error instanceof Stripe.errors.StripeIdempotencyError;
      if (time >= MAX_FAILURES || (!isRemembered && !isOther)) throw error;
    }
  }
}
