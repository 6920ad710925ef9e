import { decimalsOf } from '../../../machines/model/store/currency.ts';
import { Medium, titleTypeCodes, TitleSummary, type TitleType } from '../../../machines/model/catalogue/title.ts';
import { type Base, colour, pictureAddress } from '../wire/address.ts';
import { childrenOf, fieldsIn, itemsOf, numberIn, textIn, type XmlNode } from '../wire/xml-node.ts';

const typesByCode = new Map<string, TitleType>(
  (['ebook', 'audio', 'interactive', 'video'] as const).map((word) => [String(titleTypeCodes[word]), word]),
);

/**
 * The type by its code or its word, and the medium, which says more than the type of an ebook: a
 * missing or unknown one is the type's usual one. A title without a type is an ebook; a type that
 * is no code stays as it is, so that the schema names it.
 */
const kindOf = (node: XmlNode) => {
  const code = textIn(node, 'TitleType')?.toLowerCase() ?? 'ebook';
  const type = typesByCode.get(code) ?? code;
  const medium = textIn(node, 'Medium')?.toLowerCase();
  return { type, medium: Medium.options.find((each) => each === medium) ?? (type === 'ebook' ? 'epub' : type) };
};

/** The texts of a list, its items under any name; a list that is a text alone is its only item. */
export const textsIn = (node: XmlNode, plural: string, item: string): string[] => {
  const inside = childrenOf(node, plural).flatMap((list) => (list.children.length > 0 ? list.children : [list]));
  return (inside.length > 0 ? inside : childrenOf(node, item)).map(({ text }) => text.trim()).filter((text) => text !== '');
};

const defaultSide = { width: 400, height: 600 };

const coverOf = (node: XmlNode, base: Base) => {
  const url = pictureAddress(textIn(node, 'CoverUrl'), base);
  if (url === '') return null;
  const sideOf = (name: string, fallback: number) => {
    const side = numberIn(node, name);
    return side !== undefined && side > 0 && side < 20_000 ? side : fallback;
  };
  return {
    url,
    smallUrl: pictureAddress(textIn(node, 'CoverSmallUrl'), base) || url,
    widths:
      textIn(node, 'CoverWidths')
        ?.match(/\b\d{2,4}\b/g)
        ?.map(Number) ?? [],
    width: sideOf('CoverWidth', defaultSide.width),
    height: sideOf('CoverHeight', defaultSide.height),
    color: colour(textIn(node, 'CoverColor')),
  };
};

/**
 * An amount as a machine or a person writes it: with its symbol, and marks between its thousands. A
 * last part of three digits is one of thousands where the currency has fewer decimals.
 */
const amountOf = (text: string, currency: string): number => {
  if (!Number.isNaN(Number(text))) return Number(text);
  const parts = (/^[^\d-]*(\d[\d.,\s']*)\D*$/.exec(text)?.[1] ?? '-').trim().split(/\D+/);
  const end = parts.length > 1 && (parts.at(-1)?.length !== 3 || decimalsOf(currency) === 3) ? parts.pop() : '';
  return Number(`${parts.join('')}.${end}`);
};

/** The price whose amount is in this field; NaN if unreadable, undefined without the field. */
export const priceIn = (node: XmlNode, name: string) => {
  const text = textIn(node, name);
  const [currency = '', symbol = ''] = [textIn(node, 'Currency'), textIn(node, 'CurrencySymbol')];
  return text === undefined ? undefined : { amount: amountOf(text, currency), currency, symbol };
};

/** All prices that came, or the single one of a server that sends no list; NaN if unreadable. */
const allPrices = (node: XmlNode) => {
  const prices = itemsOf(node, 'Prices', 'Price');
  return (prices.length > 0 ? prices : [node]).flatMap((each) => priceIn(each, each === node ? 'TitlePrice' : 'Amount') ?? []);
};

const isPrice = ({ amount }: { amount: number }): boolean => amount >= 0;

/** All prices that are some. */
export const pricesOf = (node: XmlNode) => allPrices(node).filter(isPrice);

/** The fields of a title in a list, for the schema; relative addresses are relative to `base`. */
export const summaryFields = (node: XmlNode, base: Base) => {
  const prices = allPrices(node);
  return {
    ...fieldsIn(node, TitleSummary.entries),
    // Nothing is paid for at a price that cannot be read.
    ...(prices.length > 0 && !prices.some(isPrice) && { forSale: false }),
    id: textIn(node, 'TitleId') ?? textIn(node, 'Id'),
    authors: textsIn(node, 'Authors', 'Author'),
    ...kindOf(node),
    cover: coverOf(node, base),
    prices: prices.filter(isPrice),
  };
};
