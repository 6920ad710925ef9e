import { providerReturnMachine } from '../../../account/provider-return.ts';
import type { Problem } from '../../../model/problem.ts';
import { described } from '../../description.ts';
import { flowInput, problems, rejections, type PathModel } from '../../path-model.ts';
import { providerReturnDescription } from './descriptions.ts';

const elsewhere = 'Copy the address at which the provider leads back, and open it in another tab';

const refused = (code: string): { error: Problem } => ({ error: { kind: 'refused', code, message: '' } });

const customer = { userId: 'u1', pii: { email: 'reader@example.com' } };

export const models: PathModel[] = [
  {
    name: 'providerReturn',
    machine: providerReturnMachine,
    description: providerReturnDescription,
    given:
      'As a visitor, sign in by a provider on the sign-in page of a store that has one (docs/sign-in-providers.md; without one as Blocked).',
    input: flowInput({
      flow: 'providerReturn',
      path: '/auth0loginCallback?code=…&state=…',
      query: { code: '…', state: '…' },
    }),
    cases: {
      'xstate.done.actor.takeAnswer': [
        described('it is for a sign-in that this tab has begun', {
          output: { path: '/title/purchase?titleid=1', action: 'pay' },
        }),
        described('this tab has begun none', { output: null }, elsewhere),
      ],
      'xstate.done.actor.finishSignIn': [
        described('the store asks nothing more', { output: customer }),
        described(
          'the store asks for something that is not answered',
          { output: { ...customer, asks: true } },
          'Override `user/provider/finish` with its own answer, `<QuestionsOpen>true</QuestionsOpen>` in it, and `user/signup/fields` with its own, in which `<Required>` of the town is `true`',
        ),
      ],
      'xstate.error.actor.finishSignIn': [
        described(
          'the customer has cancelled at the provider’s',
          refused('provider_cancelled'),
          'Press “Cancel” at the provider’s page',
        ),
        described('another tab has begun it, or it is too old', refused('sign_in_over')),
        described('an account has the address, which the provider has not verified', refused('email_unverified')),
        described('the provider does not answer', refused('provider_unreachable')),
        ...rejections(problems.offline),
      ],
    },
  },
  {
    name: 'providerReturn',
    machine: providerReturnMachine,
    description: providerReturnDescription,
    given:
      'Signed in at a store that has a provider (docs/sign-in-providers.md; without one as Blocked), press “Connect” beside it in the account.',
    input: flowInput(
      {
        flow: 'providerReturn',
        path: '/auth0loginCallback?code=…&state=…',
        query: { code: '…', state: '…' },
      },
      { signedIn: true },
    ),
    cases: {
      'xstate.done.actor.takeAnswer': [
        described('it is for what this tab has begun in the account', {
          output: { path: '/account?part=ways', action: null, joins: true },
        }),
        described('this tab has begun none', { output: null }, elsewhere),
      ],
      'xstate.done.actor.joinProvider': [{ output: {} }],
      'xstate.error.actor.joinProvider': [
        described(
          'the customer has cancelled at the provider’s',
          refused('provider_cancelled'),
          'Press “Cancel” at the provider’s page',
        ),
        described('it is too old, or another session has begun it', refused('sign_in_over')),
        described('it opens another account', refused('provider_taken')),
        ...rejections(problems.offline),
      ],
    },
  },
];
