import { describe, expect, test } from 'vitest';
import { fetchTitle, fetchTitleByIsbn } from '../../src/client/catalogue/title.ts';
import { fetchRelatedTitles } from '../../src/client/catalogue/some-titles.ts';
import { fetchTitles } from '../../src/client/catalogue/titles.ts';
import { config, catchRejection, createFakeServer, xml } from '../support/client/fake-environment.ts';

const allTitlesQuery = { type: 'all', categoryId: null, search: '', sort: '', cursor: null } as const;

const summary = {
  id: 't1',
  name: 'The Keeper’s Log',
  subtitle: '',
  authors: [],
  type: 'ebook',
  medium: 'epub',
  cover: null,
  prices: [],
  free: false,
  forSale: true,
  hasSample: false,
};
const minimalTitleXml = '<TitleId>t1</TitleId><Name>The Keeper’s Log</Name><TitleType>1</TitleType><Medium>EPUB</Medium>';
const details = {
  isbn: '',
  narrators: [],
  publisher: '',
  publishedDate: '',
  language: '',
  description: '',
  pages: null,
  durationSeconds: null,
  wordCount: null,
  categories: [],
  series: null,
  authorTitles: 0,
};

describe('one title', () => {
  const readTitle = (innerXml: string) => fetchTitle(createFakeServer([xml(`<Title>${innerXml}</Title>`)]).api, 't1');

  test('a title needs no more than an id, a name, a type and a medium', async () => {
    expect(await readTitle(minimalTitleXml)).toEqual({ ...summary, ...details });
  });

  test('every field of a title is mapped to the model [S3.title-price] [S7.titles/id]', async () => {
    const fullTitle = await readTitle(`${minimalTitleXml}<ISBN>9780306406157</ISBN><SubTitle>A winter</SubTitle>
      <Authors><Author>Ada Lund</Author><Author> Bo Rask </Author></Authors><Narrators><Narrator>Cy</Narrator></Narrators>
      <Publisher>Lantern</Publisher><PublishedDate>2024-05</PublishedDate><Language>en</Language>
      <Description><![CDATA[<p>Alone & <i>awake</i></p>]]></Description>
      <CoverUrl>/media/t1/cover.jpg</CoverUrl><CoverSmallUrl>/media/t1/small.jpg</CoverSmallUrl>
      <CoverWidths>180 240 x 9999999</CoverWidths><CoverWidth>800</CoverWidth><CoverHeight>1200</CoverHeight><CoverColor>#123456</CoverColor>
      <Pages>210</Pages><DurationSeconds>12.5</DurationSeconds><WordCount>64000</WordCount>
      <Categories><Category><Id>c1</Id><Name>Sea</Name></Category></Categories>
      <Series><Name>Two Winters</Name><Number>2.5</Number><Titles>3</Titles></Series><AuthorTitles>4</AuthorTitles>
      <Prices><Price><Amount>9.90</Amount><Currency>USD</Currency><CurrencySymbol>$</CurrencySymbol></Price>
      <Price Amount="8.5" Currency="EUR" CurrencySymbol="€"/></Prices>
      <TitlePrice>9.90</TitlePrice><Free>false</Free><ForSale>true</ForSale><HasSample>true</HasSample>`);
    expect(fullTitle).toEqual({
      ...summary,
      isbn: '9780306406157',
      subtitle: 'A winter',
      authors: ['Ada Lund', 'Bo Rask'],
      narrators: ['Cy'],
      publisher: 'Lantern',
      publishedDate: '2024-05',
      language: 'en',
      description: '<p>Alone & <i>awake</i></p>',
      cover: {
        url: 'https://shop.test/media/t1/cover.jpg',
        smallUrl: 'https://shop.test/media/t1/small.jpg',
        widths: [180, 240],
        width: 800,
        height: 1200,
        color: '#123456',
      },
      pages: 210,
      durationSeconds: 12.5,
      wordCount: 64000,
      categories: [{ id: 'c1', name: 'Sea' }],
      series: { name: 'Two Winters', number: 2.5, titles: 3 },
      authorTitles: 4,
      prices: [
        { amount: 9.9, currency: 'USD', symbol: '$' },
        { amount: 8.5, currency: 'EUR', symbol: '€' },
      ],
      hasSample: true,
    });
  });

  test.each([
    ['<Series>Two Winters</Series>', { name: 'Two Winters', number: null, titles: 0 }],
    ['<Series><Name>Two Winters</Name><Number>two</Number></Series>', { name: 'Two Winters', number: null, titles: 0 }],
    ['<Series/>', null],
    ['<Series><Number>2</Number></Series>', null],
  ])('missing fields of a series have defaults; a series without a name is null: %s', async (series, expected) => {
    expect((await readTitle(`${minimalTitleXml}${series}`)).series).toEqual(expected);
  });

  test('a title with a single price has a list of that price', async () => {
    const { prices } = await readTitle(
      `${minimalTitleXml}<TitlePrice>3</TitlePrice><Currency>USD</Currency><CurrencySymbol>$</CurrencySymbol>`,
    );
    expect(prices).toEqual([{ amount: 3, currency: 'USD', symbol: '$' }]);
  });

  test.each([
    ['/api', '/c.jpg?v=1#x', '/c.jpg?v=1#x'],
    ['/api', 'https://books.example/c.jpg', '/c.jpg'],
    ['/api', 'https://pictures.example/c.jpg', 'https://pictures.example/c.jpg'],
    ['https://api.example/', '/c.jpg', 'https://api.example/c.jpg'],
  ])('on https://books.example, with the API at %s, the cover %s has the URL %s', async (apiBase, cover, url) => {
    const { api } = createFakeServer([xml(`<Title>${minimalTitleXml}<CoverUrl>${cover}</CoverUrl></Title>`)], {
      config: { ...config, apiBase },
      origin: 'https://books.example/id:1',
    });
    expect((await fetchTitle(api, 't1')).cover?.url).toBe(url);
  });

  test('a cover with an executable URL is dropped', async () => {
    expect((await readTitle(`${minimalTitleXml}<CoverUrl>javascript:alert(1)</CoverUrl>`)).cover).toBeNull();
  });

  test('a cover without valid dimensions has default ones', async () => {
    const { cover } = await readTitle(
      `${minimalTitleXml}<CoverUrl>/c.jpg</CoverUrl><CoverWidth>-4</CoverWidth><CoverColor>red;}</CoverColor>`,
    );
    expect(cover).toEqual({
      url: 'https://shop.test/c.jpg',
      smallUrl: 'https://shop.test/c.jpg',
      widths: [],
      width: 400,
      height: 600,
      color: '',
    });
  });

  test.each([
    ['name', minimalTitleXml.replace(/<Name>.*<\/Name>/, '')],
    ['type', minimalTitleXml.replace('>1<', '>9<')],
  ])('an error names the wrong field: %s', async (field, innerXml) => {
    expect(await catchRejection(readTitle(innerXml))).toMatchObject({ kind: 'malformed', call: 'titles/{titleId}', field });
  });

  test.each(['..', 'a/b', '', '%2e', 'x'.repeat(65)])(
    'a title id of the wrong form is refused without a request: %j',
    async (id) => {
      const { api, requests } = createFakeServer([]);
      expect(await catchRejection(fetchTitle(api, id))).toEqual({ kind: 'refused', code: 'not_found', message: '' });
      expect(requests).toEqual([]);
    },
  );

  test('a title is requested by its ISBN without hyphens [S7.titles/isbn]', async () => {
    const { api, requests } = createFakeServer([xml(`<Title>${minimalTitleXml}</Title>`)]);
    expect((await fetchTitleByIsbn(api, '0-306-40615-2')).id).toBe('t1');
    expect(requests[0]?.path).toBe('/api/titles/isbn/9780306406157');
  });

  test.each(['keeper', '0-306-40615-X', '9780306406158', '', '978030640615'])(
    '%j is not an ISBN, and is refused without a request',
    async (isbn) => {
      const { api, requests } = createFakeServer([]);
      expect(await catchRejection(fetchTitleByIsbn(api, isbn))).toEqual({ kind: 'refused', code: 'not_found', message: '' });
      expect(requests).toEqual([]);
    },
  );
});

describe('lists', () => {
  const listResponse = (attributes: string, ...ids: string[]) =>
    xml(
      `<Titles ${attributes}>${ids.map((id) => `<Title>${minimalTitleXml.replace('>t1<', `>${id}<`)}</Title>`).join('')}</Titles>`,
    );

  test('a page of a list has its titles, the total and the next cursor [S7.titles]', async () => {
    const { api, requests } = createFakeServer([listResponse('total="30" next="c2"', 't1', 't2')]);
    const query = { type: 'video', categoryId: 'c1', search: 'sea & sky', sort: 'name', cursor: 'c1' } as const;
    const page = await fetchTitles(api, query, { limit: 2 });
    expect(page).toEqual({ titles: [summary, { ...summary, id: 't2' }], total: 30, next: 'c2' });
    expect(requests[0]?.query).toEqual({
      titletype: '4',
      categoryid: 'c1',
      search: 'sea & sky',
      sort: 'name',
      cursor: 'c1',
      limit: '2',
      shelfid: 'demo',
    });
  });

  test.each([
    ['all', '0'],
    ['ebook', '1'],
    ['audio', '2'],
    ['interactive', '3'],
    ['video', '4'],
  ] as const)('titles of type %s are requested by code %s [S3.title-type] [S9.list-codes]', async (type, code) => {
    const { api, requests } = createFakeServer([listResponse('')]);
    expect(await fetchTitles(api, { ...allTitlesQuery, type })).toEqual({ titles: [], total: null, next: null });
    expect(requests[0]?.query).toEqual({ titletype: code, shelfid: 'demo' });
  });

  test('an empty cursor and an unreadable total are null', async () => {
    expect(await fetchTitles(createFakeServer([listResponse('next="" total="some"', 't1')]).api, allTitlesQuery)).toMatchObject({
      total: null,
      next: null,
    });
  });

  test('related titles are requested by the id of their title [S7.titles/related]', async () => {
    const { api, requests } = createFakeServer([listResponse('', 't2', 't3')]);
    expect((await fetchRelatedTitles(api, 't1')).map(({ id }) => id)).toEqual(['t2', 't3']);
    expect(requests[0]?.path).toBe('/api/titles/t1/related');
  });
});
