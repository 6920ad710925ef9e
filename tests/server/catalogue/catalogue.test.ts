import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let store: string;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store();
});
afterAll(() => shop.close());

const getTitleIds = (value: unknown) => (value as { Title?: { TitleId: string }[] }).Title?.map((title) => title.TitleId) ?? [];
const readList = (query: Record<string, string | number>) =>
  shop.call('titles', '/titles', { query: { shelfid: store, ...query } });

test('store properties are returned as they were set, with texts escaped and lists as child elements', async () => {
  const { value, text } = await shop.call('storeProperties', '/store/properties', { query: { shelfid: store } });
  expect(value).toMatchObject({
    ShelfId: store,
    ShelfName: `Books <of> ${store}`,
    ShelfColor: '#0f6b6b',
    EnableAudioTitle: true,
    AppStoreUrls: [{ Type: 'Apple', Url: 'https://apps.example/?a=1&b=2' }],
    PurchaseCountries: ['DE', 'FR'],
    CreditsPerRenewal: 2,
    CreditCurrency: 'Credits',
  });
  expect(text).toContain('Books &lt;of&gt;');
});

test('categories are a flat list with the parent of each and the count of distinct titles below it', async () => {
  const { value } = await shop.call('categories', '/categories', { query: { shelfid: store } });
  expect(value).toEqual({
    Category: [
      { Id: 'fiction', Name: 'Fiction & more', Count: 2 },
      { Id: 'novels', TagId: 'tag-novels', Name: 'Novels', ParentId: 'fiction', Count: 2 },
      { Id: 'essays', Name: 'Essays', Count: 2 },
    ],
  });
});

test('a category’s sub-categories are listed; an unknown category is not found', async () => {
  const subcategories = await shop.call('categories', '/categories', { query: { shelfid: store, categoryid: 'fiction' } });
  expect((subcategories.value as { Category: { Id: string }[] }).Category.map((each) => each.Id)).toEqual(['novels']);
  const unknownCategory = await shop.call('categories', '/categories', { query: { shelfid: store, categoryid: 'nowhere' } });
  expect(unknownCategory).toMatchObject({ status: 404, value: { StatusCode: 404, Status: 'NotFound' } });
});

test('a title found by its id has every field, a price in each currency, and escaped texts', async () => {
  const { value, text } = await shop.call('titleById', '/titles/book', { query: { shelfid: store } });
  const cover = `/media/covers/${store}/book`;
  expect(value).toEqual({
    AuthorTitles: 1,
    TitleId: 'book',
    ISBN: '9780306406157',
    Name: 'The Salt <Road> & Other "Ways"',
    SubTitle: 'A walk',
    Authors: ['Ada O’Hara', "Ben d'Arc"],
    TitleType: 1,
    Medium: 'epub',
    CoverUrl: `${cover}/cover.jpg`,
    CoverSmallUrl: `${cover}/cover-240.jpg`,
    CoverWidths: '180 240 320 400 480 600',
    CoverWidth: 600,
    CoverHeight: 900,
    CoverColor: '#123456',
    Prices: [
      { Amount: 9.9, Currency: 'EUR', CurrencySymbol: '€' },
      { Amount: 1500, Currency: 'JPY', CurrencySymbol: '¥' },
    ],
    TitlePrice: 9.9,
    CurrencySymbol: '€',
    Currency: 'EUR',
    ForSale: true,
    Free: false,
    HasSample: true,
    Publisher: 'Quay & Co',
    PublishedDate: '2024-05',
    Language: 'en',
    Description: '<p>Walking, &amp; salt.</p>',
    Pages: 120,
    WordCount: 40000,
    Categories: [{ Id: 'novels', Name: 'Novels' }],
  });
  expect(text).toContain('<Name>The Salt &lt;Road&gt; &amp; Other &quot;Ways&quot;</Name>');
  expect(text).toContain('<Amount>9.90</Amount>');
});

test.each([
  ['ISBN-13', '9780306406157'],
  ['ISBN-13 with hyphens', '978-0-306-40615-7'],
  ['ISBN-10', '0306406152'],
  ['ISBN-10 with hyphens', '0-306-40615-2'],
])('a title is found by its %s', async (_kind, isbn) => {
  const { value } = await shop.call('titleByIsbn', `/titles/isbn/${isbn}`, { query: { shelfid: store } });
  expect(value).toMatchObject({ TitleId: 'book' });
});

test('an ISBN with a wrong check digit is refused, an unknown one is not found', async () => {
  const wrongCheckDigit = await shop.call('titleByIsbn', '/titles/isbn/9780306406158', { query: { shelfid: store } });
  expect(wrongCheckDigit).toMatchObject({ status: 400, value: { Status: 'BadRequest' } });
  const unknownIsbn = await shop.call('titleByIsbn', '/titles/isbn/9783161484100', { query: { shelfid: store } });
  expect(unknownIsbn).toMatchObject({ status: 404, value: { Status: 'NotFound' } });
});

describe('a list of titles', () => {
  test('a list has the newest titles first, and no unlisted title', async () => {
    const { value } = await readList({});
    expect(getTitleIds(value)).toEqual(['book', 'sound', 'gratis', 'not-for-sale', 'film']);
    expect(value).toMatchObject({ total: 5 });
    expect(value).not.toHaveProperty('next');
  });

  test.each([
    ['type', { titletype: 2 }, ['sound']],
    ['category, including its sub-categories', { categoryid: 'fiction' }, ['book', 'sound']],
    ['tag', { tagid: 'tag-novels' }, ['book', 'sound']],
    ['type and category', { titletype: 1, categoryid: 'fiction' }, ['book']],
    ['words of the name', { search: 'salt ways' }, ['book']],
    ['prefixes of words', { search: 'oth sal' }, ['book']],
    ['words with missing accents', { search: 'eclair' }, ['sound']],
    ['words with extra accents', { search: 'sált' }, ['book']],
    ['an author', { search: 'hara' }, ['gratis', 'book']],
    ['a narrator', { search: 'noor' }, ['sound']],
    ['another script', { search: '雨の' }, ['film']],
    ['a word in a script without spaces', { search: '映画' }, ['film']],
    ['an ISBN-10', { search: '0-306-40615-2' }, ['book']],
    ['an unknown word', { search: 'xylophone' }, []],
    ['only punctuation', { search: '&|!:*()\\\'"' }, []],
    ['an SQL injection', { search: "'; drop table titles; --" }, []],
  ])('a list is filtered by %s', async (_filter, query, expected) => {
    const { value, status } = await readList(query);
    expect(status).toBe(200);
    expect(getTitleIds(value)).toEqual(expected);
  });

  test.each([
    ['title', 'title', ['sound', 'gratis', 'not-for-sale', 'book', 'film']],
    ['title-desc', 'title-desc', ['film', 'book', 'not-for-sale', 'gratis', 'sound']],
    ['author', 'author', ['sound', 'not-for-sale', 'book', 'gratis', 'film']],
    ['price', 'price', ['gratis', 'not-for-sale', 'film', 'book', 'sound']],
    ['price-desc', 'price-desc', ['sound', 'book', 'film', 'not-for-sale', 'gratis']],
    ['newest, for an unknown order', 'no-such-order', ['book', 'sound', 'gratis', 'not-for-sale', 'film']],
  ])('a list is in the order %s, also across pages', async (_order, sort, expected) => {
    expect(getTitleIds((await readList({ sort })).value).map((id) => id)).toEqual(expected);
    const pagedIds: string[] = [];
    for (let cursor = ''; ;) {
      const { value } = await readList({ sort, limit: 2, cursor });
      pagedIds.push(...getTitleIds(value));
      const { next } = value as { next?: string };
      if (!next) break;
      cursor = next;
    }
    expect(pagedIds).toEqual(expected);
  });

  test('a list refuses a cursor that is malformed or belongs to another list', async () => {
    const first = await readList({ sort: 'title', limit: 2 });
    const { next } = first.value as { next: string };
    for (const cursor of ['nonsense', next.slice(4), Buffer.from('["title"]').toString('base64url')])
      expect(await readList({ sort: 'title', cursor })).toMatchObject({ status: 400, value: { Status: 'BadRequest' } });
    expect(await readList({ sort: 'price', cursor: next })).toMatchObject({ status: 400 });
    const [sort, value, id] = JSON.parse(Buffer.from(next, 'base64url').toString()) as unknown[];
    for (const total of [-1, 1.5, 1e300, 'many']) {
      const cursor = Buffer.from(JSON.stringify([sort, value, id, total])).toString('base64url');
      expect(await readList({ sort: 'title', cursor })).toMatchObject({ status: 400 });
    }
  });

  test('a list of an unknown category is not found', async () => {
    expect(await readList({ categoryid: 'nowhere' })).toMatchObject({ status: 404 });
    expect(await readList({ catalogid: 'fiction' })).toMatchObject({ status: 404 });
  });
});

test('related titles share a category; an unknown title is not found', async () => {
  const { value } = await shop.call('relatedTitles', '/titles/book/related', { query: { shelfid: store } });
  expect(getTitleIds(value)).toEqual(['sound']);
  const unknownTitle = await shop.call('relatedTitles', '/titles/none/related', { query: { shelfid: store } });
  expect(unknownTitle.status).toBe(404);
});

test('a public page is found, a private one needs a customer, an unknown one is not found', async () => {
  const about = await shop.call('page', '/pages/about', { query: { shelfid: store } });
  expect(about.value).toEqual({ name: 'about', title: 'About', html: '<p>About & so on</p>' });
  expect((await shop.call('page', '/pages/members', { query: { shelfid: store } })).status).toBe(401);
  expect((await shop.call('page', '/pages/none', { query: { shelfid: store } })).status).toBe(404);
});
