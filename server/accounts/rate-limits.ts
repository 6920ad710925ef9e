import { DAY_MINUTES, HOUR_MINUTES, type LimitKey, type OperationId, QUARTER_MINUTES, type RateLimit } from './limit-row.ts';
import {
  CHANGE_CALLS,
  CODE_CALLS,
  GIFT_CALLS,
  PASSWORD_CALLS,
  PAYMENT_CALLS,
  PROVIDER_CALLS,
  SIGN_UP_CALLS,
} from './limited-calls.ts';

/**
 * Every rate limit. The name begins the subject under which calls are counted in the database;
 * limits for the same calls are counted in the order of the table. `docs/rate-limits.md` shows it
 * to operators.
 */
export const RATE_LIMITS = {
  // Accounts and sign-in
  'sign-up': {
    per: 'network',
    max: 'SIGN_UPS_PER_HOUR',
    minutes: HOUR_MINUTES,
    countedBy: SIGN_UP_CALLS,
    why: 'Sign-ups: each costs a password hash. On known devices too, or each new account would permit further ones.',
  },
  pair: {
    per: 'network and account',
    max: 5,
    minutes: QUARTER_MINUTES,
    waits: { seconds: QUARTER_MINUTES * 60, reopens: true },
    countedBy: PASSWORD_CALLS,
    why: 'Wrong passwords of strangers for one account from one network. A correct one resets the counter.',
  },
  network: {
    per: 'network',
    max: 60,
    minutes: QUARTER_MINUTES,
    waits: { seconds: 30, reopens: false },
    countedBy: PASSWORD_CALLS,
    why: 'Wrong passwords for any accounts: slows one password that is tried with many accounts.',
  },
  account: {
    per: 'account',
    max: 200,
    minutes: QUARTER_MINUTES,
    // A short delay, since strangers can cause it for the owner's new devices.
    waits: { seconds: 30, reopens: false },
    countedBy: PASSWORD_CALLS,
    why: 'Wrong passwords from all strangers together: slows a guesser with many networks.',
  },
  'password-session': {
    per: 'customer',
    max: 5,
    minutes: QUARTER_MINUTES,
    waits: { seconds: QUARTER_MINUTES * 60, reopens: true },
    countedBy: PASSWORD_CALLS,
    why: 'Wrong passwords from an account’s own sessions. A correct one resets the counter.',
  },
  'password-device': {
    per: 'customer',
    max: 100,
    minutes: QUARTER_MINUTES,
    countedBy: PASSWORD_CALLS,
    why: 'Passwords from an account’s known devices, correct ones too: checks are work for the whole shop. Over it, devices count as strangers.',
  },
  'password-device-day': {
    per: 'customer',
    max: 400,
    minutes: DAY_MINUTES,
    countedBy: PASSWORD_CALLS,
    why: 'The same for a day, against a person who has a device that its customer has signed out of.',
  },
  'reset-own': {
    per: 'customer',
    max: 5,
    minutes: HOUR_MINUTES,
    countedBy: ['forgotPassword'],
    why: 'Password reset e-mails, from all known devices of the account.',
  },
  reset: {
    per: 'caller',
    max: { customer: 5, network: 30 },
    minutes: HOUR_MINUTES,
    countedBy: ['forgotPassword'],
    why: 'Password reset e-mails.',
  },
  'reset-account': {
    per: 'account',
    max: 5,
    minutes: HOUR_MINUTES,
    countedBy: ['forgotPassword'],
    why: 'The same for one address, from all callers but the account’s known devices.',
  },
  'reset-link': {
    per: 'network',
    max: 60,
    minutes: QUARTER_MINUTES,
    countedBy: ['validateResetToken', 'resetWays', 'resetPassword'],
    why: 'Invalid password reset links. Links cannot be guessed: this spares the database.',
  },
  'open-call': {
    per: 'caller',
    max: { customer: 60, network: 240 },
    minutes: QUARTER_MINUTES,
    calls: ['forgotPassword', 'deleteUser'],
    why: 'Calls without a session whose answers are stored for repetitions, refusals too: each costs a row.',
  },
  provider: {
    per: 'caller',
    max: { customer: 60, network: 120 },
    minutes: QUARTER_MINUTES,
    countedBy: PROVIDER_CALLS,
    why: 'Sign-ins by providers and passkeys, started or finished: each calls another server or costs a row. Codes by telephone of unknown requests.',
  },
  'passkey-offer': {
    per: 'caller',
    max: { customer: 300, network: 1200 },
    minutes: QUARTER_MINUTES,
    countedBy: ['startPasskeySignIn'],
    why: 'Passkeys offered by browsers on sign-in pages: each costs a row.',
  },
  // Codes by text message: each costs the store money, and each allows a few guesses
  'sms-own': {
    per: 'customer',
    max: 5,
    minutes: HOUR_MINUTES,
    countedBy: ['sendPhoneCode'],
    why: 'Codes by text message to an account’s number, from all its known devices.',
  },
  'sms-own-phone': {
    per: 'phone',
    max: 20,
    minutes: DAY_MINUTES,
    countedBy: ['sendPhoneCode'],
    why: 'The same for a day.',
  },
  sms: {
    per: 'caller',
    max: { customer: 5, network: 30 },
    minutes: HOUR_MINUTES,
    countedBy: ['sendPhoneCode'],
    why: 'Codes by text message: each costs the store money, and each allows a few guesses.',
  },
  'sms-pair': {
    per: 'network and phone',
    max: 5,
    minutes: HOUR_MINUTES,
    countedBy: ['sendPhoneCode'],
    why: 'The same to one number. Over it, all browsers that ask for the number get one code, which works for an hour.',
  },
  'sms-day': {
    per: 'caller',
    max: { customer: 60, network: 60 },
    minutes: DAY_MINUTES,
    countedBy: ['sendPhoneCode'],
    why: 'Codes within a day, so that no network uses up those to a country.',
  },
  'sms-phone': {
    per: 'phone',
    max: 40,
    minutes: DAY_MINUTES,
    countedBy: ['sendPhoneCode'],
    why: 'Codes to one number from all strangers. Over it, all browsers that ask get one code, which works for an hour.',
  },
  'sms-own-country': {
    per: 'country',
    max: 'SMS_PER_COUNTRY_DAY',
    minutes: DAY_MINUTES,
    countedBy: ['sendPhoneCode'],
    why: 'Codes to the numbers of one country, to accounts’ known devices: limits the cost of fraud.',
  },
  'sms-country': {
    per: 'country',
    max: 'SMS_PER_COUNTRY_DAY',
    minutes: DAY_MINUTES,
    countedBy: ['sendPhoneCode'],
    why: 'The same for strangers. The log says once a day that it was reached.',
  },
  'sms-shared-country': {
    per: 'country',
    max: 'SMS_PER_COUNTRY_DAY',
    minutes: DAY_MINUTES,
    countedBy: ['sendPhoneCode'],
    why: 'Shared codes to numbers that open an account, counted apart from the messages that strangers ask for.',
  },
  'sms-shared-phone': {
    per: 'phone',
    max: 40,
    minutes: DAY_MINUTES,
    countedBy: ['sendPhoneCode'],
    why: 'Shared codes to one number. Strangers cause 29 at most; the others follow codes that its owner has used.',
  },
  // Buying
  redeem: {
    per: 'caller',
    max: { customer: 6, network: 12 },
    minutes: 1,
    countedBy: CODE_CALLS,
    why: 'Wrong redeem codes. A right one is not counted.',
  },
  payment: {
    per: 'customer',
    max: 60,
    minutes: QUARTER_MINUTES,
    calls: PAYMENT_CALLS,
    why: 'Payments started: each may write a transaction and ask the gateway. A customer can start one every 15 s for the whole window.',
  },
  'payment-day': {
    per: 'customer',
    max: 300,
    minutes: DAY_MINUTES,
    calls: PAYMENT_CALLS,
    why: 'The same for a day: transactions are never deleted.',
  },
  gift: {
    per: 'customer',
    max: 30,
    minutes: QUARTER_MINUTES,
    countedBy: GIFT_CALLS,
    why: 'New gifts: each is a row, a transaction and a payment at the gateway. A customer can start one every 30 s.',
  },
  'gift-day': {
    per: 'customer',
    max: 100,
    minutes: DAY_MINUTES,
    countedBy: GIFT_CALLS,
    why: 'The same for a day.',
  },
  confirm: {
    per: 'customer',
    max: 180,
    minutes: QUARTER_MINUTES,
    calls: ['confirmTitlePurchase', 'confirmSubscription', 'verifyRazorpay'],
    why: 'Payments confirmed: three times as many as can be started, so that none that was started is held up.',
  },
  'payment-status': {
    per: 'customer',
    max: 900,
    minutes: QUARTER_MINUTES,
    calls: ['sessionStatus', 'ownSubscription', 'quotePlanChange'],
    why: 'Calls that the gateway answers. A page that waits for a payment polls after 3 s, and then less and less often.',
  },
  'card-session': {
    per: 'customer',
    max: 20,
    minutes: HOUR_MINUTES,
    calls: ['cardSession'],
    why: 'Pages of the gateway for another card: each is stored there. A customer can add a card every 3 minutes.',
  },
  'gateway-change': {
    per: 'customer',
    max: 60,
    minutes: QUARTER_MINUTES,
    calls: ['addCard', 'deleteCard', 'changeCard', 'customerPortal', 'cancelSubscription', 'resumeSubscription'],
    why: 'Changes of cards and of the subscription: the gateway is notified of each.',
  },
  'free-gift': {
    per: 'customer',
    max: { trusted: 10, other: 3 },
    minutes: DAY_MINUTES,
    countedBy: ['purchaseFreeTitle', 'resendGift'],
    why: 'E-mails with free gifts, including those sent again: they are free for spammers.',
  },
  'free-gift-network': {
    per: 'network',
    max: 12,
    minutes: DAY_MINUTES,
    countedBy: ['purchaseFreeTitle', 'resendGift'],
    why: 'The same for all givers of a network whose account is younger than a day or was never verified.',
  },
  'free-gift-to': {
    per: 'recipient',
    max: 3,
    minutes: DAY_MINUTES,
    countedBy: ['purchaseFreeTitle', 'resendGift'],
    why: 'The same from all givers.',
  },
  resend: {
    per: 'customer',
    max: 20,
    minutes: HOUR_MINUTES,
    calls: ['resendGift'],
    why: 'E-mails with gifts that are sent again. One gift has ten altogether, and ten minutes between two to one address.',
  },
  // Account, cart and library
  details: {
    per: 'customer',
    max: 60,
    minutes: HOUR_MINUTES,
    calls: ['saveUserDetails'],
    why: 'Saved details: a new password costs a hash and an e-mail.',
  },
  'email-change': {
    per: 'customer',
    max: 5,
    minutes: DAY_MINUTES,
    countedBy: ['saveUserDetails'],
    why: 'Changes of the e-mail address: the previous address gets an e-mail, whether or not it was the customer’s.',
  },
  'data-download': {
    per: 'customer',
    max: 10,
    minutes: HOUR_MINUTES,
    calls: ['userData'],
    why: 'Downloads of the customer’s data: each reads nearly every table and writes to the audit log.',
  },
  change: {
    per: 'customer',
    max: 300,
    minutes: QUARTER_MINUTES,
    calls: CHANGE_CALLS,
    why: 'Other changes, of cart, wish list, library and account: one every 3 s for the whole window.',
  },
  'change-day': {
    per: 'customer',
    max: 2000,
    minutes: DAY_MINUTES,
    calls: CHANGE_CALLS,
    why: 'The same for a day: answers are stored for a day for repetitions of an Idempotency-Key.',
  },
  progress: {
    per: 'customer',
    max: 600,
    minutes: 1,
    calls: ['saveViewerProgress'],
    why: 'Saved reading positions: ten readers of an account may turn a page every second.',
  },
  'progress-context': {
    per: 'customer',
    max: 120,
    minutes: HOUR_MINUTES,
    countedBy: ['saveViewerProgress'],
    why: 'Positions under a new context key: each is a row. A title has one, and its sample another.',
  },
} as const satisfies Record<string, RateLimit>;

export type LimitName = keyof typeof RATE_LIMITS;

/** The names of the limits that count by one of these keys. */
export type LimitNameBy<Key extends LimitKey> = {
  [Name in LimitName]: (typeof RATE_LIMITS)[Name]['per'] extends Key ? Name : never;
}[LimitName];

/** Calls that change something and have no limit, each with its reason. */
export const UNLIMITED_CALLS: Partial<Record<OperationId, string>> = {
  signOut: 'ends the session that it is sent with, so it is sent once',
};
