import { forgotPasswordMachine } from '../../../machines/account/forgot-password.ts';
import type { ForgotPasswordForm } from '../../../machines/model/password.ts';
import { requestPort } from '../../../machines/ports.ts';
import { requestLink } from '../../client/password.ts';
import { requireForm } from '../../client/start-session.ts';
import type { World } from '../../shell/world.ts';

export const flow = ({ api }: World) =>
  forgotPasswordMachine.provide({
    actors: {
      requestLink: requestPort<object, { pii: { form: ForgotPasswordForm | null } }>(async ({ input, signal }) =>
        requestLink(await api(), requireForm(input.pii.form), signal),
      ),
    },
  });
