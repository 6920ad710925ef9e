import type { SentCall } from '../../../../tools/spec/sent-calls.ts';
import { billingAddress } from './documents.ts';
import type { ReceivedCall } from './server.ts';
import type { State } from './state.ts';
import { gift } from './test.ts';
import { readField } from './wire.ts';

/** The values of one call, by the names that the specification gives to its parameters. */
export type Values = Readonly<Record<string, unknown>>;

/** Takes the place of every token that the server has issued. */
const accesstoken = 'a token of the server';
const signedIn = { accesstoken };

const code = 'A-FIFTH-OFF';
const monthCode = 'A-MONTH';

/** The ids of the stories' transactions, which the server numbers in order. */
const transactionIds = {
  onGatewayPage: 'T1',
  byCard: 'T3',
  gift: 'T4',
  withCredits: 'T5',
  cart: 'T6',
  cartGift: 'T7',
  byRazorpay: 'T10',
};
const subscriptionIds = { onGatewayPage: 'T8', byCard: 'T9' };

const confirmValues = (id: string, price: number, tax: number): Values => ({
  transactonId: id,
  intentId: `I-${id}`,
  currency: 'EUR',
  country: 'AT',
  cardCountry: 'AT',
  taxPrice: String(tax),
  priceWithTax: String(price + tax),
  taxRates: JSON.stringify([{ name: 'VAT', percent: 20 }]),
});
const sessionValues = { titleId: '4', price: '5', currency: 'EUR', method: 'card', ...signedIn };
const cartChange = { code, campaignId: 'spring', ...signedIn };

/**
 * The values that the page sends with each call in the stories of `calls.spec.ts`: each distinct
 * combination once, in any order.
 */
export const expectedStoryValues: Readonly<Record<string, readonly Values[]>> = {
  'store/properties': [{}, signedIn],
  'subscription/status': [signedIn],
  'categories/sub': [{}, { categoryid: '10' }],
  'user/signin': [{ appid: 'web' }],
  'user/signup': [{ appid: 'web', Name: 'A Reader' }],
  'user/details': [{ Name: 'Another Reader' }],
  'user/resetpassword': [{ Token: '1', Password: 'a quay of one’s own' }],
  'user/devices/deregister': [{ DeviceId: 'd-other' }],
  'user/validate': [signedIn],
  'card/add': ['4242424242424242', '5555555555554444'].map((CardNumber) => ({
    CardNumber,
    ExpiryMonth: '12',
    ExpiryYear: '2034',
    Cvc: '123',
    NameOnCard: 'A Reader',
  })),
  'card/delete': [{ CardId: 'card-1' }],
  'card/change': [{ CardId: 'card-2' }],
  'checkout/subscription/session': [{ planId: 'gold', code: monthCode, method: 'card', ...signedIn }],
  'razorpay/verify': [{ paymentId: 'pay_1', subscriptionId: 'order_1', sign: 'signed', ...signedIn }],
  'customer/portal/session': [{ upgradeplan: 'plain', ...signedIn }],
  'subscription/purchase': [{ planId: 'gold', cardId: 'card-1', code: monthCode, ...signedIn }],
  'subscription/confirm': Object.values(subscriptionIds).map((id) => ({ subscriptionId: id, intentId: `I-${id}`, ...signedIn })),
  'payment/session': [sessionValues, { ...sessionValues, giftInfo: gift }, { ...sessionValues, price: '4', code }],
  'purchase/title': [{ cardId: 'card-1', Price: '4', currency: 'EUR', country: 'AT', RedeemPin: code }],
  'purchase/title/confirm': [
    { ...confirmValues(transactionIds.onGatewayPage, 4, 0.8), RedeemPin: code },
    {
      ...confirmValues(transactionIds.byCard, 4, 0.8),
      RedeemPin: code,
      cardId: 'card-1',
      addressLine1: billingAddress.Line1,
      addressLine2: billingAddress.Line2,
      cardCity: billingAddress.City,
      cardState: billingAddress.State,
    },
    { ...confirmValues(transactionIds.gift, 5, 1), giftInfo: gift },
    { ...confirmValues(transactionIds.cart, 9, 1.8), RedeemPin: code },
    { ...confirmValues(transactionIds.cartGift, 14, 2.8), giftInfo: gift },
    confirmValues(transactionIds.byRazorpay, 5, 1),
  ],
  // The page also requests it for each viewed title, a use that the specification does not name.
  'user/has-title': [
    signedIn,
    ...[
      transactionIds.onGatewayPage,
      transactionIds.byCard,
      transactionIds.withCredits,
      transactionIds.cart,
      transactionIds.byRazorpay,
    ].map((transId) => ({
      transId,
      ...signedIn,
    })),
  ],
  'purchase/info': Object.values(transactionIds).map((transId) =>
    transId === transactionIds.gift || transId === transactionIds.cartGift ? { transId, isgift: 'true' } : { transId },
  ),
  'purchase/credits': [{ credits: 2, creditCurrency: 'Pearls' }],
  tax: [
    { titleid: '4', price: '4', ...signedIn },
    { titleid: '4', price: '5', ...signedIn },
    { titleid: '5', price: '9', ...signedIn },
    // The tax of a cart is requested without a title id.
    { price: '9', ...signedIn },
    { price: '14', ...signedIn },
  ],
  'redeem/apply': [
    { code, titleid: '4', ...signedIn },
    { code: 'ONE-TITLE', ...signedIn },
    { code: 'ONE-OF-TWO', ...signedIn },
    { code: monthCode, ...signedIn },
    { code: monthCode, subscription: 'true', ...signedIn },
  ],
  'redeem/title': [{ code: 'ONE-TITLE' }],
  'redeem/titles': [{ RedeemPin: 'ONE-OF-TWO' }],
  'cart/add': [{ campaignId: 'spring', ...signedIn }, { code, ...signedIn }, cartChange],
  'cart/remove': [cartChange],
  'cart/removeCampaign': [cartChange],
  'checkout/cart/session': [
    { code, method: 'card', ...signedIn },
    { giftInfo: gift, method: 'card', ...signedIn },
  ],
  'checkout/session/status': [
    transactionIds.onGatewayPage,
    transactionIds.gift,
    transactionIds.cart,
    transactionIds.cartGift,
    transactionIds.byRazorpay,
  ].map((transId) => ({ transId })),
  'viewer/components': [
    { instanceid: '4', sample: 'true', ...signedIn },
    { instanceid: 'copy-1', ...signedIn },
  ],
  'viewer/url': [
    { instanceid: '4', content: 'whole', sample: 'true', ...signedIn },
    { instanceid: 'copy-1', content: 'whole', ...signedIn },
  ],
  'viewer/progress': [
    { titleid: '4', contextkey: 'sample', ...signedIn },
    { titleid: '1', contextkey: 'sample', ...signedIn },
    { titleid: '1', contextkey: 'epub', ...signedIn },
  ],
  'viewer/progress-save': [{ titleid: '1', contextkey: 'epub', ...signedIn }],
};

/** The fields of a gift that the specification names; `GiftId` is an addition. */
const parseGift = (text: string): unknown => {
  const { GiftId: _, ...giftFields } = JSON.parse(text) as Record<string, unknown>;
  return giftFields;
};

const readBodyField = (body: string, name: string): unknown =>
  body.startsWith('{') ? (JSON.parse(body) as Record<string, unknown>)[name] : readField(body, name);

/** The values of a call of the page, for the parameters that the specification names. */
export const readSentValues = ({ query = [], body = [] }: SentCall, receivedCall: ReceivedCall, state: State): Values => {
  const toValue = (name: string, text: string): unknown => {
    if (name === 'giftInfo') return parseGift(text);
    return name === 'accesstoken' && state.tokens.has(text) ? accesstoken : text;
  };
  const queryValues = query.flatMap((name) => {
    const text = receivedCall.query[name];
    return text === undefined ? [] : [[name, toValue(name, text)] as const];
  });
  return Object.fromEntries([...queryValues, ...body.map((name) => [name, readBodyField(receivedCall.body, name)] as const)]);
};
