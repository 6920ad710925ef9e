import { listLibrary, type LibraryRow } from '../catalogue/list-library.ts';
import { currencySymbol, toMajor } from '../catalogue/money.ts';
import { titleSummary } from '../catalogue/title-xml.ts';
import { titlesThatLeft } from '../subscriptions/opened-titles.ts';
import { element, fields } from '../xml/write.ts';
import type { Answer, CustomerCall } from './call.ts';

function payment({ paid_minor: amount, paid_currency: currency, paid_credits: credits }: LibraryRow) {
  if (credits !== null) return { Credits: credits };
  if (amount === null || currency === null) return {};
  return { Paid: toMajor(amount, currency), Currency: currency, CurrencySymbol: currencySymbol(currency) };
}

/** A page of the titles that the customer may read, and how many have left with a subscription that has ended. */
export async function userPurchases({
  services,
  store,
  customer,
  query,
}: CustomerCall<'userPurchases'>): Answer<'userPurchases'> {
  const page = await listLibrary(
    services.db,
    { storeId: store.id, userId: customer.id, type: query.titletype, search: query.search },
    { sort: query.sort, cursor: query.cursor, limit: query.limit },
  );
  const purchases = page.rows.map((row) =>
    element('Purchase', [
      fields({
        InstanceId: row.instance_id,
        TitleId: row.id,
        PurchasedAt: row.granted_at.toISOString(),
        Progress: row.progress,
        LastOpenedAt: row.last_opened_at?.toISOString(),
        TransId: row.trans_id ?? undefined,
        WithSubscription: row.source === 'subscription' || undefined,
        ...payment(row),
      }),
      titleSummary(store.id, row),
    ]),
  );
  // Told once, with the first page.
  const left = query.cursor ? null : await titlesThatLeft(services.db, { storeId: store.id, userId: customer.id });
  const gone = left ? { left: left.count, leftAt: left.at.toISOString() } : {};
  return element('Purchases', purchases, { total: page.total, next: page.next, ...gone });
}
