import { getDecimals } from '../../../machines/model/store/currency.ts';
import { Medium, titleTypeCodes, TitleSummary, type TitleType } from '../../../machines/model/catalogue/title.ts';
import { type Base, toHexColor, toPictureAddress } from '../wire/address.ts';
import { getChildren, getFields, getItems, getNumber, getText, type XmlNode } from '../wire/xml-node.ts';

const typesByCode = new Map<string, TitleType>(
  (['ebook', 'audio', 'interactive', 'video'] as const).map((word) => [String(titleTypeCodes[word]), word]),
);

/**
 * The type by its code or name, and the medium, which is more precise than the type for an ebook. A
 * missing or unknown medium becomes the type's usual one. A title without a type is an ebook; an
 * unknown type stays as it is, so that the schema's error names it.
 */
const getKind = (node: XmlNode) => {
  const code = getText(node, 'TitleType')?.toLowerCase() ?? 'ebook';
  const type = typesByCode.get(code) ?? code;
  const medium = getText(node, 'Medium')?.toLowerCase();
  return { type, medium: Medium.options.find((each) => each === medium) ?? (type === 'ebook' ? 'epub' : type) };
};

/**
 * The texts of a list, under any item name; a list that is plain text is its only item.
 */
export const getTexts = (node: XmlNode, plural: string, item: string): string[] => {
  const inside = getChildren(node, plural).flatMap((list) => (list.children.length > 0 ? list.children : [list]));
  return (inside.length > 0 ? inside : getChildren(node, item)).map(({ text }) => text.trim()).filter((text) => text !== '');
};

const defaultCoverSize = { width: 400, height: 600 };

const getCover = (node: XmlNode, base: Base) => {
  const url = toPictureAddress(getText(node, 'CoverUrl'), base);
  if (url === '') return null;
  const sideOf = (name: string, fallback: number) => {
    const side = getNumber(node, name);
    return side !== undefined && side > 0 && side < 20_000 ? side : fallback;
  };
  return {
    url,
    smallUrl: toPictureAddress(getText(node, 'CoverSmallUrl'), base) || url,
    widths:
      getText(node, 'CoverWidths')
        ?.match(/\b\d{2,4}\b/g)
        ?.map(Number) ?? [],
    width: sideOf('CoverWidth', defaultCoverSize.width),
    height: sideOf('CoverHeight', defaultCoverSize.height),
    color: toHexColor(getText(node, 'CoverColor')),
  };
};

/**
 * Parses an amount in machine or human notation: with a symbol and thousands separators. A last
 * group of three digits counts as thousands where the currency has fewer decimals.
 */
const parseAmount = (text: string, currency: string): number => {
  if (!Number.isNaN(Number(text))) return Number(text);
  const parts = (/^[^\d-]*(\d[\d.,\s']*)\D*$/.exec(text)?.[1] ?? '-').trim().split(/\D+/);
  const end = parts.length > 1 && (parts.at(-1)?.length !== 3 || getDecimals(currency) === 3) ? parts.pop() : '';
  return Number(`${parts.join('')}.${end}`);
};

/** The price with the amount of this field; NaN if unreadable, undefined without the field. */
export const getPrice = (node: XmlNode, name: string) => {
  const text = getText(node, name);
  const [currency = '', symbol = ''] = [getText(node, 'Currency'), getText(node, 'CurrencySymbol')];
  return text === undefined ? undefined : { amount: parseAmount(text, currency), currency, symbol };
};

/** All prices of the answer, or the single one of a server without a list; NaN if unreadable. */
const getAllPrices = (node: XmlNode) => {
  const prices = getItems(node, 'Prices', 'Price');
  return (prices.length > 0 ? prices : [node]).flatMap((each) => getPrice(each, each === node ? 'TitlePrice' : 'Amount') ?? []);
};

const isPrice = ({ amount }: { amount: number }): boolean => amount >= 0;

/** All readable prices. */
export const getPrices = (node: XmlNode) => getAllPrices(node).filter(isPrice);

/**
 * The fields of a title in a list, for the schema; relative addresses are resolved against `base`.
 */
export const getSummaryFields = (node: XmlNode, base: Base) => {
  const prices = getAllPrices(node);
  return {
    ...getFields(node, TitleSummary.entries),
    // A title whose price cannot be read is not for sale.
    ...(prices.length > 0 && !prices.some(isPrice) && { forSale: false }),
    id: getText(node, 'TitleId') ?? getText(node, 'Id'),
    authors: getTexts(node, 'Authors', 'Author'),
    ...getKind(node),
    cover: getCover(node, base),
    prices: prices.filter(isPrice),
  };
};
