import { expect, test } from 'vitest';
import { prepareInteractivePage } from '../../../server/publication/interactive-page.ts';

const preparePage = (html: string | Buffer): string => prepareInteractivePage(Buffer.from(html)).body.toString();

/** Returns the text before and after the guard script in a prepared page. */
const splitAtGuardScript = (html: string | Buffer): (string | undefined)[] =>
  preparePage(html).split(/<script>\(\(\) => \{\n.*?\n\}\)\(\)<\/script>/s);

test.each([
  ['a doctype', '<!DOCTYPE html>', '<html lang="en"><p>Go</p>'],
  ['a doctype after spaces', ' \n\t<!doctype html>', '<p>Go</p>'],
  ['a doctype with a quoted >', '<!doctype html PUBLIC ">', '<script>evil()</script>">'],
  ['a doctype after a comment', '<!-- A game --><!doctype html>', '<p>Go</p>'],
  ['a doctype after comments of all kinds', '<!-->\n<!---><!----><!-- a --!><!-- <!--> <!-- - -- > --><!doctype html>', '<p>'],
  ['a doctype after an XML declaration', '<?xml version="1.0"?>\n<!-- x --><!DOCTYPE html>', '<p>Go</p>'],
  ['an XML declaration that ends early', '', '<?xml "><script>evil()</script>"?><!doctype html>'],
  ['a comment and no doctype', '', '<!-- A game --><p>Go</p>'],
  ['a comment that contains a doctype', '', '<!-- <!doctype html> <p>Go</p>'],
  ['a comment that only seems to continue', '', '<!--->--><script>evil()</script>--><!doctype html>'],
  ['a doctype after text', '', '<!-- x -->Go<!doctype html>'],
  ['a doctype without an end', '', '<!doctype html'],
  ['no doctype', '', '<p>Go</p>'],
  ['a comment that browsers end early', '', '<!--><script>evil()</script>--><!doctype html>'],
  ['a comment that never ends', '', '<!-- <p>Go</p>'],
  ['a script without an end', '', '<script>evil()'],
  ['plain text', '', '<plaintext>Go'],
  ['an empty page', '', ''],
])('the guard script precedes all markup except a doctype: %s', (_, doctype, markup) => {
  expect(splitAtGuardScript(doctype + markup)).toEqual([doctype, markup]);
});

test('a page is decoded as browsers decode it, and sent in UTF-8', () => {
  const utf16Page = Buffer.from('\uFEFF<!doctype html><p srcdoc>“Go”</p>', 'utf16le');
  expect(splitAtGuardScript(utf16Page)).toEqual(['<!doctype html>', '<p srcdo_>“Go”</p>']);
  const latin1Page = Buffer.from('<meta charset="windows-1252"><p>caf\xe9</p>', 'latin1');
  expect(splitAtGuardScript(latin1Page)).toEqual(['', '<meta charset="windows-1252"><p>café</p>']);
  expect(splitAtGuardScript('\uFEFF<!doctype html><p>Go</p>')).toEqual(['<!doctype html>', '<p>Go</p>']);
});

test('a page cannot embed a document in a srcdoc attribute, in any spelling', () => {
  expect(splitAtGuardScript('<iframe SrcDoc="<p>"></iframe><iframe\nsrcdoc=x>')).toEqual([
    '',
    '<iframe SrcDo_="<p>"></iframe><iframe\nsrcdo_=x>',
  ]);
});

test('different pages have different entity tags', () => {
  const tags = ['<p>a', '<p>b'].map((html) => prepareInteractivePage(Buffer.from(html)).etag);
  expect(new Set(tags).size).toBe(2);
});
