import { expect, test } from 'vitest';
import { questionsMachine } from '../../../machines/account/questions.ts';
import { createFlowInput } from '../../../machines/path-models/path-model.ts';
import { stepThrough, getContext, doneEvent } from '../../support/steps.ts';

test('earlier answers are filled into the form', () => {
  const custom = { town: 'Porto' };
  const questionsLoaded = doneEvent('loadQuestions', { isOpen: true, customFields: [], pii: { name: 'Ann', custom } });
  const step = stepThrough(questionsMachine, createFlowInput({ flow: 'questions' }, { signedIn: true }), questionsLoaded);
  expect(getContext(step)['pii']).toEqual({ answers: custom, form: null });
});
