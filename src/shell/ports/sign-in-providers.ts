import { phoneMachine, type CodeRequest, type CodeSignIn } from '../../../machines/account/phone.ts';
import { providersMachine } from '../../../machines/account/providers.ts';
import type { CameBy } from '../../../machines/app/session.ts';
import type { CodeSent } from '../../../machines/model/account/phone.ts';
import type { Provider, ProviderChoice } from '../../../machines/model/account/provider.ts';
import { requestPort } from '../../../machines/ports.ts';
import { providers, sendPhoneCode, signInByPhone, startProviderSignIn } from '../../client/account/providers.ts';
import { startSession, thisDevice } from '../../client/account/start-session.ts';
import { withheld } from '../../history/withheld.ts';
import { leaveForProvider } from './leave-for-provider.ts';
import type { World } from '../app/world.ts';

/** The providers beside a form that lets somebody in. */
export const signInProviders = ({ api, own }: World) =>
  providersMachine.provide({
    actors: {
      loadProviders: requestPort<Provider[]>(async ({ signal }) => providers(await api(), signal)),
      startSignIn: requestPort<string, ProviderChoice>(async ({ input, signal }) => {
        const begun = await startProviderSignIn(await api(), input.providerId, signal);
        // Who has gone elsewhere in the meantime stays in the shop.
        signal.throwIfAborted();
        return leaveForProvider(own(withheld), begun, { remember: input.remember, way: input.way });
      }),
      phone: phoneMachine.provide({
        actors: {
          sendCode: requestPort<CodeSent, CodeRequest>(async ({ input, signal }) =>
            sendPhoneCode(await api(), input.pii.phone, signal),
          ),
          signInByCode: requestPort<CameBy, CodeSignIn>(async ({ input: { remember, pii }, signal }) => {
            const session = await signInByPhone(await api(), pii, thisDevice());
            // Who has gone elsewhere in the meantime stays a visitor.
            signal.throwIfAborted();
            return startSession(session, remember);
          }),
        },
      }),
    },
  });
