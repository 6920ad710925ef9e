import { describe, expect, test } from 'vitest';
import { fetchTitle, fetchTitleByIsbn } from '../../src/client/catalogue/title.ts';
import { fetchRelatedTitles } from '../../src/client/catalogue/some-titles.ts';
import { fetchTitles } from '../../src/client/catalogue/titles.ts';
import { config, catchRejection, environment, xml } from '../support/client/fake-environment.ts';

const allTitles = { type: 'all', categoryId: null, search: '', sort: '', cursor: null } as const;

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
  const read = (inner: string) => fetchTitle(environment([xml(`<Title>${inner}</Title>`)]).api, 't1');

  test('the fewest fields that make a title', async () => {
    expect(await read(minimalTitleXml)).toEqual({ ...summary, ...details });
  });

  test('every field [S3.title-price] [S7.titles/id]', async () => {
    const full = await read(`${minimalTitleXml}<ISBN>9780306406157</ISBN><SubTitle>A winter</SubTitle>
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
    expect(full).toEqual({
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
  ])('a series from a server that gives fewer fields: %s', async (series, expected) => {
    expect((await read(`${minimalTitleXml}${series}`)).series).toEqual(expected);
  });

  test('a single price without a list', async () => {
    const { prices } = await read(
      `${minimalTitleXml}<TitlePrice>3</TitlePrice><Currency>USD</Currency><CurrencySymbol>$</CurrencySymbol>`,
    );
    expect(prices).toEqual([{ amount: 3, currency: 'USD', symbol: '$' }]);
  });

  test.each([
    ['/api', '/c.jpg?v=1#x', '/c.jpg?v=1#x'],
    ['/api', 'https://books.example/c.jpg', '/c.jpg'],
    ['/api', 'https://pictures.example/c.jpg', 'https://pictures.example/c.jpg'],
    ['https://api.example/', '/c.jpg', 'https://api.example/c.jpg'],
  ])('at https://books.example with the API at %s the cover %s is at %s', async (apiBase, cover, url) => {
    const { api } = environment([xml(`<Title>${minimalTitleXml}<CoverUrl>${cover}</CoverUrl></Title>`)], {
      config: { ...config, apiBase },
      origin: 'https://books.example/id:1',
    });
    expect((await fetchTitle(api, 't1')).cover?.url).toBe(url);
  });

  test('a cover with an executable address is dropped, and one without dimensions gets defaults', async () => {
    expect((await read(`${minimalTitleXml}<CoverUrl>javascript:alert(1)</CoverUrl>`)).cover).toBeNull();
    const { cover } = await read(
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
  ])('an error names a wrong %s', async (field, inner) => {
    expect(await catchRejection(read(inner))).toMatchObject({ kind: 'malformed', call: 'titles/{titleId}', field });
  });

  test.each(['..', 'a/b', '', '%2e', 'x'.repeat(65)])('an id of the wrong form is not requested: %j', async (id) => {
    const { api, asked } = environment([]);
    expect(await catchRejection(fetchTitle(api, id))).toEqual({ kind: 'refused', code: 'not_found', message: '' });
    expect(asked).toEqual([]);
  });

  test('by ISBN [S7.titles/isbn]', async () => {
    const { api, asked } = environment([xml(`<Title>${minimalTitleXml}</Title>`)]);
    expect((await fetchTitleByIsbn(api, '0-306-40615-2')).id).toBe('t1');
    expect(asked[0]?.path).toBe('/api/titles/isbn/9780306406157');
  });

  test.each(['keeper', '0-306-40615-X', '9780306406158', '', '978030640615'])(
    '%j is not an ISBN: nothing is found, and no request is sent',
    async (isbn) => {
      const { api, asked } = environment([]);
      expect(await catchRejection(fetchTitleByIsbn(api, isbn))).toEqual({ kind: 'refused', code: 'not_found', message: '' });
      expect(asked).toEqual([]);
    },
  );
});

describe('lists', () => {
  const list = (attributes: string, ...ids: string[]) =>
    xml(
      `<Titles ${attributes}>${ids.map((id) => `<Title>${minimalTitleXml.replace('>t1<', `>${id}<`)}</Title>`).join('')}</Titles>`,
    );

  test('a page [S7.titles]', async () => {
    const { api, asked } = environment([list('total="30" next="c2"', 't1', 't2')]);
    const query = { type: 'video', categoryId: 'c1', search: 'sea & sky', sort: 'name', cursor: 'c1' } as const;
    const page = await fetchTitles(api, query, { limit: 2 });
    expect(page).toEqual({ titles: [summary, { ...summary, id: 't2' }], total: 30, next: 'c2' });
    expect(asked[0]?.query).toEqual({
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
  ] as const)('type %s is code %s [S3.title-type] [S9.list-codes]', async (type, code) => {
    const { api, asked } = environment([list('')]);
    expect(await fetchTitles(api, { ...allTitles, type })).toEqual({ titles: [], total: null, next: null });
    expect(asked[0]?.query).toEqual({ titletype: code, shelfid: 'demo' });
  });

  test('the last page has no next page, with any total', async () => {
    expect(await fetchTitles(environment([list('next="" total="some"', 't1')]).api, allTitles)).toMatchObject({
      total: null,
      next: null,
    });
  });

  test('related titles [S7.titles/related]', async () => {
    const { api, asked } = environment([list('', 't2', 't3')]);
    expect((await fetchRelatedTitles(api, 't1')).map(({ id }) => id)).toEqual(['t2', 't3']);
    expect(asked[0]?.path).toBe('/api/titles/t1/related');
  });
});
