/**
 * Titles, categories, plans and codes of the specification server, as of another vendor's store.
 */

export type CatalogueWork = {
  id: number;
  name: string;
  /** ebook 1, audio 2, interactive 3, video 4 */
  type: 1 | 2 | 3 | 4;
  /** as the server writes it; in euros if `currency` is missing */
  price: string;
  currency?: 'JPY' | 'JOD';
  category: number;
  /** the duration of an audiobook or a film */
  seconds?: number;
};

export const works: readonly CatalogueWork[] = [
  { id: 1, name: 'The Long Thaw', type: 1, price: '0', category: 11 },
  { id: 2, name: 'Café in the Fog', type: 2, price: '7.5', category: 12, seconds: 3 * 3600 + 25 * 60 + 45 },
  { id: 3, name: 'Low Water', type: 4, price: '12,50', category: 20, seconds: 12 * 60 + 5 },
  { id: 4, name: 'Salt Roads', type: 1, price: '5.00', category: 11 },
  { id: 5, name: 'The Tide Clock', type: 1, price: '9', category: 20 },
  { id: 6, name: 'Paper Lanterns', type: 1, price: '900', currency: 'JPY', category: 20 },
  { id: 7, name: 'The Dry Well', type: 1, price: '1.25', currency: 'JOD', category: 20 },
  {
    id: 8,
    name: 'A Very Long Name / With Slashes and Blanks That Goes On for More Than Sixty Characters',
    type: 1,
    price: '3',
    category: 20,
  },
  { id: 9, name: 'The Ferry', type: 3, price: '2', category: 20 },
];

/**
 * Ids of titles, by the ids of catalogs and title sets, to which the store prints or e-mails links.
 */
export const lists: Readonly<Record<'catalogid' | 'titlesetid', Readonly<Record<string, readonly number[]>>>> = {
  catalogid: { autumn: [4, 5, 9] },
  titlesetid: { tides: [3, 5] },
};

/** The categories without a parent. Subcategories are requested by the id of their parent. */
export const rootCategories: readonly { id: number; name: string; tagId?: string }[] = [
  { id: 10, name: 'Stories' },
  { id: 20, name: 'Deep/Sea', tagId: 'Tag-Sea' },
];

export const subCategories: Readonly<Record<number, readonly { id: number; name: string }[]>> = {
  10: [
    { id: 11, name: 'Winter' },
    { id: 12, name: 'Towns' },
  ],
};

/** Plans whose billing interval is named in this server's own words, or is missing. */
export const plans = [
  { id: 'gold', name: 'Gold', price: '4.99', interval: 'Monthly' },
  { id: 'plain', name: 'Plain', price: '2.00', interval: null },
] as const;

export type CodeKind = 'title' | 'choice' | 'credits' | 'month' | 'discount';

export const codes: Readonly<Record<string, CodeKind>> = {
  'ONE-TITLE': 'title',
  'ONE-OF-TWO': 'choice',
  'FIVE-CREDITS': 'credits',
  'A-MONTH': 'month',
  'A-FIFTH-OFF': 'discount',
};

export const findWork = (id: unknown): CatalogueWork | undefined => works.find((each) => String(each.id) === String(id));

/**
 * The price of a work as a number; the server writes it with a decimal comma or a decimal point.
 */
export const parsePrice = ({ price }: CatalogueWork): number => Number(price.replace(',', '.'));
