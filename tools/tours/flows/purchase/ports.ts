import type { NewPrice, Offer } from '../../../../machines/buying/purchase/offer.ts';
import type { PurchaseState } from '../../../../machines/buying/payment-setup.ts';
import type { GiftPreview } from '../../../../machines/model/buying/gift.ts';
import type { PaymentSession } from '../../../../machines/model/buying/purchase.ts';
import type { Plan } from '../../../../machines/model/buying/subscription.ts';
import { renderElement, renderFields } from '../../../../server/base/xml/write.ts';
import type { Port } from '../../browser-adapter.ts';
import { toJsonResponse, toTitleXml, toXmlResponse } from '../../wires.ts';
import { toCartXml, matchesCart } from '../cart/wires.ts';
import { balancePort, cardsPort, payByCardPort, startPort, statusPort, taxPort } from './adapter-helpers.ts';

const toPlanXml = ({ id, name, price, interval, trialDays, credits }: Plan) =>
  toXmlResponse(
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

const isCartCall = ({ pathname }: URL): boolean => pathname.endsWith('/cart/titles');

const offerPort: Port = {
  matches: (url) => /\/(titles\/\d+|plans\/\w+)$/.test(url.pathname) || (isCartCall(url) && !url.searchParams.has('code')),
  toResponse: ({ title, cart, plan, credits }: Offer) => {
    if (plan !== null) return toPlanXml(plan);
    return title === null ? toCartXml(cart?.lines ?? []) : toTitleXml({ ...title, ...(credits === null ? {} : { credits }) });
  },
  isEquivalent: ({ title, cart, plan, credits }: Offer, body) => {
    if (plan !== null) return body.includes('<PlanId>');
    if (title === null) return matchesCart(cart?.lines ?? [], body);
    const isSameOffer = body.includes(`<ForSale>${title.forSale}<`) && body.includes('<Credits>') === (credits !== null);
    return isSameOffer && !title.free;
  },
};

const codePort: Port = {
  matches: (url) => url.pathname.endsWith('/redeem/apply') || (isCartCall(url) && url.searchParams.has('code')),
  toResponse: ({ cart, plan, price }: NewPrice) => {
    if (cart !== null) return toCartXml(cart.lines);
    if (plan !== null)
      return toXmlResponse(
        renderElement('Redemption', [renderFields({ Kind: 'trial', PlanId: plan.id, TrialDays: plan.trialDays })]),
      );
    const { amount = 0, currency = '', symbol = '' } = price ?? {};
    const reducedPrice = renderElement('Price', [renderFields({ Amount: amount, Currency: currency, CurrencySymbol: symbol })]);
    return toXmlResponse(
      renderElement('Redemption', [renderFields({ Kind: 'discount' }), renderElement('Prices', [reducedPrice])]),
    );
  },
};

/**
 * The offer without a code: only a cart or a plan is requested; a title's regular price is known.
 */
const regularPricePort: Port = {
  matches: (url) => url.pathname.endsWith('/plans/monthly') || (isCartCall(url) && !url.searchParams.has('code')),
  toResponse: ({ cart, plan }: NewPrice) => (plan === null ? toCartXml(cart?.lines ?? []) : toPlanXml(plan)),
  isEquivalent: ({ cart, plan }: NewPrice, body) =>
    plan === null ? matchesCart(cart?.lines ?? [], body) : body.includes('<PlanId>'),
};

const previewPort: Port = {
  matches: ({ pathname }) => pathname.endsWith('/gift/preview'),
  toResponse: ({ pii: { preview } }: { pii: { preview: GiftPreview } }) => toJsonResponse(preview),
  isEquivalent: (_, body) => body.includes('"subject"'),
};

/** The calls that start a payment of any offer. */
const startOfferPort: Port = {
  ...startPort,
  matches: ({ pathname }) =>
    /\/(payment\/session|checkout\/(?:cart|subscription)\/session|purchase\/(?:free|credits))$/.test(pathname),
  toResponse: (session: PaymentSession) => toJsonResponse(session),
  // For a cart with a title that is now owned, the server reports a changed price instead.
  serverWillAnswer: (event, walk) =>
    new URL(walk.page.url()).pathname.startsWith('/cart/')
      ? event.type.startsWith('xstate.done.')
      : (startPort.serverWillAnswer?.(event, walk) ?? false),
};

/**
 * The status of a resumed payment. The library is not requested here: the offer of a title also
 * requests it.
 */
const resumedStatusPort: Port = {
  ...statusPort,
  matches: ({ pathname }) => /\/(checkout\/session\/status|user\/gifts|user\/subscription)$/.test(pathname),
  toResponse: (state: PurchaseState, { pathname }) => {
    if (pathname.endsWith('/gifts')) return toJsonResponse({ gifts: [] });
    return toJsonResponse(pathname.endsWith('/subscription') ? { subscription: null } : state);
  },
  isEquivalent: (state: PurchaseState, body, url) =>
    url.pathname.endsWith('/subscription') ? body === '{"subscription":null}' : body.includes(`"status":"${state.status}"`),
};

const confirmSubscriptionPort: Port = {
  matches: ({ pathname }) => pathname.endsWith('/subscription/confirm'),
  toResponse: () => toJsonResponse({ subscriptionId: 's1', status: 'active' }),
};

export const ports: Record<string, Port> = {
  offer: offerPort,
  savedCards: cardsPort,
  creditBalance: balancePort,
  applyCode: codePort,
  removeCode: regularPricePort,
  giftPreview: previewPort,
  taxQuote: taxPort,
  startPayment: startOfferPort,
  payByCard: payByCardPort,
  confirmPayment: confirmSubscriptionPort,
  paymentStatus: resumedStatusPort,
};
