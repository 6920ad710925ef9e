import type { CountryCode, NumberType, PhoneNumber } from 'libphonenumber-js/max';
import { DomainError } from '../kernel/errors.ts';
import { countriesIn, expectedInstead } from '../stores/store-properties.ts';
import { PHONE_ISSUER } from '../providers/provider.ts';
import type { Database } from '../database/open.ts';
import type { Log } from '../base/log.ts';

/**
 * Numbers of ordinary telephones. The others (premium-rate, shared-cost, personal numbers…) earn
 * their owners money.
 */
const ORDINARY: NumberType[] = ['MOBILE', 'FIXED_LINE_OR_MOBILE', 'FIXED_LINE', 'VOIP'];

/**
 * The countries that a store sends to, by ISO 3166-1: its own list, else those that it sells to;
 * null means all. A list that cannot be read allows no country, and is logged.
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
    if (expectedInstead('SmsCountries', own) === undefined) return countriesIn(own);
    log.error({ store: storeId, value: own }, 'invalid SmsCountries');
    return [];
  }
  const sold = countriesIn(find('PurchaseCountries'));
  return sold.length > 0 ? sold : null;
}

/** Whether a number opens an account of the store. */
export async function opensAccount({ db }: { db: Database }, storeId: string, phone: string): Promise<boolean> {
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
 * The country that a message to a number goes to. A number that opens an account is allowed in any
 * country: its customer may have no other way in.
 * @throws DomainError conflict phone_kind for numbers of no country (satellites and other networks:
 * +870, +881, +882, +883…) and of other than ordinary telephones; conflict phone_country for a
 * country that the store does not send to
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
  if (allowed === null || allowed.includes(country) || (await opensAccount(services, storeId, number.number))) return country;
  throw new DomainError('conflict', `This shop sends no codes to numbers of this country (${country}).`, {
    code: 'phone_country',
  });
}
