import { getChildElements, getText, type XmlElement } from '../../../server/publication/xml-tree.ts';

/**
 * Short tags of ONIX 3.0 by their reference names, without those that are the name in lower case.
 */
const SHORT_TAGS = {
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

const COMPOSITE_TAGS = [
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

type Tag = keyof typeof SHORT_TAGS | (typeof COMPOSITE_TAGS)[number];

const isShort = (tag: Tag): tag is keyof typeof SHORT_TAGS => Object.hasOwn(SHORT_TAGS, tag);

/** The children with this tag, written as reference name or as short tag. */
export function getChildren(element: XmlElement | undefined, tag: Tag): XmlElement[] {
  const shortTag = isShort(tag) ? SHORT_TAGS[tag] : tag.toLowerCase();
  return getChildElements(element).filter(({ name }) => name === tag || name === shortTag);
}

export const getChild = (element: XmlElement | undefined, tag: Tag): XmlElement | undefined => getChildren(element, tag)[0];

/** The text of the first child with this tag; empty if the element has no child with it. */
export const getValue = (element: XmlElement | undefined, tag: Tag): string => getText(getChild(element, tag));
