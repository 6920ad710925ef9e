import Razorpay from 'razorpay';
import { PaymentUnknown } from '../port.ts';

export type RazorpayAccess = {
  keyId: string;
  keySecret: string;
  webhookSecret: string;
  /** timeout of a request, in ms */
  timeout: number;
  /** origin of a fake Razorpay in tests; left out: the real Razorpay */
  origin?: string;
  /** returns ms since 1970; left out: the system clock */
  now?: () => number;
};

/**
 * Creates the client. The library has no options for timeout and origin: both are set on its inner
 * axios instance.
 */
export function createRazorpayClient({ keyId, keySecret, timeout, origin }: RazorpayAccess): Razorpay {
  const razorpay = new Razorpay({ key_id: keyId, key_secret: keySecret });
  const { defaults } = Reflect.get(razorpay.api, 'rq') as { defaults: { timeout?: number; baseURL?: string } };
  defaults.timeout = timeout;
  if (origin !== undefined) defaults.baseURL = origin;
  return razorpay;
}

/**
 * The library's error for an HTTP error of Razorpay. Only 400 and 404 are refusals; any other error
 * leaves the outcome unknown.
 */
export type RazorpayError = { statusCode: number; error?: { code?: string; description?: string; reason?: string } };

const isRefused = (error: unknown): error is RazorpayError => {
  const status = typeof error === 'object' && error !== null ? Number(Reflect.get(error, 'statusCode')) : Number.NaN;
  return status === 400 || status === 404;
};

/** Converts an error of the library, a plain object without a useful message for the log. */
function toPaymentUnknown(error: unknown): PaymentUnknown {
  const { statusCode, error: details } = (typeof error === 'object' && error !== null ? error : {}) as Partial<RazorpayError>;
  if (statusCode === undefined)
    return new PaymentUnknown(new Error('The request to Razorpay failed without an HTTP status.', { cause: error }));
  return new PaymentUnknown(new Error(`Razorpay answered HTTP ${statusCode}: ${details?.description ?? 'no description'}.`));
}

/**
 * Reads an object from Razorpay.
 * @returns undefined if it does not exist
 * @throws PaymentUnknown
 */
export async function retrieveOrUndefined<Result>(call: () => Promise<Result>): Promise<Result | undefined> {
  return callRazorpay<Result | undefined>(call, async (refusal) => {
    const isMissing = refusal.statusCode === 404 || /does not exist/i.test(refusal.error?.description ?? '');
    if (isMissing) return undefined;
    throw toPaymentUnknown(refusal);
  });
}

/**
 * Calls Razorpay.
 * @param onRefusal handles a refusal; left out, a refusal is thrown as PaymentUnknown
 * @throws PaymentUnknown; the errors of `onRefusal`
 */
export async function callRazorpay<Result>(
  call: () => Promise<Result>,
  onRefusal?: (refusal: RazorpayError) => Promise<Result>,
): Promise<Result> {
  let body: Result;
  try {
    body = await call();
  } catch (error) {
    if (onRefusal && isRefused(error)) return onRefusal(error);
    throw toPaymentUnknown(error);
  }
  // The library returns a body that is not JSON, such as a proxy's error page, as a string.
  if (typeof body !== 'object' || body === null)
    throw new PaymentUnknown(new Error(`Razorpay’s response is ${body === null ? 'null' : typeof body}: expected an object.`));
  return body;
}
