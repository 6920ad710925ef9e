import { element, fields, renderItems, Markup, type Value } from '../base/xml/write.ts';
import type { Cover } from '../database/schema/catalogue.ts';
import { getCoverWidths } from './cover-widths.ts';
import { formatAmount, currencySymbol } from '../base/money.ts';
import type { TitleRow } from './title-rows.ts';

/** The URL of a cover; undefined when the title has none. */
export const coverUrl = (storeId: string, titleId: string, file: string | undefined): string | undefined =>
  file && `/media/covers/${encodeURIComponent(storeId)}/${encodeURIComponent(titleId)}/${file.split('/').pop() ?? ''}`;

/** The URL of the smallest picture of a cover. */
export function thumbnailUrl(storeId: string, titleId: string, cover: Cover): string | undefined {
  const [width] = getCoverWidths(cover);
  if (width === undefined) return coverUrl(storeId, titleId, cover.smallFile ?? cover.file);
  return `${coverUrl(storeId, titleId, cover.file) ?? ''}?width=${width}`;
}

/** The prices of a title, one per currency. */
export function renderPrices(all: TitleRow['prices']): Markup | undefined {
  if (all.length === 0) return undefined;
  const prices = all.map(({ amount, currency }) =>
    element('Price', [
      fields({
        Amount: formatAmount(amount, currency),
        Currency: currency,
        CurrencySymbol: currencySymbol(currency),
      }),
    ]),
  );
  return new Markup(prices.map((price) => price.text).join(''));
}

/** The fields of a TitleSummary, in the contract's order. */
export function summaryFields(storeId: string, row: TitleRow): Record<string, Value> {
  const first = row.prices[0];
  return {
    TitleId: row.id,
    ISBN: row.isbn,
    Name: row.name,
    SubTitle: row.subtitle,
    Authors: renderItems('Author', row.authors),
    TitleType: row.type,
    Medium: row.media,
    CoverUrl: coverUrl(storeId, row.id, row.cover?.file),
    CoverSmallUrl: coverUrl(storeId, row.id, row.cover?.smallFile ?? row.cover?.file),
    CoverWidths: (row.cover && getCoverWidths(row.cover).join(' ')) || undefined,
    CoverWidth: row.cover?.width,
    CoverHeight: row.cover?.height,
    CoverColor: row.cover?.color,
    Prices: renderPrices(row.prices),
    TitlePrice: first && formatAmount(first.amount, first.currency),
    CurrencySymbol: first && currencySymbol(first.currency),
    Currency: first?.currency,
    ForSale: row.for_sale,
    Free: row.for_sale && first?.amount === 0,
    HasSample: row.has_sample,
  };
}

export const renderTitleSummary = (storeId: string, row: TitleRow): Markup =>
  element('Title', [fields(summaryFields(storeId, row))]);
