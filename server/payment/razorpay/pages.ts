import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Orders } from 'razorpay/dist/types/orders.js';
import { cardReturnPath } from '../../../machines/model/paths.ts';
import { escapeXml } from '../../base/xml/write.ts';
import { PaymentUnknown } from '../port.ts';
import { findSpokenLanguage } from '../../base/language.ts';
import { type Translator, getTranslator } from '../../base/words.ts';
import { withParameter } from '../return-address.ts';
import { callRazorpay, retrieveOrUndefined, type RazorpayAccess } from './calls.ts';
import { type OrderNotes, readNotes } from './notes.ts';
import { fetchSubscription, type RazorpayParts } from './subscriptions.ts';
import { isSignedByRazorpay } from './webhook.ts';

/** URL of Razorpay's hosted checkout, which is opened by a form. */
const HOSTED_CHECKOUT_URL = 'https://api.razorpay.com/v1/checkout/embedded';

const SUBMIT_SCRIPT = 'document.forms[0].submit()';
const STYLE =
  'body{font:1.1rem/1.5 system-ui,sans-serif;max-width:30rem;margin:4rem auto;padding:0 1rem}button{font:inherit;padding:.6rem 1.2rem}';
const toCspHash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * Razorpay redirects the form to banks and wallets; Chromium applies form-action to redirects as
 * well.
 */
const POLICY = [
  "default-src 'none'",
  `script-src ${toCspHash(SUBMIT_SCRIPT)}`,
  `style-src ${toCspHash(STYLE)}`,
  'form-action https:',
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

function renderFormPage(noted: OrderNotes, fields: Record<string, string>): string {
  const i18n = getTranslator(noted.language);
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${escapeXml(name)}" value="${escapeXml(value)}">`,
  );
  return `<!doctype html><html lang="${noted.language}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>${escapeXml(noted.shopName)}</title><style>${STYLE}</style></head>
<body><h1>${escapeXml(noted.description)}</h1><p>${escapeXml(i18n.t('Taking you to Razorpay’s payment page…'))}</p>
<form method="post" action="${HOSTED_CHECKOUT_URL}">${inputs.join('')}<button>${escapeXml(i18n.t('Continue'))}</button></form><script>${SUBMIT_SCRIPT}</script></body></html>`;
}

/** The language of the browser: the one of a payment that cannot be looked up is not known. */
const translatorFor = ({ headers }: FastifyRequest): Translator =>
  getTranslator(findSpokenLanguage(headers['accept-language']) ?? 'en');

const sendError = (reply: FastifyReply, status: number, text: string): FastifyReply =>
  reply.code(status).type('text/plain; charset=utf-8').send(text);

type PayableItem = { noted: OrderNotes; isOpen: boolean; fields: Record<string, string> };

/**
 * Reads the order or subscription with this id; undefined if it does not exist or is not the
 * store's.
 */
async function findPayableItem(parts: RazorpayParts, id: string, changesCard: boolean): Promise<PayableItem | undefined> {
  if (id.startsWith('sub_')) {
    const subscription = await fetchSubscription(parts, id);
    const noted = readNotes(subscription?.notes);
    if (!subscription || !noted) return undefined;
    const fields = { subscription_id: id, ...(changesCard ? { subscription_card_change: '1' } : {}) };
    return { noted, isOpen: changesCard || subscription.status === 'created', fields };
  }
  const order = await retrieveOrUndefined<Orders.RazorpayOrder>(() => parts.razorpay.orders.fetch(id));
  const noted = readNotes(order?.notes);
  if (!order || !noted) return undefined;
  const { items } = await callRazorpay(() => parts.razorpay.orders.fetchPayments(id));
  const isHeld = items.some(({ status }) => status === 'authorized' || status === 'captured');
  const isOpen = order.status !== 'paid' && !isHeld && !noted.isCancelled;
  // The payment method that Razorpay's checkout shows first.
  const chosen: Record<string, string> = noted.method === '' ? {} : { 'prefill[method]': noted.method };
  return { noted, isOpen, fields: { order_id: id, amount: String(order.amount), currency: order.currency, ...chosen } };
}

const toReturnUrl = ({ returnUrl }: OrderNotes, changesCard: boolean): string =>
  changesCard ? new URL(cardReturnPath, returnUrl).href : returnUrl;

/**
 * The pages that send a customer to Razorpay and back. Razorpay's page is opened by a form and
 * returns by one, so both are on the shop's own origin. The returned parameters are not trusted:
 * the shop reads the payment from Razorpay.
 */
export const razorpayPages =
  (parts: RazorpayParts, { keyId, keySecret }: RazorpayAccess) =>
  (app: FastifyInstance): void => {
    void app.register(async (pages) => {
      pages.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
        done(null, new URLSearchParams(String(body))),
      );
      pages.addHook('onSend', async (_request, reply) => {
        reply.headers({ 'cache-control': 'no-store', 'content-security-policy': POLICY });
      });
      pages.setErrorHandler((error, request, reply) => {
        if (!(error instanceof PaymentUnknown)) throw error;
        request.log.warn({ err: error.cause }, 'payment.page.timeout');
        const i18n = translatorFor(request);
        return sendError(reply, 502, i18n.t('The payment page can’t be opened right now. Please try again in a moment.'));
      });
      const params = { type: 'object', properties: { id: { type: 'string', pattern: '^(order|sub)_[A-Za-z0-9]{1,40}$' } } };
      type Asked = { Params: { id: string }; Querystring: { card?: string }; Body: unknown };
      const gone = (reply: FastifyReply): FastifyReply => {
        const i18n = translatorFor(reply.request);
        return sendError(reply, 404, i18n.t('We couldn’t find this payment.'));
      };

      pages.get<Asked>('/payments/razorpay/:id', { schema: { params } }, async ({ params: { id }, query }, reply) => {
        const changesCard = query.card !== undefined && id.startsWith('sub_');
        const matter = await findPayableItem(parts, id, changesCard);
        if (!matter) return gone(reply);
        const { noted, isOpen, fields } = matter;
        const home = toReturnUrl(noted, changesCard);
        if (!isOpen) return reply.redirect(withParameter(home, 'intentId', id), 303);
        const back = (step: string): string =>
          new URL(`/payments/razorpay/${id}/${step}${changesCard ? '?card=1' : ''}`, noted.returnUrl).href;
        const shown = { key_id: keyId, name: noted.shopName, description: noted.description };
        const ways = { callback_url: back('return'), cancel_url: back('cancelled') };
        return reply.type('text/html; charset=utf-8').send(renderFormPage(noted, { ...shown, ...fields, ...ways }));
      });

      const lead = async (
        id: string,
        changesCard: boolean,
        reply: FastifyReply,
        way: [string, string],
      ): Promise<FastifyReply> => {
        const matter = await findPayableItem(parts, id, changesCard);
        if (!matter) return gone(reply);
        const home = toReturnUrl(matter.noted, changesCard);
        return reply.redirect(changesCard ? home : withParameter(home, ...way), 303);
      };
      pages.post<Asked>('/payments/razorpay/:id/return', { schema: { params } }, ({ params: { id }, query, body }, reply) => {
        const form = body instanceof URLSearchParams ? body : new URLSearchParams();
        const payment_id = form.get('razorpay_payment_id') ?? '';
        const signed = id.startsWith('sub_') ? { payment_id, subscription_id: id } : { payment_id, order_id: id };
        const holds = isSignedByRazorpay(signed, form.get('razorpay_signature') ?? '', keySecret);
        return lead(id, query.card !== undefined, reply, holds ? ['intentId', id] : ['cancelled', '1']);
      });
      pages.get<Asked>('/payments/razorpay/:id/cancelled', { schema: { params } }, ({ params: { id }, query }, reply) =>
        lead(id, query.card !== undefined, reply, ['cancelled', '1']),
      );
    });
  };
