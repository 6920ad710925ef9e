import { expect, test } from 'vitest';
import { createPageFinder } from '../../src/reader/page-list.ts';

const createChapter = (body: string): Document => {
  const doc = document.implementation.createHTMLDocument();
  doc.body.innerHTML = body;
  return doc;
};

const chapters = [
  createChapter('<p id="preface">Preface</p>'),
  createChapter('<p id="a"><span id="xii"></span>One</p><p id="b">Two <span id="p1"></span>three</p><p id="c">Four</p>'),
  createChapter('<p id="d">Five</p>'),
  createChapter('<img src="x.png"/>'),
  createChapter('<p id="e">Six</p><p id="f"><span id="p304"></span>Seven</p>'),
];

/** Creates the finder of these pages, by href: `2#p1` is the element p1 of the third chapter. */
const makePageList = (pages: Record<string, string>) =>
  createPageFinder(
    Object.entries(pages).map(([href, title]) => ({ title, href })),
    (href) => {
      const [index, id = ''] = href.split('#');
      const chapterIndex = Number(index);
      return chapterIndex in chapters
        ? { index: chapterIndex, find: (doc) => (id === '' ? doc.documentElement : doc.getElementById(id)) }
        : null;
    },
  );
const printedPages = makePageList({ '1#xii': ' xii ', '1#gone': '7', '1#p1': 'Page 1', '4#p304': '304', '9#p9': '9', '3': '' });

/** The range of a screen that begins at an element of a chapter, or at its text. */
const rangeFrom = (index: number, id: string, startsAt: 'element' | 'text' = 'element'): Range => {
  const doc = chapters[index] as Document;
  const range = doc.createRange();
  const element = doc.getElementById(id) as HTMLElement;
  range.selectNodeContents(startsAt === 'element' ? element : (element.lastChild as Node));
  range.setEnd(doc.body, doc.body.childNodes.length);
  return range;
};

test('there is no printed page before the first one', () => {
  expect(printedPages?.(0, rangeFrom(0, 'preface'))).toBeNull();
});

test.each([
  ['that begins where the screen begins', 1, rangeFrom(1, 'a'), { page: 'xii', lastPage: null }],
  ['that has begun before', 1, rangeFrom(1, 'b'), { page: 'xii', lastPage: null }],
  ['that begins before the first word', 1, rangeFrom(1, 'b', 'text'), { page: '1', lastPage: '304' }],
  ['of the paragraph before', 1, rangeFrom(1, 'c'), { page: '1', lastPage: '304' }],
  ['of the chapter before', 2, rangeFrom(2, 'd'), { page: '1', lastPage: '304' }],
  ['of the chapter before, on a screen without text', 3, null, { page: '1', lastPage: '304' }],
  ['of the chapters before, in one with pages', 4, rangeFrom(4, 'e'), { page: '1', lastPage: '304' }],
  ['that is the last', 4, rangeFrom(4, 'f'), { page: '304', lastPage: '304' }],
])('the printed page is the one %s', (_, index, range, expected) => {
  expect(printedPages?.(index, range)).toEqual(expected);
});

test('a page whose href has no fragment covers the whole chapter', () => {
  const pages = makePageList({ '2': '5', '3': '6' });
  expect([pages?.(2, rangeFrom(2, 'd')), pages?.(3, null)]).toEqual([
    { page: '5', lastPage: '6' },
    { page: '6', lastPage: '6' },
  ]);
});

test('an unordered page list is sorted by the sections of the book', () => {
  expect(makePageList({ '1#p1': '2', '0': '1' })?.(2, rangeFrom(2, 'd'))?.page).toBe('2');
});

test('a book without a usable page list has no printed pages', () => {
  expect([makePageList({}), makePageList({ '9#p9': '9' })]).toEqual([null, null]);
});
