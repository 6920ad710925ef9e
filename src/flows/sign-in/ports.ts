import type { SignInForm } from '../../../machines/model/account/session.ts';
import { markOpenEnded, requestPort, safePort } from '../../../machines/ports.ts';
import type { SignedInUser } from '../../../machines/app/session.ts';
import { passkeySignInMachine } from '../../../machines/account/passkey-sign-in.ts';
import { signInMachine } from '../../../machines/account/sign-in.ts';
import { signIn } from '../../client/account/account.ts';
import { autofillPasskey, canUsePasskeys, signInByPasskey } from '../../client/account/passkeys.ts';
import { startSession, getThisDevice, requireForm } from '../../client/account/start-session.ts';
import { createSignInProviders } from '../../shell/ports/sign-in-providers.ts';
import type { AppEnvironment } from '../../shell/app/environment.ts';

/** Whether "remember me" is checked in the form at the moment of the sign-in. */
const isRemembered = (): boolean => document.querySelector<HTMLInputElement>('form [name="remember"]')?.checked ?? true;

/**
 * A promise that stays pending: a browser or server without autofill of passkeys offers no choice.
 */
const createPendingPromise = (): Promise<never> => new Promise(() => {});

export const flow = ({ api, scoped }: AppEnvironment) =>
  signInMachine.provide({
    actors: {
      providers: scoped(createSignInProviders),
      passkey: passkeySignInMachine.provide({
        actors: {
          canUsePasskeys: safePort<boolean>(
            async () => canUsePasskeys(),
            () => false,
          ),
          signInByPasskey: requestPort<SignedInUser, { remember: boolean }>(async ({ input, signal }) => {
            const session = await signInByPasskey(await api(), getThisDevice(), signal);
            // A visitor who has left the screen in the meantime stays signed out.
            signal.throwIfAborted();
            return startSession(session, input.remember);
          }),
          autofill: markOpenEnded(
            requestPort<SignedInUser>(async ({ signal }) => {
              const session = await autofillPasskey(await api(), getThisDevice(), signal);
              signal.throwIfAborted();
              return session === null ? createPendingPromise() : startSession(session, isRemembered());
            }),
          ),
        },
      }),
      signIn: requestPort<SignedInUser, { pii: { form: SignInForm | null } }>(async ({ input, signal }) => {
        const form = requireForm(input.pii.form);
        const session = await signIn(await api(), form, getThisDevice());
        // A visitor who has left the screen in the meantime stays signed out.
        signal.throwIfAborted();
        return startSession(session, form.remember);
      }),
    },
  });
