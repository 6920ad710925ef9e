import { expect, test } from 'vitest';
import { questionsMachine } from '../../../machines/account/questions.ts';
import { flowInput } from '../../../machines/path-models/path-model.ts';
import { after, contextOf, done } from '../../support/steps.ts';

test('what was answered before stands in the form', () => {
  const custom = { town: 'Porto' };
  const loaded = done('loadQuestions', { isOpen: true, customFields: [], pii: { name: 'Ann', custom } });
  const step = after(questionsMachine, flowInput({ flow: 'questions' }, { signedIn: true }), loaded);
  expect(contextOf(step)['pii']).toEqual({ answers: custom, form: null });
});
