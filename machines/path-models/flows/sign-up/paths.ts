import { signUpMachine } from '../../../account/sign-up.ts';
import { describeCase } from '../../description.ts';
import { createFlowInput, problems, toRejectionCases, type PathModel } from '../../path-model.ts';
import { preparations } from '../../preparations.ts';
import { signUpDescription } from './descriptions.ts';

const customer = { userId: 'u1', pii: { email: 'reader@example.com' } };
const phoneInstruction = `Take ${preparations.telephone}, press “Continue with a phone number”, and type the code in \`data/outbox\``;
const typedForms = {
  signIn: { email: 'reader@example.com', password: 'harbour light', remember: true },
  signUp: {
    name: 'A Reader',
    email: 'reader@example.com',
    password: 'harbour light',
    agree: true,
    newsletter: false,
    custom: { town: 'Quay' },
  },
};

export const models: PathModel[] = [
  {
    name: 'signUp',
    machine: signUpMachine,
    description: signUpDescription,
    startInstruction: 'As a visitor, open /signup.',
    input: createFlowInput({ flow: 'signUp', path: '/signup' }),
    cases: {
      'xstate.done.actor.loadFields': [
        { output: [{ id: 'town', kind: 'text', label: 'Your town', isRequired: false, choices: [] }] },
      ],
      'xstate.error.actor.loadFields': toRejectionCases(problems.offline),
      'session.started': [
        describeCase('the store has no open questions', customer, phoneInstruction),
        describeCase(
          'the store has an open question',
          { ...customer, asks: true },
          `${phoneInstruction}. Override \`user/phone/signin\` with its own answer, \`<QuestionsOpen>true</QuestionsOpen>\` in it, and \`user/signup/fields\` with its own, in which \`<Required>\` of the town is \`true\``,
        ),
      ],
      leave: [describeCase('', { url: 'https://provider.example/auth?…' }, preparations.provider)],
      'page.returned': [describeCase('', {}, preparations.provider)],
      'email.typed': [{ pii: { email: 'reader@example.com' } }],
      'signUp.submitted': [{ pii: { form: typedForms.signUp } }],
      'signUp.rejected': [{ fields: { agree: 'agree' } }],
      'xstate.done.actor.signUp': [{ output: customer }],
      'xstate.error.actor.signUp': toRejectionCases(problems.offline),
    },
  },
];
