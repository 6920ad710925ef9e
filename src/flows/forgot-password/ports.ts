import { forgotPasswordMachine } from '../../../machines/account/forgot-password.ts';
import type { ForgotPasswordForm } from '../../../machines/model/account/password.ts';
import { requestPort } from '../../../machines/ports.ts';
import { requestResetLink } from '../../client/account/password.ts';
import { requireForm } from '../../client/account/start-session.ts';
import type { AppEnvironment } from '../../shell/app/environment.ts';

export const flow = ({ api }: AppEnvironment) =>
  forgotPasswordMachine.provide({
    actors: {
      requestLink: requestPort<object, { isNotMe: boolean; pii: { form: ForgotPasswordForm | null } }>(
        async ({ input: { isNotMe, pii }, signal }) =>
          requestResetLink(await api(), { ...requireForm(pii.form), isNotMe }, signal),
      ),
    },
  });
