import { cleanup } from '@testing-library/react';
import fc from 'fast-check';
import type { ReactElement } from 'react';
import { expect, test, vi } from 'vitest';
import { BareMarkup } from '../../src/views/BareMarkup.tsx';
import { Markup } from '../../src/views/Markup.tsx';
import { StoreText } from '../../src/views/StoreText.tsx';
import { renderInShop } from '../support/views/show.tsx';

const readParagraphs = (container: HTMLElement) => [...container.querySelectorAll('p')].map(({ innerHTML }) => innerHTML);

test('until the HTML sanitiser is loaded, a text has its later layout, and no link or script in it works', async () => {
  const html =
    '<h2 id="root">Friends</h2><p onclick="x()">Of the <a href="javascript:x()"><strong>harbour</strong></a>:</p>' +
    '<ul>\n<li>one<li>No &lt;tags&gt;</ul><table>\n<tr> <td colspan="2">1</td> </tr></table><img src="x" onerror="x()"><svg><a href="x">drawn</a></svg><script>x()</script>';
  const container = renderInShop(<StoreText text={html} />);
  expect(container.innerHTML).toContain(
    '><h2>Friends</h2><p>Of the <a><strong>harbour</strong></a>:</p><ul>\n<li>one</li><li>No &lt;tags&gt;</li></ul>' +
      '<table>\n<tbody><tr> <td colspan="2">1</td> </tr></tbody></table><img src="x"></div>',
  );
  await vi.waitFor(() => expect(container.querySelector('div > img')).not.toBeNull());
  expect(container.innerHTML).not.toMatch(/onclick|onerror|javascript|script/);
});

const elementNames =
  'a abbr address article aside audio b bdo blockquote br button canvas caption center cite code col colgroup content custom-one dd del details ' +
  'dialog dir div dl dt em embed fieldset figcaption figure font footer form h1 h4 header hgroup hr i iframe img input ins label ' +
  'legend li main map mark marquee math menu meter nav nobr noembed noframes noscript object ol optgroup option p picture pre progress q ' +
  'rp rt ruby s script section select shadow slot small source spacer span strong style sub summary sup svg table tbody td template textarea tfoot th ' +
  'thead time title tr u ul unknown var video wbr xmp';
const attributeNames =
  'align alt border class colspan controls crossorigin data-x dir height hidden href id lang name onclick open popover reversed rowspan size span src srcset ' +
  'start style title type valign value width';

const arbitraryElement = fc.record({
  name: fc.constantFrom(...elementNames.split(' ')),
  attributes: fc.uniqueArray(fc.constantFrom(...attributeNames.split(' ')), { maxLength: 4 }),
});
const { html: anyHtml } = fc.letrec<{ html: string; node: string }>((tie) => ({
  html: fc.array(tie('node'), { maxLength: 4 }).map((nodes) => nodes.join('')),
  node: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('word', ' ', '\n', '1 &lt; 2 &amp; 3', '<!-- note -->'),
    fc
      .tuple(arbitraryElement, tie('html'))
      .map(
        ([{ name, attributes: names }, content]) =>
          `<${name}${names.map((attribute) => ` ${attribute}="2"`).join('')}>${content}</${name}>`,
      ),
  ),
}));

/** Returns the HTML of a text without the attributes that do not change its layout. */
const getLayoutHtml = (text: ReactElement): string | undefined => {
  const container = renderInShop(text).querySelector('div');
  for (const element of container?.querySelectorAll('*') ?? []) {
    const pictureAttributes = [
      ...(element.matches('img') ? [] : ['crossorigin', 'src']),
      ...(element.matches('img,picture>source') ? [] : ['srcset']),
    ];
    for (const name of ['href', 'title', 'type', ...pictureAttributes]) element.removeAttribute(name);
  }
  for (const element of container?.querySelectorAll('template') ?? []) element.innerHTML = '';
  cleanup();
  return container?.innerHTML;
};

test('every store text has the same layout before and after sanitising', () => {
  fc.assert(
    fc.property(anyHtml, (html) => {
      expect(getLayoutHtml(<BareMarkup html={html} />)).toBe(getLayoutHtml(<Markup html={html} />));
    }),
    { numRuns: 300, seed: 1 },
  );
});

test.each([
  '<p><object><embed><p>No player</p></object></p>',
  '<p>One<table><tr><td>2</table>',
  '<p>One<p>Two<ul><li>a<li>b<p>c</ul>',
  '<p>One</p>Two<center>Three</center>',
])('malformed HTML has the same layout before and after sanitising: %s', (html) =>
  expect(getLayoutHtml(<BareMarkup html={html} />)).toBe(getLayoutHtml(<Markup html={html} />)),
);

test('a text with 20,000 line breaks is shown in full', () => {
  expect(renderInShop(<BareMarkup html={'a<br>'.repeat(20_000)} />).querySelectorAll('br')).toHaveLength(20_000);
});

test('text without HTML is shown unchanged', () => {
  expect(readParagraphs(renderInShop(<StoreText text={'One < two\n\nThree'} />))).toEqual(['One &lt; two', 'Three']);
});
