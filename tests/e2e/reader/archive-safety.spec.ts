import {
  createArchive,
  removePolicy,
  openArchive,
  createPageXhtml,
  getShownPage,
  watchExternalRequests,
} from './support/archived-book.ts';
import { expect, test } from './support/fixtures.ts';

/** Hostile books in one file each, in a shop whose own page has no policy. */

let externalRequests: string[] = [];
test.beforeEach(async ({ book, server, context }) => {
  externalRequests = await watchExternalRequests(context);
  await removePolicy(book);
  await book.page.goto(server.blobPolicyUrl);
});

const refreshTag = '<meta http-equiv="refresh" content="0;url=http://elsewhere.test/refresh">';
const loadingMarkup = `${refreshTag}<script>parent.hasRun = true</script><iframe src="http://elsewhere.test/frame"></iframe>`;
const singleQuoted = loadingMarkup.replaceAll('"', "'");

const hostilePages: Record<string, { type: string; content: string }> = {
  'a comment in noscript': {
    type: 'text/html',
    content: `<p>Stay.</p><noscript><!-- </noscript>${loadingMarkup} --></noscript>`,
  },
  'an attribute in noscript': { type: 'text/html', content: `<p>Stay.</p><noscript><p title="</noscript>${singleQuoted}">` },
  'noscript in ill-formed XHTML': {
    type: 'application/xhtml+xml',
    content: createPageXhtml(`<p>Stay.<br><noscript><!-- </noscript>${loadingMarkup} --></noscript>`),
  },
  'a shadow root': {
    type: 'text/html',
    content: `<p>Stay.</p><div><template shadowrootmode="open">${loadingMarkup}<img src="x" onerror="parent.hasRun=true"></template></div>`,
  },
  'MathML around a style': {
    type: 'text/html',
    content: `<p>Stay.</p><form><math><mtext></form><form><mglyph><style></math>${loadingMarkup}</style></mglyph></form>`,
  },
  'XML of another namespace with HTML tag names': {
    type: 'application/xml',
    content: `<book xmlns="urn:x"><p onclick="parent.hasRun = true">Stay.</p><base href="http://elsewhere.test/"/><img src="picture.png"/>
      ${loadingMarkup.replace('refresh">', 'refresh"/>')}<template><p/></template></book>`,
  },
  'a frameset in place of a body': {
    type: 'text/html',
    content: '<title>t</title><frameset><frame src="http://elsewhere.test/frame"></frameset>',
  },
  'a preconnect link': {
    type: 'text/html',
    content: '<link rel="stylesheet preconnect" href="http://elsewhere.test/style"><p>Stay.</p>',
  },
};
for (const [name, { type, content }] of Object.entries(hostilePages))
  test(`${name} navigates nowhere and runs no script`, async ({ book }) => {
    const facts = await openArchive(book, createArchive([{ name: 'a.xhtml', type, content }]));
    expect(facts.map((fact) => fact.type)).not.toContain('book.failed');
    await book.page.waitForLoadState('networkidle');
    expect(externalRequests).toEqual([]);
    expect(await book.page.evaluate(() => 'hasRun' in window)).toBe(false);
    const shownPage = getShownPage(book);
    expect(shownPage.url()).toMatch(/^blob:/);
    expect(await shownPage.evaluate(() => document.contentType)).toBe('application/xhtml+xml');
    expect(await shownPage.locator('iframe, frame, noscript, template, script, link:not([rel="stylesheet"])').count()).toBe(0);
  });

test('a page that unpacks to more than its stated size is skipped as too large', async ({ book }) => {
  const content = Buffer.alloc(80 * 2 ** 20, ' ');
  const facts = await openArchive(book, createArchive([{ name: 'a.xhtml', content }], [], 1000));
  expect(facts).toContainEqual({ type: 'book.skipped', problem: expect.objectContaining({ code: 'book_too_large' }) });
});

test('a book whose download does not end is refused as too large', async ({ book }) => {
  await book.page.evaluate(() => {
    const chunk = new Uint8Array(32 * 2 ** 20);
    const createEndlessStream = () =>
      new ReadableStream({ pull: (controller) => controller.enqueue(chunk) }, { highWaterMark: 0 });
    window.fetch = async () => new Response(createEndlessStream());
  });
  const facts = await openArchive(book, '');
  expect(facts.at(-1)).toMatchObject({ type: 'book.failed', problem: { kind: 'refused', code: 'book_too_large' } });
});
