import { elementsOf, textOf, type XmlElement } from '../../../server/publication/xml-tree.ts';

/** Short tags of ONIX 3.0 by their reference names; where a short tag is the name in small letters it is left out. */
const SHORT = {
  RecordReference: 'a001',
  ProductIDType: 'b221',
  IDValue: 'b244',
  TitleType: 'b202',
  TitleElementLevel: 'x409',
  TitleText: 'b203',
  TitlePrefix: 'b030',
  TitleWithoutPrefix: 'b031',
  Subtitle: 'b029',
  PartNumber: 'x410',
  SequenceNumber: 'b034',
  ContributorRole: 'b035',
  PersonName: 'b036',
  NamesBeforeKey: 'b039',
  KeyNames: 'b040',
  CorporateName: 'b047',
  LanguageRole: 'b253',
  LanguageCode: 'b252',
  SubjectSchemeIdentifier: 'b067',
  SubjectHeadingText: 'b070',
  MainSubject: 'x425',
  TextType: 'x426',
  Text: 'd104',
  PublishingRole: 'b291',
  PublisherName: 'b081',
  ImprintName: 'b079',
  PublishingDateRole: 'x448',
  Date: 'b306',
  PriceType: 'x462',
  PriceAmount: 'j151',
  CurrencyCode: 'j152',
} as const;

const COMPOSITES = [
  'ProductIdentifier',
  'DescriptiveDetail',
  'TitleDetail',
  'TitleElement',
  'Contributor',
  'Language',
  'Collection',
  'Subject',
  'CollateralDetail',
  'TextContent',
  'PublishingDetail',
  'Publisher',
  'Imprint',
  'PublishingDate',
  'ProductSupply',
  'SupplyDetail',
  'Price',
] as const;

type Tag = keyof typeof SHORT | (typeof COMPOSITES)[number];

const isShort = (tag: Tag): tag is keyof typeof SHORT => Object.hasOwn(SHORT, tag);

/** The children of a name, in either way of writing it. */
export function childrenOf(element: XmlElement | undefined, tag: Tag): XmlElement[] {
  const short = isShort(tag) ? SHORT[tag] : tag.toLowerCase();
  return elementsOf(element).filter(({ name }) => name === tag || name === short);
}

export const childOf = (element: XmlElement | undefined, tag: Tag): XmlElement | undefined => childrenOf(element, tag)[0];

/** The text of the first child of a name; empty where there is none. */
export const valueIn = (element: XmlElement | undefined, tag: Tag): string => textOf(childOf(element, tag));
