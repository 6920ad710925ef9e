import { listLibrary, type LibraryRow } from '../../catalogue/list-library.ts';
import { currencySymbol, toMajor } from '../../base/money.ts';
import { titleSummary } from '../../catalogue/title-xml.ts';
import { type RefundTold, refundsToTell } from '../../payment/refunds-told.ts';
import { titlesThatLeft } from '../../entitlements/opened-titles.ts';
import { element, fields } from '../../base/xml/write.ts';
import type { Answer, CustomerCall } from '../calls/call.ts';

function paid({ amount_minor: amount, currency, credits }: NonNullable<LibraryRow['purchase']>) {
  if (credits !== null) return { Credits: credits };
  if (currency === null) return {};
  return { Paid: toMajor(amount, currency), Currency: currency, CurrencySymbol: currencySymbol(currency) };
}

/** The payment of a copy that was given for money or credits. */
const purchaseFields = (purchase: LibraryRow['purchase']) =>
  purchase === null ? {} : { TransId: purchase.transaction_id ?? purchase.id, ...paid(purchase) };

const refund = ({ amountMinor, currency, credits, ...told }: RefundTold) => {
  const money =
    currency === null
      ? {}
      : { Amount: toMajor(amountMinor, currency), Currency: currency, CurrencySymbol: currencySymbol(currency) };
  return element('Refund', [
    fields({
      TransId: told.transId,
      PurchasedAt: told.purchasedAt.toISOString(),
      RefundedAt: told.refundedAt.toISOString(),
      Recent: told.isRecent || undefined,
      TitleId: told.titleId,
      Name: told.name,
      Titles: told.titles,
      ...(credits === null ? money : { Credits: credits }),
    }),
  ]);
};

/** A page of the titles that the customer may read, and what has left with a subscription that has ended, or with its money. */
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
        WithSubscription: row.source === 'subscription' || undefined,
        ...purchaseFields(row.purchase),
      }),
      titleSummary(store.id, row),
    ]),
  );
  // Told once, with the first page.
  const owner = { storeId: store.id, userId: customer.id };
  const left = query.cursor ? null : await titlesThatLeft(services.db, owner);
  const refunds = query.cursor ? [] : await refundsToTell(services.db, owner);
  const gone = left ? { left: left.count, leftAt: left.at.toISOString() } : {};
  return element('Purchases', [...purchases, ...refunds.map(refund)], { total: page.total, next: page.next, ...gone });
}
