import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayIntent } from './intent.ts';
import type { Intents, NewIntent } from './intents.ts';
import type { SavedCards } from './saved-cards.ts';
import type { NewSetup, Setups } from './setups.ts';
import { CLOCK_HEADER, type ShopTime } from './shop-time.ts';
import type { GatewaySubscription } from './subscription.ts';
import { type SubscriptionChange, GRACE_MS, Subscriptions } from './subscriptions.ts';

const textSchema = { type: 'string', minLength: 1, maxLength: 500 };
const newSetupSchema = {
  type: 'object',
  required: ['customer', 'shopName', 'returnUrl', 'language'],
  properties: {
    customer: textSchema,
    subscription: textSchema,
    shopName: textSchema,
    returnUrl: { type: 'string', pattern: '^https?://', maxLength: 2000 },
    language: textSchema,
  },
};
const claimSchema = { type: 'object', required: ['token', 'customer'], properties: { token: textSchema, customer: textSchema } };
const cardSchema = { type: 'object', required: ['token'], properties: { token: textSchema } };
const termsSchema = {
  type: 'object',
  required: ['amountMinor', 'period', 'trialDays'],
  properties: {
    amountMinor: { type: 'integer', minimum: 0 },
    period: { enum: ['week', 'month', 'quarter', 'year'] },
    trialDays: { type: 'integer', minimum: 0, maximum: 3650 },
  },
};
const newIntentSchema = {
  type: 'object',
  required: ['reference', 'amountMinor', 'currency', 'description', 'shopName', 'returnUrl', 'language', 'customer'],
  properties: {
    reference: textSchema,
    amountMinor: { type: 'integer', minimum: 0 },
    currency: { type: 'string', pattern: '^[A-Z]{3}$' },
    description: textSchema,
    shopName: textSchema,
    returnUrl: { type: 'string', pattern: '^https?://', maxLength: 2000 },
    notifyUrl: { type: 'string', pattern: '^https?://', maxLength: 2000 },
    language: textSchema,
    customer: textSchema,
    cardToken: textSchema,
    method: { enum: ['wallet'] },
    subscription: termsSchema,
  },
};
const newPlanSchema = {
  type: 'object',
  required: ['reference', 'terms', 'at'],
  properties: {
    reference: textSchema,
    terms: termsSchema,
    at: { type: 'integer', minimum: 0 },
    starts: { enum: ['now', 'renewal'] },
  },
};
const cancellationSchema = {
  type: 'object',
  required: ['at', 'atOnce'],
  properties: { at: { type: 'integer', minimum: 0 }, atOnce: { type: 'boolean' } },
};

/**
 * The fields of a subscription that the store gets. `until` is the end of access unless the
 * subscription is renewed, in ms since 1970.
 */
const toSubscriptionJson = ({ id, state, renewals, periodEnd, cancelled }: GatewaySubscription) => ({
  id,
  state,
  renewals,
  until: state === 'past_due' ? periodEnd + GRACE_MS : periodEnd,
  cancelled,
});

/** The fields of an intent that the store gets; the card's challenge is not among them. */
const toIntentJson = (
  { id, reference, state, amountMinor, currency, reason, keptCard, refundedMinor = 0 }: GatewayIntent,
  subscription: GatewaySubscription | undefined,
) => ({
  id,
  reference,
  state,
  amountMinor,
  currency,
  reason,
  keptCard,
  refundedMinor,
  subscription: subscription ? toSubscriptionJson(subscription) : null,
});

/** Up to 13 digits of ms, about 300 years: sums with the current time stay safe integers. */
const AHEAD_PATTERN = /^\d{1,13}$/;

const digest = (value: string) => createHash('sha256').update(value).digest();

type GatewayParts = { intents: Intents; setups: Setups; cards: SavedCards; subscriptions: Subscriptions; time: ShopTime };

/** The API for stores, authorised by the secret that they share with the gateway. */
export async function storeApi(app: FastifyInstance, options: GatewayParts & { secret: string }): Promise<void> {
  const { intents, setups, cards, subscriptions, time, secret } = options;
  const expectedDigest = digest(`Bearer ${secret}`);
  app.addHook('onRequest', async (request, reply) => {
    if (!timingSafeEqual(digest(request.headers.authorization ?? ''), expectedDigest))
      return reply.code(401).send({ error: 'unauthorized' });
  });
  // The hook is preHandler, since reading the body loses the AsyncLocalStorage context.
  app.addHook('preHandler', (request, reply, done) => {
    const clockAhead = request.headers[CLOCK_HEADER] ?? '0';
    if (typeof clockAhead !== 'string' || !AHEAD_PATTERN.test(clockAhead))
      return void reply
        .code(400)
        .send({ error: `${CLOCK_HEADER} must be a number of milliseconds, like 86400000, not "${String(clockAhead)}".` });
    time.run(Number(clockAhead), done);
  });
  const sendIntent = (reply: FastifyReply, intent: GatewayIntent | undefined) =>
    intent
      ? reply.send(toIntentJson(intent, subscriptions.read(Subscriptions.toSubscriptionId(intent))))
      : reply.code(404).send({ error: 'not_found' });
  type ById = FastifyRequest<{ Params: { id: string } }>;

  app.post('/intents', { schema: { body: newIntentSchema } }, (request: FastifyRequest, reply) => {
    const { cardToken, ...newIntent } = request.body as NewIntent & { cardToken?: string };
    const intent = intents.create(newIntent);
    const usesSavedCard = cardToken !== undefined && intent.state === 'open';
    return sendIntent(reply, usesSavedCard ? intents.payWithSavedCard(intent, cardToken) : intent);
  });
  app.get('/intents', (request: FastifyRequest, reply) =>
    sendIntent(reply, intents.readByReference((request.query as { reference?: string }).reference ?? '')),
  );
  app.get('/intents/:id', (request: ById, reply) => sendIntent(reply, intents.read(request.params.id)));
  app.post('/intents/:id/capture', (request: ById, reply) => {
    const storedIntent = intents.read(request.params.id);
    if (!storedIntent) return sendIntent(reply, undefined);
    const { intent, answerIsLost } = intents.capture(storedIntent);
    // The money is captured, but no answer is sent: the connection stays open until the store's
    // timeout.
    return answerIsLost ? reply.hijack() : sendIntent(reply, intent);
  });
  app.post('/intents/:id/cancel', (request: ById, reply) => {
    const storedIntent = intents.read(request.params.id);
    return sendIntent(reply, storedIntent && intents.cancel(storedIntent));
  });
  app.post('/intents/:id/refund', (request: ById, reply) => {
    const storedIntent = intents.read(request.params.id);
    return sendIntent(reply, storedIntent && intents.refund(storedIntent));
  });

  const sendSubscription = (reply: FastifyReply, subscription: GatewaySubscription | undefined) =>
    subscription ? reply.send(toSubscriptionJson(subscription)) : reply.code(404).send({ error: 'not_found' });
  app.get('/subscriptions/:id', (request: ById, reply) => sendSubscription(reply, subscriptions.read(request.params.id)));
  app.post('/subscriptions/:id/cancel', { schema: { body: cancellationSchema } }, (request: ById, reply) =>
    sendSubscription(reply, subscriptions.cancel(request.params.id, request.body as { at: number; atOnce: boolean })),
  );

  app.post('/subscriptions/:id/resume', (request: ById, reply) =>
    sendSubscription(reply, subscriptions.resume(request.params.id)),
  );

  const sendRefunds = (reply: FastifyReply, subscription: GatewaySubscription | undefined) =>
    subscription
      ? reply.send({ totalMinor: subscription.refundedMinor ?? 0, isLastWhole: subscription.isLastBack ?? false })
      : reply.code(404).send({ error: 'not_found' });
  app.get('/subscriptions/:id/refunds', (request: ById, reply) => sendRefunds(reply, subscriptions.read(request.params.id)));
  app.post('/subscriptions/:id/refund', (request: ById, reply) => sendRefunds(reply, subscriptions.refund(request.params.id)));
  app.post('/subscriptions/:id/quote', { schema: { body: newPlanSchema } }, (request: ById, reply) =>
    reply.send({ dueMinor: subscriptions.quote(request.params.id, request.body as SubscriptionChange) ?? null }),
  );
  app.post('/subscriptions/:id/change', { schema: { body: newPlanSchema } }, (request: ById, reply) => {
    const result = subscriptions.change(request.params.id, request.body as SubscriptionChange);
    if (typeof result !== 'object') return result ? reply.send({ refused: result }) : sendSubscription(reply, undefined);
    return reply.send({ ...toSubscriptionJson(result), ...result.changed });
  });

  app.post('/setups', { schema: { body: newSetupSchema } }, (request: FastifyRequest, reply) => {
    const newSetup = request.body as NewSetup;
    const isOver =
      newSetup.subscription !== undefined && (subscriptions.read(newSetup.subscription)?.state ?? 'ended') === 'ended';
    return isOver ? reply.code(404).send({ error: 'not_found' }) : reply.send({ id: setups.create(newSetup).id });
  });
  app.post('/setups/claim', { schema: { body: claimSchema } }, (request: FastifyRequest, reply) => {
    const { token, customer } = request.body as { token: string; customer: string };
    const claim = setups.claim(token, customer);
    if (!claim) return reply.code(404).send({ error: 'not_found' });
    // The card is saved, but no answer is sent, as for captures.
    return claim.answerIsLost ? reply.hijack() : reply.send(claim.card);
  });
  app.post('/cards/forget', { schema: { body: cardSchema } }, (request: FastifyRequest, reply) => {
    cards.forget((request.body as { token: string }).token);
    return reply.send({ forgotten: true });
  });
}
