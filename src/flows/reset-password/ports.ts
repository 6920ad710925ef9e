import { resetPasswordMachine } from '../../../machines/account/reset-password.ts';
import type { ResetForm, RemovableLogin } from '../../../machines/model/account/reset.ts';
import { requestPort } from '../../../machines/ports.ts';
import { checkResetLink, fetchResetMethods, setPassword } from '../../client/account/password.ts';
import { requireForm } from '../../client/account/start-session.ts';
import { readPathSecret } from '../../history/secret-in-address.ts';
import type { AppEnvironment } from '../../shell/app/environment.ts';

export const flow = ({ api }: AppEnvironment) =>
  resetPasswordMachine.provide({
    actors: {
      checkLink: requestPort<boolean>(async ({ signal }) => checkResetLink(await api(), readPathSecret(), signal)),
      loadResetMethods: requestPort<RemovableLogin[]>(async ({ signal }) =>
        fetchResetMethods(await api(), readPathSecret(), signal),
      ),
      savePassword: requestPort<object, { pii: { form: ResetForm | null } }>(async ({ input, signal }) => {
        const { password, removed } = requireForm(input.pii.form);
        return setPassword(await api(), { token: readPathSecret(), password, removed }, signal);
      }),
    },
  });
