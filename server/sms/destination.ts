import type { CountryCode, NumberType, PhoneNumber } from 'libphonenumber-js/max';
import { Refusal } from '../api/refusal.ts';
import { countriesIn, valueOf } from '../catalogue/store-properties.ts';
import type { Database } from '../database/open.ts';

/**
 * Numbers of ordinary telephones. The others (premium-rate, shared-cost, personal numbers…) earn
 * their owners money.
 */
const ORDINARY: NumberType[] = ['MOBILE', 'FIXED_LINE_OR_MOBILE', 'FIXED_LINE', 'VOIP'];

/**
 * The countries that a store sends to, by ISO 3166-1: its own list, else those that it sells to;
 * none of either means all.
 */
async function allowedCountries(db: Database, storeId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('properties')
    .select(['name', 'value'])
    .where('store_id', '=', storeId)
    .where('name', 'in', ['SmsCountries', 'PurchaseCountries'])
    .execute();
  const listOf = (name: string) => countriesIn(valueOf(name, rows.find((row) => row.name === name)?.value));
  const own = listOf('SmsCountries');
  return own.length > 0 ? own : listOf('PurchaseCountries');
}

/**
 * The country that a message to a number goes to.
 * @throws Refusal 409 phone_kind for numbers of no country (satellites and other networks: +870,
 * +881, +882, +883…) and of other than ordinary telephones; 409 phone_country for a country that
 * the store does not send to
 */
export async function requireDestination(db: Database, storeId: string, number: PhoneNumber): Promise<CountryCode> {
  const { country } = number;
  const kind = number.getType();
  if (country === undefined || kind === undefined || !ORDINARY.includes(kind))
    throw new Refusal(409, 'Codes are not sent to premium-rate, shared-cost, satellite or other special numbers.', {
      code: 'phone_kind',
    });
  const allowed = await allowedCountries(db, storeId);
  if (allowed.length > 0 && !allowed.includes(country))
    throw new Refusal(409, `This shop sends no codes to numbers of this country (${country}).`, { code: 'phone_country' });
  return country;
}
