import { screen } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import type { StoreProperties } from '../../../machines/model/store.ts';
import { placeholderMachine } from '../../../machines/browsing/static-pages.ts';
import { PlaceholderView } from '../../../src/flows/placeholder/PlaceholderView.tsx';
import { addresses } from '../../routes/addresses.ts';
import { routeAt } from '../../routes/route-at.ts';
import { flowInput, store, underShop } from '../../support/views/flow.ts';
import { show, stateOf } from '../../support/views/show.tsx';

const open = (path: string, properties: Partial<StoreProperties> = {}): HTMLElement => {
  const { actor } = underShop(placeholderMachine, flowInput(routeAt(path).params));
  return show(<PlaceholderView actor={actor} />, path, { ...store, supportEmail: 'help@lamplight.example', ...properties });
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

describe('redeeming', () => {
  test.each([
    [true, true, 'Codes can be redeemed for titles or a subscription.'],
    [true, false, 'Codes can be redeemed for titles.'],
    [false, true, 'Codes can be redeemed for a subscription.'],
    [false, false, 'This shop doesn’t accept codes.'],
  ])('titles %s, subscriptions %s: %s', (enableWebTitleRedeem, enableWebSubscriptionRedeem, says) => {
    expect(open('/redeem', { enableWebTitleRedeem, enableWebSubscriptionRedeem }).textContent).toContain(says);
  });

  test('a code in the address is not shown, and said to be unused', () => {
    expect(open('/redeem').textContent).not.toContain('hasn’t been used');
    const container = open('/redeem/GIFT-9081');
    expect(container.textContent).toContain('hasn’t been used');
    expect(container.innerHTML).not.toContain('GIFT-9081');
  });
});

test('help is an e-mail to the support, or the page that says who the shop is', () => {
  expect(open('/redeem').querySelector('a[href="mailto:help@lamplight.example"]')).not.toBeNull();
  expect(open('/redeem/x', { supportEmail: '' }).querySelector('a[href="/about"]')).not.toBeNull();
});
