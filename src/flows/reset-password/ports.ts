import { resetPasswordMachine } from '../../../machines/account/reset-password.ts';
import type { NewPasswordForm } from '../../../machines/model/password.ts';
import { requestPort } from '../../../machines/ports.ts';
import { checkLink, setPassword } from '../../client/password.ts';
import { requireForm } from '../../client/start-session.ts';
import { secretInAddress } from '../../history/secret-in-address.ts';
import type { World } from '../../shell/world.ts';

export const flow = ({ api }: World) =>
  resetPasswordMachine.provide({
    actors: {
      checkLink: requestPort<boolean>(async ({ signal }) => checkLink(await api(), secretInAddress(), signal)),
      savePassword: requestPort<object, { pii: { form: NewPasswordForm | null } }>(async ({ input, signal }) => {
        const { password } = requireForm(input.pii.form);
        return setPassword(await api(), { token: secretInAddress(), password }, signal);
      }),
    },
  });
