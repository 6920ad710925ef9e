import type { NewPrice, Offer } from '../../../../machines/buying/purchase/offer.ts';
import type { PurchaseState } from '../../../../machines/buying/payment-setup.ts';
import type { GiftLetter } from '../../../../machines/model/buying/gift.ts';
import type { PaymentSession } from '../../../../machines/model/buying/purchase.ts';
import type { Plan } from '../../../../machines/model/buying/subscription.ts';
import { element, fields } from '../../../../server/base/xml/write.ts';
import type { Port } from '../../stage.ts';
import { json, titleWire, xml } from '../../wires.ts';
import { cartWire, saysSame } from '../cart/wires.ts';
import { balancePort, cardsPort, payByCardPort, startPort, statusPort, taxPort } from './stage-helpers.ts';

const planWire = ({ id, name, price, interval, trialDays, credits }: Plan) =>
  xml(
    element('Plan', [
      fields({
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
    if (plan !== null) return planWire(plan);
    return title === null ? cartWire(cart?.lines ?? []) : titleWire({ ...title, ...(credits === null ? {} : { credits }) });
  },
  says: ({ title, cart, plan, credits }: Offer, body) => {
    if (plan !== null) return body.includes('<PlanId>');
    if (title === null) return saysSame(cart?.lines ?? [], body);
    const isSame = body.includes(`<ForSale>${title.forSale}<`) && body.includes('<Credits>') === (credits !== null);
    return isSame && !title.free;
  },
};

const codePort: Port = {
  asks: (url) => url.pathname.endsWith('/redeem/apply') || (isCart(url) && url.searchParams.has('code')),
  answer: ({ cart, plan, price }: NewPrice) => {
    if (cart !== null) return cartWire(cart.lines);
    if (plan !== null) return xml(element('Redemption', [fields({ Kind: 'trial', PlanId: plan.id, TrialDays: plan.trialDays })]));
    const { amount = 0, currency = '', symbol = '' } = price ?? {};
    const left = element('Price', [fields({ Amount: amount, Currency: currency, CurrencySymbol: symbol })]);
    return xml(element('Redemption', [fields({ Kind: 'discount' }), element('Prices', [left])]));
  },
};

/** Only a cart and a plan are asked for again: the usual price of a title is known. */
const withoutCodePort: Port = {
  asks: (url) => url.pathname.endsWith('/plans/monthly') || (isCart(url) && !url.searchParams.has('code')),
  answer: ({ cart, plan }: NewPrice) => (plan === null ? cartWire(cart?.lines ?? []) : planWire(plan)),
  says: ({ cart, plan }: NewPrice, body) => (plan === null ? saysSame(cart?.lines ?? [], body) : body.includes('<PlanId>')),
};

const letterPort: Port = {
  asks: ({ pathname }) => pathname.endsWith('/gift/preview'),
  answer: ({ pii: { letter } }: { pii: { letter: GiftLetter } }) => json(letter),
  says: (_, body) => body.includes('"subject"'),
};

/** The calls that begin a payment, of every offer. */
const begin: Port = {
  ...startPort,
  asks: ({ pathname }) =>
    /\/(payment\/session|checkout\/(?:cart|subscription)\/session|purchase\/(?:free|credits))$/.test(pathname),
  answer: (session: PaymentSession) => json(session),
  // A cart of which a title is owned by now has another price for the server.
  serverGives: (event, world) =>
    new URL(world.page.url()).pathname.startsWith('/cart/')
      ? event.type.startsWith('xstate.done.')
      : (startPort.serverGives?.(event, world) ?? false),
};

/** The library is asked by the offer of a title, too. */
const status: Port = {
  ...statusPort,
  asks: ({ pathname }) => /\/(checkout\/session\/status|user\/gifts|user\/subscription)$/.test(pathname),
  answer: (state: PurchaseState, { pathname }) => {
    if (pathname.endsWith('/gifts')) return json({ gifts: [] });
    return json(pathname.endsWith('/subscription') ? { subscription: null } : state);
  },
  says: (state: PurchaseState, body, url) =>
    url.pathname.endsWith('/subscription') ? body === '{"subscription":null}' : body.includes(`"status":"${state.status}"`),
};

const confirm: Port = {
  asks: ({ pathname }) => pathname.endsWith('/subscription/confirm'),
  answer: () => json({ subscriptionId: 's1', status: 'active' }),
};

export const ports: Record<string, Port> = {
  offer: offerPort,
  keptCards: cardsPort,
  creditBalance: balancePort,
  applyCode: codePort,
  removeCode: withoutCodePort,
  giftLetter: letterPort,
  taxQuote: taxPort,
  startPayment: begin,
  payByCard: payByCardPort,
  confirmPayment: confirm,
  paymentStatus: status,
};
