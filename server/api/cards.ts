import { element, fields } from '../xml/write.ts';
import type { Answer, CustomerCall } from './call.ts';

/** The cards that the gateway keeps for the customer. */
export async function allCards({ services, store, customer }: CustomerCall<'allCards'>): Answer<'allCards'> {
  const rows = await services.db
    .selectFrom('cards')
    .selectAll()
    .where('store_id', '=', store.id)
    .where('user_id', '=', customer.id)
    .orderBy('is_default', 'desc')
    .orderBy('created_at', 'desc')
    .execute();
  const cards = rows.map((row) =>
    element('Card', [
      fields({
        CardId: row.id,
        Brand: row.brand,
        LastFour: row.last4,
        ExpiryMonth: row.exp_month,
        ExpiryYear: row.exp_year,
        Default: row.is_default,
      }),
    ]),
  );
  return element('Cards', cards);
}
