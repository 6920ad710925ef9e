import Razorpay from 'razorpay';
import { PaymentUnknown } from '../port.ts';

export type RazorpayAccess = {
  keyId: string;
  keySecret: string;
  webhookSecret: string;
  /** timeout of a request, in ms */
  timeout: number;
  /** origin of a fake Razorpay in tests; left out: the real one */
  origin?: string;
  /** ms since 1970; left out: the system clock */
  now?: () => number;
};

/**
 * Creates the client. The library has no options for timeout and origin: both are set on its inner
 * axios instance.
 */
export function razorpayClient({ keyId, keySecret, timeout, origin }: RazorpayAccess): Razorpay {
  const razorpay = new Razorpay({ key_id: keyId, key_secret: keySecret });
  const { defaults } = Reflect.get(razorpay.api, 'rq') as { defaults: { timeout?: number; baseURL?: string } };
  defaults.timeout = timeout;
  if (origin !== undefined) defaults.baseURL = origin;
  return razorpay;
}

/** The library's error when Razorpay refused the request; any other error counts as no answer. */
export type RazorpayError = { statusCode: number; error?: { code?: string; description?: string; reason?: string } };

const isRefused = (error: unknown): error is RazorpayError => {
  const status = typeof error === 'object' && error !== null ? Number(Reflect.get(error, 'statusCode')) : Number.NaN;
  return status === 400 || status === 404;
};

/** Converts the library's errors, which are plain objects without a useful message for the log. */
function toPaymentUnknown(error: unknown): PaymentUnknown {
  const { statusCode, error: said } = (typeof error === 'object' && error !== null ? error : {}) as Partial<RazorpayError>;
  if (statusCode === undefined) return new PaymentUnknown(new Error('No answer from Razorpay.', { cause: error }));
  return new PaymentUnknown(new Error(`Razorpay answered HTTP ${statusCode}: ${said?.description ?? 'no description'}.`));
}

/**
 * Reads an object from Razorpay.
 * @returns undefined if it does not exist
 * @throws PaymentUnknown
 */
export async function retrieveOrUndefined<Answer>(call: () => Promise<Answer>): Promise<Answer | undefined> {
  return callRazorpay<Answer | undefined>(call, async (refused) => {
    const isMissing = refused.statusCode === 404 || /does not exist/i.test(refused.error?.description ?? '');
    if (isMissing) return undefined;
    throw toPaymentUnknown(refused);
  });
}

/**
 * Calls Razorpay.
 * @param refused handles a refusal; left out, a refusal counts as no answer
 * @throws PaymentUnknown
 */
export async function callRazorpay<Answer>(
  call: () => Promise<Answer>,
  refused?: (refusal: RazorpayError) => Promise<Answer>,
): Promise<Answer> {
  let answer: Answer;
  try {
    answer = await call();
  } catch (error) {
    if (refused && isRefused(error)) return refused(error);
    throw toPaymentUnknown(error);
  }
  // The library returns a body that is not JSON, such as a proxy's error page, as a string.
  if (typeof answer !== 'object' || answer === null) throw new PaymentUnknown(new Error('Razorpay’s answer is not JSON.'));
  return answer;
}
