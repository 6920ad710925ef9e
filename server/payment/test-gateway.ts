import { clockAhead } from '../base/clock/time.ts';
import { firstLanguage } from '../base/language.ts';
import { CLOCK_HEADER } from '../gateway/shop-time.ts';
import type { ChangedSubscription, Intent, KeptCard, PaymentPort, RunningSubscription, SubscriptionRefunds } from './port.ts';
import { cardRefused, notChanged, PaymentUnknown } from './port.ts';

type Address = {
  /** the gateway's origin, which customers' browsers reach too */
  origin: string;
  secret: string;
  /** milliseconds after which an answer counts as lost */
  timeout: number;
  /** where the gateway tells the shop of payments, once that is known */
  notifyUrl?: () => string | undefined;
};

/** The page's address in the language that is asked for now; without one, the page speaks that of the browser. */
function inLanguage(url: string, wishes: string): string {
  const first = firstLanguage(wishes);
  return first === undefined ? url : `${url}?lang=${first}`;
}

/** The built-in test gateway, spoken to over HTTP as any other. */
export function testGateway({ origin, secret, timeout, notifyUrl }: Address): PaymentPort {
  /** The answer of the gateway's API; undefined where there is no such thing. */
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
    // Also a refusal says nothing of what was done before: another secret, another version.
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
    resumes: true,
    isUp: async () => {
      try {
        const { ok, body } = await fetch(`${origin}/healthz`, { signal: AbortSignal.timeout(timeout) });
        // A body that nobody reads keeps its connection.
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
      if (!made) throw new PaymentUnknown(new Error('The gateway keeps no cards.'));
      return inLanguage(`${origin}/setup/${made.id}`, request.language);
    },
    claimSetup: async (token, customer) => (await call('POST', '/setups/claim', { token, customer })) as KeptCard | undefined,
    readSubscription: async (id) =>
      (await call('GET', `/subscriptions/${encodeURIComponent(id)}`)) as RunningSubscription | undefined,
    cancelSubscription: async (id, ending) =>
      (await call('POST', `/subscriptions/${encodeURIComponent(id)}/cancel`, ending)) as RunningSubscription | undefined,
    resumeSubscription: async (id) =>
      (await call('POST', `/subscriptions/${encodeURIComponent(id)}/resume`)) as RunningSubscription | undefined,
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
      if (answer && 'refused' in answer) throw answer.refused === 'over' ? notChanged() : cardRefused();
      return answer;
    },
    forgetCard: async (token) => {
      const answer = await call('POST', '/cards/forget', { token });
      if (answer === undefined) throw new PaymentUnknown(new Error('The gateway forgets no cards.'));
    },
  };
}
