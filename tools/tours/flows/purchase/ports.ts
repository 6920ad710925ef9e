import type { NewPrice, Offer } from '../../../../machines/buying/purchase/offer.ts';
import type { PurchaseState } from '../../../../machines/buying/payment-setup.ts';
import type { GiftPreview } from '../../../../machines/model/buying/gift.ts';
import type { PaymentSession } from '../../../../machines/model/buying/purchase.ts';
import type { Plan } from '../../../../machines/model/buying/subscription.ts';
import { renderElement, renderFields } from '../../../../server/base/xml/write.ts';
import type { Port } from '../../browser-adapter.ts';
import { json, toTitleXml, xml } from '../../wires.ts';
import { toCartXml, matchesCart } from '../cart/wires.ts';
import { balancePort, cardsPort, payByCardPort, startPort, statusPort, taxPort } from './adapter-helpers.ts';

const toPlanXml = ({ id, name, price, interval, trialDays, credits }: Plan) =>
  xml(
    renderElement('Plan', [
      renderFields({
        PlanId: id,
        Name: name,
        Amount: price?.amount,
        Currency: price?.currency,
        CurrencySymbol: price?.symbol,
        Interval: interval,
        TrialDays: trialDays,
        Credits: credits,
      }),
    ]),
  );

const isCart = ({ pathname }: URL): boolean => pathname.endsWith('/cart/titles');

const offerPort: Port = {
  asks: (url) => /\/(titles\/\d+|plans\/\w+)$/.test(url.pathname) || (isCart(url) && !url.searchParams.has('code')),
  answer: ({ title, cart, plan, credits }: Offer) => {
    if (plan !== null) return toPlanXml(plan);
    return title === null ? toCartXml(cart?.lines ?? []) : toTitleXml({ ...title, ...(credits === null ? {} : { credits }) });
  },
  says: ({ title, cart, plan, credits }: Offer, body) => {
    if (plan !== null) return body.includes('<PlanId>');
    if (title === null) return matchesCart(cart?.lines ?? [], body);
    const isSame = body.includes(`<ForSale>${title.forSale}<`) && body.includes('<Credits>') === (credits !== null);
    return isSame && !title.free;
  },
};

const codePort: Port = {
  asks: (url) => url.pathname.endsWith('/redeem/apply') || (isCart(url) && url.searchParams.has('code')),
  answer: ({ cart, plan, price }: NewPrice) => {
    if (cart !== null) return toCartXml(cart.lines);
    if (plan !== null)
      return xml(renderElement('Redemption', [renderFields({ Kind: 'trial', PlanId: plan.id, TrialDays: plan.trialDays })]));
    const { amount = 0, currency = '', symbol = '' } = price ?? {};
    const left = renderElement('Price', [renderFields({ Amount: amount, Currency: currency, CurrencySymbol: symbol })]);
    return xml(renderElement('Redemption', [renderFields({ Kind: 'discount' }), renderElement('Prices', [left])]));
  },
};

/** Only a cart and a plan are requested again: the regular price of a title is known. */
const withoutCodePort: Port = {
  asks: (url) => url.pathname.endsWith('/plans/monthly') || (isCart(url) && !url.searchParams.has('code')),
  answer: ({ cart, plan }: NewPrice) => (plan === null ? toCartXml(cart?.lines ?? []) : toPlanXml(plan)),
  says: ({ cart, plan }: NewPrice, body) => (plan === null ? matchesCart(cart?.lines ?? [], body) : body.includes('<PlanId>')),
};

const previewPort: Port = {
  asks: ({ pathname }) => pathname.endsWith('/gift/preview'),
  answer: ({ pii: { preview } }: { pii: { preview: GiftPreview } }) => json(preview),
  says: (_, body) => body.includes('"subject"'),
};

/** The calls that start a payment, for every offer. */
const beginPort: Port = {
  ...startPort,
  asks: ({ pathname }) =>
    /\/(payment\/session|checkout\/(?:cart|subscription)\/session|purchase\/(?:free|credits))$/.test(pathname),
  answer: (session: PaymentSession) => json(session),
  // For the server, a cart with a title that is now owned has another price.
  serverWillAnswer: (event, world) =>
    new URL(world.page.url()).pathname.startsWith('/cart/')
      ? event.type.startsWith('xstate.done.')
      : (startPort.serverWillAnswer?.(event, world) ?? false),
};

/** The offer of a title asks the library, too. */
const resumedStatusPort: Port = {
  ...statusPort,
  asks: ({ pathname }) => /\/(checkout\/session\/status|user\/gifts|user\/subscription)$/.test(pathname),
  answer: (state: PurchaseState, { pathname }) => {
    if (pathname.endsWith('/gifts')) return json({ gifts: [] });
    return json(pathname.endsWith('/subscription') ? { subscription: null } : state);
  },
  says: (state: PurchaseState, body, url) =>
    url.pathname.endsWith('/subscription') ? body === '{"subscription":null}' : body.includes(`"status":"${state.status}"`),
};

const confirmSubscriptionPort: Port = {
  asks: ({ pathname }) => pathname.endsWith('/subscription/confirm'),
  answer: () => json({ subscriptionId: 's1', status: 'active' }),
};

export const ports: Record<string, Port> = {
  offer: offerPort,
  keptCards: cardsPort,
  creditBalance: balancePort,
  applyCode: codePort,
  removeCode: withoutCodePort,
  giftPreview: previewPort,
  taxQuote: taxPort,
  startPayment: beginPort,
  payByCard: payByCardPort,
  confirmPayment: confirmSubscriptionPort,
  paymentStatus: resumedStatusPort,
};
