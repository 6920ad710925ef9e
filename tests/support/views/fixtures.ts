import * as v from 'valibot';
import { StoreProperties } from '../../../machines/model/store/store.ts';
import { Title, TitleSummary, type Category } from '../../../machines/model/catalogue/title.ts';

export const store = v.parse(StoreProperties, {
  shelfId: 'lamplight',
  additions: ['user/data', 'user/wishlist'],
  shelfName: 'The Lamplight Press',
  shelfLogo: '/logo.svg',
  shelfColor: '#7a3b2e',
  enableAudioTitle: true,
  enableVideoTitle: true,
  audioTitlesDisplayText: 'Recordings',
  videoTitlesDisplayText: 'Films',
  supportEmail: 'help@lamplight.example',
  about: '<h2>Who we are</h2><p onclick="steal()">Two people and a lamp.</p><script>steal()</script>',
  termsOfServiceUrl: 'https://lamplight.example/terms',
  allTitlesSortOptions: [
    { text: 'Newest', value: 'newest' },
    { text: 'Title', value: 'title' },
  ],
});

const makeCover = (id: string) => ({
  url: `/covers/${id}.jpg`,
  smallUrl: `/covers/${id}-240.jpg`,
  widths: [160, 240, 320],
  width: 600,
  height: 900,
  color: '#123456',
});

const price = { amount: 9.5, currency: 'USD', symbol: '$' };

export const summaries = [
  {
    id: '1',
    name: 'The Ferry Ledger',
    authors: ['Ines Marlow'],
    type: 'ebook',
    medium: 'epub',
    cover: makeCover('1'),
    prices: [price],
  },
  { id: '2', name: 'Night Signals', authors: ['A. Bell', 'C. Dunn'], type: 'audio', medium: 'audio', cover: null, free: true },
  { id: '3', name: 'Low Tide', type: 'video', medium: 'video', cover: null, prices: [price], forSale: false },
].map((each) => v.parse(TitleSummary, each));

export const fullTitle = v.parse(Title, {
  ...summaries[0],
  subtitle: 'A crossing in nine entries',
  prices: [price, { amount: 8, currency: 'EUR', symbol: '€' }],
  hasSample: true,
  isbn: '9780000000002',
  publisher: 'Lamplight',
  publishedDate: '2024-05-02',
  language: 'fr',
  description: 'A ledger that <em>will not</em> add up.<script>steal()</script>',
  pages: 1240,
  durationSeconds: 3725,
  wordCount: null,
  categories: [{ id: '12', name: 'Sea Stories' }],
});

const leafCategory = { tagId: '', tag: false, path: '', key: '', children: [] };

export const categories: Category[] = [
  {
    ...leafCategory,
    id: '10',
    name: 'Fiction',
    parentId: null,
    children: [{ ...leafCategory, id: '12', name: 'Sea Stories', parentId: '10' }],
  },
  { ...leafCategory, id: '11', name: 'Craft / Kitchen', parentId: null },
];
