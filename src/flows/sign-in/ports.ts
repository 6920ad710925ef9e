import type { SignInForm } from '../../../machines/model/account/session.ts';
import { openEnded, requestPort, safePort } from '../../../machines/ports.ts';
import type { SignedIn } from '../../../machines/app/session.ts';
import { passkeySignInMachine } from '../../../machines/account/passkey-sign-in.ts';
import { signInMachine } from '../../../machines/account/sign-in.ts';
import { signIn } from '../../client/account/account.ts';
import { autofillPasskey, canUsePasskeys, signInByPasskey } from '../../client/account/passkeys.ts';
import { startSession, thisDevice, requireForm } from '../../client/account/start-session.ts';
import { signInProviders } from '../../shell/ports/sign-in-providers.ts';
import type { World } from '../../shell/app/world.ts';

/** Whether the form is ticked to remember who signs in, at the moment in which they do. */
const isRemembered = (): boolean => document.querySelector<HTMLInputElement>('form [name="remember"]')?.checked ?? true;

/** Nothing is offered, so nothing can be chosen. */
const never = (): Promise<never> => new Promise(() => {});

export const flow = ({ api, own }: World) =>
  signInMachine.provide({
    actors: {
      providers: own(signInProviders),
      passkey: passkeySignInMachine.provide({
        actors: {
          canUsePasskeys: safePort<boolean>(
            async () => canUsePasskeys(),
            () => false,
          ),
          signInByPasskey: requestPort<SignedIn, { remember: boolean }>(async ({ input, signal }) => {
            const session = await signInByPasskey(await api(), thisDevice(), signal);
            // Who has gone elsewhere in the meantime stays a visitor.
            signal.throwIfAborted();
            return startSession(session, input.remember);
          }),
          autofill: openEnded(
            requestPort<SignedIn>(async ({ signal }) => {
              const session = await autofillPasskey(await api(), thisDevice(), signal);
              signal.throwIfAborted();
              return session === null ? never() : startSession(session, isRemembered());
            }),
          ),
        },
      }),
      signIn: requestPort<SignedIn, { pii: { form: SignInForm | null } }>(async ({ input, signal }) => {
        const form = requireForm(input.pii.form);
        const session = await signIn(await api(), form, thisDevice());
        // Who has gone elsewhere in the meantime stays a visitor.
        signal.throwIfAborted();
        return startSession(session, form.remember);
      }),
    },
  });
