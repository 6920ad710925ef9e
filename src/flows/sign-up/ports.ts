import type { CustomField } from '../../../machines/model/account/custom-field.ts';
import type { SignUpForm } from '../../../machines/model/account/session.ts';
import { requestPort } from '../../../machines/ports.ts';
import type { SignedIn } from '../../../machines/app/session.ts';
import { signUpMachine } from '../../../machines/account/sign-up.ts';
import { signUp } from '../../client/account/account.ts';
import { customFields } from '../../client/account/custom-fields.ts';
import { startSession, thisDevice, requireForm } from '../../client/account/start-session.ts';
import { signInProviders } from '../../shell/ports/sign-in-providers.ts';
import type { World } from '../../shell/app/world.ts';

export const flow = ({ api, own }: World) =>
  signUpMachine.provide({
    actors: {
      loadFields: requestPort<CustomField[]>(async ({ signal }) => customFields(await api(), signal)),
      providers: own(signInProviders),
      signUp: requestPort<SignedIn, { pii: { form: SignUpForm | null } }>(async ({ input, signal }) => {
        const form = requireForm(input.pii.form);
        const session = await signUp(await api(), form, thisDevice());
        // Who has gone elsewhere in the meantime stays a visitor.
        signal.throwIfAborted();
        return startSession(session, true);
      }),
    },
  });
