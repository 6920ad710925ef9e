import { textIn } from '../language.ts';
import type { Answer, CustomerCall } from './call.ts';

/** The sum of the customer's credit account. */
export async function creditBalance({
  services,
  store,
  spoken,
  customer,
}: CustomerCall<'creditBalance'>): Answer<'creditBalance'> {
  const [sum, properties] = await Promise.all([
    services.db
      .selectFrom('credits')
      .select((eb) => eb.fn.sum<number | null>('amount').as('balance'))
      .where('store_id', '=', store.id)
      .where('user_id', '=', customer.id)
      .executeTakeFirst(),
    services.db
      .selectFrom('properties')
      .select(['name', 'value', 'translations'])
      .where('store_id', '=', store.id)
      .where('name', 'in', ['CreditCurrency', 'EnableBuyWithCredits'])
      .execute(),
  ]);
  const valueOf = (name: string): string => {
    const property = properties.find((each) => each.name === name);
    return property ? textIn(property, 'value', spoken) : '';
  };
  return {
    CreditBalance: Number(sum?.balance ?? 0),
    CreditCurrency: valueOf('CreditCurrency'),
    EnableBuyWithCredits: valueOf('EnableBuyWithCredits') === 'true',
  };
}
