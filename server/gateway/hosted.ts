import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { type CardDetails, problemsOf, testCardOf, toKeptCard } from './cards.ts';
import type { GatewayIntent } from './intent.ts';
import type { Intents } from './intents.ts';
import { chooseLanguage } from './language.ts';
import { challengePage, type Filled, gonePage, type Language, pagePolicy, payPage, walletPage } from './pages.ts';
import { setupChallengePage, setupOverPage, setupPage } from './setup-pages.ts';
import type { Setup } from './setup.ts';
import type { Setups } from './setups.ts';
import type { ShopTime } from './shop-time.ts';
import { styles } from './styles.ts';

/** What customers come to a hosted page for: a payment, or a card that is to be kept. */
type Matter = { id: string; state: string; returnUrl: string; language: string; clockAhead?: number };

/** How a matter is dealt with on its pages. */
type Hosted<Kind extends Matter> = {
  /** where its pages stand, such as /pay */
  path: string;
  read(id: string): Kind | undefined;
  tryCard(matter: Kind, card: CardDetails, keep: boolean): Kind;
  answerChallenge(matter: Kind, approved: boolean): Kind;
  cancel(matter: Kind): Kind;
  form(matter: Kind, language: Language, filled?: Filled): string;
  challenge(matter: Kind, language: Language): string;
  /** what is said of a matter that came to nothing, before the way back; undefined where there is nothing to say */
  over(matter: Kind, language: Language): string | undefined;
  /** what is said where there is no such matter */
  gone(language: Language): string;
  /** Where the customer goes back to: only ever the address that the store itself gave, with what has become of it added. */
  returnAddress(matter: Kind): string;
};

const withParameter = (address: string, name: string, value: string): string => {
  const url = new URL(address);
  url.searchParams.set(name, value);
  return url.href;
};

const paymentsHosted = (intents: Intents): Hosted<GatewayIntent> => ({
  path: '/pay',
  read: (id) => intents.read(id),
  tryCard: (intent, card, keep) => intents.pay(intent, testCardOf(card.number), keep ? toKeptCard(card) : null),
  answerChallenge: (intent, approved) => intents.answerChallenge(intent, approved),
  cancel: (intent) => intents.cancel(intent),
  form: (intent, language, filled) =>
    intent.method === 'wallet' ? walletPage(intent, language) : payPage(intent, language, filled),
  challenge: challengePage,
  over: () => undefined,
  gone: gonePage,
  returnAddress: ({ id, state, returnUrl }) =>
    state === 'cancelled' ? withParameter(returnUrl, 'cancelled', '1') : withParameter(returnUrl, 'intentId', id),
});

const setupsHosted = (setups: Setups): Hosted<Setup> => ({
  path: '/setup',
  read: (id) => setups.read(id),
  tryCard: (setup, card) => setups.tryCard(setup, card),
  answerChallenge: (setup, approved) => setups.answerChallenge(setup, approved),
  cancel: (setup) => setups.cancel(setup),
  form: setupPage,
  challenge: setupChallengePage,
  over: (setup, language) => (setup.state === 'failed' || setup.state === 'expired' ? setupOverPage(setup, language) : undefined),
  gone: (language) => setupOverPage(undefined, language),
  // Once the store has the card, Back leads to the shop without the token.
  returnAddress: ({ state, token, returnUrl }) =>
    state === 'ready' && token !== null ? withParameter(returnUrl, 'cardtoken', token) : returnUrl,
});

type PageRequest = FastifyRequest<{ Params: { id: string }; Querystring: { lang?: string }; Body: unknown }>;

const formOf = (request: FastifyRequest): URLSearchParams =>
  request.body instanceof URLSearchParams ? request.body : new URLSearchParams();

/** Who takes a payment up again by a provider's mail, or on another device, reads it in the language of their browser. */
const languageOf = (request: PageRequest, matter?: Matter) =>
  chooseLanguage([request.query.lang, request.headers['accept-language'], matter?.language]);

const html = (reply: FastifyReply, text: string, matter?: Matter) => {
  const policy = pagePolicy(matter && new URL(matter.returnUrl).origin);
  return reply.type('text/html; charset=utf-8').header('content-security-policy', policy).send(text);
};

/** The pages that customers see: card forms, the bank's challenge, and the way back to the shop. */
export function hostedPages(
  app: FastifyInstance,
  { intents, setups, time }: { intents: Intents; setups: Setups; time: ShopTime },
): void {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, new URLSearchParams(String(body))),
  );
  app.get('/style.css', (_request, reply) => reply.type('text/css; charset=utf-8').send(styles));
  host(app, time, paymentsHosted(intents), (intent, approved) => intents.payByWallet(intent, approved));
  host(app, time, setupsHosted(setups));
}

function host<Kind extends Matter>(
  app: FastifyInstance,
  time: ShopTime,
  hosted: Hosted<Kind>,
  answerWallet: (matter: Kind, approved: boolean) => Kind = (matter) => matter,
): void {
  const { path } = hosted;
  // In memory alone: what somebody typed is no part of the book, and is not needed for long.
  const filled = new LRUCache<string, Filled>({ max: 1000, ttl: 15 * 60_000 });

  /** Shows what the matter's state asks for, or leads back to the shop when there is nothing left to do. */
  const show = (request: PageRequest, reply: FastifyReply, matter: Kind) => {
    const language = languageOf(request, matter);
    if (matter.state === 'open') return html(reply, hosted.form(matter, language, filled.get(matter.id)), matter);
    if (matter.state === 'action_required') return html(reply, hosted.challenge(matter, language), matter);
    const over = hosted.over(matter, language);
    return over === undefined ? reply.redirect(hosted.returnAddress(matter), 303) : html(reply.code(410), over, matter);
  };

  const withMatter =
    (run: (request: PageRequest, reply: FastifyReply, matter: Kind) => FastifyReply) =>
    (request: PageRequest, reply: FastifyReply): FastifyReply =>
      time.run(hosted.read(request.params.id)?.clockAhead ?? 0, () => {
        // Read again in the shop's time, which decides whether it has expired.
        const matter = hosted.read(request.params.id);
        return matter ? run(request, reply, matter) : html(reply.code(404), hosted.gone(languageOf(request)));
      });

  /** A POST is answered with a redirect, so that a reload never sends the form again. */
  const onwards = (request: PageRequest, reply: FastifyReply, matter: Kind) => {
    const language = languageOf(request, matter);
    const hasPage = matter.state === 'open' || matter.state === 'action_required' || hosted.over(matter, language) !== undefined;
    return reply.redirect(hasPage ? `${path}/${matter.id}?lang=${language.code}` : hosted.returnAddress(matter), 303);
  };

  app.get(`${path}/:id`, withMatter(show));
  app.post(
    `${path}/:id`,
    withMatter((request, reply, matter) => {
      if (matter.state !== 'open') return onwards(request, reply, matter);
      const form = formOf(request);
      const text = (name: string) => form.get(name) ?? '';
      const card = { number: text('number'), expiry: text('expiry'), cvc: text('cvc'), name: text('name') };
      const keep = form.has('keep');
      const problems = problemsOf(card, new Date(time.now()));
      filled.set(matter.id, { expiry: card.expiry, name: card.name, keep, problems });
      return onwards(request, reply, problems.length > 0 ? matter : hosted.tryCard(matter, card, keep));
    }),
  );
  app.post(
    `${path}/:id/challenge`,
    withMatter((request, reply, matter) =>
      onwards(request, reply, hosted.answerChallenge(matter, formOf(request).get('answer') === 'approve')),
    ),
  );
  app.post(
    `${path}/:id/wallet`,
    withMatter((request, reply, matter) =>
      onwards(request, reply, answerWallet(matter, formOf(request).get('answer') === 'approve')),
    ),
  );
  app.post(
    `${path}/:id/cancel`,
    withMatter((request, reply, matter) => onwards(request, reply, hosted.cancel(matter))),
  );
}
