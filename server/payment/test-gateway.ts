import { clockAhead } from '../base/clock/time.ts';
import { getFirstLanguage } from '../base/language.ts';
import { CLOCK_HEADER } from '../gateway/shop-time.ts';
import type { ChangedSubscription, Intent, SavedCard, PaymentPort, RemoteSubscription, SubscriptionRefunds } from './port.ts';
import { cardRefusedError, notChangeableError, PaymentUnknown } from './port.ts';

type TestGatewayAccess = {
  /** the gateway's origin, which customers' browsers reach too */
  origin: string;
  secret: string;
  /** timeout of a request, in ms */
  timeout: number;
  /** returns the shop's webhook URL; undefined before the shop listens */
  notifyUrl?: () => string | undefined;
};

/**
 * Returns the page's URL in the customer's current language; without `lang` the page uses the
 * browser's language.
 */
function withLanguage(url: string, acceptLanguage: string): string {
  const firstLanguage = getFirstLanguage(acceptLanguage);
  return firstLanguage === undefined ? url : `${url}?lang=${firstLanguage}`;
}

/** Creates the client of the built-in test gateway, over HTTP as for any other gateway. */
export function createTestGateway({ origin, secret, timeout, notifyUrl }: TestGatewayAccess): PaymentPort {
  /** Calls the gateway's API. @returns undefined for a 404 */
  const call = async (method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> => {
    let response: Response;
    let responseBody: unknown;
    try {
      response = await fetch(`${origin}/api${path}`, {
        method,
        headers: {
          authorization: `Bearer ${secret}`,
          [CLOCK_HEADER]: String(clockAhead()),
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
        signal: AbortSignal.timeout(timeout),
      });
      responseBody = await response.json();
    } catch (error) {
      throw new PaymentUnknown(error);
    }
    if (response.status === 404) return undefined;
    // An error (wrong secret, other version) does not show whether an earlier attempt succeeded.
    if (!response.ok) throw new PaymentUnknown(new Error(`The gateway answered HTTP ${response.status} to ${method} ${path}.`));
    return responseBody;
  };
  const requestIntent = async (method: 'GET' | 'POST', path: string, body?: object): Promise<Intent | undefined> => {
    const intent = (await call(method, path, body)) as Intent | undefined;
    return intent && { ...intent, url: `${origin}/pay/${intent.id}` };
  };
  /**
   * Posts to an intent.
   * @throws PaymentUnknown also for a 404: the gateway does not know the intent
   */
  const postIntent = async (path: string, body?: object): Promise<Intent> => {
    const intent = await requestIntent('POST', path, body);
    if (!intent) throw new PaymentUnknown(new Error(`The gateway answered 404 to POST ${path}.`));
    return intent;
  };
  const requestRefunds = async (method: 'GET' | 'POST', path: string): Promise<SubscriptionRefunds> => {
    const refunds = (await call(method, path)) as SubscriptionRefunds | undefined;
    if (!refunds) throw new PaymentUnknown(new Error(`The gateway answered 404 to ${method} ${path}.`));
    return refunds;
  };
  const toIntentPath = (intentId: string) => `/intents/${encodeURIComponent(intentId)}`;
  return {
    provider: 'test',
    methods: ['wallet'],
    wallets: ['test'],
    resumes: true,
    isUp: async () => {
      try {
        const { ok, body } = await fetch(`${origin}/healthz`, { signal: AbortSignal.timeout(timeout) });
        // An unread body keeps its connection open.
        await body?.cancel();
        return ok;
      } catch {
        return false;
      }
    },
    create: async (request) => {
      const intent = await postIntent('/intents', { ...request, notifyUrl: notifyUrl?.() });
      return { ...intent, url: withLanguage(intent.url, request.language) };
    },
    withLanguage,
    read: (intentId) => requestIntent('GET', toIntentPath(intentId)),
    readByReference: (reference) => requestIntent('GET', `/intents?reference=${encodeURIComponent(reference)}`),
    capture: (intentId) => postIntent(`${toIntentPath(intentId)}/capture`),
    cancel: (intentId) => postIntent(`${toIntentPath(intentId)}/cancel`),
    refund: (intentId) => postIntent(`${toIntentPath(intentId)}/refund`),
    startSetup: async (request) => {
      const setup = (await call('POST', '/setups', request)) as { id: string } | undefined;
      if (!setup) throw new PaymentUnknown(new Error('The gateway answered 404 to POST /setups.'));
      return withLanguage(`${origin}/setup/${setup.id}`, request.language);
    },
    claimSetup: async (token, customer) => (await call('POST', '/setups/claim', { token, customer })) as SavedCard | undefined,
    readSubscription: async (id) =>
      (await call('GET', `/subscriptions/${encodeURIComponent(id)}`)) as RemoteSubscription | undefined,
    cancelSubscription: async (id, ending) =>
      (await call('POST', `/subscriptions/${encodeURIComponent(id)}/cancel`, ending)) as RemoteSubscription | undefined,
    resumeSubscription: async (id) =>
      (await call('POST', `/subscriptions/${encodeURIComponent(id)}/resume`)) as RemoteSubscription | undefined,
    readRefunds: (id) => requestRefunds('GET', `/subscriptions/${encodeURIComponent(id)}/refunds`),
    refundLastPayment: (id) => requestRefunds('POST', `/subscriptions/${encodeURIComponent(id)}/refund`),
    async quoteChange(id, change) {
      const quote = (await call('POST', `/subscriptions/${encodeURIComponent(id)}/quote`, change)) as {
        dueMinor: number | null;
      };
      return quote.dueMinor ?? undefined;
    },
    async changePlan(id, change) {
      const path = `/subscriptions/${encodeURIComponent(id)}/change`;
      const result = (await call('POST', path, change)) as ChangedSubscription | { refused: 'refused' | 'over' } | undefined;
      if (result && 'refused' in result) throw result.refused === 'over' ? notChangeableError() : cardRefusedError();
      return result;
    },
    forgetCard: async (token) => {
      const result = await call('POST', '/cards/forget', { token });
      if (result === undefined) throw new PaymentUnknown(new Error('The gateway answered 404 to POST /cards/forget.'));
    },
  };
}
