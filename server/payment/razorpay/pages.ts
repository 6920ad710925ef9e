import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Orders } from 'razorpay/dist/types/orders.js';
import { cardReturnPath } from '../../../machines/model/paths.ts';
import { escapeXml } from '../../base/xml/write.ts';
import { PaymentUnknown } from '../port.ts';
import { translatorTo } from '../../base/words.ts';
import { withParameter } from '../return-address.ts';
import { ask, look, type RazorpayAccess } from './asking.ts';
import { type Noted, readNotes } from './notes.ts';
import { fetchSubscription, type RazorpayParts } from './subscriptions.ts';
import { isSignedByRazorpay } from './webhook.ts';

/** Where a form is sent that opens Razorpay's own page. */
const HOSTED = 'https://api.razorpay.com/v1/checkout/embedded';

const SEND = 'document.forms[0].submit()';
const STYLE =
  'body{font:1.1rem/1.5 system-ui,sans-serif;max-width:30rem;margin:4rem auto;padding:0 1rem}button{font:inherit;padding:.6rem 1.2rem}';
const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Razorpay hands its form on to banks and wallets, which Chromium holds to form-action as well. */
const POLICY = [
  "default-src 'none'",
  `script-src ${hashOf(SEND)}`,
  `style-src ${hashOf(STYLE)}`,
  'form-action https:',
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

function pageFor(noted: Noted, fields: Record<string, string>): string {
  const i18n = translatorTo(noted.language);
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${escapeXml(name)}" value="${escapeXml(value)}">`,
  );
  return `<!doctype html><html lang="${noted.language}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>${escapeXml(noted.shopName)}</title><style>${STYLE}</style></head>
<body><h1>${escapeXml(noted.description)}</h1><p>${escapeXml(i18n.t('You’re going to the payment page of Razorpay.'))}</p>
<form method="post" action="${HOSTED}">${inputs.join('')}<button>${escapeXml(i18n.t('Continue'))}</button></form><script>${SEND}</script></body></html>`;
}

type Matter = { noted: Noted; isOpen: boolean; fields: Record<string, string> };

/** What is to be paid under an id; undefined where there is no such thing of the store's. */
async function matterOf(parts: RazorpayParts, id: string, changesCard: boolean): Promise<Matter | undefined> {
  if (id.startsWith('sub_')) {
    const subscription = await fetchSubscription(parts, id);
    const noted = readNotes(subscription?.notes);
    if (!subscription || !noted) return undefined;
    const fields = { subscription_id: id, ...(changesCard ? { subscription_card_change: '1' } : {}) };
    return { noted, isOpen: changesCard || subscription.status === 'created', fields };
  }
  const order = await look<Orders.RazorpayOrder>(() => parts.razorpay.orders.fetch(id));
  const noted = readNotes(order?.notes);
  if (!order || !noted) return undefined;
  const { items } = await ask(() => parts.razorpay.orders.fetchPayments(id));
  const isHeld = items.some(({ status }) => status === 'authorized' || status === 'captured');
  const isOpen = order.status !== 'paid' && !isHeld && !noted.isCancelled;
  // Which of its ways to pay Checkout shows first.
  const chosen: Record<string, string> = noted.method === '' ? {} : { 'prefill[method]': noted.method };
  return { noted, isOpen, fields: { order_id: id, amount: String(order.amount), currency: order.currency, ...chosen } };
}

const homeOf = ({ returnUrl }: Noted, changesCard: boolean): string =>
  changesCard ? new URL(cardReturnPath, returnUrl).href : returnUrl;

/**
 * The pages that lead a customer to Razorpay's and back. It is entered by a form alone, and leads back by one, so that both stand at the
 * shop's own origin. What is brought back decides nothing: the shop asks Razorpay.
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
        request.log.error({ err: error.cause }, 'the payment page has no answer of Razorpay');
        return reply.code(502).type('text/plain; charset=utf-8').send('The payment page can’t be opened right now.');
      });
      const params = { type: 'object', properties: { id: { type: 'string', pattern: '^(order|sub)_[A-Za-z0-9]{1,40}$' } } };
      type Asked = { Params: { id: string }; Querystring: { card?: string }; Body: unknown };
      const gone = (reply: FastifyReply): FastifyReply =>
        reply.code(404).type('text/plain; charset=utf-8').send('There is no such payment.');

      pages.get<Asked>('/payments/razorpay/:id', { schema: { params } }, async ({ params: { id }, query }, reply) => {
        const changesCard = query.card !== undefined && id.startsWith('sub_');
        const matter = await matterOf(parts, id, changesCard);
        if (!matter) return gone(reply);
        const { noted, isOpen, fields } = matter;
        const home = homeOf(noted, changesCard);
        if (!isOpen) return reply.redirect(withParameter(home, 'intentId', id), 303);
        const back = (step: string): string =>
          new URL(`/payments/razorpay/${id}/${step}${changesCard ? '?card=1' : ''}`, noted.returnUrl).href;
        const shown = { key_id: keyId, name: noted.shopName, description: noted.description };
        const ways = { callback_url: back('return'), cancel_url: back('cancelled') };
        return reply.type('text/html; charset=utf-8').send(pageFor(noted, { ...shown, ...fields, ...ways }));
      });

      const lead = async (
        id: string,
        changesCard: boolean,
        reply: FastifyReply,
        way: [string, string],
      ): Promise<FastifyReply> => {
        const matter = await matterOf(parts, id, changesCard);
        if (!matter) return gone(reply);
        const home = homeOf(matter.noted, changesCard);
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
