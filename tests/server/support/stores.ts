import type { NewStore } from '../../../server/setup/save-store.ts';
import type { NewTitle } from '../../../server/setup/save-title.ts';

const HOUR_MS = 60 * 60 * 1000;
const EPOCH = Date.UTC(2026, 0, 1);

const book: NewTitle = {
  id: 'book',
  medium: 'epub',
  name: 'The Salt <Road> & Other "Ways"',
  subtitle: 'A walk',
  isbn13: '9780306406157',
  authors: ['Ada O’Hara', "Ben d'Arc"],
  narrators: [],
  publisher: 'Quay & Co',
  language: 'en',
  publishedOn: '2024-05',
  description: '<p>Walking, &amp; salt.</p>',
  pages: 120,
  wordCount: 40_000,
  prices: [
    { amount: 9.9, currency: 'EUR' },
    { amount: 1500, currency: 'JPY' },
  ],
  categories: ['novels'],
  cover: { file: 'cover.jpg', smallFile: 'cover-240.jpg', width: 600, height: 900, color: '#123456' },
  content: {
    items: [{ id: '1', name: 'The Salt Road', file: 'book.epub', mimeType: 'application/epub+zip' }],
    sample: { items: [{ id: '1', name: 'A part', file: 'sample.epub', mimeType: 'application/epub+zip' }] },
  },
};

const otherTitles: NewTitle[] = [
  {
    id: 'sound',
    medium: 'audio',
    name: 'Éclair of Winter',
    authors: ['Zoë Amis'],
    narrators: ['Noor Bell'],
    durationSeconds: 1234.5,
    prices: [{ amount: 12, currency: 'EUR' }],
    categories: ['novels'],
    content: {
      items: [
        { id: '1', name: 'One', file: 'track-01.mp3', mimeType: 'audio/mpeg', durationSeconds: 600.25 },
        { id: '2', name: 'Two', file: 'track-02.mp3', mimeType: 'audio/mpeg', durationSeconds: 634.25 },
      ],
    },
  },
  {
    id: 'gratis',
    medium: 'pdf',
    name: 'A Free Sheet',
    authors: ['Ada O’Hara'],
    prices: [{ amount: 0, currency: 'EUR' }],
    categories: ['essays'],
    content: { items: [{ id: '1', name: 'Sheet', file: 'book.pdf', mimeType: 'application/pdf' }] },
  },
  {
    id: 'not-for-sale',
    medium: 'epub',
    name: 'Not for Sale',
    authors: ['Cy'],
    forSale: false,
    prices: [],
    categories: ['essays'],
  },
  {
    id: 'film',
    medium: 'video',
    name: '雨の映画',
    authors: ['山田 花子'],
    language: 'ja',
    prices: [{ amount: 3.5, currency: 'EUR' }],
    content: {
      items: [
        {
          id: '1',
          name: 'Film',
          file: 'film.mp4',
          mimeType: 'video/mp4',
          durationSeconds: 61,
          captions: [{ file: 'film.en.vtt', language: 'en' }],
        },
      ],
    },
  },
  {
    id: 'hidden',
    medium: 'epub',
    name: 'The Salt Unlisted',
    authors: ['Ada O’Hara'],
    listed: false,
    prices: [{ amount: 1, currency: 'EUR' }],
  },
];

/** Store properties that enable every kind of title. */
export const allKindsEnabled = { EnableAudioTitle: true, EnableVideoTitle: true };

/** A store of six titles in categories two levels deep; the first title is the newest. */
export const makeStore = (id: string): NewStore => ({
  id,
  currency: 'EUR',
  properties: {
    ShelfName: `Books <of> ${id}`,
    ShelfColor: '#0f6b6b',
    ...allKindsEnabled,
    AppStoreUrls: [{ Type: 'Apple', Url: 'https://apps.example/?a=1&b=2' }],
    PurchaseCountries: ['DE', 'FR'],
    CreditsPerRenewal: 2,
    CreditCurrency: 'Credits',
  },
  pages: [
    { name: 'about', title: 'About', html: '<p>About & so on</p>' },
    { name: 'members', title: 'Members', html: '<p>Members</p>', isPrivate: true },
  ],
  categories: [
    { id: 'fiction', name: 'Fiction & more' },
    { id: 'novels', name: 'Novels', parentId: 'fiction', tagId: 'tag-novels' },
    { id: 'essays', name: 'Essays' },
  ],
  titles: [book, ...otherTitles].map((title, index) => ({ ...title, addedAt: new Date(EPOCH - index * HOUR_MS) })),
});

/** A store that sells to a country without a listed currency: titles have all their prices. */
export const storeInAnyCurrency: Partial<NewStore> = {
  properties: { ...makeStore('any').properties, PurchaseCountries: ['FR', 'JP'] },
};
