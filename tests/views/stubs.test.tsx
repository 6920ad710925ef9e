import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { chakra } from '../../src/ui/chakra.ts';
import isPropValid from '../../src/ui/stubs/attribute.ts';
import { isCssProperty } from '../../src/ui/stubs/css-property.ts';
import { createTokenDictionary } from '../../src/ui/stubs/tokens.ts';
import { system } from '../../src/ui/theme.ts';
import { renderInShop } from '../support/views/show.tsx';

test('attributes named like browser property descriptors stay attributes', () => {
  expect(['src', 'size', 'href', 'alt'].map(isCssProperty)).toEqual([false, false, false, false]);
  expect(['width', 'backgroundColor', '--own', '&:hover'].map(isCssProperty)).toEqual([true, true, true, true]);
});

test('`as` sets the element and is not an attribute of it', () => {
  expect([isPropValid('as'), isPropValid('href')]).toEqual([false, true]);
  renderInShop(<chakra.h2 as="h1">A name</chakra.h2>);
  expect(screen.getByRole('heading', { level: 1 }).outerHTML).not.toContain('as=');
});

test('theme tokens equal those that Chakra generates, except widths and palettes', () => {
  const { tokens } = system._config.theme as { tokens: Record<string, Record<string, { value: string }>> };
  const stubTokens = createTokenDictionary({ tokens, prefix: 'c' });
  const omitExceptions = <Value,>(entries: Iterable<[string, Value]>) =>
    Object.fromEntries([...entries].filter(([name]) => !/breakpoint|colorPalette/.test(name)));
  expect(omitExceptions(stubTokens.cssVarMap.get('base') ?? [])).toEqual(
    omitExceptions(system.tokens.cssVarMap.get('base') ?? []),
  );
  for (const [scale, values] of Object.entries(tokens)) {
    const allValues = Object.entries<string>(system.tokens.getCategoryValues(scale) ?? {});
    expect(stubTokens.getCategoryValues(scale)).toEqual(omitExceptions(allValues));
    const paths = [...Object.keys(values), 'none'].map((name) => `${scale}.${name}`);
    expect(paths.map((path) => stubTokens.getVar(path, 'own'))).toEqual(paths.map((path) => system.tokens.getVar(path, 'own')));
  }
});

test('styles that the base omits are type errors, so that no style is silently ignored', () => {
  // @ts-expect-error -- a state that the base lacks
  chakra('div', { base: { _active: { color: 'ink' } } });
  // @ts-expect-error -- the same state, nested in a selector
  chakra('div', { variants: { look: { plain: { '& > a': { _active: { color: 'ink' } } } } } });
  // @ts-expect-error -- a short name that the base lacks
  expect(<chakra.div bgImage="none" />).toBeDefined();
  // @ts-expect-error -- a width that the theme lacks
  expect(<chakra.div display={{ sm: 'none' }} />).toBeDefined();
  expect(<chakra.div display={{ md: 'none' }} bg="paper" css={{ _hover: { color: 'ink' } }} />).toBeDefined();
});
