import { providerReturnMachine } from '../../../account/provider-return.ts';
import type { Problem } from '../../../model/problem.ts';
import { describeCase } from '../../description.ts';
import { createFlowInput, problems, toRejectionCases, type PathModel } from '../../path-model.ts';
import { providerReturnDescription } from './descriptions.ts';

const otherBrowserInstruction = 'Copy the URL to which the provider redirects, and open it in another tab';

const toRefusal = (code: string): { error: Problem } => ({ error: { kind: 'refused', code, message: '' } });

const customer = { userId: 'u1', pii: { email: 'reader@example.com' } };

export const models: PathModel[] = [
  {
    name: 'providerReturn',
    machine: providerReturnMachine,
    description: providerReturnDescription,
    startInstruction:
      'As a visitor, sign in by a provider on the sign-in page of a store that has one (docs/sign-in-providers.md; without one, mark the tests as Blocked).',
    input: createFlowInput({
      flow: 'providerReturn',
      path: '/auth0loginCallback?code=…&state=…',
      query: { code: '…', state: '…' },
    }),
    cases: {
      'xstate.done.actor.consumeAnswer': [
        describeCase('it is for a sign-in that this tab has started', {
          output: { path: '/title/purchase?titleid=1', action: 'pay' },
        }),
        describeCase('this tab has started no sign-in', { output: null }, otherBrowserInstruction),
      ],
      'xstate.done.actor.finishSignIn': [
        describeCase('the store has no open questions', { output: customer }),
        describeCase(
          'the store has an open question',
          { output: { ...customer, asks: true } },
          'Override `user/provider/finish` with its own answer, `<QuestionsOpen>true</QuestionsOpen>` in it, and `user/signup/fields` with its own, in which `<Required>` of the town is `true`',
        ),
      ],
      'xstate.error.actor.finishSignIn': [
        describeCase(
          'the customer has cancelled on the provider’s page',
          toRefusal('provider_cancelled'),
          'Press “Cancel” at the provider’s page',
        ),
        describeCase('another tab has started it, or it is too old', toRefusal('sign_in_over')),
        describeCase('an account has the e-mail address, which the provider has not verified', toRefusal('email_unverified')),
        describeCase('the provider does not answer', toRefusal('provider_unreachable')),
        ...toRejectionCases(problems.offline),
      ],
    },
  },
  {
    name: 'providerReturn',
    machine: providerReturnMachine,
    description: providerReturnDescription,
    startInstruction:
      'Signed in at a store that has a provider (docs/sign-in-providers.md; without one, mark the tests as Blocked), press “Connect” beside it in the account.',
    input: createFlowInput(
      {
        flow: 'providerReturn',
        path: '/auth0loginCallback?code=…&state=…',
        query: { code: '…', state: '…' },
      },
      { signedIn: true },
    ),
    cases: {
      'xstate.done.actor.consumeAnswer': [
        describeCase('it is for a connection that this tab has started in the account', {
          output: { path: '/account?part=ways', action: null, joins: true },
        }),
        describeCase('this tab has started no connection', { output: null }, otherBrowserInstruction),
      ],
      'xstate.done.actor.joinProvider': [{ output: {} }],
      'xstate.error.actor.joinProvider': [
        describeCase(
          'the customer has cancelled on the provider’s page',
          toRefusal('provider_cancelled'),
          'Press “Cancel” at the provider’s page',
        ),
        describeCase('it is too old, or another session has started it', toRefusal('sign_in_over')),
        describeCase('the provider is connected to another account', toRefusal('provider_taken')),
        ...toRejectionCases(problems.offline),
      ],
    },
  },
];
