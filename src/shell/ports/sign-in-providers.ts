import { phoneMachine, type CodeRequest, type CodeSignIn } from '../../../machines/account/phone.ts';
import { providersMachine } from '../../../machines/account/providers.ts';
import type { SignInResult } from '../../../machines/app/session.ts';
import type { PhoneCodeRequest } from '../../../machines/model/account/phone.ts';
import type { Provider, ProviderChoice } from '../../../machines/model/account/provider.ts';
import { requestPort } from '../../../machines/ports.ts';
import { fetchProviders, sendPhoneCode, signInByPhone, startProviderSignIn } from '../../client/account/providers.ts';
import { startSession, getThisDevice } from '../../client/account/start-session.ts';
import { createSecretAddresses } from '../../history/secret-addresses.ts';
import { savePendingSignIn } from './leave-for-provider.ts';
import type { AppEnvironment } from '../app/environment.ts';

/** The sign-in providers next to a sign-in or sign-up form. */
export const createSignInProviders = ({ api, scoped }: AppEnvironment) =>
  providersMachine.provide({
    actors: {
      loadProviders: requestPort<Provider[]>(async ({ signal }) => fetchProviders(await api(), signal)),
      startSignIn: requestPort<string, ProviderChoice>(async ({ input, signal }) => {
        const signInStart = await startProviderSignIn(await api(), input.providerId, signal);
        // A customer who has left the screen in the meantime stays in the shop.
        signal.throwIfAborted();
        return savePendingSignIn(scoped(createSecretAddresses), signInStart, { remember: input.remember, way: input.way });
      }),
      phone: phoneMachine.provide({
        actors: {
          sendCode: requestPort<PhoneCodeRequest, CodeRequest>(async ({ input, signal }) =>
            sendPhoneCode(await api(), input.pii.phone, signal),
          ),
          signInByCode: requestPort<SignInResult, CodeSignIn>(async ({ input: { remember, pii }, signal }) => {
            const session = await signInByPhone(await api(), pii, getThisDevice());
            // A visitor who has left the screen in the meantime stays signed out.
            signal.throwIfAborted();
            return startSession(session, remember);
          }),
        },
      }),
    },
  });
