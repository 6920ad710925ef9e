import Stripe from 'stripe';
import { DomainError } from '../../kernel/errors.ts';
import { PaymentUnknown } from '../port.ts';

/** Stripe has heard the call and says no: by it nothing was done. */
const isRefusal = (error: unknown): error is Stripe.errors.StripeError =>
  error instanceof Stripe.errors.StripeCardError ||
  (error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode !== 409);

const isMissing = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError && (error.code === 'resource_missing' || error.statusCode === 404);

/**
 * Asks Stripe for something.
 * @param refused what to answer where Stripe says no; left out, that is as good as no answer
 * @throws PaymentUnknown
 */
export async function ask<Answer>(
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

/** The same for what may not be there; undefined where it is not. */
export async function look<Answer>(call: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await call();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new PaymentUnknown(error);
  }
}

/** Executions of a call under one key that may have failed inside Stripe before nobody tries any more. */
const MOST_FAILED = 5;

/**
 * Makes something once under a key, which Stripe remembers for a day. It remembers failures of its own as well: what is told from memory
 * to have failed is made under the next key.
 * @param isHarmless what is made holds no money and is seen by nobody yet: where the key was used for another wish, such as another
 * language, it is made under the next one
 */
export async function once<Answer>(
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
      if (time >= MOST_FAILED || (!isRemembered && !isOther)) throw error;
    }
  }
}
