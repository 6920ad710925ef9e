import { describe, expect, test } from 'vitest';
import { readXml } from '../../src/client/wire/xml-reader.ts';
import { getFields, getFlag, getItems, getNumber, getText, type XmlNode } from '../../src/client/wire/xml-node.ts';
import { StoreProperties } from '../../machines/model/store/store.ts';
import { streamInPieces, catchRejection } from '../support/client/fake-environment.ts';

const readXmlText = (text: string, sizes?: number[]) => readXml('test', new Response(streamInPieces(text, sizes)));

describe('tolerance', () => {
  test.each([
    ['child', '<R><ShelfId>demo</ShelfId></R>'],
    ['another case', '<r><SHELFID>demo</SHELFID></r>'],
    ['attribute', '<R shelfId="demo"/>'],
    ['prefix', '<x:R xmlns:x="urn:x"><x:ShelfId>demo</x:ShelfId></x:R>'],
    ['CDATA and space', '<R><ShelfId> \n<![CDATA[demo]]> </ShelfId></R>'],
    ['empty twin first', '<R><ShelfId/><ShelfId>demo</ShelfId></R>'],
    ['space and a declaration first', '\n  <?xml version="1.0"?><R><ShelfId>demo</ShelfId></R>'],
    ['byte order mark', '\uFEFF<?xml version="1.0"?><R><ShelfId>demo</ShelfId></R>'],
  ])('a field is read in the form: %s', async (_, text) => {
    expect(getText(await readXmlText(text), 'ShelfId')).toBe('demo');
  });

  test.each([
    ['wrapped', '<R><Authors><Author>Ada</Author><Author>Bo</Author></Authors></R>', ['Ada', 'Bo']],
    ['one', '<R><Authors><Author>Ada</Author></Authors></R>', ['Ada']],
    ['unwrapped', '<R><Author>Ada</Author><Author>Bo</Author></R>', ['Ada', 'Bo']],
    ['none', '<R><Authors/></R>', []],
  ])('a list is read in the form: %s', async (_, text, authors) => {
    expect(getItems(await readXmlText(text), 'Authors', 'Author').map((node) => node.text)).toEqual(authors);
  });

  test('an unreadable flag is undefined, an unreadable number NaN', async () => {
    const root = await readXmlText('<R><A>TRUE</A><B>0</B><C>maybe</C><D/><N>1.50</N><M>many</M></R>');
    expect(['a', 'b', 'c', 'd', 'e'].map((name) => getFlag(root, name))).toEqual([true, false, undefined, undefined, undefined]);
    expect([getNumber(root, 'n'), getNumber(root, 'm'), getNumber(root, 'x')]).toEqual([1.5, NaN, undefined]);
  });

  test('plain fields of a schema are read by their wire names', async () => {
    const root = await readXmlText(
      '<P><SHELFNAME>Keeper</SHELFNAME><EnableTax>yes</EnableTax><CreditsPerRenewal>2</CreditsPerRenewal></P>',
    );
    const { shelfName, enableTax, creditsPerRenewal, about } = getFields(root, StoreProperties.entries);
    expect({ shelfName, enableTax, creditsPerRenewal, about }).toEqual({
      shelfName: 'Keeper',
      enableTax: true,
      creditsPerRenewal: 2,
      about: undefined,
    });
  });

  test.each([[[1]], [[2, 3]], [[4096]]])('characters that chunks of %j bytes split are read whole', async (sizes) => {
    const root = await readXmlText('<R><Name>Ærøskøbing 書店 📚 &amp; &#x41;</Name></R>', sizes);
    expect(getText(root, 'Name')).toBe('Ærøskøbing 書店 📚 & A');
  });

  test('a large chunk is read in pieces, and no character is split', async () => {
    const items: string[] = [];
    const counts: number[] = [];
    const text = `<R>${'<Title>📚📚</Title>'.repeat(10_000)}</R>`;
    await readXml('test', new Response(text), {
      item: 'title',
      onItem: (node) => items.push(node.text),
      onChunk: async () => void counts.push(items.length),
    });
    expect(counts.length).toBeGreaterThan(3);
    expect(counts[0]).toBeLessThan(5_000);
    expect([items.length, new Set(items)]).toEqual([10_000, new Set(['📚📚'])]);
  });

  test('an answer is decoded by the charset of its header', async () => {
    const bytes = new Uint8Array([...new TextEncoder().encode('<R><Name>caf'), 0xe9, ...new TextEncoder().encode('</Name></R>')]);
    const response = new Response(bytes, { headers: { 'content-type': 'text/xml; charset=iso-8859-1' } });
    expect(getText(await readXml('test', response), 'Name')).toBe('café');
  });
});

describe('streaming', () => {
  test('items are emitted before the list has ended, and not retained', async () => {
    const log: string[] = [];
    const pieces = ['<Titles total="2"><Title><Id>1</Id></Title>', '<Title><Id>2</Id></Title>', '</Titles>'];
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          const piece = pieces.shift();
          log.push(piece === undefined ? 'end' : 'piece');
          if (piece === undefined) controller.close();
          else controller.enqueue(new TextEncoder().encode(piece));
        },
      },
      { highWaterMark: 0 },
    );
    const onItem = (node: XmlNode) => log.push(`title ${getText(node, 'Id')}`);
    const root = await readXml('test', new Response(body), { item: 'title', onItem });
    expect(log).toEqual(['piece', 'title 1', 'piece', 'title 2', 'piece', 'end']);
    expect(root).toEqual({ name: 'titles', text: '', children: [{ name: 'total', text: '2', children: [] }] });
  });

  test('the body of a malformed document is cancelled', async () => {
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode('<R><A></B>')),
      cancel: () => {
        isCancelled = true;
      },
    });
    await catchRejection(readXml('test', new Response(body)));
    expect(isCancelled).toBe(true);
  });
});

describe('hostile documents', () => {
  const nestedEntities = `<!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><r><x>&b;</x></r>`;
  const fileEntity = `<!DOCTYPE r [<!ENTITY a SYSTEM "file:///etc/passwd">]><r><x>&a;</x></r>`;
  test.each([
    ['declared entities', nestedEntities],
    ['entities of other files', fileEntity],
    ['unclosed', '<r><x>'],
    ['crossed tags', '<r><x><y></x></y></r>'],
    ['two roots', '<r/><r/>'],
    ['a bare ampersand', '<r>a & b</r>'],
    ['too deep', `${'<r>'.repeat(60)}${'</r>'.repeat(60)}`],
    ['empty', ''],
  ])('a hostile document is malformed: %s', async (_, text) => {
    expect(await catchRejection(readXmlText(text, [64]))).toMatchObject({ kind: 'malformed', call: 'test', field: '' });
  });

  test.each([
    ['text', '<a>', 'x'.repeat(65_536), 'the answer is too long'],
    ['elements', '', '<a>x</a>'.repeat(8192), 'the document is too large'],
  ])('an endless answer is refused: %s', async (_, start, piece, message) => {
    const pieces = [`<r>${start}`, ...Array.from({ length: 200 }, () => piece)];
    let sentCount = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const bytes = new TextEncoder().encode(pieces[sentCount] ?? '');
        sentCount += 1;
        if (bytes.byteLength > 0) controller.enqueue(bytes);
        else controller.close();
      },
    });
    const problem = await catchRejection(readXml('test', new Response(body)));
    expect(problem).toEqual({ kind: 'malformed', call: 'test', field: '', message });
    expect(sentCount).toBeLessThan(140);
  });
});
