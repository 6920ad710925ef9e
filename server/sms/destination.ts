import type { CountryCode, NumberType, PhoneNumber } from 'libphonenumber-js/max';
import { DomainError } from '../kernel/errors.ts';
import { parseCountries, findExpectedType } from '../stores/store-properties.ts';
import { PHONE_ISSUER } from '../providers/provider.ts';
import type { Database } from '../database/open.ts';
import type { Log } from '../base/log.ts';

/**
 * Types of ordinary phone numbers. Other types (premium-rate, shared-cost, personal numbers…) can
 * earn money for their owners.
 */
const ORDINARY: NumberType[] = ['MOBILE', 'FIXED_LINE_OR_MOBILE', 'FIXED_LINE', 'VOIP'];

/**
 * The countries (ISO 3166-1) that a store sends messages to: its own list, else those that it sells
 * to; null means all. An invalid list allows no country, and is logged.
 */
async function allowedCountries({ db, log }: { db: Database; log: Log }, storeId: string): Promise<string[] | null> {
  const rows = await db
    .selectFrom('properties')
    .select(['name', 'value'])
    .where('store_id', '=', storeId)
    .where('name', 'in', ['SmsCountries', 'PurchaseCountries'])
    .execute();
  const find = (name: string) => rows.find((row) => row.name === name)?.value;
  const own = find('SmsCountries');
  if (own !== undefined) {
    if (findExpectedType('SmsCountries', own) === undefined) return parseCountries(own);
    log.warn({ store: storeId, property: 'SmsCountries', value: own }, 'store.property_invalid');
    return [];
  }
  const sold = parseCountries(find('PurchaseCountries'));
  return sold.length > 0 ? sold : null;
}

/** Whether a number is the sign-in of an account of the store. */
export async function hasAccountOfPhone({ db }: { db: Database }, storeId: string, phone: string): Promise<boolean> {
  const identity = await db
    .selectFrom('identities')
    .select('user_id')
    .where('store_id', '=', storeId)
    .where('issuer', '=', PHONE_ISSUER)
    .where('subject', '=', phone)
    .executeTakeFirst();
  return identity !== undefined;
}

/**
 * Checks a number and returns the country of the message. A number that opens an account is allowed
 * in any country: its customer may have no other way to sign in.
 * @throws DomainError conflict phone_kind for numbers of no country (satellites and other networks:
 * +870, +881, +882, +883…) and of other than ordinary phones; conflict phone_country for a country
 * that the store does not send to
 */
export async function requireDestination(
  services: { db: Database; log: Log },
  storeId: string,
  number: PhoneNumber,
): Promise<CountryCode> {
  const { country } = number;
  const kind = number.getType();
  if (country === undefined || kind === undefined || !ORDINARY.includes(kind))
    throw new DomainError('conflict', 'Codes are not sent to premium-rate, shared-cost, satellite or other special numbers.', {
      code: 'phone_kind',
    });
  const allowed = await allowedCountries(services, storeId);
  if (allowed === null || allowed.includes(country) || (await hasAccountOfPhone(services, storeId, number.number)))
    return country;
  throw new DomainError('conflict', `This shop sends no codes to numbers of this country (${country}).`, {
    code: 'phone_country',
  });
}
