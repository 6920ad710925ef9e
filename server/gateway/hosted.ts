import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { problemsOf, toKeptCard } from './cards.ts';
import type { GatewayIntent } from './intent.ts';
import type { Intents } from './intents.ts';
import { chooseLanguage } from './language.ts';
import { challengePage, type Filled, gonePage, payPage } from './pages.ts';
import { styles } from './styles.ts';

type PayRequest = FastifyRequest<{ Params: { id: string }; Querystring: { lang?: string }; Body: unknown }>;

const formOf = (request: FastifyRequest): URLSearchParams =>
  request.body instanceof URLSearchParams ? request.body : new URLSearchParams();

/** Where the customer goes back to: only ever the address that the store itself gave. */
function returnAddress(intent: GatewayIntent): string {
  const url = new URL(intent.returnUrl);
  if (intent.state === 'cancelled') url.searchParams.set('cancelled', '1');
  else url.searchParams.set('intentId', intent.id);
  return url.href;
}

/** The pages that customers see: the card form, the bank's challenge, and the way back to the shop. */
export function hostedPages(app: FastifyInstance, intents: Intents): void {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, new URLSearchParams(String(body))),
  );
  app.get('/style.css', (_request, reply) => reply.type('text/css; charset=utf-8').send(styles));

  // In memory alone: what somebody typed is no part of the book, and is not needed for long.
  const filled = new LRUCache<string, Filled>({ max: 1000, ttl: 15 * 60_000 });

  const languageOf = (request: PayRequest, intent?: GatewayIntent) =>
    chooseLanguage([request.query.lang, intent?.language, request.headers['accept-language']]);

  const html = (reply: FastifyReply, text: string, intent?: GatewayIntent) => {
    // Chromium holds the redirect after a form to form-action too.
    const back = intent ? ` ${new URL(intent.returnUrl).origin}` : '';
    const policy = `default-src 'none'; style-src 'self'; form-action 'self'${back}; base-uri 'none'; frame-ancestors 'none'`;
    return reply.type('text/html; charset=utf-8').header('content-security-policy', policy).send(text);
  };

  /** Shows what the intent's state asks for, or leads back to the shop when there is nothing left to do. */
  const show = (request: PayRequest, reply: FastifyReply, intent: GatewayIntent) => {
    const language = languageOf(request, intent);
    if (intent.state === 'open') return html(reply, payPage(intent, language, filled.get(intent.id)), intent);
    if (intent.state === 'action_required') return html(reply, challengePage(intent, language), intent);
    return reply.redirect(returnAddress(intent), 303);
  };

  const withIntent =
    (run: (request: PayRequest, reply: FastifyReply, intent: GatewayIntent) => FastifyReply) =>
    (request: PayRequest, reply: FastifyReply): FastifyReply => {
      const intent = intents.read(request.params.id);
      return intent ? run(request, reply, intent) : html(reply.code(404), gonePage(languageOf(request)));
    };

  /** A POST is answered with a redirect, so that a reload never sends the form again. */
  const onwards = (request: PayRequest, reply: FastifyReply, intent: GatewayIntent) =>
    intent.state === 'open' || intent.state === 'action_required'
      ? reply.redirect(`/pay/${intent.id}?lang=${languageOf(request, intent).code}`, 303)
      : reply.redirect(returnAddress(intent), 303);

  app.get('/pay/:id', withIntent(show));
  app.post(
    '/pay/:id',
    withIntent((request, reply, intent) => {
      if (intent.state !== 'open') return onwards(request, reply, intent);
      const form = formOf(request);
      const text = (name: string) => form.get(name) ?? '';
      const card = { number: text('number'), expiry: text('expiry'), cvc: text('cvc'), name: text('name') };
      const keep = form.has('keep');
      const problems = problemsOf(card, new Date());
      filled.set(intent.id, { expiry: card.expiry, name: card.name, keep, problems });
      return onwards(request, reply, problems.length > 0 ? intent : intents.pay(intent, card, keep ? toKeptCard(card) : null));
    }),
  );
  app.post(
    '/pay/:id/challenge',
    withIntent((request, reply, intent) =>
      onwards(request, reply, intents.answerChallenge(intent, formOf(request).get('answer') === 'approve')),
    ),
  );
  app.post(
    '/pay/:id/cancel',
    withIntent((request, reply, intent) => onwards(request, reply, intents.cancel(intent))),
  );
}
