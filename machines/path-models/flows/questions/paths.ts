import { questionsMachine, type Questions } from '../../../account/questions.ts';
import { describeCase } from '../../description.ts';
import { createFlowInput, problems, toRejectionCases, type PathModel } from '../../path-model.ts';
import { questionsDescription } from './descriptions.ts';

const customFields: Questions['customFields'] = [
  { id: 'town', kind: 'text', label: 'Your town', isRequired: true, choices: [] },
  { id: 'street', kind: 'text', label: 'Your street', isRequired: false, choices: [] },
];

const unansweredInstruction =
  'Signed in as a customer who has given no town, with an override of `user/signup/fields` by its own answer, in which `<Required>` of the town is `true`';

const toQuestionsOutput = (custom: Record<string, string>): { output: Questions } => ({
  output: { customFields, isOpen: !('town' in custom), pii: { name: '', custom } },
});

const createModel = (startInstruction: string, path: string, query: Record<string, string>): PathModel => ({
  name: 'questions',
  machine: questionsMachine,
  description: questionsDescription,
  startInstruction,
  input: createFlowInput({ flow: 'questions', path, query, access: 'login' }, { signedIn: true }),
  cases: {
    'xstate.done.actor.loadQuestions': [
      describeCase('a required question has no answer', toQuestionsOutput({})),
      describeCase(
        'every required question has an answer',
        toQuestionsOutput({ town: 'Quay' }),
        'Fill in the town in My Profile before',
      ),
    ],
    'xstate.error.actor.loadQuestions': toRejectionCases(problems.offline),
    'answers.submitted': [{ pii: { form: { custom: { town: 'Quay', street: '' } } } }],
    'answers.rejected': [{ fields: { 'field-town': 'required' } }],
    'xstate.done.actor.saveAnswers': [{ output: {} }],
    'xstate.error.actor.saveAnswers': toRejectionCases(problems.offline),
  },
});

export const models: PathModel[] = [
  createModel(
    `${unansweredInstruction}, open /questions?return=%2Fabout&action=pay, as after Pay and a first sign-in by a provider.`,
    '/questions?return=%2Fabout&action=pay',
    { return: '/about', action: 'pay' },
  ),
  createModel(`${unansweredInstruction}, open /questions?return=%2Fabout.`, '/questions?return=%2Fabout', { return: '/about' }),
];
