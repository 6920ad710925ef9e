import { expect, test } from 'vitest';
import { giftMachine } from '../../../machines/buying/gift.ts';
import { flowInput, store, summary } from '../../../machines/path-models/path-model.ts';
import { after, contextOf, done } from '../../support/steps.ts';
import { tax } from '../../../machines/path-models/flows/checkout/paths.ts';
import { form, letter, offer } from '../../../machines/path-models/flows/gift/paths.ts';

const inputOf = (params: Record<string, string>, part: object = {}) =>
  flowInput({ flow: 'gift', params }, { signedIn: true, store: { ...store, ...part } });
const offered = (part: object = {}) => done('giftOffer', { ...offer, ...part });
const written = [{ type: 'gift.submitted', pii: { form } }, done('giftLetter', { pii: { letter } })];
const checking = [offered(), done('keptCards', []), ...written];

test('tax is asked for anew each time that the letter is shown', () => {
  const taxed = inputOf({ titleid: '1001' }, { enableTax: true });
  const told = [...checking, { type: 'tax.told', tax }];
  expect(contextOf(after(giftMachine, taxed, ...told))['tax']).toEqual(tax);
  const again = after(giftMachine, taxed, ...told, { type: 'change.pressed' }, ...written);
  expect(contextOf(again)['tax']).toBeNull();
});

test('what was written of a title that is not for sale any more is not held', () => {
  const gone = offered({ title: { ...summary, forSale: false }, pii: { draft: form } });
  const step = after(giftMachine, inputOf({ titleid: '1001' }), gone);
  expect(step.snapshot.value).toBe('notForSale');
  expect(contextOf(step)['pii']).toEqual({ form: null, letter: null });
});

test('a gift is changed only where its payment has failed', () => {
  const problem = { kind: 'refused', code: 'gift_day', message: '' };
  const ended = (outcome: string) => done('payment', { outcome, titleId: '1001', transId: 't1', problem });
  const value = (outcome: string): unknown =>
    after(giftMachine, inputOf({ titleid: '1001' }), ...checking, { type: 'pay.pressed' }, ended(outcome)).snapshot.value;
  expect([value('failed'), value('priceChanged')]).toEqual(['readingCards', 'priceChanged']);
});

test.each([{ enableGiftingTitle: false }, { showBuyTitle: false }])(
  'a gift that was begun is ended in a store without gifts, and no other begins (%o)',
  (properties) => {
    const value = (params: Record<string, string>): unknown => after(giftMachine, inputOf(params, properties)).snapshot.value;
    expect([value({ transId: 't1' }), value({})]).toEqual(['paying', 'notOffered']);
  },
);
