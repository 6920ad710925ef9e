import { expect, test } from 'vitest';
import { informationMachine, notFoundMachine } from '../../../machines/browsing/static-pages.ts';
import { flowInput } from '../../../machines/path-models/path-model.ts';
import { stepThrough, getContext } from '../../support/steps.ts';

test.each([informationMachine, notFoundMachine])('a static page knows its address', (machine) => {
  expect(getContext(stepThrough(machine, flowInput({ params: { name: 'terms' } })))).toEqual({ params: { name: 'terms' } });
});
