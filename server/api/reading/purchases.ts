import { listLibrary, type LibraryRow } from '../../catalogue/list-library.ts';
import { currencySymbol, toMajor } from '../../base/money.ts';
import { renderTitleSummary } from '../../catalogue/title-xml.ts';
import { type ListedRefund, listRefunds } from '../../payment/list-refunds.ts';
import { readLostTitles } from '../../entitlements/opened-titles.ts';
import { renderElement, renderFields } from '../../base/xml/write.ts';
import type { Answer, CustomerCall } from '../calls/call.ts';

function toPaidFields({ amount_minor: amount, currency, credits }: NonNullable<LibraryRow['purchase']>) {
  if (credits !== null) return { Credits: credits };
  if (currency === null) return {};
  return { Paid: toMajor(amount, currency), Currency: currency, CurrencySymbol: currencySymbol(currency) };
}

/** Returns the fields of a copy's purchase; none for a copy without a purchase. */
const toPurchaseFields = (purchase: LibraryRow['purchase']) =>
  purchase === null ? {} : { TransId: purchase.transaction_id ?? purchase.id, ...toPaidFields(purchase) };

const renderRefund = ({ amountMinor, currency, credits, ...refund }: ListedRefund) => {
  const money =
    currency === null
      ? {}
      : { Amount: toMajor(amountMinor, currency), Currency: currency, CurrencySymbol: currencySymbol(currency) };
  return renderElement('Refund', [
    renderFields({
      TransId: refund.transId,
      PurchasedAt: refund.purchasedAt.toISOString(),
      RefundedAt: refund.refundedAt.toISOString(),
      Recent: refund.isRecent || undefined,
      TitleId: refund.titleId,
      Name: refund.name,
      Titles: refund.titles,
      ...(credits === null ? money : { Credits: credits }),
    }),
  ]);
};

/**
 * Returns a page of the titles that the customer may read. The first page also has the number of
 * titles lost by the end of a subscription, and the refunds.
 */
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
    renderElement('Purchase', [
      renderFields({
        InstanceId: row.instance_id,
        TitleId: row.id,
        PurchasedAt: row.granted_at.toISOString(),
        Progress: row.progress,
        LastOpenedAt: row.last_opened_at?.toISOString(),
        WithSubscription: row.source === 'subscription' || undefined,
        ...toPurchaseFields(row.purchase),
      }),
      renderTitleSummary(store.id, row),
    ]),
  );
  const owner = { storeId: store.id, userId: customer.id };
  const lostTitles = query.cursor ? null : await readLostTitles(services.db, owner);
  const refunds = query.cursor ? [] : await listRefunds(services.db, owner);
  const lostTitleFields = lostTitles ? { left: lostTitles.count, leftAt: lostTitles.at.toISOString() } : {};
  return renderElement('Purchases', [...purchases, ...refunds.map(renderRefund)], {
    total: page.total,
    next: page.next,
    ...lostTitleFields,
  });
}
