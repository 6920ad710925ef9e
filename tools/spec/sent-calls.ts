import type { SpecRow } from './row.ts';

/**
 * A call of section 7 as the page sends it, with the row of the call; `path` is below the API's
 * base.
 */
export type SentCall = {
  row: string;
  path?: RegExp;
  method?: 'POST';
  /** query parameters; sent separately where the specification sends JSON */
  query?: readonly string[];
  /** fields of its body; sent as an XML document unless one of them is JSON */
  body?: readonly string[];
  /** user name and password in the header */
  isBasic?: true;
  /** the access token in the header */
  isBearer?: true;
};

const token = 'accesstoken';
const confirmationFields =
  'cardId priceWithTax taxPrice intentId taxRates currency country RedeemPin transactonId addressLine1 addressLine2 cardCity cardState cardCountry giftInfo'.split(
    ' ',
  );
const cartChange = ['campaignId', 'code', token];

/** Every call of section 7 with each parameter that it names. */
const sentCalls: readonly SentCall[] = [
  { row: 'store/properties', query: [token] },
  { row: 'subscription/status', query: [token] },
  { row: 'credits/balance' },
  { row: 'categories' },
  { row: 'categories/sub', path: /^categories$/, query: ['categoryid'] },
  { row: 'plans' },
  { row: 'plans/id', path: /^plans\/[^/]+$/ },
  { row: 'user/signin', query: ['appid'], isBasic: true },
  { row: 'user/signup', method: 'POST', query: ['appid'], body: ['Name'], isBasic: true },
  { row: 'user/signup/fields' },
  { row: 'user/fields/values' },
  { row: 'user/details', method: 'POST', body: ['Name'] },
  { row: 'user/forgotpassword' },
  { row: 'user/token', path: /^user\/token\/[^/]+$/ },
  { row: 'user/resetpassword', method: 'POST', body: ['Token', 'Password'] },
  { row: 'user/purchases' },
  { row: 'user/subscription/cancel' },
  { row: 'user/delete', isBearer: true },
  { row: 'user/devices' },
  { row: 'user/devices/deregister', method: 'POST', body: ['DeviceId'] },
  { row: 'card/add', method: 'POST', body: ['CardNumber', 'ExpiryMonth', 'ExpiryYear', 'Cvc', 'NameOnCard'] },
  { row: 'card/delete', method: 'POST', body: ['CardId'] },
  { row: 'card/change', method: 'POST', body: ['CardId'] },
  { row: 'card/all' },
  { row: 'titles' },
  { row: 'titles/byurl', path: /^titles\/from\/\d+$/ },
  { row: 'titles/id', path: /^titles\/\d+$/ },
  { row: 'titles/isbn', path: /^titles\/isbn\/\d+$/ },
  { row: 'titles/related', path: /^titles\/\d+\/related$/ },
  { row: 'pages/page', path: /^pages\/[^/]+$/ },
  { row: 'theme' },
  { row: 'coral/token' },
  { row: 'user/validate', query: [token] },
  { row: 'checkout/subscription/session', query: ['planId', token, 'code', 'method'] },
  { row: 'razorpay/verify', query: [token, 'paymentId', 'subscriptionId', 'sign'] },
  { row: 'customer/portal/session', query: [token, 'upgradeplan'] },
  { row: 'subscription/purchase', query: ['planId', 'cardId', token, 'code'] },
  { row: 'subscription/confirm', query: ['intentId', 'subscriptionId', token] },
  { row: 'payment/session', query: ['titleId', 'price', 'currency', token, 'code', 'method', 'giftInfo'] },
  { row: 'purchase/free' },
  { row: 'purchase/title', query: ['cardId', 'Price', 'currency', 'country', 'RedeemPin'] },
  { row: 'purchase/title/confirm', query: confirmationFields },
  { row: 'user/has-title', query: [token, 'transId'] },
  { row: 'purchase/info', query: ['transId', 'isgift'] },
  { row: 'purchase/credits', method: 'POST', body: ['credits', 'creditCurrency'] },
  { row: 'tax', query: ['titleid', token, 'price'] },
  { row: 'redeem/apply', query: [token, 'code', 'subscription', 'titleid'] },
  { row: 'redeem/title', query: ['code'] },
  { row: 'redeem/titles', query: ['RedeemPin'] },
  { row: 'cart/add', query: cartChange },
  { row: 'cart/remove', query: cartChange },
  { row: 'cart/removeCampaign', query: cartChange },
  { row: 'cart/titles' },
  { row: 'checkout/cart/session', query: [token, 'code', 'method', 'giftInfo'] },
  { row: 'checkout/session/status', query: ['transId'] },
  { row: 'campaign/titles' },
  { row: 'viewer/components', query: [token, 'instanceid', 'sample'] },
  { row: 'viewer/url', query: [token, 'instanceid', 'content', 'sample'] },
  { row: 'viewer/progress', query: [token, 'titleid', 'contextkey'] },
  { row: 'viewer/progress-save', path: /^viewer\/progress$/, method: 'POST', query: [token, 'titleid', 'contextkey'] },
];

/** One row's part of a call: the call itself, a parameter, a field or a header. */
export type SentPart = { id: string; call: SentCall } & (
  | { kind: 'call' }
  | { kind: 'query' | 'body'; name: string }
  | { kind: 'basic' | 'bearer' }
);

/** All parts of all calls, each with its row of the specification. */
export const sentParts: readonly SentPart[] = sentCalls.flatMap((call): SentPart[] => {
  const id = `S7.${call.row}`;
  return [
    { id, call, kind: 'call' },
    ...(call.query ?? []).map((name) => ({ id: `${id}?${name}`, call, kind: 'query' as const, name })),
    ...(call.body ?? []).map((name) => ({ id: `${id}/${name}`, call, kind: 'body' as const, name })),
    ...(call.isBasic ? [{ id: `${id}:basic`, call, kind: 'basic' as const }] : []),
    ...(call.isBearer ? [{ id: `${id}:bearer`, call, kind: 'bearer' as const }] : []),
  ];
});

const describePart = (part: SentPart): string => {
  switch (part.kind) {
    case 'query':
      return `the page sends ${part.name} with ${part.call.row}`;
    case 'body':
      return `the page sends ${part.name} in the document of ${part.call.row}`;
    case 'basic':
      return `the page sends ${part.call.row} with user name and password`;
    case 'bearer':
      return `the page sends ${part.call.row} with the access token in the header`;
    case 'call':
      return '';
  }
};

/** Rows of the parameters; those of the calls are in `calls.ts`. */
export const parameterRows: SpecRow[] = sentParts.flatMap((part) =>
  part.kind === 'call' ? [] : [{ id: part.id, text: describePart(part) }],
);
