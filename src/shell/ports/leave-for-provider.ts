import { hidden } from '../../../machines/model/account/after-sign-in.ts';
import type { Withheld } from '../../history/withheld.ts';
import { keepBegunSignIn, type BegunSignIn } from '../../storage/begun-sign-in.ts';

type PendingSignIn = Omit<BegunSignIn, 'state' | 'wholePath'>;

/**
 * Stores the state that the provider's answer is compared with, in this tab. @returns the
 * provider's address, without secrets
 */
export const leaveForProvider = (
  { withhold, wholeOf }: Withheld,
  { url, state }: { url: string; state: string },
  kept: PendingSignIn,
): string => {
  // The history's map of secrets in addresses is lost with this page.
  const wholePath = wholeOf(kept.way.path);
  keepBegunSignIn({ state, ...kept, ...(wholePath === kept.way.path ? {} : { wholePath }) });
  const { origin, pathname } = new URL(url);
  const known = `${origin}${pathname}?${hidden}`;
  withhold(known, url);
  return known;
};
