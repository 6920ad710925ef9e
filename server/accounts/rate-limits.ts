import type { Database } from '../database/open.ts';
import { decrement, type Limit } from './call-counters.ts';
import {
  callerLimits,
  countCall,
  countInTurn,
  DAY_MINUTES,
  HOUR_MINUTES,
  networkLimits,
  QUARTER_MINUTES,
  secondsOf,
  type Caller,
} from './caller-limits.ts';

/**
 * Counts a new account before its password is hashed, which is costly work. By network also on a
 * known device: each account could allow for others, without end.
 * @param maxAccounts of one network within an hour
 * @returns seconds to wait; 0 when it may be made
 */
export const countSignUp = async (db: Database, storeId: string, address: string, maxAccounts: number): Promise<number> => {
  const window = { maxCalls: maxAccounts, minutes: HOUR_MINUTES };
  return secondsOf(
    await countCall(
      db,
      storeId,
      networkLimits(address, window, (network) => `sign-up:${network}`),
    ),
  );
};

/**
 * E-mails with a link for a new password within an hour; `own` for all known devices of an account.
 */
const RESETS_PER_HOUR = { own: 5, customer: 5, network: 30, account: 5, minutes: HOUR_MINUTES };

/**
 * Counts a request for a new password, whether or not the account exists.
 * @param ownerId the customer of the address, where the account knows the calling device
 * @returns seconds to wait; 0 when an e-mail may be sent
 */
export async function countResetRequest(
  db: Database,
  caller: Caller,
  { email, ownerId }: { email: string; ownerId: string | undefined },
): Promise<number> {
  const { own, account, minutes } = RESETS_PER_HOUR;
  const ofAccount = { subject: `reset-account:${email}`, maxCalls: account, minutes };
  const turns = callerLimits('reset', caller, RESETS_PER_HOUR).map((limits) => [...limits, ofAccount]);
  if (ownerId !== undefined) turns.unshift([{ subject: `reset-own:${ownerId}`, maxCalls: own, minutes }]);
  return secondsOf(await countInTurn(db, caller.storeId, turns));
}

/**
 * Bad links that one network may try within a quarter of an hour. Links cannot be guessed; this
 * spares the database.
 */
const BAD_RESET_LINKS = { maxCalls: 60, minutes: QUARTER_MINUTES };

/** Counts a link that is not good. @returns seconds to wait; 0 when the answer may say so */
export const countBadResetLink = async (db: Database, storeId: string, address: string): Promise<number> =>
  secondsOf(
    await countCall(
      db,
      storeId,
      networkLimits(address, BAD_RESET_LINKS, (network) => `reset-link:${network}`),
    ),
  );

/**
 * Codes by text message: each costs the store money, and each allows a few guesses. `own` for all
 * known devices of an account.
 */
const SMS_PER_HOUR = { own: 5, customer: 5, network: 30, phoneFromNetwork: 5, minutes: HOUR_MINUTES };
/** Messages of one network within a day: it does not use up those to a country. */
const SMS_PER_NETWORK_DAY = { maxCalls: 60, minutes: DAY_MINUTES };
/**
 * To one number within a day: for all strangers together more than its owner needs, so that they
 * hardly use it up.
 */
const SMS_PER_PHONE_DAY = { strangers: 40, own: 20 };

type CodeRequest = {
  /** in E.164 */
  phone: string;
  /** of the number, by ISO 3166-1 */
  country: string;
  /** the customer of the number, where the account knows the calling device */
  owner: { userId: string; isTrusted: boolean } | undefined;
  /**
   * messages to one country within a day for strangers, and as many again for customers on their
   * own devices
   */
  maxPerCountryDay: number;
};

/**
 * The limits of a number's customer on a known device, apart from all that strangers can use up.
 */
function ownSmsLimits({ userId, isTrusted }: { userId: string; isTrusted: boolean }, caller: Caller, phone: string): Limit[] {
  const { own, network, minutes } = SMS_PER_HOUR;
  const ofNetwork = [
    ...networkLimits(caller.address, { maxCalls: network, minutes }, (each) => `sms:${each}`),
    ...networkLimits(caller.address, SMS_PER_NETWORK_DAY, (each) => `sms-day:${each}`),
  ];
  return [
    { subject: `sms-own:${userId}`, maxCalls: own, minutes },
    { subject: `sms-own-phone:${phone}`, maxCalls: SMS_PER_PHONE_DAY.own, minutes: DAY_MINUTES },
    ...(isTrusted ? [] : ofNetwork),
  ];
}

/** The limits of all others, in turn. */
function otherSmsLimits(caller: Caller, phone: string): Limit[][] {
  const { address } = caller;
  const { phoneFromNetwork, minutes } = SMS_PER_HOUR;
  const perDay = callerLimits('sms-day', caller, {
    customer: SMS_PER_NETWORK_DAY.maxCalls,
    network: SMS_PER_NETWORK_DAY.maxCalls,
    minutes: DAY_MINUTES,
  });
  return callerLimits('sms', caller, SMS_PER_HOUR).map((limits, at) => [
    ...limits,
    ...networkLimits(address, { maxCalls: phoneFromNetwork, minutes }, (network) => `sms-pair:${network} ${phone}`),
    ...(perDay[at] ?? []),
    { subject: `sms-phone:${phone}`, maxCalls: SMS_PER_PHONE_DAY.strangers, minutes: DAY_MINUTES },
  ]);
}

/**
 * Counts a code before it is sent. A number's customer on a known device is counted apart from
 * strangers in every limit, and like them once these are used up.
 * @returns seconds to wait, 0 when a code may be sent; whether it is the country's limit, and
 * whether this call is the first that is over it; `uncount` takes the code back that was not sent
 */
export async function countCodeRequest(
  db: Database,
  caller: Caller,
  { phone, country, owner, maxPerCountryDay }: CodeRequest,
): Promise<{ wait: number; isOfCountry: boolean; isFirstOver: boolean; uncount: () => Promise<void> }> {
  const ofCountry = (name: string): Limit => ({
    subject: `${name}:${country}`,
    maxCalls: maxPerCountryDay,
    minutes: DAY_MINUTES,
  });
  const [own, others] = [ofCountry('sms-own-country'), ofCountry('sms-country')];
  const turns = otherSmsLimits(caller, phone).map((limits) => [...limits, others]);
  if (owner) turns.unshift([...ownSmsLimits(owner, caller, phone), own]);
  const counted = await countInTurn(db, caller.storeId, turns);
  const isCountry = ({ subject }: Limit): boolean => subject === own.subject || subject === others.subject;
  return {
    wait: secondsOf(counted),
    isOfCountry: counted.exceeded !== undefined && isCountry(counted.exceeded),
    isFirstOver: counted.passed.some((each) => isCountry(each) && each.isFirst),
    uncount: () => decrement(db, caller.storeId, counted.subjects),
  };
}

/**
 * E-mails of free gifts within a day, with those that are sent again. A trusted giver's account is
 * a day old and verified.
 */
const FREE_GIFTS_PER_DAY = { trusted: 10, other: 3 };

/** @returns seconds to wait; 0 while the customer has some of their share of the day left */
export const countFreeGift = async (
  db: Database,
  { storeId, userId, isTrusted }: { storeId: string; userId: string; isTrusted: boolean },
): Promise<number> => {
  const maxCalls = isTrusted ? FREE_GIFTS_PER_DAY.trusted : FREE_GIFTS_PER_DAY.other;
  return secondsOf(await countCall(db, storeId, [{ subject: `free-gift:${userId}`, maxCalls, minutes: DAY_MINUTES }]));
};

/** Wrong redeem codes within a minute. */
const REDEEM_GUESSES = { customer: 6, network: 12, minutes: 1 };

/**
 * Counts a code before it is looked up, so that a burst of parallel guesses cannot slip through.
 * @returns seconds to wait, 0 when it may be looked up; and how to take a guess back that was right
 */
export async function countCodeGuess(db: Database, caller: Caller): Promise<{ wait: number; uncount: () => Promise<void> }> {
  const { storeId } = caller;
  const counted = await countInTurn(db, storeId, callerLimits('redeem', caller, REDEEM_GUESSES));
  return { wait: secondsOf(counted), uncount: () => decrement(db, storeId, counted.subjects) };
}

/**
 * Sign-ins by providers begun or finished within a quarter of an hour; each asks another server.
 */
const PROVIDER_TRIES = { customer: 60, network: 120, minutes: QUARTER_MINUTES };

/** @returns seconds to wait; 0 when the provider may be asked */
export const countProviderTry = async (db: Database, caller: Caller): Promise<number> =>
  secondsOf(await countInTurn(db, caller.storeId, callerLimits('provider', caller, PROVIDER_TRIES)));

/**
 * Passkeys that sign-in pages may have their browsers offer within a quarter of an hour: each costs
 * a row.
 */
const PASSKEY_OFFERS = { customer: 300, network: 1200, minutes: QUARTER_MINUTES };

/** @returns seconds to wait; 0 when one may be offered */
export const countPasskeyOffer = async (db: Database, caller: Caller): Promise<number> =>
  secondsOf(await countInTurn(db, caller.storeId, callerLimits('passkey-offer', caller, PASSKEY_OFFERS)));

/** E-mails of free gifts within a day from one network, for all its givers who are not trusted. */
const FREE_GIFTS_PER_NETWORK_DAY = 12;
/** E-mails of free gifts to one address within a day, from all givers. */
const FREE_GIFTS_PER_RECIPIENT_DAY = 3;

/**
 * Counts an e-mail with a free gift beside its giver's own share.
 * @param address of a giver who is not trusted; undefined counts no network
 * @param recipient e-mail address, folded
 * @returns seconds to wait; 0 while the network and the recipient have some of the share of the day
 * left
 */
export const countFreeGiftEmail = async (
  db: Database,
  storeId: string,
  { address, recipient }: { address: string | undefined; recipient: string },
): Promise<number> => {
  const ofNetwork =
    address === undefined
      ? []
      : networkLimits(
          address,
          { maxCalls: FREE_GIFTS_PER_NETWORK_DAY, minutes: DAY_MINUTES },
          (network) => `free-gift-network:${network}`,
        );
  const ofRecipient = { subject: `free-gift-to:${recipient}`, maxCalls: FREE_GIFTS_PER_RECIPIENT_DAY, minutes: DAY_MINUTES };
  return secondsOf(await countCall(db, storeId, [...ofNetwork, ofRecipient]));
};
