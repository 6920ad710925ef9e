import { HIDDEN_SECRET } from '../../../machines/model/account/after-sign-in.ts';
import type { SecretAddresses } from '../../history/secret-addresses.ts';
import { saveStartedSignIn, type StartedSignIn } from '../../storage/started-sign-in.ts';

type PendingSignIn = Omit<StartedSignIn, 'state' | 'wholePath'>;

/**
 * Stores the state that the provider's answer is compared with, in this tab. @returns the
 * provider's address, without secrets
 */
export const savePendingSignIn = (
  { registerSecret, getFullAddress }: SecretAddresses,
  { url, state }: { url: string; state: string },
  kept: PendingSignIn,
): string => {
  // The history's map of secrets in addresses is lost with this page.
  const wholePath = getFullAddress(kept.way.path);
  saveStartedSignIn({ state, ...kept, ...(wholePath === kept.way.path ? {} : { wholePath }) });
  const { origin, pathname } = new URL(url);
  const known = `${origin}${pathname}?${HIDDEN_SECRET}`;
  registerSecret(known, url);
  return known;
};
