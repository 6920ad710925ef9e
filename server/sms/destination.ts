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
const ORDINARY_TYPES: NumberType[] = ['MOBILE', 'FIXED_LINE_OR_MOBILE', 'FIXED_LINE', 'VOIP'];

const MAX_SHOWN_CHARS = 100;

/**
 * Reads the countries (ISO 3166-1) that a store sends messages to: the list in its property, else
 * the countries that it sells to; null means all. An invalid list allows no country, and is logged.
 */
async function readAllowedCountries({ db, log }: { db: Database; log: Log }, storeId: string): Promise<string[] | null> {
  const rows = await db
    .selectFrom('properties')
    .select(['name', 'value'])
    .where('store_id', '=', storeId)
    .where('name', 'in', ['SmsCountries', 'PurchaseCountries'])
    .execute();
  const readValue = (name: string) => rows.find((row) => row.name === name)?.value;
  const ownList = readValue('SmsCountries');
  if (ownList !== undefined) {
    const expected = findExpectedType('SmsCountries', ownList);
    if (expected === undefined) return parseCountries(ownList);
    const value = ownList.slice(0, MAX_SHOWN_CHARS);
    log.warn({ store: storeId, property: 'SmsCountries', value, expected }, 'store.property.invalid');
    return [];
  }
  const salesCountries = parseCountries(readValue('PurchaseCountries'));
  return salesCountries.length > 0 ? salesCountries : null;
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
 * @throws DomainError conflict phone_kind for numbers without a country (satellites and other
 * networks: +870, +881, +882, +883…) or of other than ordinary types; conflict phone_country for a
 * country that the store does not send to
 */
export async function requireDestination(
  services: { db: Database; log: Log },
  storeId: string,
  number: PhoneNumber,
): Promise<CountryCode> {
  const { country } = number;
  const kind = number.getType();
  if (country === undefined || kind === undefined || !ORDINARY_TYPES.includes(kind))
    throw new DomainError('conflict', 'Codes are not sent to premium-rate, shared-cost, satellite or other special numbers.', {
      code: 'phone_kind',
    });
  const allowedCountries = await readAllowedCountries(services, storeId);
  if (
    allowedCountries === null ||
    allowedCountries.includes(country) ||
    (await hasAccountOfPhone(services, storeId, number.number))
  )
    return country;
  throw new DomainError('conflict', `This shop sends no codes to numbers of this country (${country}).`, {
    code: 'phone_country',
  });
}
