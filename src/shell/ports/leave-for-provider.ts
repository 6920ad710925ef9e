import { HIDDEN_SECRET } from '../../../machines/model/account/after-sign-in.ts';
import type { SecretAddresses } from '../../history/secret-addresses.ts';
import { saveStartedSignIn, type StartedSignIn } from '../../storage/started-sign-in.ts';

type PendingSignIn = Omit<StartedSignIn, 'state' | 'wholePath'>;

/**
 * Stores the started sign-in in this tab, with the state that the provider's answer must repeat.
 * @returns the provider's address, without secrets
 */
export const savePendingSignIn = (
  { registerSecret, getFullAddress }: SecretAddresses,
  { url, state }: { url: string; state: string },
  signIn: PendingSignIn,
): string => {
  // The history's map of secrets in addresses is lost with this page.
  const fullPath = getFullAddress(signIn.way.path);
  saveStartedSignIn({ state, ...signIn, ...(fullPath === signIn.way.path ? {} : { wholePath: fullPath }) });
  const { origin, pathname } = new URL(url);
  const maskedUrl = `${origin}${pathname}?${HIDDEN_SECRET}`;
  registerSecret(maskedUrl, url);
  return maskedUrl;
};
