import { expect, test } from 'vitest';
import { wishListMachine } from '../../../machines/browsing/wish-list.ts';
import { createFlowInput } from '../../../machines/path-models/path-model.ts';
import { stepThrough, getContext, doneEvent } from '../../support/steps.ts';

test('titles saved in another tab are shown', () => {
  const saved = (...ids: string[]) => ids.map((id) => ({ id }));
  const events = [
    doneEvent('savedTitles', saved('1')),
    { type: 'wishes.changed' },
    doneEvent('savedTitlesAnew', saved('1', '2')),
  ];
  expect(getContext(stepThrough(wishListMachine, createFlowInput(), ...events))['saved']).toEqual(saved('1', '2'));
});
