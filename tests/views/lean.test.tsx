import { chakra } from '@chakra-ui/react/styled-system';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import isPropValid from '../../src/ui/lean/attribute.ts';
import { isCssProperty } from '../../src/ui/lean/css-property.ts';
import { show } from '../support/views/show.tsx';

test('descriptors that browsers keep among the properties stay attributes', () => {
  expect(['src', 'size', 'href', 'alt'].map(isCssProperty)).toEqual([false, false, false, false]);
  expect(['width', 'backgroundColor', '--own', '&:hover'].map(isCssProperty)).toEqual([true, true, true, true]);
});

test('`as` names the element instead of standing on it', () => {
  expect([isPropValid('as'), isPropValid('href')]).toEqual([false, true]);
  show(<chakra.h2 as="h1">A name</chakra.h2>);
  expect(screen.getByRole('heading', { level: 1 }).outerHTML).not.toContain('as=');
});
