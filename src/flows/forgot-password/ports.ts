import { forgotPasswordMachine } from '../../../machines/account/forgot-password.ts';
import type { ForgotPasswordForm } from '../../../machines/model/account/password.ts';
import { requestPort } from '../../../machines/ports.ts';
import { requestLink } from '../../client/account/password.ts';
import { requireForm } from '../../client/account/start-session.ts';
import type { World } from '../../shell/app/world.ts';

export const flow = ({ api }: World) =>
  forgotPasswordMachine.provide({
    actors: {
      requestLink: requestPort<object, { isNotMe: boolean; pii: { form: ForgotPasswordForm | null } }>(
        async ({ input: { isNotMe, pii }, signal }) => requestLink(await api(), { ...requireForm(pii.form), isNotMe }, signal),
      ),
    },
  });
