import { expect, test } from 'vitest';
import { prepareInteractivePage } from '../../../server/publication/interactive-page.ts';

const prepared = (html: string | Buffer): string => prepareInteractivePage(Buffer.from(html)).body.toString();

/** The text before and after the guard. */
const around = (html: string | Buffer): (string | undefined)[] =>
  prepared(html).split(/<script>\(\(\) => \{\n.*?\n\}\)\(\)<\/script>/s);

test.each([
  ['a doctype', '<!DOCTYPE html>', '<html lang="en"><p>Go</p>'],
  ['a doctype behind spaces', ' \n\t<!doctype html>', '<p>Go</p>'],
  ['a doctype that quotes its end', '<!doctype html PUBLIC ">', '<script>evil()</script>">'],
  ['a doctype behind a comment', '<!-- A game --><!doctype html>', '<p>Go</p>'],
  ['a doctype behind comments of all kinds', '<!-->\n<!---><!----><!-- a --!><!-- <!--> <!-- - -- > --><!doctype html>', '<p>'],
  ['a doctype behind an XML declaration', '<?xml version="1.0"?>\n<!-- x --><!DOCTYPE html>', '<p>Go</p>'],
  ['an XML declaration that ends early', '', '<?xml "><script>evil()</script>"?><!doctype html>'],
  ['a comment and no doctype', '', '<!-- A game --><p>Go</p>'],
  ['a comment in which a doctype is', '', '<!-- <!doctype html> <p>Go</p>'],
  ['a comment that only seems to go on', '', '<!--->--><script>evil()</script>--><!doctype html>'],
  ['a doctype behind text', '', '<!-- x -->Go<!doctype html>'],
  ['a doctype without an end', '', '<!doctype html'],
  ['no doctype', '', '<p>Go</p>'],
  ['a comment that browsers end early', '', '<!--><script>evil()</script>--><!doctype html>'],
  ['a comment that never ends', '', '<!-- <p>Go</p>'],
  ['a script without an end', '', '<script>evil()'],
  ['plain text', '', '<plaintext>Go'],
  ['nothing', '', ''],
])('the guard comes before all markup but a doctype: %s', (_, doctype, rest) => {
  expect(around(doctype + rest)).toEqual([doctype, rest]);
});

test('a page is read in the encoding that browsers read it in, and sent in UTF-8', () => {
  const utf16 = Buffer.from('\uFEFF<!doctype html><p srcdoc>“Go”</p>', 'utf16le');
  expect(around(utf16)).toEqual(['<!doctype html>', '<p srcdo_>“Go”</p>']);
  const latin = Buffer.from('<meta charset="windows-1252"><p>caf\xe9</p>', 'latin1');
  expect(around(latin)).toEqual(['', '<meta charset="windows-1252"><p>café</p>']);
  expect(around('\uFEFF<!doctype html><p>Go</p>')).toEqual(['<!doctype html>', '<p>Go</p>']);
});

test('a page holds no document in an attribute, however the attribute is spelled', () => {
  expect(around('<iframe SrcDoc="<p>"></iframe><iframe\nsrcdoc=x>')).toEqual([
    '',
    '<iframe SrcDo_="<p>"></iframe><iframe\nsrcdo_=x>',
  ]);
});

test('pages that differ have other entity tags', () => {
  const tags = ['<p>a', '<p>b'].map((html) => prepareInteractivePage(Buffer.from(html)).etag);
  expect(new Set(tags).size).toBe(2);
});
