import { localizeText } from '../../base/language.ts';
import { readBalance } from '../../subscriptions/credits.ts';
import type { Answer, CustomerCall } from '../calls/call.ts';

/** Returns the customer's credits, the store's name for them, and whether they buy titles. */
export async function creditBalance({
  services,
  store,
  spoken,
  customer,
}: CustomerCall<'creditBalance'>): Answer<'creditBalance'> {
  const [balance, properties] = await Promise.all([
    readBalance(services.db, { storeId: store.id, userId: customer.id }),
    services.db
      .selectFrom('properties')
      .select(['name', 'value', 'translations'])
      .where('store_id', '=', store.id)
      .where('name', 'in', ['CreditCurrency', 'EnableBuyWithCredits'])
      .execute(),
  ]);
  const getValue = (name: string): string => {
    const property = properties.find((each) => each.name === name);
    return property ? localizeText(property, 'value', spoken) : '';
  };
  return {
    CreditBalance: balance,
    CreditCurrency: getValue('CreditCurrency'),
    EnableBuyWithCredits: getValue('EnableBuyWithCredits') === 'true',
  };
}
