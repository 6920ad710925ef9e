import { type Problem } from '../../machines/model/problem.ts';

/**
 * The meaning of the stable error codes, for support; the shop's pages explain them to the customer
 * (`src/views/lazy/refusal-text.tsx`).
 */
const refusalTexts: Readonly<Record<string, string>> = {
  not_found: 'the shop has no such title',
  not_owned: 'the customer does not own the title',
  not_for_sale: 'the title is not for sale',
  tax_place: 'the tax depends on where the customer lives, and that was not said',
  country_not_served: 'the shop does not sell to the customer’s country',
  plan_unchanged: 'the subscription cannot be changed at the moment, and nothing was charged',
  plan_changing: 'another change of the subscription was still under way',
  subscription_over: 'the subscription has ended, and can only be begun anew',
  not_resumable: 'the payment service does not take up again what was cancelled, or it came by a code',
  email_taken: 'there is an account with this e-mail address already',
  bad_email: 'the e-mail address cannot be one',
  wrong_password: 'the current password is wrong',
  no_password: 'the account has no password yet',
  bad_field: 'something in the form cannot be right',
  weak_password: 'the password is too easy to guess',
  common_password: 'the password is one that many people use',
  simple_password: 'the password follows a simple pattern',
  password_is_email: 'the password is the customer’s e-mail address',
  password_is_shop: 'the password is the name of the shop',
  terms_not_agreed: 'the terms of service were not agreed to',
  insufficient_credits: 'the customer has too few credits; none were taken',
  price_changed: 'the price has changed since the customer saw it',
  already_owned: 'the customer owns the title already; nothing was charged',
  free: 'the title is free: there is nothing to pay',
  not_free: 'the title is no longer free',
  cancelled: 'the payment was cancelled; nothing was charged',
  refunded: 'the payment has been refunded',
  not_authorized: 'the payment is not complete; nothing was charged',
  payment_failed: 'the payment did not go through; nothing was charged',
  payment_unknown: 'the payment gateway did not say whether it has charged',
  payment_unavailable: 'the payment gateway could not be reached; nothing was charged',
  conflict: 'the customer is buying the title in another window',
  too_many_attempts: 'too many attempts: the shop asks to wait',
  free_gifts_used: 'the account has sent its free gifts of the day',
  gift_link: 'the gift’s name or message holds a web or e-mail address',
  giver_link: 'the customer’s own name holds a web or e-mail address',
  phone_kind: 'codes are not sent to numbers of this kind',
  phone_country: 'the shop sends no codes to the number’s country',
  phone_country_full: 'the shop has sent its codes of the day to the number’s country',
  too_many_requests: 'too many requests: the shop asks to wait',
  not_implemented: 'the shop does not offer that',
  card_declined: 'the card was declined at the payment page',
  insufficient_funds: 'the card was declined at the payment page: not enough money',
  expired_card: 'the card was declined at the payment page: it has expired',
  authentication_failed: 'the bank did not approve the payment: the customer could not be verified',
  expired: 'the payment page had expired; nothing was charged',
  abandoned: 'the payment was never finished; nothing was charged',
};

/** The reason why a card or payment was declined, by the gateway's code. */
export const describeDecline = (reason: string): string =>
  Object.hasOwn(refusalTexts, reason)
    ? (refusalTexts[reason] ?? '')
    : `the payment did not go through (${reason || 'no reason given'})`;

/** The entity that a machine did not find; for other machines it is a title. */
const notFoundTexts: Readonly<Record<string, string>> = {
  redeem: 'the shop does not know this code',
  payment: 'the shop has no such payment',
};

const describeRefusal = (code: string, message: string, machine: string): string => {
  if (code === 'declined') return describeDecline(message);
  if (code === 'not_found' && Object.hasOwn(notFoundTexts, machine)) return notFoundTexts[machine] ?? '';
  if (Object.hasOwn(refusalTexts, code)) return refusalTexts[code] ?? '';
  return `the server refused${message === '' ? '' : `: “${message}”`} (${code})`;
};

const describeHttpStatus = (status: number): string => {
  if (status === 404) return 'the server has no such thing (HTTP 404)';
  if (status === 429) return 'too many requests: the shop asks to wait (HTTP 429)';
  return status >= 500 ? `the server failed (HTTP ${status})` : `the server refused (HTTP ${status})`;
};

/** Refusals caused by the shop or its gateway, not by the customer. */
const shopFaultCodes: ReadonlySet<string> = new Set(['payment_unknown', 'payment_unavailable', 'not_implemented']);

/** Whether the problem is a refusal, such as a wrong password, and not a fault. */
export const isRefusal = (problem: Problem): boolean =>
  problem.kind === 'unauthorized' ||
  (problem.kind === 'http' && problem.status < 500) ||
  (problem.kind === 'refused' && !shopFaultCodes.has(problem.code));

/**
 * The context of a problem: the machine that stores it, the failed call, and the data that the call
 * requested; `answered` is the call whose response ended the session, by its name in the
 * specification.
 */
export type FailureContext = {
  machine: string;
  call?: string | undefined;
  requestedData?: string | undefined;
  answered?: string | undefined;
};

/** The phases in which payment calls failed; for other calls, the missing data is named. */
const phaseTexts: Readonly<Record<string, string>> = {
  startPayment: 'when the payment was to begin',
  confirmPayment: 'when the payment was to be confirmed',
  paymentStatus: 'when it was asked whether the payment went through',
  statusBeforeCancel: 'when it was asked whether the payment went through',
  signIn: 'when the customer was to be signed in',
  signUp: 'when the account was to be made',
  redeem: 'when the code was to be used',
  payByCard: 'when the saved card was to pay',
};

/** The activities during which reading engines failed to load: there is no call to name. */
const activityTexts: Readonly<Record<string, string>> = {
  book: 'while the book was read',
  tracks: 'while the recording was played',
  interactive: 'while the title was used',
};

/** The reason of a problem, in the shop's terms. */
export const describeReason = (problem: Problem, { machine, call = '', requestedData, answered }: FailureContext): string => {
  const phase = Object.hasOwn(phaseTexts, call) ? phaseTexts[call] : undefined;
  const describeMissing = (reason: string): string => {
    const when = phase ?? (Object.hasOwn(activityTexts, machine) ? activityTexts[machine] : undefined);
    if (when !== undefined) return `${reason} ${when}`;
    return requestedData === undefined ? reason : `${reason} and did not give ${requestedData}`;
  };
  switch (problem.kind) {
    case 'unauthorized':
      return machine === 'signIn'
        ? 'the e-mail address or the password is wrong'
        : `the session had ended (signed out elsewhere, or too old)${answered === undefined ? '' : `, said the answer to ${answered}`}: the shop asks to sign in again`;
    case 'invalidStore':
      return 'the server does not know the store';
    case 'offline':
      return describeMissing('the shop could not be reached (the call or its answer was lost)');
    case 'timeout':
      return describeMissing('the shop did not answer in time');
    case 'http':
      return describeMissing(describeHttpStatus(problem.status));
    case 'refused':
      return describeRefusal(problem.code, problem.message, machine);
    case 'malformed':
      return problem.call === 'port'
        ? `a fault in the page: ${problem.message}`
        : `the answer of ${problem.call} could not be read${problem.field === '' ? '' : ` (${problem.field})`}`;
  }
};
