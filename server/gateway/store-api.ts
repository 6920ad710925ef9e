import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayIntent } from './intent.ts';
import type { Intents, NewIntent } from './intents.ts';
import type { KeptCards } from './kept-cards.ts';
import type { NewSetup, Setups } from './setups.ts';
import { CLOCK_HEADER, type ShopTime } from './shop-time.ts';
import type { GatewaySubscription } from './subscription.ts';
import { type Change, GRACE, Subscriptions } from './subscriptions.ts';

const text = { type: 'string', minLength: 1, maxLength: 500 };
const newSetup = {
  type: 'object',
  required: ['customer', 'shopName', 'returnUrl', 'language'],
  properties: {
    customer: text,
    subscription: text,
    shopName: text,
    returnUrl: { type: 'string', pattern: '^https?://', maxLength: 2000 },
    language: text,
  },
};
const claim = { type: 'object', required: ['token', 'customer'], properties: { token: text, customer: text } };
const choice = { type: 'object', required: ['token'], properties: { token: text } };
const terms = {
  type: 'object',
  required: ['amountMinor', 'period', 'trialDays'],
  properties: {
    amountMinor: { type: 'integer', minimum: 0 },
    period: { enum: ['week', 'month', 'quarter', 'year'] },
    trialDays: { type: 'integer', minimum: 0, maximum: 3650 },
  },
};
const newIntent = {
  type: 'object',
  required: ['reference', 'amountMinor', 'currency', 'description', 'shopName', 'returnUrl', 'language', 'customer'],
  properties: {
    reference: text,
    amountMinor: { type: 'integer', minimum: 0 },
    currency: { type: 'string', pattern: '^[A-Z]{3}$' },
    description: text,
    shopName: text,
    returnUrl: { type: 'string', pattern: '^https?://', maxLength: 2000 },
    notifyUrl: { type: 'string', pattern: '^https?://', maxLength: 2000 },
    language: text,
    customer: text,
    cardToken: text,
    method: { enum: ['wallet'] },
    subscription: terms,
  },
};
const newPlan = {
  type: 'object',
  required: ['reference', 'terms', 'at'],
  properties: { reference: text, terms, at: { type: 'integer', minimum: 0 }, starts: { enum: ['now', 'renewal'] } },
};
const ending = {
  type: 'object',
  required: ['at', 'atOnce'],
  properties: { at: { type: 'integer', minimum: 0 }, atOnce: { type: 'boolean' } },
};

/** What the store gets to know of a subscription; `until` in milliseconds since 1970: the end of access, where it is not renewed before. */
const told = ({ id, state, renewals, periodEnd, cancelled }: GatewaySubscription) => ({
  id,
  state,
  renewals,
  until: state === 'past_due' ? periodEnd + GRACE : periodEnd,
  cancelled,
});

/** What the store gets to know of an intent; the challenge of its card stays inside the gateway. */
const shown = (
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
  subscription: subscription ? told(subscription) : null,
});

/** Milliseconds, of some three hundred years at most: sums with the time stay whole numbers. */
const AHEAD = /^\d{1,13}$/;

const digest = (value: string) => createHash('sha256').update(value).digest();

type Books = { intents: Intents; setups: Setups; cards: KeptCards; subscriptions: Subscriptions; time: ShopTime };

/** The calls that stores make, with the secret that they share with the gateway. */
export async function storeApi(app: FastifyInstance, options: Books & { secret: string }): Promise<void> {
  const { intents, setups, cards, subscriptions, time, secret } = options;
  const expected = digest(`Bearer ${secret}`);
  app.addHook('onRequest', async (request, reply) => {
    if (!timingSafeEqual(digest(request.headers.authorization ?? ''), expected))
      return reply.code(401).send({ error: 'unauthorized' });
  });
  // After the body is read: reading it loses the AsyncLocalStorage context.
  app.addHook('preHandler', (request, reply, done) => {
    const told = request.headers[CLOCK_HEADER] ?? '0';
    if (typeof told !== 'string' || !AHEAD.test(told))
      return void reply.code(400).send({ error: `${CLOCK_HEADER} must be milliseconds, like 86400000, not "${String(told)}".` });
    time.run(Number(told), done);
  });
  const answer = (reply: FastifyReply, intent: GatewayIntent | undefined) =>
    intent
      ? reply.send(shown(intent, subscriptions.read(Subscriptions.idOf(intent))))
      : reply.code(404).send({ error: 'not_found' });
  type ById = FastifyRequest<{ Params: { id: string } }>;

  app.post('/intents', { schema: { body: newIntent } }, (request: FastifyRequest, reply) => {
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
    // The money is captured but no answer is sent: the connection stays open until the store gives up.
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
    subscription ? reply.send(told(subscription)) : reply.code(404).send({ error: 'not_found' });
  app.get('/subscriptions/:id', (request: ById, reply) => tell(reply, subscriptions.read(request.params.id)));
  app.post('/subscriptions/:id/cancel', { schema: { body: ending } }, (request: ById, reply) =>
    tell(reply, subscriptions.cancel(request.params.id, request.body as { at: number; atOnce: boolean })),
  );

  app.post('/subscriptions/:id/resume', (request: ById, reply) => tell(reply, subscriptions.resume(request.params.id)));

  const tellRefunds = (reply: FastifyReply, subscription: GatewaySubscription | undefined) =>
    subscription
      ? reply.send({ totalMinor: subscription.refundedMinor ?? 0, isLastWhole: subscription.isLastBack ?? false })
      : reply.code(404).send({ error: 'not_found' });
  app.get('/subscriptions/:id/refunds', (request: ById, reply) => tellRefunds(reply, subscriptions.read(request.params.id)));
  app.post('/subscriptions/:id/refund', (request: ById, reply) => tellRefunds(reply, subscriptions.refund(request.params.id)));
  app.post('/subscriptions/:id/quote', { schema: { body: newPlan } }, (request: ById, reply) =>
    reply.send({ dueMinor: subscriptions.quote(request.params.id, request.body as Change) ?? null }),
  );
  app.post('/subscriptions/:id/change', { schema: { body: newPlan } }, (request: ById, reply) => {
    const changed = subscriptions.change(request.params.id, request.body as Change);
    if (typeof changed !== 'object') return changed ? reply.send({ refused: changed }) : tell(reply, undefined);
    return reply.send({ ...told(changed), ...changed.changed });
  });

  app.post('/setups', { schema: { body: newSetup } }, (request: FastifyRequest, reply) => {
    const wanted = request.body as NewSetup;
    const isOver = wanted.subscription !== undefined && (subscriptions.read(wanted.subscription)?.state ?? 'ended') === 'ended';
    return isOver ? reply.code(404).send({ error: 'not_found' }) : reply.send({ id: setups.create(wanted).id });
  });
  app.post('/setups/claim', { schema: { body: claim } }, (request: FastifyRequest, reply) => {
    const { token, customer } = request.body as { token: string; customer: string };
    const claimed = setups.claim(token, customer);
    if (!claimed) return reply.code(404).send({ error: 'not_found' });
    // As with captures, the card is kept but no answer is sent.
    return claimed.answerIsLost ? reply.hijack() : reply.send(claimed.card);
  });
  app.post('/cards/forget', { schema: { body: choice } }, (request: FastifyRequest, reply) => {
    cards.forget((request.body as { token: string }).token);
    return reply.send({ forgotten: true });
  });
}
