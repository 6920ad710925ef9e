import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { placeholderMachine } from '../../../machines/browsing/static-pages.ts';
import { PlaceholderView } from '../../../src/flows/placeholder/PlaceholderView.tsx';
import { addresses } from '../../routes/addresses.ts';
import { routeAt } from '../../routes/route-at.ts';
import { flowInput, store, underShop } from '../../support/views/flow.ts';
import { show, stateOf } from '../../support/views/show.tsx';

const open = (path: string): HTMLElement => {
  const { actor } = underShop(placeholderMachine, flowInput(routeAt(path).params));
  return show(<PlaceholderView actor={actor} />, path, store);
};

const paths = addresses.flatMap(({ path, flow }) => (flow === 'placeholder' ? [path] : []));

test.each(paths)('%s says what it is for, and leads on to pages that there are', (path) => {
  const container = open(path);
  expect(stateOf(container, 'placeholder')).toBe('shown');
  expect(screen.getByRole('heading', { level: 1 }).textContent).not.toBe('');
  const ways = [...container.querySelectorAll('a')].map((link) => link.getAttribute('href') ?? '');
  expect(ways.filter((way) => way.startsWith('/'))).not.toEqual([]);
  for (const way of ways.filter((each) => each.startsWith('/'))) expect(routeAt(way).flow).not.toBe('notFound');
  expect(ways).not.toContain(path);
});
