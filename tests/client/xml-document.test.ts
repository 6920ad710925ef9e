// @vitest-environment jsdom
import { describe, expect, test } from 'vitest';
import { parseDocument } from '../../src/client/wire/xml-document.ts';
import { readXml } from '../../src/client/wire/xml-reader.ts';

const readableDocuments = {
  'elements in any case': '<Titles><title>One</title><TITLE>Two</TITLE></Titles>',
  attributes: '<Titles total="2" next="abc"><Title Id="1">One</Title></Titles>',
  prefixes: '<a:Store xmlns:a="urn:store" xmlns="urn:other"><a:ShelfId>harbour</a:ShelfId></a:Store>',
  'cdata and entities': '<Page><Text><![CDATA[<b>5 < 6</b>]]> &amp; &#8217;</Text></Page>',
  'text between children': '<A>one<B>two</B>three</A>',
  'comments and instructions': '<?xml version="1.0"?><!-- a --><A><!-- b --><?c d?><B/></A>',
  'space before the declaration': '\n  <?xml version="1.0" encoding="UTF-8"?>\n<A>x</A>',
};

describe('the browser’s XML parser and the streaming one', () => {
  test.each(Object.entries(readableDocuments))('both XML parsers read %s alike', async (_, text) => {
    expect(parseDocument('call', text)).toEqual(await readXml('call', new Response(text)));
  });

  test.each(['<A><B></A>', 'no xml', '', '<A>&unknown;</A>'])(
    'the browser’s parser leaves the error of %j to the streaming one',
    async (text) => {
      expect(parseDocument('call', text)).toBeNull();
      await expect(readXml('call', new Response(text))).rejects.toMatchObject({ kind: 'malformed' });
    },
  );

  test('both XML parsers refuse a 401 at any depth', async () => {
    const text = '<Answer><Inner><StatusCode>401</StatusCode></Inner></Answer>';
    await expect(readXml('call', new Response(text))).rejects.toEqual({ kind: 'unauthorized' });
    expect(() => parseDocument('call', text)).toThrow(expect.objectContaining({ kind: 'unauthorized' }));
  });

  test('the browser’s parser does not expand declared entities', () => {
    expect(parseDocument('call', '<!DOCTYPE a [<!ENTITY b "boom">]><a>&b;</a>')).toBeNull();
  });

  test('the browser’s parser refuses a document that is nested too deeply', () => {
    const deepXml = `${'<a>'.repeat(60)}${'</a>'.repeat(60)}`;
    expect(() => parseDocument('call', deepXml)).toThrow(expect.objectContaining({ kind: 'malformed' }));
  });
});
