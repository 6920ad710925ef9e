import { clockAhead } from '../base/clock/time.ts';
import { getFirstLanguage } from '../base/language.ts';
import { CLOCK_HEADER } from '../gateway/shop-time.ts';
import type { ChangedSubscription, Intent, SavedCard, PaymentPort, RemoteSubscription, SubscriptionRefunds } from './port.ts';
import { cardRefusedError, notChangeableError, PaymentUnknown } from './port.ts';

type Address = {
  /** the gateway's origin, which customers' browsers reach too */
  origin: string;
  secret: string;
  /** timeout of a request, in ms */
  timeout: number;
  /** the shop's webhook URL, once it is known */
  notifyUrl?: () => string | undefined;
};

/**
 * The page's URL in the customer's current language; without `lang` the page uses the browser's
 * language.
 */
function inLanguage(url: string, wishes: string): string {
  const first = getFirstLanguage(wishes);
  return first === undefined ? url : `${url}?lang=${first}`;
}

/** The client of the built-in test gateway, over HTTP as for any other gateway. */
export function testGateway({ origin, secret, timeout, notifyUrl }: Address): PaymentPort {
  /** Calls the gateway's API; undefined for a 404. */
  const call = async (method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> => {
    let response: Response;
    let answer: unknown;
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
      answer = await response.json();
    } catch (error) {
      throw new PaymentUnknown(error);
    }
    if (response.status === 404) return undefined;
    // A refusal (wrong secret, other version) does not show whether an earlier attempt succeeded.
    if (!response.ok) throw new PaymentUnknown(new Error(`HTTP ${response.status} to ${method} ${path}`));
    return answer;
  };
  const ask = async (method: 'GET' | 'POST', path: string, body?: object): Promise<Intent | undefined> => {
    const intent = (await call(method, path, body)) as Intent | undefined;
    return intent && { ...intent, url: `${origin}/pay/${intent.id}` };
  };
  const must = async (asked: Promise<Intent | undefined>): Promise<Intent> => {
    const intent = await asked;
    if (!intent) throw new PaymentUnknown(new Error('The gateway does not know the payment.'));
    return intent;
  };
  const refunds = async (method: 'GET' | 'POST', path: string): Promise<SubscriptionRefunds> => {
    const answer = (await call(method, path)) as SubscriptionRefunds | undefined;
    if (!answer) throw new PaymentUnknown(new Error('The gateway does not know the subscription.'));
    return answer;
  };
  const at = (intentId: string) => `/intents/${encodeURIComponent(intentId)}`;
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
      const intent = await must(ask('POST', '/intents', { ...request, notifyUrl: notifyUrl?.() }));
      return { ...intent, url: inLanguage(intent.url, request.language) };
    },
    inLanguage,
    read: (intentId) => ask('GET', at(intentId)),
    readByReference: (reference) => ask('GET', `/intents?reference=${encodeURIComponent(reference)}`),
    capture: (intentId) => must(ask('POST', `${at(intentId)}/capture`)),
    cancel: (intentId) => must(ask('POST', `${at(intentId)}/cancel`)),
    refund: (intentId) => must(ask('POST', `${at(intentId)}/refund`)),
    startSetup: async (request) => {
      const made = (await call('POST', '/setups', request)) as { id: string } | undefined;
      if (!made) throw new PaymentUnknown(new Error('The gateway answered 404 to POST /setups.'));
      return inLanguage(`${origin}/setup/${made.id}`, request.language);
    },
    claimSetup: async (token, customer) => (await call('POST', '/setups/claim', { token, customer })) as SavedCard | undefined,
    readSubscription: async (id) =>
      (await call('GET', `/subscriptions/${encodeURIComponent(id)}`)) as RemoteSubscription | undefined,
    cancelSubscription: async (id, ending) =>
      (await call('POST', `/subscriptions/${encodeURIComponent(id)}/cancel`, ending)) as RemoteSubscription | undefined,
    resumeSubscription: async (id) =>
      (await call('POST', `/subscriptions/${encodeURIComponent(id)}/resume`)) as RemoteSubscription | undefined,
    readRefunds: (id) => refunds('GET', `/subscriptions/${encodeURIComponent(id)}/refunds`),
    refundSubscription: (id) => refunds('POST', `/subscriptions/${encodeURIComponent(id)}/refund`),
    async quoteChange(id, change) {
      const answer = (await call('POST', `/subscriptions/${encodeURIComponent(id)}/quote`, change)) as {
        dueMinor: number | null;
      };
      return answer.dueMinor ?? undefined;
    },
    async changePlan(id, change) {
      const path = `/subscriptions/${encodeURIComponent(id)}/change`;
      const answer = (await call('POST', path, change)) as ChangedSubscription | { refused: 'refused' | 'over' } | undefined;
      if (answer && 'refused' in answer) throw answer.refused === 'over' ? notChangeableError() : cardRefusedError();
      return answer;
    },
    forgetCard: async (token) => {
      const answer = await call('POST', '/cards/forget', { token });
      if (answer === undefined) throw new PaymentUnknown(new Error('The gateway answered 404 to POST /cards/forget.'));
    },
  };
}
