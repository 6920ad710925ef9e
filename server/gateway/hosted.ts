import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { type CardDetails, validateCard, findTestCard, toSavedCard } from './cards.ts';
import type { GatewayIntent } from './intent.ts';
import type { Intents } from './intents.ts';
import { chooseLanguage } from './language.ts';
import {
  challengePage,
  type CardFormValues,
  gonePage,
  type PageLanguage,
  createPagePolicy,
  payPage,
  walletPage,
} from './pages.ts';
import { setupChallengePage, setupOverPage, setupPage } from './setup-pages.ts';
import type { Setup } from './setup.ts';
import type { Setups } from './setups.ts';
import type { ShopTime } from './shop-time.ts';
import { styles } from './styles.ts';

/** The subject of a hosted page: a payment, or a card to be saved. */
type HostedItem = { id: string; state: string; returnUrl: string; language: string; clockAhead?: number };

/** How payments or setups are shown and handled on hosted pages. */
type HostedPage<Kind extends HostedItem> = {
  /** path prefix of its pages, such as /pay */
  path: string;
  read(id: string): Kind | undefined;
  tryCard(matter: Kind, card: CardDetails, keep: boolean): Kind;
  answerChallenge(matter: Kind, approved: boolean): Kind;
  cancel(matter: Kind): Kind;
  form(matter: Kind, language: PageLanguage, filled?: CardFormValues): string;
  challenge(matter: Kind, language: PageLanguage): string;
  /**
   * page for one that has failed or expired, with a link back; undefined if a redirect is enough
   */
  over(matter: Kind, language: PageLanguage): string | undefined;
  /** page for an unknown id */
  gone(language: PageLanguage): string;
  /**
   * The URL that the customer returns to: always the one that the store gave, with the result as a
   * parameter.
   */
  returnAddress(matter: Kind): string;
};

const withParameter = (address: string, name: string, value: string): string => {
  const url = new URL(address);
  url.searchParams.set(name, value);
  return url.href;
};

const createPaymentPages = (intents: Intents): HostedPage<GatewayIntent> => ({
  path: '/pay',
  read: (id) => intents.read(id),
  tryCard: (intent, card, keep) => intents.pay(intent, findTestCard(card.number), keep ? toSavedCard(card) : null),
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

const createSetupPages = (setups: Setups): HostedPage<Setup> => ({
  path: '/setup',
  read: (id) => setups.read(id),
  tryCard: (setup, card) => setups.tryCard(setup, card),
  answerChallenge: (setup, approved) => setups.answerChallenge(setup, approved),
  cancel: (setup) => setups.cancel(setup),
  form: setupPage,
  challenge: setupChallengePage,
  over: (setup, language) => (setup.state === 'failed' || setup.state === 'expired' ? setupOverPage(setup, language) : undefined),
  gone: (language) => setupOverPage(undefined, language),
  // After the claim, the browser's Back leads to the shop without the token.
  returnAddress: ({ state, token, returnUrl }) =>
    state === 'ready' && token !== null ? withParameter(returnUrl, 'cardtoken', token) : returnUrl,
});

type PageRequest = FastifyRequest<{ Params: { id: string }; Querystring: { lang?: string }; Body: unknown }>;

const getForm = (request: FastifyRequest): URLSearchParams =>
  request.body instanceof URLSearchParams ? request.body : new URLSearchParams();

/**
 * The browser's language comes before that of the request: a customer may resume the payment from
 * an e-mail or on another device.
 */
const getPageLanguage = (request: PageRequest, matter?: HostedItem) =>
  chooseLanguage([request.query.lang, request.headers['accept-language'], matter?.language]);

const sendHtml = (reply: FastifyReply, text: string, matter?: HostedItem) => {
  const policy = createPagePolicy(matter && new URL(matter.returnUrl).origin);
  return reply.type('text/html; charset=utf-8').header('content-security-policy', policy).send(text);
};

/** Serves the customers' pages: card forms, the bank's challenge, and the redirect to the shop. */
export function registerHostedPages(
  app: FastifyInstance,
  { intents, setups, time }: { intents: Intents; setups: Setups; time: ShopTime },
): void {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, new URLSearchParams(String(body))),
  );
  app.get('/style.css', (_request, reply) => reply.type('text/css; charset=utf-8').send(styles));
  registerPages(app, time, createPaymentPages(intents), (intent, approved) => intents.payByWallet(intent, approved));
  registerPages(app, time, createSetupPages(setups));
}

function registerPages<Kind extends HostedItem>(
  app: FastifyInstance,
  time: ShopTime,
  hosted: HostedPage<Kind>,
  answerWallet: (matter: Kind, approved: boolean) => Kind = (matter) => matter,
): void {
  const { path } = hosted;
  // Only in memory: form input does not belong into the journal, and is not needed for long.
  const filled = new LRUCache<string, CardFormValues>({ max: 1000, ttl: 15 * 60_000 });

  /** Shows the page for its state, or redirects to the shop if nothing is left to do. */
  const show = (request: PageRequest, reply: FastifyReply, matter: Kind) => {
    const language = getPageLanguage(request, matter);
    if (matter.state === 'open') return sendHtml(reply, hosted.form(matter, language, filled.get(matter.id)), matter);
    if (matter.state === 'action_required') return sendHtml(reply, hosted.challenge(matter, language), matter);
    const over = hosted.over(matter, language);
    return over === undefined ? reply.redirect(hosted.returnAddress(matter), 303) : sendHtml(reply.code(410), over, matter);
  };

  const withMatter =
    (run: (request: PageRequest, reply: FastifyReply, matter: Kind) => FastifyReply) =>
    (request: PageRequest, reply: FastifyReply): FastifyReply =>
      time.run(hosted.read(request.params.id)?.clockAhead ?? 0, () => {
        // Read again at the shop's time, which decides whether it has expired.
        const matter = hosted.read(request.params.id);
        return matter ? run(request, reply, matter) : sendHtml(reply.code(404), hosted.gone(getPageLanguage(request)));
      });

  /** Answers a POST with a redirect, so that a reload never sends the form again. */
  const onwards = (request: PageRequest, reply: FastifyReply, matter: Kind) => {
    const language = getPageLanguage(request, matter);
    const hasPage = matter.state === 'open' || matter.state === 'action_required' || hosted.over(matter, language) !== undefined;
    return reply.redirect(hasPage ? `${path}/${matter.id}?lang=${language.code}` : hosted.returnAddress(matter), 303);
  };

  app.get(`${path}/:id`, withMatter(show));
  app.post(
    `${path}/:id`,
    withMatter((request, reply, matter) => {
      if (matter.state !== 'open') return onwards(request, reply, matter);
      const form = getForm(request);
      const text = (name: string) => form.get(name) ?? '';
      const card = { number: text('number'), expiry: text('expiry'), cvc: text('cvc'), name: text('name') };
      const keep = form.has('keep');
      const problems = validateCard(card, new Date(time.now()));
      filled.set(matter.id, { expiry: card.expiry, name: card.name, keep, problems });
      return onwards(request, reply, problems.length > 0 ? matter : hosted.tryCard(matter, card, keep));
    }),
  );
  app.post(
    `${path}/:id/challenge`,
    withMatter((request, reply, matter) =>
      onwards(request, reply, hosted.answerChallenge(matter, getForm(request).get('answer') === 'approve')),
    ),
  );
  app.post(
    `${path}/:id/wallet`,
    withMatter((request, reply, matter) =>
      onwards(request, reply, answerWallet(matter, getForm(request).get('answer') === 'approve')),
    ),
  );
  app.post(
    `${path}/:id/cancel`,
    withMatter((request, reply, matter) => onwards(request, reply, hosted.cancel(matter))),
  );
}
