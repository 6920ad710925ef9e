// A store server other than ours: it implements the specification alone, and serialises answers as
// its own tools do.
import { describe, expect, test } from 'vitest';
import { fetchTitle } from '../../src/client/catalogue/title.ts';
import { fetchRelatedTitles } from '../../src/client/catalogue/some-titles.ts';
import { fetchTitles } from '../../src/client/catalogue/titles.ts';
import { html, json, catchRejection, createFakeServer, xml } from '../support/client/fake-environment.ts';

const allTitlesQuery = { type: 'all', categoryId: null, search: '', sort: '', cursor: null } as const;
const minimalTitleXml = '<TitleId>1</TitleId><Name>Log</Name><TitleType>2</TitleType>';
const titleXml = (id: string) => `<Title>${minimalTitleXml.replace('>1<', `>${id}<`)}</Title>`;
const readIds = async (answer: Response) =>
  (await fetchTitles(createFakeServer([answer]).api, allTitlesQuery)).titles.map(({ id }) => id);
const readTitle = (innerXml: string) => fetchTitle(createFakeServer([xml(`<Title>${innerXml}</Title>`)]).api, '1');
const bytesResponse = (content: Uint8Array<ArrayBuffer>, type = 'application/xml') =>
  new Response(content, { headers: { 'content-type': type } });
const latin1 = (content: string) => Uint8Array.from(content, (character) => character.codePointAt(0) ?? 0);
const utf16 = (content: string) =>
  Uint8Array.from([
    0xff,
    0xfe,
    ...Array.from(content, (character) => [character.charCodeAt(0) & 255, character.charCodeAt(0) >> 8]).flat(),
  ]);

describe('a title', () => {
  test.each([
    ['1', 'epub'],
    ['2', 'audio'],
    ['3', 'interactive'],
    ['4', 'video'],
    ['Ebook', 'epub'],
  ])('a title of type %s without a medium is %s', async (type, medium) => {
    expect(await readTitle(minimalTitleXml.replace('>2<', `>${type}<`))).toMatchObject({ medium });
  });

  test.each([
    ['1,234.50', 'EUR', 1234.5],
    ['1.234,50', 'EUR', 1234.5],
    ['1 234,50 €', 'EUR', 1234.5],
    ['€4.99', 'EUR', 4.99],
    ['4,999', 'EUR', 4999],
    ['1.234.567', 'JPY', 1234567],
    ['1,250', 'JOD', 1.25],
    ['1.250', 'JOD', 1.25],
  ])('a price may be formatted for people: %s %s', async (text, currency, amount) => {
    const priceXml = `<TitlePrice>${text}</TitlePrice><Currency>${currency}</Currency>`;
    expect(await readTitle(minimalTitleXml + priceXml)).toMatchObject({
      prices: [{ amount, currency, symbol: '' }],
      forSale: true,
    });
  });

  test('a title without a type is an ebook', async () => {
    expect(await readTitle('<TitleId>1</TitleId><Name>Log</Name>')).toMatchObject({ type: 'ebook', medium: 'epub' });
  });

  test.each([
    ['an unknown medium', '<Medium>MP3</Medium>', { medium: 'audio' }],
    ['a medium that is more specific than the type', '<Medium>PDF</Medium>', { medium: 'pdf' }],
    ['pages that are no number', '<Pages>n/a</Pages>', { pages: null }],
    ['a time with colons', '<DurationSeconds>01:02:03.5</DurationSeconds>', { durationSeconds: 3723.5 }],
    ['flags as words', '<ForSale>False</ForSale><HasSample>1</HasSample>', { forSale: false, hasSample: true }],
    ['an invalid price', '<Prices><Price><Amount>ask us</Amount></Price></Prices>', { prices: [], forSale: false }],
    [
      'an invalid price beside a valid one',
      '<Prices><Price><Amount/></Price><Price><Amount>2</Amount></Price></Prices>',
      { prices: [{ amount: 2, currency: '', symbol: '' }] },
    ],
    [
      'a price with a comma',
      '<TitlePrice>12,50</TitlePrice><Currency>EUR</Currency>',
      { prices: [{ amount: 12.5, currency: 'EUR', symbol: '' }] },
    ],
    ['a category without a name', '<Categories><Category><Id>9</Id></Category></Categories>', { categories: [] }],
    ['authors as .NET lists them', '<Authors><string>Ada</string><string>Bo</string></Authors>', { authors: ['Ada', 'Bo'] }],
    ['authors as one text', '<Authors>Ada Lund</Authors>', { authors: ['Ada Lund'] }],
    ['an attribute of another vocabulary', '<Publisher xml:lang="en" x:language="en">Two Herons</Publisher>', { language: '' }],
    ['an unknown element', '<Shelf><Row>7</Row></Shelf>', { name: 'Log' }],
    ['a date with a space', '<PublishedDate>2024-05-06 10:00:00</PublishedDate>', { publishedDate: '2024-05-06T10:00:00' }],
    ['the first day of .NET', '<PublishedDate>0001-01-01T00:00:00</PublishedDate>', { publishedDate: '' }],
  ])('a title is read with %s', async (_, fieldsXml, expected) => {
    expect(await readTitle(minimalTitleXml + fieldsXml)).toMatchObject(expected);
  });

  test('the id of a title may be called Id', async () => {
    expect(await readTitle('<TitleType>2</TitleType><Id>1</Id><Name>Log</Name>')).toMatchObject({ id: '1', name: 'Log' });
  });
});

describe('a list of titles', () => {
  test.each([
    ['by another name', `<ArrayOfTitle>${titleXml('1')}${titleXml('2')}</ArrayOfTitle>`],
    ['inside an answer', `<Response><Total>2</Total><Titles>${titleXml('1')}${titleXml('2')}</Titles></Response>`],
    ['with prefixes', `<s:Titles xmlns:s="urn:s">${titleXml('1').replaceAll(/(<\/?)/g, '$1s:')}${titleXml('2')}</s:Titles>`],
    ['with an item that lacks its name', `<Titles>${titleXml('1')}<Title><TitleId>9</TitleId></Title>${titleXml('2')}</Titles>`],
    ['with an item of no known type', `<Titles>${titleXml('1')}${titleXml('9').replace('>2<', '>77<')}${titleXml('2')}</Titles>`],
    ['behind a byte order mark', `\uFEFF<?xml version="1.0"?><Titles>${titleXml('1')}${titleXml('2')}</Titles>`],
    [
      'with a wrong encoding declaration',
      `<?xml version="1.0" encoding="utf-16"?><Titles>${titleXml('1')}${titleXml('2')}</Titles>`,
    ],
  ])('a list of titles is read %s', async (_, answer) => {
    expect(await readIds(xml(answer))).toEqual(['1', '2']);
  });

  test.each([
    ['a list', [{ TitleId: 1, Name: 'Log', TitleType: 2 }]],
    ['an object', { titles: [{ titleId: '1', name: 'Log', titleType: 'audio', authors: ['Ada'] }], total: 1 }],
  ])('a list of titles is read from JSON, as %s', async (_, answer) => {
    expect(await readIds(json(answer))).toEqual(['1']);
  });

  test.each([
    ['an empty root', () => xml('<Titles/>')],
    ['a root without its list', () => xml('<Response><Total>0</Total></Response>')],
    ['no content', () => new Response(null, { status: 204 })],
    ['an empty JSON list', () => json([])],
  ])('a list of titles is empty: %s', async (_, answer) => {
    expect(await readIds(answer())).toEqual([]);
  });

  test.each([
    ['the page of a proxy', () => html('<html><head/><body>Welcome to this network</body></html>'), 'malformed'],
    ['a fault', () => xml('<soap:Fault xmlns:soap="s"><faultstring>No</faultstring></soap:Fault>'), 'malformed'],
    ['an error of a proxy', () => html('<!doctype html><title>502 Bad Gateway</title><hr>', 502), 'http'],
    ['an error in JSON under 200', () => json({ Error: 'Too bad' }), 'refused'],
    ['a 401 in JSON under 200', () => json({ Status: 401 }), 'unauthorized'],
    ['titles that are all unreadable', () => xml('<Titles><Title/><Title/></Titles>'), 'malformed'],
  ])('a list of titles is refused: %s', async (_, answer, kind) => {
    expect(await catchRejection(readIds(answer()))).toMatchObject({ kind });
  });

  test('a list of titles reports each title that is left out', async () => {
    const { api, reportedProblems } = createFakeServer([xml(`<Titles><Title/>${titleXml('1')}</Titles>`)]);
    expect(await fetchRelatedTitles(api, '7')).toHaveLength(1);
    expect(reportedProblems).toEqual([
      ['titles/{titleId}/related', expect.objectContaining({ kind: 'malformed', field: 'titles.0.id' })],
    ]);
  });
});

describe('characters', () => {
  const cafeXml = '<Title><TitleId>1</TitleId><Name>Café</Name><TitleType>1</TitleType></Title>';
  test.each([
    ['the Content-Type header declares', bytesResponse(latin1(cafeXml), 'text/xml; charset="ISO-8859-1"')],
    ['the XML declaration declares', bytesResponse(latin1(`<?xml version="1.0" encoding="iso-8859-1"?>${cafeXml}`))],
    ['a byte order mark declares', bytesResponse(utf16(cafeXml))],
    ['UTF-8 without a declaration', bytesResponse(new TextEncoder().encode(cafeXml), 'text/plain')],
    ['UTF-8 with an invalid header', bytesResponse(new TextEncoder().encode(cafeXml), 'text/xml; charset=none')],
  ])('characters are decoded as %s', async (_, answer) => {
    expect((await fetchTitle(createFakeServer([answer]).api, '1')).name).toBe('Café');
  });
});
