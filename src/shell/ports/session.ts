import type { EventObject } from 'xstate';
import { problemOf } from '../../../machines/model/problem.ts';
import { channelPort, requestPort, safePort } from '../../../machines/ports.ts';
import { sessionMachine, type SignedIn, type TabsFact } from '../../../machines/app/session.ts';
import type { Api } from '../../client/wire/client.ts';
import { clearSession, clearTab, expireSession, sessionTokenName, storedCustomer, token } from '../../storage/session-storage.ts';
import type { World } from '../app/world.ts';

/** Milliseconds that a stored token is looked at: the shop does not open before. */
const longestCheck = 5_000;

/** A token that the server refuses is dropped; one that cannot be checked now is believed, the next call will tell. */
const restore = async (api: () => Promise<Api>, signal: AbortSignal): Promise<SignedIn | null> => {
  const accessToken = token();
  // A session without a token cannot be validated.
  if (!accessToken) return storedCustomer();
  const { validatedCustomer } = await import('../../client/account/account.ts');
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(longestCheck)]);
    return await validatedCustomer(await api(), accessToken, limit);
  } catch (error) {
    // Another call may have heard meanwhile that the token is refused.
    if (problemOf(error).kind !== 'unauthorized') return storedCustomer();
    // Another tab may have signed in meanwhile: only the token that was refused goes.
    if (token() === accessToken) expireSession();
    return null;
  }
};

/** So that nobody finds a use for the token any more. */
const endSession = async (api: () => Promise<Api>, accessToken: string): Promise<void> => {
  const { signOut } = await import('../../client/account/account.ts');
  await signOut(await api(), accessToken);
};

/** The browser tells every tab but the one that wrote. */
const tabs = channelPort<EventObject, TabsFact>(({ sendBack }) => {
  const changed = (event: StorageEvent) => {
    if (event.key !== sessionTokenName && event.key !== null) return;
    const customer = storedCustomer();
    // The other tab cannot reach this one's storage, and may be signed in for itself alone.
    if (customer === null) clearTab();
    sendBack(customer ? { type: 'session.startedElsewhere', ...customer } : { type: 'session.endedElsewhere' });
  };
  addEventListener('storage', changed);
  return () => removeEventListener('storage', changed);
});

/** The session that the browser keeps. */
export const sessionIn = ({ api }: World) =>
  sessionMachine.provide({
    actors: {
      restoreSession: requestPort<SignedIn | null>(async ({ signal }) => restore(api, signal)),
      forgetSession: safePort<null>(
        async () => {
          const accessToken = token();
          clearSession();
          // Whoever signs out is out at once; the server is told by the way.
          if (accessToken) void endSession(api, accessToken).catch(() => undefined);
          return null;
        },
        () => null,
      ),
      tabs,
    },
  });
