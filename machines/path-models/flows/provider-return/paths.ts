import { providerReturnMachine } from '../../../account/provider-return.ts';
import type { Problem } from '../../../model/problem.ts';
import { describeCase } from '../../description.ts';
import { createFlowInput, problems, toRejectionCases, type PathModel } from '../../path-model.ts';
import { providerReturnDescription } from './descriptions.ts';

const otherBrowserInstruction = 'Copy the address at which the provider leads back, and open it in another tab';

const toRefusal = (code: string): { error: Problem } => ({ error: { kind: 'refused', code, message: '' } });

const customer = { userId: 'u1', pii: { email: 'reader@example.com' } };

export const models: PathModel[] = [
  {
    name: 'providerReturn',
    machine: providerReturnMachine,
    description: providerReturnDescription,
    startInstruction:
      'As a visitor, sign in by a provider on the sign-in page of a store that has one (docs/sign-in-providers.md; without one as Blocked).',
    input: createFlowInput({
      flow: 'providerReturn',
      path: '/auth0loginCallback?code=…&state=…',
      query: { code: '…', state: '…' },
    }),
    cases: {
      'xstate.done.actor.consumeAnswer': [
        describeCase('it is for a sign-in that this tab has begun', {
          output: { path: '/title/purchase?titleid=1', action: 'pay' },
        }),
        describeCase('this tab has begun none', { output: null }, otherBrowserInstruction),
      ],
      'xstate.done.actor.finishSignIn': [
        describeCase('the store asks nothing more', { output: customer }),
        describeCase(
          'the store asks for something that is not answered',
          { output: { ...customer, asks: true } },
          'Override `user/provider/finish` with its own answer, `<QuestionsOpen>true</QuestionsOpen>` in it, and `user/signup/fields` with its own, in which `<Required>` of the town is `true`',
        ),
      ],
      'xstate.error.actor.finishSignIn': [
        describeCase(
          'the customer has cancelled at the provider’s',
          toRefusal('provider_cancelled'),
          'Press “Cancel” at the provider’s page',
        ),
        describeCase('another tab has begun it, or it is too old', toRefusal('sign_in_over')),
        describeCase('an account has the address, which the provider has not verified', toRefusal('email_unverified')),
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
      'Signed in at a store that has a provider (docs/sign-in-providers.md; without one as Blocked), press “Connect” beside it in the account.',
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
        describeCase('it is for what this tab has begun in the account', {
          output: { path: '/account?part=ways', action: null, joins: true },
        }),
        describeCase('this tab has begun none', { output: null }, otherBrowserInstruction),
      ],
      'xstate.done.actor.joinProvider': [{ output: {} }],
      'xstate.error.actor.joinProvider': [
        describeCase(
          'the customer has cancelled at the provider’s',
          toRefusal('provider_cancelled'),
          'Press “Cancel” at the provider’s page',
        ),
        describeCase('it is too old, or another session has begun it', toRefusal('sign_in_over')),
        describeCase('it opens another account', toRefusal('provider_taken')),
        ...toRejectionCases(problems.offline),
      ],
    },
  },
];
