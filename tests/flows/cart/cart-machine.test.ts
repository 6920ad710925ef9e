import { expect, test } from 'vitest';
import { cartMachine } from '../../../machines/browsing/cart.ts';
import { flowInput, summary } from '../../support/path-model.ts';
import { after, contextOf, done } from '../../support/steps.ts';

test('a cart that another tab has changed is shown as it is then', () => {
  const entry = (titleId: string) => ({ titleId, name: '', savedAt: '', isOwned: false, title: summary });
  const shown = [done('cartEntries', [entry('1')]), { type: 'cart.changed' }];
  const step = after(cartMachine, flowInput({ flow: 'cart' }), ...shown, done('cartEntriesAnew', [entry('2'), entry('1')]));
  expect(contextOf(step)['entries']).toEqual([entry('2'), entry('1')]);
});
