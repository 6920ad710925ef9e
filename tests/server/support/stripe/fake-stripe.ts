import type Stripe from 'stripe';
import { startFakeGateway } from '../fake-gateway.ts';
import { FakeStripeState } from './fake-state.ts';
import { createResponders } from './calls.ts';
import { ACCEPTED_PARAMETERS, parseForm } from './parameters.ts';

export const STRIPE_KEY = 'sk_test_ofTheTests';
export const STRIPE_WEBHOOK_SECRET = 'whsec_ofTheTests';

/** A fake Stripe API that supports only the calls of the shop. */
export async function startFakeStripe() {
  const gatewayState = new FakeStripeState();
  const server = await startFakeGateway({
    calls: ACCEPTED_PARAMETERS,
    responders: createResponders(gatewayState),
    authorization: `Bearer ${STRIPE_KEY}`,
    parseBody: parseForm,
    parseQuery: parseForm,
  });
  return {
    ...server,
    gatewayState,
    at: { host: '127.0.0.1', port: server.port, protocol: 'http' } as const,
    /** An event as Stripe sends it. */
    event: (type: Stripe.Event['type'], object: object): string =>
      JSON.stringify({ id: 'evt_1', object: 'event', type, created: gatewayState.now(), data: { object } }),
  };
}

export type FakeStripe = Awaited<ReturnType<typeof startFakeStripe>>;
