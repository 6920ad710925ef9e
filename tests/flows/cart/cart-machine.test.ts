import { expect, test } from 'vitest';
import { cartMachine } from '../../../machines/browsing/cart.ts';
import { flowInput, summary } from '../../../machines/path-models/path-model.ts';
import { after, contextOf, done } from '../../support/steps.ts';

test('a cart that another tab has changed is shown as it is then', () => {
  const entry = (titleId: string) => ({ titleId, name: '', savedAt: '', isOwned: false, title: summary });
  const shown = [done('cartEntries', { entries: [entry('1')], refused: null }), { type: 'cart.changed' }];
  const step = after(
    cartMachine,
    flowInput({ flow: 'cart' }),
    ...shown,
    done('cartEntriesAnew', { entries: [entry('2'), entry('1')], refused: null }),
  );
  expect(contextOf(step)['entries']).toEqual([entry('2'), entry('1')]);
});

test('a code that is looked up while another tab changes the cart is looked up for the cart as it is then', () => {
  const entry = { titleId: '1', name: '', savedAt: '', isOwned: false, title: summary };
  const form = { code: 'SPRING-20' };
  const input = flowInput({ flow: 'cart' }, { signedIn: true });
  const shown = [
    done('cartEntries', { entries: [entry], refused: null }),
    { type: 'code.submitted', pii: { form } },
    { type: 'cart.changed' },
  ];
  const step = after(cartMachine, input, ...shown);
  expect(contextOf(step)['pii']).toEqual({ form });
  const cheaper = { ...entry, usual: summary.prices };
  expect(contextOf(after(cartMachine, input, ...shown, done('applyCode', { entries: [cheaper], refused: null })))).toMatchObject({
    entries: [cheaper],
    pii: { form: null },
  });
});
