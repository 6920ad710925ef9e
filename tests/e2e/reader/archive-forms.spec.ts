import { createArchive, openArchive, createPageXhtml, pictureItem, getShownPage } from './support/archived-book.ts';
import { expect, test } from './support/fixtures.ts';

/** Nonconforming and outdated books, each in one file. */

test.beforeEach(({ book, server }) => book.page.goto(server.blobPolicyUrl));

const xmlDeclaration = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?>`;
const encodedPages: Record<string, Buffer> = {
  'in Latin 1': Buffer.from(xmlDeclaration('iso-8859-1') + createPageXhtml('<p>Café</p>'), 'latin1'),
  'in UTF-16': Buffer.from(`\uFEFF${xmlDeclaration('utf-16')}${createPageXhtml('<p>Café</p>')}`, 'utf16le'),
  'in UTF-8 that declares another encoding': Buffer.from(createPageXhtml('<p>Café</p>', '<meta charset="iso-8859-1"/>')),
  'in UTF-8 with a byte order mark': Buffer.from(`\uFEFF${xmlDeclaration('utf-8')}${createPageXhtml('<p>Café</p>')}`),
  'in HTML': Buffer.from('<meta http-equiv="Content-Type" content="text/html; charset=windows-1252"><p>Café', 'latin1'),
  'in an unknown encoding': Buffer.from(xmlDeclaration('martian') + createPageXhtml('<p>Café</p>')),
  'with named character entities': Buffer.from(
    `${xmlDeclaration('iso-8859-1')}<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" "http://www.w3.org/TR/xhtml11/DTD/xhtml11.dtd">` +
      createPageXhtml('<p>Caf&eacute;</p>'),
  ),
};
for (const [name, content] of Object.entries(encodedPages))
  test(`a page ${name} is decoded`, async ({ book }) => {
    await openArchive(book, createArchive([{ name: 'a.xhtml', content }]));
    await expect(getShownPage(book).locator('p')).toHaveText('Café');
  });

test('a style in another encoding is decoded', async ({ book }) => {
  const style = Buffer.from('@charset "iso-8859-1"; p::before { content: "é" }', 'latin1');
  const content = createPageXhtml('<p>Caf</p>', '<link rel="stylesheet" href="s.css"/>');
  await openArchive(book, createArchive([{ name: 'a.xhtml', content }], [{ name: 's.css', type: 'text/css', content: style }]));
  const pseudoContent = await getShownPage(book).evaluate(
    () => getComputedStyle(document.querySelector('p') ?? document.body, '::before').content,
  );
  expect(pseudoContent).toBe('"é"');
});

test('pictures of img, srcset, picture and SVG elements are shown', async ({ book }) => {
  const svgAttributes = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="20" height="20"';
  const body = `<img src="p.png" srcset="p.png 1x, missing.png 2x" alt=""/><img srcset="p.png 1x" alt=""/>
    <picture><source srcset="missing.png"/><img src="p.png" alt=""/></picture>
    <svg ${svgAttributes}><image xlink:href="p.png" width="9" height="9"/></svg><svg ${svgAttributes}><image href="p.png" width="9" height="9"/></svg>`;
  await openArchive(book, createArchive([{ name: 'a.xhtml', content: createPageXhtml(body) }], [pictureItem]));
  const shownPage = getShownPage(book);
  const readWidths = () =>
    shownPage.locator('img').evaluateAll((all) => all.map((each) => (each as HTMLImageElement).naturalWidth));
  await expect.poll(readWidths).toEqual([1, 1, 1]);
  const urls = await shownPage.locator('image').evaluateAll((all) => all.map((each) => (each as SVGImageElement).href.baseVal));
  expect(urls).toEqual([expect.stringMatching(/^blob:/), expect.stringMatching(/^blob:/)]);
});

test('a picture with several sources shows the largest one that the book contains', async ({ book }) => {
  const data = 'data:image/gif;base64,R0lGODlhAgABAAAAACH5BAEKAAEALAAAAAACAAEAAAICTAoAOw==';
  const body = `<picture><source srcset="missing.webp 2x, p.png 1x"/><img alt=""/></picture>
    <img src="missing.png" srcset="p.png, missing.png 2x" alt=""/><img srcset="${data} 3x, p.png 2x" alt=""/>
    <img srcset="missing.png 9w,p.png 8w" alt=""/>`;
  await openArchive(book, createArchive([{ name: 'a.xhtml', content: createPageXhtml(body) }], [pictureItem]));
  const readWidths = () =>
    getShownPage(book)
      .locator('img')
      .evaluateAll((all) => all.map((each) => (each as HTMLImageElement).naturalWidth));
  await expect.poll(readWidths).toEqual([1, 1, 2, 1]);
});

test('pictures and styles are found for every spelling of their names in page, style and archive', async ({ book }) => {
  const content = createPageXhtml(
    `<img src="../IMAGES/P.png#top" alt=""/><img src="../Images/100%.png" alt=""/><img src="../Images/cafe\u0301.png" alt=""/>
    <img src="../Images/a%2520b.png" alt=""/><div style="background: url(../images/p.png)"/>`,
    '<link rel="stylesheet" href="../styles/S.css"/><style>h1 { background: url(../images/p.png) }</style>',
  );
  const style =
    "@import url(MORE.css); p { background: url( '../images/P.PNG' ) } li { background: url(\"../Images/it's (1).png\") }";
  const createPicture = (name: string, file = name) => ({ ...pictureItem, name: `Images/${name}`, file: `Images/${file}` });
  await openArchive(
    book,
    createArchive(
      [{ name: 'Text/a.xhtml', content: content.replace('</body>', '<h1>1</h1><p>2</p><ul><li>3</li></ul></body>') }],
      [
        { name: 'Styles/s.css', type: 'text/css', content: style },
        { name: 'Styles/more.css', type: 'text/css', content: 'p { text-indent: 7px }' },
        createPicture('p.png', 'P.png'),
        createPicture('100%25.png', '100%.png'),
        createPicture('caf\u00E9.png'),
        createPicture('a%2520b.png', 'a%20b.png'),
        createPicture('it&#39;s%20(1).png', "it's (1).png"),
      ],
    ),
  );
  const shownPage = getShownPage(book);
  const readWidths = () =>
    shownPage.locator('img').evaluateAll((all) => all.map((each) => (each as HTMLImageElement).naturalWidth));
  await expect.poll(readWidths).toEqual([1, 1, 1, 1]);
  for (const name of ['div', 'h1', 'p', 'li'])
    expect(await shownPage.locator(name).evaluate((each) => getComputedStyle(each).backgroundImage), name).toMatch(
      /^url\("blob:/,
    );
  expect(await shownPage.locator('p').evaluate((each) => getComputedStyle(each).textIndent)).toBe('7px');
});

const pagesByType: Record<string, { type: string; content: string }> = {
  'application/xml': { type: 'application/xml', content: createPageXhtml('<p>Read me.</p>') },
  'Application/XHTML+XML': { type: 'Application/XHTML+XML', content: createPageXhtml('<p>Read me.</p>') },
  'the obsolete OEB type': {
    type: 'text/x-oeb1-document',
    content: '<html xmlns="http://openebook.org/namespaces/oeb-document/1.0/"><head/><body><p>Read me.</p></body></html>',
  },
  'application/octet-stream': { type: 'application/octet-stream', content: createPageXhtml('<p>Read me.</p>') },
  'HTML with a word processor’s namespaces': {
    type: 'text/html',
    content: '<html xmlns:o="urn:x"><p lang=en o:x=1 a"b=2>Read <!-- a -- b --><o:p>me.</o:p>\u0001<br></p></html>',
  },
  'DTBook, with an empty title': {
    type: 'application/x-dtbook+xml',
    content:
      '<dtbook xmlns="http://www.daisy.org/z3986/2005/dtbook/"><head><title/></head><book><level1><p>Read me.</p></level1></book></dtbook>',
  },
  'text/xml': { type: 'text/xml; charset=utf-8', content: createPageXhtml('<p>Read me.</p>') },
  SVG: {
    type: 'image/svg+xml',
    content: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 90"><text y="20">Read me.</text></svg>',
  },
};
for (const [name, { type, content }] of Object.entries(pagesByType))
  test(`a page in ${name} is shown`, async ({ book }) => {
    await openArchive(book, createArchive([{ name: 'a.xhtml', type, content }]));
    await expect(getShownPage(book).locator('body')).toHaveText(/^\s*Read me\.\s*$/);
    expect(await getShownPage(book).locator('parsererror').count()).toBe(0);
  });

test('paragraphs of a DTBook page are laid out as paragraphs', async ({ book }) => {
  const content = '<dtbook xmlns="http://www.daisy.org/z3986/2005/dtbook/"><book><p>One.</p><p>Two.</p></book></dtbook>';
  await openArchive(book, createArchive([{ name: 'a.xml', type: 'application/x-dtbook+xml', content }]));
  const tops = await getShownPage(book)
    .locator('p')
    .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top));
  expect(tops[1]).toBeGreaterThan(tops[0] ?? 0);
});

test('the pictures of an SVG spine item are found in any case of their names', async ({ book }) => {
  const svgNamespaces = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
  const content = `<svg ${svgNamespaces} width="90" height="90"><image xlink:href="p.png"/><image href="P.png"/></svg>`;
  await openArchive(book, createArchive([{ name: 'a.svg', type: 'image/svg+xml', content }], [pictureItem]));
  const images = getShownPage(book).locator('image');
  const urls = await images.evaluateAll((all) => all.map((each) => (each as SVGImageElement).href.baseVal));
  expect(urls).toEqual([expect.stringMatching(/^blob:/), expect.stringMatching(/^blob:/)]);
});

test('a page in an unsupported format is replaced by its first supported fallback', async ({ book }) => {
  const pages = [
    { name: 'a.pdf', type: 'application/pdf', content: '%PDF', fallback: 2 },
    { name: 'b.xhtml', content: createPageXhtml('<p><a href="a.pdf">first</a></p>') },
  ];
  const fallbacks = [
    { name: 'a.tiff', type: 'image/tiff', content: 'II*', fallback: 3 },
    { name: 'more/a.xhtml', content: createPageXhtml('<p>In its place.</p><img src="../p.png" alt=""/>') },
    pictureItem,
  ];
  const facts = await openArchive(book, createArchive(pages, fallbacks));
  expect(facts.map(({ type }) => type)).not.toContain('book.skipped');
  expect((await book.readLocator()).href).toBe('a.pdf');
  await expect(getShownPage(book).locator('p')).toHaveText('In its place.');
  await expect
    .poll(() =>
      getShownPage(book)
        .locator('img')
        .evaluate((each: HTMLImageElement) => each.naturalWidth),
    )
    .toBe(1);
  await book.command({ type: 'book.goTo', href: 'b.xhtml' });
  await getShownPage(book).getByText('first').click();
  const readPressedLink = async () => (await book.readFacts()).findLast(({ type }) => type === 'book.linkPressed');
  await expect.poll(readPressedLink).toEqual({ type: 'book.linkPressed', href: 'a.pdf' });
  await book.command({ type: 'book.goTo', href: 'a.pdf' });
  await expect(getShownPage(book).locator('p')).toHaveText('In its place.');
});

test('a page in an unsupported format without a supported fallback is skipped as unsupported', async ({ book }) => {
  const pages = [
    { name: 'a.pdf', type: 'application/pdf', content: '%PDF', fallback: 1 },
    { name: 'b.smil', type: 'application/smil+xml', content: '<smil/>', fallback: 0 },
    { name: 'c.mp3', type: 'audio/mpeg', content: 'ID3' },
    { name: 'gone.png', type: 'image/png', content: '', file: 'elsewhere.png' },
    { name: 'd.xhtml', content: createPageXhtml('<p>Stay.</p>') },
  ];
  const facts = await openArchive(book, createArchive(pages));
  const skipProblems = facts.flatMap((fact) =>
    fact.type === 'book.skipped' && fact.problem.kind === 'refused' ? [fact.problem] : [],
  );
  expect(skipProblems.map(({ code }) => code)).toEqual([...Array<string>(3).fill('format_unsupported'), 'not_found']);
  expect((await book.readLocator()).href).toBe('d.xhtml');
});

const epubNamespace = 'xmlns:epub="http://www.idpf.org/2007/ops"';

test('the table of contents leads to chapters whose names are spelled differently in the archive', async ({ book }) => {
  const names = [
    { name: 'caf\u00E9.xhtml', file: 'cafe\u0301.xhtml' },
    { name: 'Text/Two.xhtml', file: 'Text\\two.xhtml' },
    { name: '100%25%20pure.xhtml', file: '100% pure.xhtml' },
    { name: 'a%23b.xhtml', file: 'a#b.xhtml' },
    { name: 'one%20by%20one.xhtml', file: 'one by one.xhtml' },
    { name: 'r\u00E9sum\u00E9.xhtml', file: Buffer.from('r\x82sum\x82.xhtml', 'latin1') },
    { name: 'twice%2520escaped.xhtml', file: 'twice%20escaped.xhtml' },
    { name: '100%25%23.xhtml', file: '100%#.xhtml' },
  ];
  const pages = names.map((each, nth) => ({ ...each, content: createPageXhtml(`<p id="at">Chapter ${nth}</p>`) }));
  const entries = names.map(({ name }, nth) => `<li><a href="${name}#at">${nth}</a></li>`);
  const contents = `<nav ${epubNamespace} epub:type="toc"><ol>${entries.join('')}<li><a href="%E9.xhtml">lost</a></li></ol></nav>`;
  const nav = { name: 'nav.xhtml', content: createPageXhtml(contents), properties: 'nav' };
  const facts = await openArchive(book, createArchive(pages, [nav]));
  const openedFact = facts.find((fact) => fact.type === 'book.opened');
  const listedEntries = openedFact?.type === 'book.opened' ? openedFact.contents : [];
  expect(listedEntries.map(({ title }) => title)).toEqual([...names.keys()].map(String).concat('lost'));
  for (const [nth, { href }] of listedEntries.slice(0, names.length).entries()) {
    // The first chapter is shown already.
    if (nth > 0) await book.command({ type: 'book.goTo', href });
    await expect(getShownPage(book).locator('p')).toHaveText(`Chapter ${nth}`);
    expect((await book.readLocator()).label).toBe(String(nth));
  }
});

test('links and contents that are spelled differently from the package lead to their chapters', async ({ book }) => {
  const chapters = ['Text/Two.xhtml', 'caf\u00E9.xhtml', 'a%2520b.xhtml'];
  const spellings = ['text/two.xhtml', 'cafe\u0301.xhtml', 'a%2520b.xhtml'];
  const links = spellings.map((href, nth) => `<p><a href="${href}">to ${nth}</a></p>`);
  const pages = chapters.map((name, nth) => ({
    name,
    file: name.replace('%25', '%'),
    content: createPageXhtml(`<p>Chapter ${nth}</p>`),
  }));
  const entries = spellings.map((href, nth) => `<li><a href="${href}">${nth}</a></li>`);
  const contents = createPageXhtml(`<nav ${epubNamespace} epub:type="toc"><ol>${entries.join('')}</ol></nav>`);
  await openArchive(
    book,
    createArchive(
      [{ name: 'a.xhtml', content: createPageXhtml(links.join('')) }, ...pages],
      [{ name: 'nav.xhtml', content: contents, properties: 'nav' }],
    ),
  );
  const readPressedLink = async () => (await book.readFacts()).findLast((fact) => fact.type === 'book.linkPressed');
  for (const nth of chapters.keys()) {
    // The first chapter is shown already.
    if (nth > 0) await book.command({ type: 'book.goTo', href: 'a.xhtml' });
    await expect(getShownPage(book).locator('p')).toHaveCount(3);
    await getShownPage(book).getByText(`to ${nth}`).click();
    const link = await readPressedLink();
    await book.command({ type: 'book.goTo', href: link?.type === 'book.linkPressed' ? link.href : '' });
    await expect(getShownPage(book).locator('p')).toHaveText(`Chapter ${nth}`);
    expect((await book.readLocator()).label).toBe(String(nth));
  }
});

test('links in an SVG drawing and in a page with an escaped name report their targets', async ({ book }) => {
  const svgAttributes = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="90" height="90"';
  const link = `<svg ${svgAttributes}><a xlink:href="b.xhtml"><rect width="90" height="90"/></a></svg><p><a href="#here">here</a></p>`;
  const pages = [
    { name: 'a%23b.xhtml', file: 'a#b.xhtml', content: createPageXhtml(link) },
    { name: 'b.xhtml', content: createPageXhtml('<p>Two.</p>') },
  ];
  await openArchive(book, createArchive(pages));
  const readPressedLink = async () => (await book.readFacts()).findLast(({ type }) => type === 'book.linkPressed');
  await getShownPage(book).locator('rect').click();
  await expect.poll(readPressedLink).toEqual({ type: 'book.linkPressed', href: 'b.xhtml' });
  await getShownPage(book).getByText('here').click();
  await expect.poll(readPressedLink).toEqual({ type: 'book.linkPressed', href: 'a%23b.xhtml#here' });
});
