import type { EventObject } from 'xstate';
import { toProblem } from '../../../machines/model/problem.ts';
import { channelPort, requestPort, safePort } from '../../../machines/ports.ts';
import { sessionMachine, type SignedInUser, type TabsFact } from '../../../machines/app/session.ts';
import type { Api } from '../../client/wire/client.ts';
import {
  clearSession,
  clearTab,
  expireSession,
  sessionTokenKey,
  getStoredCustomer,
  token,
} from '../../storage/session-storage.ts';
import type { AppEnvironment } from '../app/environment.ts';

/** Timeout in milliseconds for validating a stored token: the shop opens only after that. */
const checkTimeoutMs = 5_000;

/**
 * Restores the stored session. A refused token is removed; a token that cannot be validated now is
 * kept, since the next call shows whether it is valid.
 */
const restoreSession = async (api: () => Promise<Api>, signal: AbortSignal): Promise<SignedInUser | null> => {
  const accessToken = token();
  // A session without a token cannot be validated.
  if (!accessToken) return getStoredCustomer();
  const { fetchCustomer } = await import('../../client/account/account.ts');
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(checkTimeoutMs)]);
    return await fetchCustomer(await api(), accessToken, limit);
  } catch (error) {
    // Another call may have been refused in the meantime.
    if (toProblem(error).kind !== 'unauthorized') return getStoredCustomer();
    // Another tab may have signed in in the meantime: only the refused token is removed.
    if (token() === accessToken) expireSession();
    return null;
  }
};

/** Revokes the token, so that it cannot be abused. */
const endSession = async (api: () => Promise<Api>, accessToken: string): Promise<void> => {
  const { signOut } = await import('../../client/account/account.ts');
  await signOut(await api(), accessToken);
};

/**
 * Changes of the session by other tabs: storage events go to every tab except the one that wrote.
 */
const tabs = channelPort<EventObject, TabsFact>(({ sendBack }) => {
  const onStorage = (event: StorageEvent) => {
    if (event.key !== sessionTokenKey && event.key !== null) return;
    const customer = getStoredCustomer();
    // The other tab cannot reach this tab's session storage, whose session may be this tab's own.
    if (customer === null) clearTab();
    sendBack(customer ? { type: 'session.startedElsewhere', ...customer } : { type: 'session.endedElsewhere' });
  };
  addEventListener('storage', onStorage);
  return () => removeEventListener('storage', onStorage);
});

/** The session in the browser's storage. */
export const createSession = ({ api }: AppEnvironment) =>
  sessionMachine.provide({
    actors: {
      restoreSession: requestPort<SignedInUser | null>(async ({ signal }) => restoreSession(api, signal)),
      forgetSession: safePort<null>(
        async () => {
          const accessToken = token();
          clearSession();
          // Signs out locally right away; notifies the server in the background.
          if (accessToken) void endSession(api, accessToken).catch(() => undefined);
          return null;
        },
        () => null,
      ),
      tabs,
    },
  });
