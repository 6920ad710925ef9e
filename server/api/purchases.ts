import { listLibrary, type LibraryRow } from '../catalogue/list-library.ts';
import { currencySymbol, toMajor } from '../catalogue/money.ts';
import { titleSummary } from '../catalogue/title-xml.ts';
import { element, fields } from '../xml/write.ts';
import type { Answer, CustomerCall } from './call.ts';

function payment({ paid_minor: amount, paid_currency: currency, paid_credits: credits }: LibraryRow) {
  if (credits !== null) return { Credits: credits };
  if (amount === null || currency === null) return {};
  return { Paid: toMajor(amount, currency), Currency: currency, CurrencySymbol: currencySymbol(currency) };
}

/** A page of the titles that the customer owns. */
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
        ...payment(row),
      }),
      titleSummary(store.id, row),
    ]),
  );
  return element('Purchases', purchases, { total: page.total, next: page.next });
}
