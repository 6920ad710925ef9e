import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { chakra } from '../../src/ui/chakra.ts';
import isPropValid from '../../src/ui/lean/attribute.ts';
import { isCssProperty } from '../../src/ui/lean/css-property.ts';
import { show } from '../support/views/show.tsx';

test('descriptors that browsers keep among the properties stay attributes', () => {
  expect(['src', 'size', 'href', 'alt'].map(isCssProperty)).toEqual([false, false, false, false]);
  expect(['width', 'backgroundColor', '--own', '&:hover'].map(isCssProperty)).toEqual([true, true, true, true]);
});

test('`as` sets the element and is not an attribute of it', () => {
  expect([isPropValid('as'), isPropValid('href')]).toEqual([false, true]);
  show(<chakra.h2 as="h1">A name</chakra.h2>);
  expect(screen.getByRole('heading', { level: 1 }).outerHTML).not.toContain('as=');
});

test('styles that the base leaves out are type errors, so none of them is without effect unnoticed', () => {
  // @ts-expect-error -- a state that the base lacks
  chakra('div', { base: { _active: { color: 'ink' } } });
  // @ts-expect-error -- as deep as it may stand
  chakra('div', { variants: { look: { plain: { '& > a': { _active: { color: 'ink' } } } } } });
  // @ts-expect-error -- a short name that the base lacks
  expect(<chakra.div bgImage="none" />).toBeDefined();
  // @ts-expect-error -- a width that the theme lacks
  expect(<chakra.div display={{ sm: 'none' }} />).toBeDefined();
  expect(<chakra.div display={{ md: 'none' }} bg="paper" css={{ _hover: { color: 'ink' } }} />).toBeDefined();
});
