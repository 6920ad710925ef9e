import { signUpMachine } from '../../../account/sign-up.ts';
import { described } from '../../description.ts';
import { flowInput, problems, rejections, type PathModel } from '../../path-model.ts';
import { preparations } from '../../preparations.ts';
import { signUpDescription } from './descriptions.ts';

const customer = { userId: 'u1', pii: { email: 'reader@example.com' } };
const byTelephone = `Take ${preparations.telephone}, press “Continue with a phone number”, and type the code in \`data/outbox\``;
const credentials = {
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
    given: 'As a visitor, open /signup.',
    input: flowInput({ flow: 'signUp', path: '/signup' }),
    cases: {
      'xstate.done.actor.loadFields': [
        { output: [{ id: 'town', kind: 'text', label: 'Your town', isRequired: false, choices: [] }] },
      ],
      'xstate.error.actor.loadFields': rejections(problems.offline),
      'session.started': [
        described('the store asks nothing more', customer, byTelephone),
        described(
          'the store asks for something that is not answered',
          { ...customer, asks: true },
          `${byTelephone}. Override \`user/phone/signin\` with its own answer, \`<QuestionsOpen>true</QuestionsOpen>\` in it, and \`user/signup/fields\` with its own, in which \`<Required>\` of the town is \`true\``,
        ),
      ],
      leave: [described('', { url: 'https://provider.example/auth?…' }, preparations.provider)],
      'page.returned': [described('', {}, preparations.provider)],
      'email.typed': [{ pii: { email: 'reader@example.com' } }],
      'signUp.submitted': [{ pii: { form: credentials.signUp } }],
      'signUp.rejected': [{ fields: { agree: 'agree' } }],
      'xstate.done.actor.signUp': [{ output: customer }],
      'xstate.error.actor.signUp': rejections(problems.offline),
    },
  },
];
