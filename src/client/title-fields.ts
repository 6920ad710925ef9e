import { Title, titleTypeCodes, TitleSummary, type TitleType } from '../../machines/model/title.ts';
import { colour, pictureAddress } from './address.ts';
import { childrenOf, fieldsIn, itemsOf, numberIn, textIn, type XmlNode } from './xml-node.ts';

const typesByCode = new Map<string, TitleType>(
  (['ebook', 'audio', 'interactive', 'video'] as const).map((word) => [String(titleTypeCodes[word]), word]),
);

/** The type by its code; text that is no code stays as it is, so that the schema names it. */
const typeOf = (node: XmlNode): string | undefined => {
  const code = textIn(node, 'TitleType');
  return typesByCode.get(code ?? '') ?? code?.toLowerCase();
};

const textsIn = (node: XmlNode, plural: string, item: string): string[] =>
  itemsOf(node, plural, item)
    .map((each) => each.text.trim())
    .filter((text) => text !== '');

const defaultSide = { width: 400, height: 600 };

const coverOf = (node: XmlNode, base: string) => {
  const url = pictureAddress(textIn(node, 'CoverUrl'), base);
  if (url === '') return null;
  const sideOf = (name: string, fallback: number) => {
    const side = numberIn(node, name);
    return side !== undefined && side > 0 && side < 20_000 ? side : fallback;
  };
  return {
    url,
    smallUrl: pictureAddress(textIn(node, 'CoverSmallUrl'), base) || url,
    width: sideOf('CoverWidth', defaultSide.width),
    height: sideOf('CoverHeight', defaultSide.height),
    color: colour(textIn(node, 'CoverColor')),
  };
};

/** All prices, or the single one of a server that sends no list. */
const pricesOf = (node: XmlNode) => {
  const prices = itemsOf(node, 'Prices', 'Price');
  const priceOf = (each: XmlNode, amount: string) => ({
    amount: numberIn(each, amount),
    currency: textIn(each, 'Currency') ?? '',
    symbol: textIn(each, 'CurrencySymbol') ?? '',
  });
  if (prices.length > 0) return prices.map((each) => priceOf(each, 'Amount'));
  return textIn(node, 'TitlePrice') === undefined ? [] : [priceOf(node, 'TitlePrice')];
};

/** The fields of a title in a list, ready for the schema; `base` is what relative addresses are relative to. */
export const summaryFields = (node: XmlNode, base: string) => ({
  ...fieldsIn(node, TitleSummary.entries),
  id: textIn(node, 'TitleId'),
  authors: textsIn(node, 'Authors', 'Author'),
  type: typeOf(node),
  medium: textIn(node, 'Medium')?.toLowerCase(),
  cover: coverOf(node, base),
  prices: pricesOf(node),
});

/** The fields of a title with all that its own page shows. */
export const titleFields = (node: XmlNode, base: string) => ({
  ...fieldsIn(node, Title.entries),
  ...summaryFields(node, base),
  narrators: textsIn(node, 'Narrators', 'Narrator'),
  categories: childrenOf(node, 'Categories').flatMap((list) =>
    childrenOf(list, 'Category').map((each) => ({ id: textIn(each, 'Id'), name: textIn(each, 'Name') })),
  ),
});
