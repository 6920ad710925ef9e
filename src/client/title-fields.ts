import { Medium, titleTypeCodes, TitleSummary, type TitleType } from '../../machines/model/title.ts';
import { type Base, colour, pictureAddress } from './address.ts';
import { childrenOf, fieldsIn, itemsOf, numberIn, textIn, type XmlNode } from './xml-node.ts';

const typesByCode = new Map<string, TitleType>(
  (['ebook', 'audio', 'interactive', 'video'] as const).map((word) => [String(titleTypeCodes[word]), word]),
);

const media: Partial<Record<string, Medium>> = { ebook: 'epub', audio: 'audio', video: 'video', interactive: 'interactive' };

/**
 * The type by its code or its word, and the medium, which says more than the type of an ebook alone: one that is missing, or
 * that nobody here knows, is the type's usual one. A type that is no code stays as it is, so that the schema names it.
 */
const kindOf = (node: XmlNode) => {
  const code = textIn(node, 'TitleType')?.toLowerCase();
  const type = typesByCode.get(code ?? '') ?? code;
  const medium = textIn(node, 'Medium')?.toLowerCase();
  return { type, medium: Medium.options.find((each) => each === medium) ?? media[type ?? ''] };
};

/** The texts of a list, whatever its items are called; a list that is a text alone is its only item. */
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

/** All prices that are some, or the single one of a server that sends no list. */
export const pricesOf = (node: XmlNode) => {
  const prices = itemsOf(node, 'Prices', 'Price');
  const priceOf = (each: XmlNode, amount: string) => ({
    amount: numberIn(each, amount),
    currency: textIn(each, 'Currency') ?? '',
    symbol: textIn(each, 'CurrencySymbol') ?? '',
  });
  const all = prices.length > 0 ? prices.map((each) => priceOf(each, 'Amount')) : [priceOf(node, 'TitlePrice')];
  return all.filter(({ amount = -1 }) => amount >= 0);
};

/** The fields of a title in a list, ready for the schema; `base` is what relative addresses are relative to. */
export const summaryFields = (node: XmlNode, base: Base) => ({
  ...fieldsIn(node, TitleSummary.entries),
  id: textIn(node, 'TitleId') ?? textIn(node, 'Id'),
  authors: textsIn(node, 'Authors', 'Author'),
  ...kindOf(node),
  cover: coverOf(node, base),
  prices: pricesOf(node),
});
