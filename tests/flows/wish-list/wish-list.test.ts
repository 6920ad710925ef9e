import { expect, test } from 'vitest';
import { wishListMachine } from '../../../machines/browsing/wish-list.ts';
import { createFlowInput } from '../../../machines/path-models/path-model.ts';
import { stepThrough, getContext, doneEvent } from '../../support/steps.ts';

test('titles saved in another tab are shown', () => {
  const createTitles = (...ids: string[]) => ids.map((id) => ({ id }));
  const events = [
    doneEvent('savedTitles', createTitles('1')),
    { type: 'wishes.changed' },
    doneEvent('reloadSavedTitles', createTitles('1', '2')),
  ];
  expect(getContext(stepThrough(wishListMachine, createFlowInput(), ...events))['saved']).toEqual(createTitles('1', '2'));
});
