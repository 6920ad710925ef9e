import Razorpay from 'razorpay';
import { PaymentUnknown } from '../port.ts';

export type RazorpayAccess = {
  keyId: string;
  keySecret: string;
  webhookSecret: string;
  /** milliseconds after which an answer counts as lost */
  timeout: number;
  /** where Razorpay is, for tests; left out, it is Razorpay */
  origin?: string;
  /** milliseconds since 1970; left out, the clock */
  now?: () => number;
};

/** The library has no option for how long it waits, nor for where it asks: both are set at the client inside it. */
export function razorpayClient({ keyId, keySecret, timeout, origin }: RazorpayAccess): Razorpay {
  const razorpay = new Razorpay({ key_id: keyId, key_secret: keySecret });
  const { defaults } = Reflect.get(razorpay.api, 'rq') as { defaults: { timeout?: number; baseURL?: string } };
  defaults.timeout = timeout;
  if (origin !== undefined) defaults.baseURL = origin;
  return razorpay;
}

/** What the library throws where Razorpay has answered no; anything else that it throws is no answer. */
export type Refused = { statusCode: number; error?: { code?: string; description?: string; reason?: string } };

const isRefused = (error: unknown): error is Refused => {
  const status = typeof error === 'object' && error !== null ? Number(Reflect.get(error, 'statusCode')) : Number.NaN;
  return status === 400 || status === 404;
};

/** The library throws answers as they are, which say nothing in a log; where there is none it stumbles over that. */
function unknown(error: unknown): PaymentUnknown {
  const { statusCode, error: said } = (typeof error === 'object' && error !== null ? error : {}) as Partial<Refused>;
  if (statusCode === undefined) return new PaymentUnknown(new Error('Razorpay does not answer.', { cause: error }));
  return new PaymentUnknown(new Error(`Razorpay answers ${statusCode}: ${said?.description ?? 'nothing'}.`));
}

/** @returns undefined where Razorpay knows of no such thing */
export async function look<Answer>(call: () => Promise<Answer>): Promise<Answer | undefined> {
  return ask<Answer | undefined>(call, async (refused) => {
    const isMissing = refused.statusCode === 404 || /does not exist/i.test(refused.error?.description ?? '');
    if (isMissing) return undefined;
    throw unknown(refused);
  });
}

/**
 * Asks Razorpay for something.
 * @param refused what to answer where Razorpay says no; left out, that is as good as no answer
 * @throws PaymentUnknown
 */
export async function ask<Answer>(call: () => Promise<Answer>, refused?: (refusal: Refused) => Promise<Answer>): Promise<Answer> {
  let answer: Answer;
  try {
    answer = await call();
  } catch (error) {
    if (refused && isRefused(error)) return refused(error);
    throw unknown(error);
  }
  // What is no JSON, such as an error page on the way, comes through the library as a text.
  if (typeof answer !== 'object' || answer === null) throw new PaymentUnknown(new Error('Razorpay’s answer cannot be read.'));
  return answer;
}
