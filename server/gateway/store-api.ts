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
const choiceSchema = { type: 'object', required: ['token'], properties: { token: textSchema } };
const terms = {
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
    subscription: terms,
  },
};
const newPlanSchema = {
  type: 'object',
  required: ['reference', 'terms', 'at'],
  properties: { reference: textSchema, terms, at: { type: 'integer', minimum: 0 }, starts: { enum: ['now', 'renewal'] } },
};
const endingSchema = {
  type: 'object',
  required: ['at', 'atOnce'],
  properties: { at: { type: 'integer', minimum: 0 }, atOnce: { type: 'boolean' } },
};

/**
 * The fields of a subscription that the store gets; `until` in ms since 1970: the end of access
 * unless renewed.
 */
const subscriptionJson = ({ id, state, renewals, periodEnd, cancelled }: GatewaySubscription) => ({
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
  subscription: subscription ? subscriptionJson(subscription) : null,
});

/** Up to 13 digits of ms, about 300 years: sums with the current time stay safe integers. */
const AHEAD_PATTERN = /^\d{1,13}$/;

const digest = (value: string) => createHash('sha256').update(value).digest();

type GatewayParts = { intents: Intents; setups: Setups; cards: SavedCards; subscriptions: Subscriptions; time: ShopTime };

/** The API for stores, authorised by the secret that they share with the gateway. */
export async function storeApi(app: FastifyInstance, options: GatewayParts & { secret: string }): Promise<void> {
  const { intents, setups, cards, subscriptions, time, secret } = options;
  const expected = digest(`Bearer ${secret}`);
  app.addHook('onRequest', async (request, reply) => {
    if (!timingSafeEqual(digest(request.headers.authorization ?? ''), expected))
      return reply.code(401).send({ error: 'unauthorized' });
  });
  // In preHandler, since reading the body loses the AsyncLocalStorage context.
  app.addHook('preHandler', (request, reply, done) => {
    const subscriptionJson = request.headers[CLOCK_HEADER] ?? '0';
    if (typeof subscriptionJson !== 'string' || !AHEAD_PATTERN.test(subscriptionJson))
      return void reply
        .code(400)
        .send({ error: `${CLOCK_HEADER} must be milliseconds, like 86400000, not "${String(subscriptionJson)}".` });
    time.run(Number(subscriptionJson), done);
  });
  const answer = (reply: FastifyReply, intent: GatewayIntent | undefined) =>
    intent
      ? reply.send(toIntentJson(intent, subscriptions.read(Subscriptions.idOf(intent))))
      : reply.code(404).send({ error: 'not_found' });
  type ById = FastifyRequest<{ Params: { id: string } }>;

  app.post('/intents', { schema: { body: newIntentSchema } }, (request: FastifyRequest, reply) => {
    const { cardToken, ...wanted } = request.body as NewIntent & { cardToken?: string };
    const intent = intents.create(wanted);
    const usesKept = cardToken !== undefined && intent.state === 'open';
    return answer(reply, usesKept ? intents.payWithKept(intent, cardToken) : intent);
  });
  app.get('/intents', (request: FastifyRequest, reply) =>
    answer(reply, intents.readByReference((request.query as { reference?: string }).reference ?? '')),
  );
  app.get('/intents/:id', (request: ById, reply) => answer(reply, intents.read(request.params.id)));
  app.post('/intents/:id/capture', (request: ById, reply) => {
    const found = intents.read(request.params.id);
    if (!found) return answer(reply, undefined);
    const { intent, answerIsLost } = intents.capture(found);
    // The money is captured, but no answer is sent: the connection stays open until the store's
    // timeout.
    return answerIsLost ? reply.hijack() : answer(reply, intent);
  });
  app.post('/intents/:id/cancel', (request: ById, reply) => {
    const found = intents.read(request.params.id);
    return answer(reply, found && intents.cancel(found));
  });
  app.post('/intents/:id/refund', (request: ById, reply) => {
    const found = intents.read(request.params.id);
    return answer(reply, found && intents.refund(found));
  });

  const tell = (reply: FastifyReply, subscription: GatewaySubscription | undefined) =>
    subscription ? reply.send(subscriptionJson(subscription)) : reply.code(404).send({ error: 'not_found' });
  app.get('/subscriptions/:id', (request: ById, reply) => tell(reply, subscriptions.read(request.params.id)));
  app.post('/subscriptions/:id/cancel', { schema: { body: endingSchema } }, (request: ById, reply) =>
    tell(reply, subscriptions.cancel(request.params.id, request.body as { at: number; atOnce: boolean })),
  );

  app.post('/subscriptions/:id/resume', (request: ById, reply) => tell(reply, subscriptions.resume(request.params.id)));

  const reportRefunds = (reply: FastifyReply, subscription: GatewaySubscription | undefined) =>
    subscription
      ? reply.send({ totalMinor: subscription.refundedMinor ?? 0, isLastWhole: subscription.isLastBack ?? false })
      : reply.code(404).send({ error: 'not_found' });
  app.get('/subscriptions/:id/refunds', (request: ById, reply) => reportRefunds(reply, subscriptions.read(request.params.id)));
  app.post('/subscriptions/:id/refund', (request: ById, reply) => reportRefunds(reply, subscriptions.refund(request.params.id)));
  app.post('/subscriptions/:id/quote', { schema: { body: newPlanSchema } }, (request: ById, reply) =>
    reply.send({ dueMinor: subscriptions.quote(request.params.id, request.body as SubscriptionChange) ?? null }),
  );
  app.post('/subscriptions/:id/change', { schema: { body: newPlanSchema } }, (request: ById, reply) => {
    const changed = subscriptions.change(request.params.id, request.body as SubscriptionChange);
    if (typeof changed !== 'object') return changed ? reply.send({ refused: changed }) : tell(reply, undefined);
    return reply.send({ ...subscriptionJson(changed), ...changed.changed });
  });

  app.post('/setups', { schema: { body: newSetupSchema } }, (request: FastifyRequest, reply) => {
    const wanted = request.body as NewSetup;
    const isOver = wanted.subscription !== undefined && (subscriptions.read(wanted.subscription)?.state ?? 'ended') === 'ended';
    return isOver ? reply.code(404).send({ error: 'not_found' }) : reply.send({ id: setups.create(wanted).id });
  });
  app.post('/setups/claim', { schema: { body: claimSchema } }, (request: FastifyRequest, reply) => {
    const { token, customer } = request.body as { token: string; customer: string };
    const claimed = setups.claim(token, customer);
    if (!claimed) return reply.code(404).send({ error: 'not_found' });
    // As with captures: the card is saved, but no answer is sent.
    return claimed.answerIsLost ? reply.hijack() : reply.send(claimed.card);
  });
  app.post('/cards/forget', { schema: { body: choiceSchema } }, (request: FastifyRequest, reply) => {
    cards.forget((request.body as { token: string }).token);
    return reply.send({ forgotten: true });
  });
}
