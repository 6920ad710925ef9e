import { expect, test } from 'vitest';
import { informationMachine, notFoundMachine } from '../../../machines/browsing/static-pages.ts';
import { createFlowInput } from '../../../machines/path-models/path-model.ts';
import { stepThrough, getContext } from '../../support/steps.ts';

test.each([informationMachine, notFoundMachine])('a static page has the parameters of its address', (machine) => {
  expect(getContext(stepThrough(machine, createFlowInput({ params: { name: 'terms' } })))).toEqual({ params: { name: 'terms' } });
});
