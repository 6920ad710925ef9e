import { questionsMachine, type Questions } from '../../../account/questions.ts';
import { described } from '../../description.ts';
import { flowInput, problems, rejections, type PathModel } from '../../path-model.ts';
import { questionsDescription } from './descriptions.ts';

const customFields: Questions['customFields'] = [
  { id: 'town', kind: 'text', label: 'Your town', isRequired: true, choices: [] },
  { id: 'street', kind: 'text', label: 'Your street', isRequired: false, choices: [] },
];

const unanswered =
  'Signed in as a customer who has given no town, with an override of `user/signup/fields` by its own answer, in which `<Required>` of the town is `true`';

const asked = (custom: Record<string, string>): { output: Questions } => ({
  output: { customFields, isOpen: !('town' in custom), pii: { name: '', custom } },
});

const model = (given: string, path: string, query: Record<string, string>): PathModel => ({
  name: 'questions',
  machine: questionsMachine,
  description: questionsDescription,
  given,
  input: flowInput({ flow: 'questions', path, query, access: 'login' }, { signedIn: true }),
  cases: {
    'xstate.done.actor.loadQuestions': [
      described('something is not answered that everybody is asked', asked({})),
      described('that is answered', asked({ town: 'Quay' }), 'Fill in the town in My Profile before'),
    ],
    'xstate.error.actor.loadQuestions': rejections(problems.offline),
    'answers.submitted': [{ pii: { form: { custom: { town: 'Quay', street: '' } } } }],
    'answers.rejected': [{ fields: { 'field-town': 'required' } }],
    'xstate.done.actor.saveAnswers': [{ output: {} }],
    'xstate.error.actor.saveAnswers': rejections(problems.offline),
  },
});

export const models: PathModel[] = [
  model(
    `${unanswered}, open /questions?return=%2Fabout&action=pay, where somebody comes from Pay by a provider for the first time.`,
    '/questions?return=%2Fabout&action=pay',
    { return: '/about', action: 'pay' },
  ),
  model(`${unanswered}, open /questions?return=%2Fabout.`, '/questions?return=%2Fabout', { return: '/about' }),
];
