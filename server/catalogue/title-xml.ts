import { renderElement, renderFields, renderItems, Markup, type Value } from '../base/xml/write.ts';
import type { Cover } from '../database/schema/catalogue.ts';
import { getCoverWidths } from './cover-widths.ts';
import { formatAmount, currencySymbol } from '../base/money.ts';
import type { TitleRow } from './title-rows.ts';

/** The URL of a cover; undefined when the title has none. */
export const toCoverUrl = (storeId: string, titleId: string, file: string | undefined): string | undefined =>
  file && `/media/covers/${encodeURIComponent(storeId)}/${encodeURIComponent(titleId)}/${file.split('/').pop() ?? ''}`;

/** The URL of the smallest picture of a cover. */
export function toThumbnailUrl(storeId: string, titleId: string, cover: Cover): string | undefined {
  const [width] = getCoverWidths(cover);
  if (width === undefined) return toCoverUrl(storeId, titleId, cover.smallFile ?? cover.file);
  return `${toCoverUrl(storeId, titleId, cover.file) ?? ''}?width=${width}`;
}

/** The prices of a title, one per currency. */
export function renderPrices(allPrices: TitleRow['prices']): Markup | undefined {
  if (allPrices.length === 0) return undefined;
  const prices = allPrices.map(({ amount, currency }) =>
    renderElement('Price', [
      renderFields({
        Amount: formatAmount(amount, currency),
        Currency: currency,
        CurrencySymbol: currencySymbol(currency),
      }),
    ]),
  );
  return new Markup(prices.map((price) => price.text).join(''));
}

/** The fields of a TitleSummary, in the contract's order. */
export function toSummaryFields(storeId: string, row: TitleRow): Record<string, Value> {
  const firstPrice = row.prices[0];
  return {
    TitleId: row.id,
    ISBN: row.isbn,
    Name: row.name,
    SubTitle: row.subtitle,
    Authors: renderItems('Author', row.authors),
    TitleType: row.type,
    Medium: row.media,
    CoverUrl: toCoverUrl(storeId, row.id, row.cover?.file),
    CoverSmallUrl: toCoverUrl(storeId, row.id, row.cover?.smallFile ?? row.cover?.file),
    CoverWidths: (row.cover && getCoverWidths(row.cover).join(' ')) || undefined,
    CoverWidth: row.cover?.width,
    CoverHeight: row.cover?.height,
    CoverColor: row.cover?.color,
    Prices: renderPrices(row.prices),
    TitlePrice: firstPrice && formatAmount(firstPrice.amount, firstPrice.currency),
    CurrencySymbol: firstPrice && currencySymbol(firstPrice.currency),
    Currency: firstPrice?.currency,
    ForSale: row.for_sale,
    Free: row.for_sale && firstPrice?.amount === 0,
    HasSample: row.has_sample,
  };
}

export const renderTitleSummary = (storeId: string, row: TitleRow): Markup =>
  renderElement('Title', [renderFields(toSummaryFields(storeId, row))]);
