import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type { Tables } from './schema/tables.ts';
import * as m01 from './migrations/01-stores-and-catalogue.ts';
import * as m02 from './migrations/02-people.ts';
import * as m03 from './migrations/03-payments.ts';
import * as m04 from './migrations/04-offers.ts';
import * as m05 from './migrations/05-reading.ts';
import * as m06 from './migrations/06-storefront.ts';
import * as m07 from './migrations/07-finding.ts';
import * as m08 from './migrations/08-finished-payments.ts';
import * as m09 from './migrations/09-sign-in-delays.ts';
import * as m10 from './migrations/10-store-version.ts';
import * as m11 from './migrations/11-secrets.ts';
import * as m12 from './migrations/12-relevance.ts';
import * as m13 from './migrations/13-words-by-language.ts';
import * as m14 from './migrations/14-wish-lists.ts';
import * as m15 from './migrations/15-series-and-filters.ts';
import * as m16 from './migrations/16-letters.ts';
import * as m17 from './migrations/17-custom-fields.ts';
import * as m18 from './migrations/18-forgotten-cards.ts';
import * as m19 from './migrations/19-providers.ts';
import * as m20 from './migrations/20-phone-codes.ts';
import * as m21 from './migrations/21-audit-log.ts';
import * as m22 from './migrations/22-passkeys.ts';
import * as m23 from './migrations/23-subscriptions-as-held.ts';
import * as m24 from './migrations/24-subscribing.ts';
import * as m25 from './migrations/25-credits-as-money.ts';
import * as m26 from './migrations/26-codes.ts';
import * as m27 from './migrations/27-orders-of-several-titles.ts';
import * as m28 from './migrations/28-joining-providers.ts';
import * as m29 from './migrations/29-gifts.ts';
import * as m30 from './migrations/30-words-of-names.ts';
import * as m31 from './migrations/31-campaigns.ts';
import * as m32 from './migrations/32-receipts.ts';
import * as m33 from './migrations/33-gateway-names.ts';
import * as m34 from './migrations/34-ledger.ts';
import * as m40 from './migrations/40-plan-titles.ts';
import * as m41 from './migrations/41-refunds.ts';
import * as m42 from './migrations/42-renewal-letters.ts';
import * as m43 from './migrations/43-plan-changes.ts';
import * as m44 from './migrations/44-subscription-refunds.ts';
import * as m45 from './migrations/45-withdrawn-codes.ts';
import * as m47 from './migrations/47-gifts-of-several-titles.ts';
import * as m48 from './migrations/48-tax.ts';
import * as m49 from './migrations/49-resumed-subscriptions.ts';
import * as m50 from './migrations/50-verified-credentials.ts';
import * as m51 from './migrations/51-phone-code-requests.ts';
import * as m54 from './migrations/54-forgotten-recipients.ts';
import * as m55 from './migrations/55-device-secrets.ts';
import * as m57 from './migrations/57-currencies.ts';
import * as m61 from './migrations/61-rate-limit-counters.ts';
import * as m62 from './migrations/62-turns-of-plan-changes.ts';
import * as m63 from './migrations/63-shared-phone-codes.ts';
import * as m64 from './migrations/64-shop-clock.ts';
import * as m65 from './migrations/65-offered-titles.ts';
import * as m66 from './migrations/66-places-of-devices.ts';
import * as m67 from './migrations/67-types-of-offered-titles.ts';

// Named here rather than read from the folder: a half-written file never runs, and the order is plain to see.
const migrations: Record<string, Migration> = {
  '01-stores-and-catalogue': m01,
  '02-people': m02,
  '03-payments': m03,
  '04-offers': m04,
  '05-reading': m05,
  '06-storefront': m06,
  '07-finding': m07,
  '08-finished-payments': m08,
  '09-sign-in-delays': m09,
  '10-store-version': m10,
  '11-secrets': m11,
  '12-relevance': m12,
  '13-words-by-language': m13,
  '14-wish-lists': m14,
  '15-series-and-filters': m15,
  '16-letters': m16,
  '17-custom-fields': m17,
  '18-forgotten-cards': m18,
  '19-providers': m19,
  '20-phone-codes': m20,
  '21-audit-log': m21,
  '22-passkeys': m22,
  '23-subscriptions-as-held': m23,
  '24-subscribing': m24,
  '25-credits-as-money': m25,
  '26-codes': m26,
  '27-orders-of-several-titles': m27,
  '28-joining-providers': m28,
  '29-gifts': m29,
  '30-words-of-names': m30,
  '31-campaigns': m31,
  '32-receipts': m32,
  '33-gateway-names': m33,
  '34-ledger': m34,
  '40-plan-titles': m40,
  '41-refunds': m41,
  '42-renewal-letters': m42,
  '43-plan-changes': m43,
  '44-subscription-refunds': m44,
  '45-withdrawn-codes': m45,
  '47-gifts-of-several-titles': m47,
  '48-tax': m48,
  '49-resumed-subscriptions': m49,
  '50-verified-credentials': m50,
  '51-phone-code-requests': m51,
  '54-forgotten-recipients': m54,
  '55-device-secrets': m55,
  '57-currencies': m57,
  '61-rate-limit-counters': m61,
  '62-turns-of-plan-changes': m62,
  '63-shared-phone-codes': m63,
  '64-shop-clock': m64,
  '65-offered-titles': m65,
  '66-places-of-devices': m66,
  '67-types-of-offered-titles': m67,
};

/** Runs the migrations that this database has not seen. Safe to call from several processes at once. */
export async function migrate(db: Kysely<Tables>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error instanceof Error ? error : new Error('The database could not be migrated.', { cause: error });
}
