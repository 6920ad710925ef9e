import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runOperation } from '../../../server/admin/operations.ts';
import { createDelivery, createEpub, parseRows } from '../support/deliveries.ts';
import { openOperatorShop, type OperatorShop } from '../support/operator-shop.ts';

const ISBN = '9783161484100';
const demoMedia = resolve(import.meta.dirname, '../../../server/demo/media');

let shop: OperatorShop;
beforeAll(async () => {
  shop = await openOperatorShop();
});
afterAll(() => shop.close());

let store: string;
beforeEach(async () => {
  store = await shop.store({ titles: [], categories: [] });
});

const runImport = (folder: string, ...options: string[]) => shop.run('import', folder, '--store', store, '--json', ...options);
const parseOutcomes = (result: Awaited<ReturnType<typeof runImport>>) =>
  Object.fromEntries(parseRows(result).map(({ file, outcome }) => [String(file), String(outcome)]));
type ListedTitle = { TitleId: string; ISBN?: string; Name: string; CoverUrl?: string; ForSale: boolean };
const listTitles = async (query: Record<string, string> = {}): Promise<ListedTitle[]> => {
  const { value } = await shop.call('titles', '/titles', { query: { shelfid: store, ...query } });
  return (value as { Title?: ListedTitle[] }).Title ?? [];
};
const selectTitle = (id: string) =>
  shop.db.selectFrom('titles').selectAll().where('store_id', '=', store).where('id', '=', id).executeTakeFirstOrThrow();

describe('a table of prices', () => {
  const createBooks = () =>
    createDelivery({
      'a.epub': createEpub({ title: 'A', identifier: `urn:isbn:${ISBN}` }),
      'x/b.epub': createEpub({ title: 'B', identifier: 'urn:test:book-b' }),
    });

  test('a table of prices applies to the titles that it lists by ISBN or file, and changes only its own columns', async () => {
    await runOperation(shop.services, 'stores set', { store, currencies: 'EUR,JPY' });
    const folder = await createBooks();
    const table = `isbn,file,price,categories,forsale\n978-3-16-148410-0,,"3.50EUR, 400JPY",Novels; Sea,\n,x/b.epub,2EUR,,no\n`;
    await writeFile(join(folder, 'prices.csv'), table);
    await runImport(folder, '--prices', join(folder, 'prices.csv'), '--price', '9EUR');
    expect(await listTitles({ sort: 'title' })).toMatchObject([
      { Name: 'A', ForSale: true },
      { Name: 'B', ForSale: false },
    ]);
    expect((await selectTitle(ISBN)).sort_price).toBe(350);
    const categoryRows = await shop.db
      .selectFrom('title_categories')
      .select('category_id')
      .where('store_id', '=', store)
      .execute();
    expect(categoryRows.map(({ category_id: id }) => id).toSorted()).toEqual(['novels', 'sea']);
  });

  test.each([
    ['isbn,price\n123,1EUR\n', 'Line 2 of --prices: "123" is not an ISBN.'],
    ['isbn,price\n,1EUR\n', 'Line 2 of --prices identifies no title: it needs an isbn or a file.'],
    [`isbn,price\n${ISBN},free\n`, 'Line 2 of --prices: expected an amount with its currency, like 4.99EUR, not "free".'],
    [`isbn,price\n${ISBN},1EUR\n${ISBN},2EUR\n`, `Line 3 of --prices: ${ISBN} already has a line.`],
    ['isbn,price,categories\n\n123,1EUR,Sea\n', 'Line 3 of --prices: "123" is not an ISBN.'],
    [`isbn,price,categories\n${ISBN},1EUR,"Sea;\nNovels"\n123,1EUR,Sea\n`, 'Line 4 of --prices: "123" is not an ISBN.'],
    ['isbn,cost\n1,2\n', 'The file of --prices has an unknown column "cost".'],
    ['isbn,price\n1,2,3\n', 'The file of --prices is not valid CSV'],
  ])('a table of prices %j is refused before the import starts', async (table, message) => {
    const folder = await createBooks();
    await writeFile(join(folder, 'prices.csv'), table);
    const result = await runImport(folder, '--prices', join(folder, 'prices.csv'));
    expect([result.code, result.err.slice(0, message.length)]).toEqual([1, message]);
    expect(await listTitles()).toHaveLength(0);
  });
});

describe('ONIX', () => {
  const wrapProducts = (products: string) => `<ONIXMessage release="3.0"><Header/>${products}</ONIXMessage>`;
  const referenceProduct = `<Product><RecordReference>quay.1</RecordReference><ProductIdentifier><ProductIDType>15</ProductIDType>
    <IDValue>${ISBN}</IDValue></ProductIdentifier><DescriptiveDetail><TitleDetail><TitleType>01</TitleType><TitleElement>
    <TitleElementLevel>01</TitleElementLevel><TitlePrefix>The</TitlePrefix><TitleWithoutPrefix>Quay</TitleWithoutPrefix>
    <Subtitle>A &amp; B</Subtitle></TitleElement></TitleDetail>
    <Contributor><SequenceNumber>2</SequenceNumber><ContributorRole>A01</ContributorRole><PersonName>Bo Lind</PersonName></Contributor>
    <Contributor><SequenceNumber>1</SequenceNumber><ContributorRole>A01</ContributorRole><NamesBeforeKey>Ada</NamesBeforeKey><KeyNames>Moor</KeyNames></Contributor>
    <Contributor><SequenceNumber>3</SequenceNumber><ContributorRole>B06</ContributorRole><PersonName>A Translator</PersonName></Contributor>
    <Language><LanguageRole>01</LanguageRole><LanguageCode>fre</LanguageCode></Language></DescriptiveDetail>
    <CollateralDetail><TextContent><TextType>03</TextType><Text textformat="05"><p onclick="evil()">One <b>two</b> &lt;x&gt;<script>evil()</script></p></Text></TextContent></CollateralDetail>
    <PublishingDetail><Publisher><PublishingRole>01</PublishingRole><PublisherName>Quay</PublisherName></Publisher>
    <PublishingDate><PublishingDateRole>01</PublishingDateRole><Date dateformat="00">20240301</Date></PublishingDate></PublishingDetail>
    <ProductSupply><SupplyDetail><Price><PriceType>01</PriceType><PriceAmount>8.00</PriceAmount><CurrencyCode>EUR</CurrencyCode></Price>
    <Price><PriceType>02</PriceType><PriceAmount>9.99</PriceAmount><CurrencyCode>EUR</CurrencyCode></Price></SupplyDetail></ProductSupply></Product>`;
  const shortTagProduct = `<product><a001>paper</a001><descriptivedetail><titledetail><b202>01</b202><titleelement><x409>01</x409><b203>In Short</b203></titleelement></titledetail>
    <collection><titledetail><titleelement><x409>02</x409><x410>3</x410><b203>Quays</b203></titleelement></titledetail></collection></descriptivedetail>
    <collateraldetail><textcontent><x426>03</x426><d104 textformat="02">&lt;p&gt;Said &lt;i&gt;so&lt;/i&gt;.&lt;/p&gt;</d104></textcontent></collateraldetail></product>`;

  test('ONIX adds metadata to titles, by ISBN or by file name', async () => {
    const folder = await createDelivery({
      'a.epub': createEpub({ title: 'Wrong', identifier: `urn:isbn:${ISBN}`, metadata: '<dc:creator>Nobody</dc:creator>' }),
      'paper.pdf': await readFile(join(demoMedia, '1016/book.pdf')),
      'onix.xml': wrapProducts(referenceProduct + shortTagProduct),
    });
    const result = await runImport(folder, '--onix', join(folder, 'onix.xml'), '--price', '1EUR');
    expect(result.err).toContain('ONIX: 2 products.\n');
    expect(await selectTitle(ISBN)).toMatchObject({
      name: 'The Quay',
      subtitle: 'A & B',
      authors: ['Ada Moor', 'Bo Lind'],
      language: 'fr',
      publisher: 'Quay',
      published_on: '2024-03-01',
      description: '<p>One <b>two</b> &lt;x&gt;</p>',
      sort_price: 999,
    });
    const [paper] = await listTitles({ search: 'in short' });
    expect(await selectTitle(paper?.TitleId ?? '')).toMatchObject({
      name: 'In Short',
      series: 'Quays',
      series_number: 3,
      description: '<p>Said <i>so</i>.</p>',
      sort_price: 100,
    });
  });

  test('ONIX subjects become categories only on request, and take precedence over subjects of the file', async () => {
    const subjects = `<Subject><SubjectSchemeIdentifier>20</SubjectSchemeIdentifier><SubjectHeadingText>sea; quay</SubjectHeadingText></Subject>
      <Subject><SubjectSchemeIdentifier>93</SubjectSchemeIdentifier><SubjectCode>FBA</SubjectCode></Subject>
      <Subject><SubjectSchemeIdentifier>10</SubjectSchemeIdentifier><SubjectHeadingText>Harbours</SubjectHeadingText></Subject>
      <Subject><MainSubject/><SubjectSchemeIdentifier>10</SubjectSchemeIdentifier><SubjectHeadingText>Sea stories</SubjectHeadingText></Subject>`;
    const metadata = `<dc:subject>Tides</dc:subject><dc:subject> tides</dc:subject><dc:subject>${'x'.repeat(101)}</dc:subject>`;
    const folder = await createDelivery({
      'a.epub': createEpub({ identifier: `urn:isbn:${ISBN}`, metadata }),
      'b.epub': createEpub({ identifier: 'urn:test:book-b', metadata }),
      'onix.xml': wrapProducts(referenceProduct.replace('</DescriptiveDetail>', `${subjects}</DescriptiveDetail>`)),
    });
    const readCategories = async () => {
      const rows = await shop.db.selectFrom('title_categories').selectAll().where('store_id', '=', store).execute();
      return rows.map(({ title_id: title, category_id: id }) => [title === ISBN ? 'a' : 'b', id].join(' ')).toSorted();
    };
    await runImport(folder, '--onix', join(folder, 'onix.xml'), '--category', 'Novels');
    expect(await readCategories()).toEqual(['a novels', 'b novels']);
    const subjectOptions = ['--onix', join(folder, 'onix.xml'), '--categories-from-subjects'];
    expect(parseOutcomes(await runImport(folder, ...subjectOptions))).toEqual({ 'a.epub': 'changed', 'b.epub': 'changed' });
    expect(await readCategories()).toEqual([
      'a harbours',
      'a novels',
      'a sea-stories',
      'b novels',
      'b tides',
      expect.stringMatching(/^b x{40}$/),
    ]);
    expect(parseOutcomes(await runImport(folder, ...subjectOptions))).toEqual({ 'a.epub': 'unchanged', 'b.epub': 'unchanged' });
  });

  test('an ISBN from ONIX is added to a title without one, and does not duplicate the title', async () => {
    const folder = await createDelivery({
      'quay.1.pdf': await readFile(join(demoMedia, '1016/book.pdf')),
      'onix.xml': wrapProducts(referenceProduct),
    });
    await runImport(folder);
    expect(parseOutcomes(await runImport(folder, '--onix', join(folder, 'onix.xml')))).toEqual({ 'quay.1.pdf': 'changed' });
    expect(await listTitles()).toMatchObject([{ Name: 'The Quay' }]);
    expect((await listTitles())[0]).toMatchObject({ ISBN });
  });

  test('an ONIX file expands no entities, reads no other files, and skips products that nest too deeply', async () => {
    const deepProduct = `<Product><RecordReference>deep</RecordReference>${'<a>'.repeat(400)}${'</a>'.repeat(400)}</Product>`;
    const doctype = `<!DOCTYPE ONIXMessage [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;"><!ENTITY x SYSTEM "file:///etc/passwd">]>`;
    const productWithEntities = referenceProduct.replace('A &amp; B', 'A &b; &x; B');
    const folder = await createDelivery({
      'a.epub': createEpub({ identifier: `urn:isbn:${ISBN}` }),
      'onix.xml': doctype + wrapProducts(deepProduct + productWithEntities),
    });
    expect((await runImport(folder, '--onix', join(folder, 'onix.xml'))).err).toContain('ONIX: 1 product, 1 unreadable.\n');
    expect((await selectTitle(ISBN)).subtitle).not.toMatch(/aaaa|root/);
  });

  test.each([
    ['without XML', 'no XML at all', /contains no ONIX 3\.0 products/],
    ['whose product has no end', `<Product>${'x'.repeat(5_000_000)}`, /longer than 4 MB, or has no end/],
  ])('an ONIX file %s is refused before the import starts', async (_case, text, message) => {
    const folder = await createDelivery({ 'a.epub': createEpub(), 'onix.xml': text });
    const result = await runImport(folder, '--onix', join(folder, 'onix.xml'));
    expect([result.code, await listTitles()]).toEqual([1, []]);
    expect(result.err).toMatch(message);
  });
});
