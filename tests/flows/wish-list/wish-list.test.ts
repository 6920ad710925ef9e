import { expect, test } from 'vitest';
import { wishListMachine } from '../../../machines/browsing/wish-list.ts';
import { flowInput } from '../../../machines/path-models/path-model.ts';
import { after, contextOf, done } from '../../support/steps.ts';

test('titles that were saved in another tab are shown', () => {
  const saved = (...ids: string[]) => ids.map((id) => ({ id }));
  const events = [done('savedTitles', saved('1')), { type: 'wishes.changed' }, done('savedTitlesAnew', saved('1', '2'))];
  expect(contextOf(after(wishListMachine, flowInput(), ...events))['saved']).toEqual(saved('1', '2'));
});
