import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Orders } from 'razorpay/dist/types/orders.js';
import { cardReturnPath } from '../../../machines/model/purchase-paths.ts';
import { escapeXml } from '../../base/xml/write.ts';
import { PaymentUnknown } from '../port.ts';
import { findPreferredLanguage } from '../../base/language.ts';
import { type Translator, getTranslator } from '../../base/words.ts';
import { withParameter } from '../return-address.ts';
import { callRazorpay, retrieveOrUndefined, type RazorpayAccess } from './calls.ts';
import { type OrderNotes, readNotes } from './notes.ts';
import { fetchSubscription, type RazorpayContext } from './subscriptions.ts';
import { isSignedByRazorpay } from './webhook.ts';

/** URL of Razorpay's hosted checkout, which is opened by a form. */
const HOSTED_CHECKOUT_URL = 'https://api.razorpay.com/v1/checkout/embedded';

const SUBMIT_SCRIPT = 'document.forms[0].submit()';
const STYLE =
  'body{font:1.1rem/1.5 system-ui,sans-serif;max-width:30rem;margin:4rem auto;padding:0 1rem}button{font:inherit;padding:.6rem 1.2rem}';
const toCspHash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * The policy of the pages. Razorpay redirects the form to banks and wallets, and Chromium applies
 * form-action to redirects as well.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `script-src ${toCspHash(SUBMIT_SCRIPT)}`,
  `style-src ${toCspHash(STYLE)}`,
  'form-action https:',
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

function renderFormPage(notes: OrderNotes, fields: Record<string, string>): string {
  const i18n = getTranslator(notes.language);
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${escapeXml(name)}" value="${escapeXml(value)}">`,
  );
  return `<!doctype html><html lang="${notes.language}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>${escapeXml(notes.shopName)}</title><style>${STYLE}</style></head>
<body><h1>${escapeXml(notes.description)}</h1><p>${escapeXml(i18n.t('Taking you to Razorpay’s payment page…'))}</p>
<form method="post" action="${HOSTED_CHECKOUT_URL}">${inputs.join('')}<button>${escapeXml(i18n.t('Continue'))}</button></form><script>${SUBMIT_SCRIPT}</script></body></html>`;
}

/** Returns the translator of error texts, by the browser's language: the payment may be missing. */
const getRequestTranslator = ({ headers }: FastifyRequest): Translator =>
  getTranslator(findPreferredLanguage(headers['accept-language']) ?? 'en');

const sendError = (reply: FastifyReply, status: number, text: string): FastifyReply =>
  reply.code(status).type('text/plain; charset=utf-8').send(text);

type PayableItem = { notes: OrderNotes; isOpen: boolean; fields: Record<string, string> };

/**
 * Reads the order or subscription with this id; undefined if it does not exist, or the store has
 * not created it.
 */
async function findPayableItem(context: RazorpayContext, id: string, changesCard: boolean): Promise<PayableItem | undefined> {
  if (id.startsWith('sub_')) {
    const subscription = await fetchSubscription(context, id);
    const notes = readNotes(subscription?.notes);
    if (!subscription || !notes) return undefined;
    const fields = { subscription_id: id, ...(changesCard ? { subscription_card_change: '1' } : {}) };
    return { notes, isOpen: changesCard || subscription.status === 'created', fields };
  }
  const order = await retrieveOrUndefined<Orders.RazorpayOrder>(() => context.razorpay.orders.fetch(id));
  const notes = readNotes(order?.notes);
  if (!order || !notes) return undefined;
  const { items } = await callRazorpay(() => context.razorpay.orders.fetchPayments(id));
  const isReservedOrCharged = items.some(({ status }) => status === 'authorized' || status === 'captured');
  const isOpen = order.status !== 'paid' && !isReservedOrCharged && !notes.isCancelled;
  // Selects the payment method that Razorpay's checkout shows first.
  const prefill: Record<string, string> = notes.method === '' ? {} : { 'prefill[method]': notes.method };
  return { notes, isOpen, fields: { order_id: id, amount: String(order.amount), currency: order.currency, ...prefill } };
}

const toReturnUrl = ({ returnUrl }: OrderNotes, changesCard: boolean): string =>
  changesCard ? new URL(cardReturnPath, returnUrl).href : returnUrl;

/**
 * Returns a function that registers the routes that send a customer to Razorpay and back.
 * Razorpay's page is opened by a form and returns by a form, so these routes are on the shop's own
 * origin. The returned parameters are not trusted: the shop reads the payment from Razorpay.
 */
export const createRedirectPages =
  (context: RazorpayContext, { keyId, keySecret }: RazorpayAccess) =>
  (app: FastifyInstance): void => {
    void app.register(async (routes) => {
      routes.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
        done(null, new URLSearchParams(String(body))),
      );
      routes.addHook('onSend', async (_request, reply) => {
        reply.headers({ 'cache-control': 'no-store', 'content-security-policy': CONTENT_SECURITY_POLICY });
      });
      routes.setErrorHandler((error, request, reply) => {
        if (!(error instanceof PaymentUnknown)) throw error;
        const { id } = request.params as { id: string };
        request.log.warn({ err: error.cause, intent: id }, 'payment.page.outcome_unknown');
        const i18n = getRequestTranslator(request);
        return sendError(reply, 502, i18n.t('The payment page can’t be opened right now. Please try again in a moment.'));
      });
      const params = { type: 'object', properties: { id: { type: 'string', pattern: '^(order|sub)_[A-Za-z0-9]{1,40}$' } } };
      type PageRequest = { Params: { id: string }; Querystring: { card?: string }; Body: unknown };
      const sendNotFound = (reply: FastifyReply): FastifyReply => {
        const i18n = getRequestTranslator(reply.request);
        return sendError(reply, 404, i18n.t('We couldn’t find this payment.'));
      };

      routes.get<PageRequest>('/payments/razorpay/:id', { schema: { params } }, async ({ params: { id }, query }, reply) => {
        const changesCard = query.card !== undefined && id.startsWith('sub_');
        const item = await findPayableItem(context, id, changesCard);
        if (!item) return sendNotFound(reply);
        const { notes, isOpen, fields } = item;
        const customerReturnUrl = toReturnUrl(notes, changesCard);
        if (!isOpen) return reply.redirect(withParameter(customerReturnUrl, 'intentId', id), 303);
        const toStepUrl = (step: string): string =>
          new URL(`/payments/razorpay/${id}/${step}${changesCard ? '?card=1' : ''}`, notes.returnUrl).href;
        const shopFields = { key_id: keyId, name: notes.shopName, description: notes.description };
        const callbackFields = { callback_url: toStepUrl('return'), cancel_url: toStepUrl('cancelled') };
        return reply
          .type('text/html; charset=utf-8')
          .send(renderFormPage(notes, { ...shopFields, ...fields, ...callbackFields }));
      });

      const redirectToShop = async (
        id: string,
        changesCard: boolean,
        reply: FastifyReply,
        parameter: [string, string],
      ): Promise<FastifyReply> => {
        const item = await findPayableItem(context, id, changesCard);
        if (!item) return sendNotFound(reply);
        const customerReturnUrl = toReturnUrl(item.notes, changesCard);
        return reply.redirect(changesCard ? customerReturnUrl : withParameter(customerReturnUrl, ...parameter), 303);
      };
      routes.post<PageRequest>(
        '/payments/razorpay/:id/return',
        { schema: { params } },
        ({ params: { id }, query, body }, reply) => {
          const form = body instanceof URLSearchParams ? body : new URLSearchParams();
          const payment_id = form.get('razorpay_payment_id') ?? '';
          const signedReturn = id.startsWith('sub_') ? { payment_id, subscription_id: id } : { payment_id, order_id: id };
          const isSignatureValid = isSignedByRazorpay(signedReturn, form.get('razorpay_signature') ?? '', keySecret);
          return redirectToShop(id, query.card !== undefined, reply, isSignatureValid ? ['intentId', id] : ['cancelled', '1']);
        },
      );
      routes.get<PageRequest>('/payments/razorpay/:id/cancelled', { schema: { params } }, ({ params: { id }, query }, reply) =>
        redirectToShop(id, query.card !== undefined, reply, ['cancelled', '1']),
      );
    });
  };
