import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { type CardDetails, validateCard, findTestCard, toSavedCard } from './cards.ts';
import type { GatewayIntent } from './intent.ts';
import type { Intents } from './intents.ts';
import { chooseLanguage } from './language.ts';
import {
  renderChallengePage,
  type CardFormValues,
  renderUnknownPaymentPage,
  type PageLanguage,
  createPagePolicy,
  renderPayPage,
  renderWalletPage,
} from './pages.ts';
import { renderSetupChallengePage, renderSetupOverPage, renderSetupPage } from './setup-pages.ts';
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
  tryCard(item: Kind, card: CardDetails, keep: boolean): Kind;
  answerChallenge(item: Kind, isApproved: boolean): Kind;
  cancel(item: Kind): Kind;
  renderForm(item: Kind, language: PageLanguage, formValues?: CardFormValues): string;
  renderChallenge(item: Kind, language: PageLanguage): string;
  /**
   * page for a failed or expired item, with a link back; undefined if a redirect is enough
   */
  renderOver(item: Kind, language: PageLanguage): string | undefined;
  /** page for an unknown id */
  renderUnknown(language: PageLanguage): string;
  /**
   * Returns the URL that the customer returns to: the store's return URL, with the result, if any,
   * as a parameter.
   */
  toReturnUrl(item: Kind): string;
};

const addParameter = (returnUrl: string, name: string, value: string): string => {
  const url = new URL(returnUrl);
  url.searchParams.set(name, value);
  return url.href;
};

const createPaymentPages = (intents: Intents): HostedPage<GatewayIntent> => ({
  path: '/pay',
  read: (id) => intents.read(id),
  tryCard: (intent, card, keep) => intents.pay(intent, findTestCard(card.number), keep ? toSavedCard(card) : null),
  answerChallenge: (intent, isApproved) => intents.answerChallenge(intent, isApproved),
  cancel: (intent) => intents.cancel(intent),
  renderForm: (intent, language, formValues) =>
    intent.method === 'wallet' ? renderWalletPage(intent, language) : renderPayPage(intent, language, formValues),
  renderChallenge: renderChallengePage,
  renderOver: () => undefined,
  renderUnknown: renderUnknownPaymentPage,
  toReturnUrl: ({ id, state, returnUrl }) =>
    state === 'cancelled' ? addParameter(returnUrl, 'cancelled', '1') : addParameter(returnUrl, 'intentId', id),
});

const createSetupPages = (setups: Setups): HostedPage<Setup> => ({
  path: '/setup',
  read: (id) => setups.read(id),
  tryCard: (setup, card) => setups.tryCard(setup, card),
  answerChallenge: (setup, isApproved) => setups.answerChallenge(setup, isApproved),
  cancel: (setup) => setups.cancel(setup),
  renderForm: renderSetupPage,
  renderChallenge: renderSetupChallengePage,
  renderOver: (setup, language) =>
    setup.state === 'failed' || setup.state === 'expired' ? renderSetupOverPage(setup, language) : undefined,
  renderUnknown: (language) => renderSetupOverPage(undefined, language),
  // After the claim, the browser's Back leads to the shop without the token.
  toReturnUrl: ({ state, token, returnUrl }) =>
    state === 'ready' && token !== null ? addParameter(returnUrl, 'cardtoken', token) : returnUrl,
});

type PageRequest = FastifyRequest<{ Params: { id: string }; Querystring: { lang?: string }; Body: unknown }>;

const getForm = (request: FastifyRequest): URLSearchParams =>
  request.body instanceof URLSearchParams ? request.body : new URLSearchParams();

/**
 * The language of a page. The browser's language comes before that of the payment or setup: a
 * customer may resume a payment from an e-mail or on another device.
 */
const getPageLanguage = (request: PageRequest, item?: HostedItem) =>
  chooseLanguage([request.query.lang, request.headers['accept-language'], item?.language]);

const sendHtml = (reply: FastifyReply, text: string, item?: HostedItem) => {
  const policy = createPagePolicy(item && new URL(item.returnUrl).origin);
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
  registerPages(app, time, createPaymentPages(intents), (intent, isApproved) => intents.payByWallet(intent, isApproved));
  registerPages(app, time, createSetupPages(setups));
}

function registerPages<Kind extends HostedItem>(
  app: FastifyInstance,
  time: ShopTime,
  hostedPage: HostedPage<Kind>,
  handleWalletAnswer: (item: Kind, isApproved: boolean) => Kind = (item) => item,
): void {
  const { path } = hostedPage;
  // Form input is only in memory: it must not be in the journal, and is needed for minutes only.
  const formValues = new LRUCache<string, CardFormValues>({ max: 1000, ttl: 15 * 60_000 });

  /** Shows the page for its state, or redirects to the shop if nothing is left to do. */
  const show = (request: PageRequest, reply: FastifyReply, item: Kind) => {
    const language = getPageLanguage(request, item);
    if (item.state === 'open') return sendHtml(reply, hostedPage.renderForm(item, language, formValues.get(item.id)), item);
    if (item.state === 'action_required') return sendHtml(reply, hostedPage.renderChallenge(item, language), item);
    const overPage = hostedPage.renderOver(item, language);
    return overPage === undefined ? reply.redirect(hostedPage.toReturnUrl(item), 303) : sendHtml(reply.code(410), overPage, item);
  };

  const withItem =
    (run: (request: PageRequest, reply: FastifyReply, item: Kind) => FastifyReply) =>
    (request: PageRequest, reply: FastifyReply): FastifyReply =>
      time.run(hostedPage.read(request.params.id)?.clockAhead ?? 0, () => {
        // The item is read again at the shop's time, which decides whether it has expired.
        const item = hostedPage.read(request.params.id);
        return item ? run(request, reply, item) : sendHtml(reply.code(404), hostedPage.renderUnknown(getPageLanguage(request)));
      });

  /** Answers a POST with a redirect, so that a reload never sends the form again. */
  const redirectNext = (request: PageRequest, reply: FastifyReply, item: Kind) => {
    const language = getPageLanguage(request, item);
    const hasPage =
      item.state === 'open' || item.state === 'action_required' || hostedPage.renderOver(item, language) !== undefined;
    return reply.redirect(hasPage ? `${path}/${item.id}?lang=${language.code}` : hostedPage.toReturnUrl(item), 303);
  };

  app.get(`${path}/:id`, withItem(show));
  app.post(
    `${path}/:id`,
    withItem((request, reply, item) => {
      if (item.state !== 'open') return redirectNext(request, reply, item);
      const form = getForm(request);
      const text = (name: string) => form.get(name) ?? '';
      const card = { number: text('number'), expiry: text('expiry'), cvc: text('cvc'), name: text('name') };
      const keep = form.has('keep');
      const problems = validateCard(card, new Date(time.now()));
      formValues.set(item.id, { expiry: card.expiry, name: card.name, keep, problems });
      return redirectNext(request, reply, problems.length > 0 ? item : hostedPage.tryCard(item, card, keep));
    }),
  );
  app.post(
    `${path}/:id/challenge`,
    withItem((request, reply, item) =>
      redirectNext(request, reply, hostedPage.answerChallenge(item, getForm(request).get('answer') === 'approve')),
    ),
  );
  app.post(
    `${path}/:id/wallet`,
    withItem((request, reply, item) =>
      redirectNext(request, reply, handleWalletAnswer(item, getForm(request).get('answer') === 'approve')),
    ),
  );
  app.post(
    `${path}/:id/cancel`,
    withItem((request, reply, item) => redirectNext(request, reply, hostedPage.cancel(item))),
  );
}
