import type { CustomField } from '../../../machines/model/account/custom-field.ts';
import type { SignUpForm } from '../../../machines/model/account/session.ts';
import { requestPort } from '../../../machines/ports.ts';
import type { SignedInUser } from '../../../machines/app/session.ts';
import { signUpMachine } from '../../../machines/account/sign-up.ts';
import { signUp } from '../../client/account/account.ts';
import { fetchCustomFields } from '../../client/account/custom-fields.ts';
import { startSession, getThisDevice, requireForm } from '../../client/account/start-session.ts';
import { createSignInProviders } from '../../shell/ports/sign-in-providers.ts';
import type { AppEnvironment } from '../../shell/app/environment.ts';

export const flow = ({ api, scoped }: AppEnvironment) =>
  signUpMachine.provide({
    actors: {
      loadFields: requestPort<CustomField[]>(async ({ signal }) => fetchCustomFields(await api(), signal)),
      providers: scoped(createSignInProviders),
      signUp: requestPort<SignedInUser, { pii: { form: SignUpForm | null } }>(async ({ input, signal }) => {
        const form = requireForm(input.pii.form);
        const session = await signUp(await api(), form, getThisDevice());
        // A visitor who has left the screen in the meantime stays signed out.
        signal.throwIfAborted();
        return startSession(session, true);
      }),
    },
  });
