import { resetPasswordMachine } from '../../../machines/account/reset-password.ts';
import type { ResetForm, ResetWay } from '../../../machines/model/account/reset.ts';
import { requestPort } from '../../../machines/ports.ts';
import { checkLink, resetWays, setPassword } from '../../client/account/password.ts';
import { requireForm } from '../../client/account/start-session.ts';
import { secretInAddress } from '../../history/secret-in-address.ts';
import type { World } from '../../shell/app/world.ts';

export const flow = ({ api }: World) =>
  resetPasswordMachine.provide({
    actors: {
      checkLink: requestPort<boolean>(async ({ signal }) => checkLink(await api(), secretInAddress(), signal)),
      loadWays: requestPort<ResetWay[]>(async ({ signal }) => resetWays(await api(), secretInAddress(), signal)),
      savePassword: requestPort<object, { pii: { form: ResetForm | null } }>(async ({ input, signal }) => {
        const { password, removed } = requireForm(input.pii.form);
        return setPassword(await api(), { token: secretInAddress(), password, removed }, signal);
      }),
    },
  });
