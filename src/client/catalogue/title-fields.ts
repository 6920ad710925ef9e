import { getDecimals } from '../../../machines/model/store/currency.ts';
import { Medium, titleTypeCodes, TitleSummary, type TitleType } from '../../../machines/model/catalogue/title.ts';
import { type Base, toHexColor, toPictureAddress } from '../wire/address.ts';
import { getChildren, getFields, getItems, getNumber, getText, type XmlNode } from '../wire/xml-node.ts';

const typesByCode = new Map<string, TitleType>(
  (['ebook', 'audio', 'interactive', 'video'] as const).map((word) => [String(titleTypeCodes[word]), word]),
);

/**
 * The type of a title by its code or name, and the medium, which is more precise than the type for
 * an ebook. A missing or unknown medium becomes the type's usual one. A title without a type is an
 * ebook; an unknown type stays as it is, so that the schema's error names it.
 */
const getTypeAndMedium = (node: XmlNode) => {
  const code = getText(node, 'TitleType')?.toLowerCase() ?? 'ebook';
  const type = typesByCode.get(code) ?? code;
  const medium = getText(node, 'Medium')?.toLowerCase();
  return { type, medium: Medium.options.find((each) => each === medium) ?? (type === 'ebook' ? 'epub' : type) };
};

/**
 * The texts of a list's items under any names; a list that is plain text is its only item.
 */
export const getTexts = (node: XmlNode, plural: string, item: string): string[] => {
  const items = getChildren(node, plural).flatMap((list) => (list.children.length > 0 ? list.children : [list]));
  return (items.length > 0 ? items : getChildren(node, item)).map(({ text }) => text.trim()).filter((text) => text !== '');
};

const defaultCoverSize = { width: 400, height: 600 };

const getCover = (node: XmlNode, base: Base) => {
  const url = toPictureAddress(getText(node, 'CoverUrl'), base);
  if (url === '') return null;
  const getSide = (name: string, fallback: number) => {
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
    width: getSide('CoverWidth', defaultCoverSize.width),
    height: getSide('CoverHeight', defaultCoverSize.height),
    color: toHexColor(getText(node, 'CoverColor')),
  };
};

/**
 * Parses an amount, also with a currency symbol and thousands separators; NaN if it is unreadable.
 * A last group of three digits counts as thousands unless the currency has three decimals.
 */
const parseAmount = (text: string, currency: string): number => {
  if (!Number.isNaN(Number(text))) return Number(text);
  const groups = (/^[^\d-]*(\d[\d.,\s']*)\D*$/.exec(text)?.[1] ?? '-').trim().split(/\D+/);
  const decimals = groups.length > 1 && (groups.at(-1)?.length !== 3 || getDecimals(currency) === 3) ? groups.pop() : '';
  return Number(`${groups.join('')}.${decimals}`);
};

/**
 * The price in this field, with the amount NaN if it is unreadable; undefined without the field.
 */
export const getPrice = (node: XmlNode, name: string) => {
  const text = getText(node, name);
  const [currency = '', symbol = ''] = [getText(node, 'Currency'), getText(node, 'CurrencySymbol')];
  return text === undefined ? undefined : { amount: parseAmount(text, currency), currency, symbol };
};

/**
 * All prices of a title, or its only one on a server without a list; unreadable amounts are NaN.
 */
const getAllPrices = (node: XmlNode) => {
  const prices = getItems(node, 'Prices', 'Price');
  return (prices.length > 0 ? prices : [node]).flatMap((each) => getPrice(each, each === node ? 'TitlePrice' : 'Amount') ?? []);
};

const isPrice = ({ amount }: { amount: number }): boolean => amount >= 0;

/** All prices of a title with a readable amount. */
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
    ...getTypeAndMedium(node),
    cover: getCover(node, base),
    prices: prices.filter(isPrice),
  };
};
