import { hidden } from '../../../machines/model/account/after-sign-in.ts';
import type { Withheld } from '../../history/withheld.ts';
import { keepBegunSignIn, type BegunSignIn } from '../../storage/begun-sign-in.ts';

type Kept = Omit<BegunSignIn, 'state' | 'wholePath'>;

/** Keeps in this tab what the way back from a provider is compared with. @returns where to go, without what is secret in it */
export const leaveForProvider = (
  { withhold, wholeOf }: Withheld,
  { url, state }: { url: string; state: string },
  kept: Kept,
): string => {
  // What the history knows of secrets in addresses is gone with this page.
  const wholePath = wholeOf(kept.way.path);
  keepBegunSignIn({ state, ...kept, ...(wholePath === kept.way.path ? {} : { wholePath }) });
  const { origin, pathname } = new URL(url);
  const known = `${origin}${pathname}?${hidden}`;
  withhold(known, url);
  return known;
};
