import { expect, test } from 'vitest';
import { informationMachine, notFoundMachine } from '../../../machines/browsing/static-pages.ts';
import { flowInput } from '../../../machines/path-models/path-model.ts';
import { after, contextOf } from '../../support/steps.ts';

test.each([informationMachine, notFoundMachine])('a page that only shows something knows its address', (machine) => {
  expect(contextOf(after(machine, flowInput({ params: { name: 'terms' } })))).toEqual({ params: { name: 'terms' } });
});
