import type { EventObject } from 'xstate';
import { problemOf } from '../../machines/model/problem.ts';
import { channelPort, requestPort } from '../../machines/ports.ts';
import { sessionMachine, type SignedIn, type TabsFact } from '../../machines/app/session.ts';
import { api } from '../client/open-client.ts';
import { clearSession, sessionTokenName, storedCustomer, token } from '../storage/session-storage.ts';

/** A token that the server refuses is dropped; one that cannot be checked now is believed, the next call will tell. */
const restoreSession = requestPort<SignedIn | null>(async ({ signal }) => {
  const stored = storedCustomer();
  const accessToken = token();
  if (!stored || accessToken === null) return null;
  const { validateToken } = await import('../client/account.ts');
  try {
    const { userId, email } = await validateToken(await api(), accessToken, signal);
    return { userId, pii: { email } };
  } catch (error) {
    if (problemOf(error).kind !== 'unauthorized') return stored;
    // Another tab may have signed in meanwhile: only the token that was refused goes.
    if (token() === accessToken) clearSession();
    return null;
  }
});

const forgetSession = requestPort<null>(async () => {
  clearSession();
  return null;
});

/** The browser tells every tab but the one that wrote. */
const tabs = channelPort<EventObject, TabsFact>(({ sendBack }) => {
  const changed = (event: StorageEvent) => {
    if (event.key !== sessionTokenName && event.key !== null) return;
    const customer = storedCustomer();
    sendBack(customer ? { type: 'session.startedElsewhere', ...customer } : { type: 'session.endedElsewhere' });
  };
  addEventListener('storage', changed);
  return () => removeEventListener('storage', changed);
});

export const session = sessionMachine.provide({ actors: { restoreSession, forgetSession, tabs } });
