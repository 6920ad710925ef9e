import { expect, test } from 'vitest';
import { rewriteStyle, createResourceFinder } from '../../src/reader/resource-addresses.ts';

const resourceNames = ['Images/P.png', 'Images/100%.png', 'Images/caf\u00E9.png', 'Images/a%23b.png', "Images/it's (1).png"];
const findResource = createResourceFinder(resourceNames, 'https://archive.invalid/')('Text/a.xhtml');

test.each([
  ['../images/p.PNG', '/Images/P.png'],
  ['/Images/P.png?x#top', '/Images/P.png'],
  ['../Images/100%.png', '/Images/100%25.png'],
  ['../Images/100%2525.png', '/Images/100%25.png'],
  ['../Images/cafe\u0301.png', '/Images/caf%C3%A9.png'],
  ['../Images/a%23b.png', '/Images/a%2523b.png'],
  ["../Images/it's%20(1).png", '/Images/it%27s%20%281%29.png'],
])('the resource %s is found', (address, expectedUrl) => {
  expect(findResource(address)).toBe(expectedUrl);
});

test.each(['', '#top', 'p.png', 'https://elsewhere.test/Images/P.png', 'data:image/png,x', 'https://['])(
  '%j is not a resource of the book',
  (address) => {
    expect(findResource(address)).toBeNull();
  },
);

test.each([
  ['p { background: url(../images/p.png) }', 'p { background: url("/Images/P.png") }'],
  [`p { background: url( '../images/p.png' ) }`, 'p { background: url( "/Images/P.png" ) }'],
  ['@import url(../images/p.png);', '@import url("/Images/P.png");'],
  ['@import "../images/p.png";', '@import "/Images/P.png";'],
  ['p { fill: url(#red); background: url(missing.png) }', 'p { fill: url(#red); background: url(missing.png) }'],
])('the resources in the style %s get their URLs in the book', (style, expectedStyle) => {
  expect(rewriteStyle(style, findResource)).toBe(expectedStyle);
});
