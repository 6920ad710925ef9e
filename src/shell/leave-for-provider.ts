import { hidden } from '../../machines/model/route.ts';
import { withhold } from '../history/withheld.ts';
import { keepBegunSignIn } from '../storage/begun-sign-in.ts';

type Kept = Omit<Parameters<typeof keepBegunSignIn>[0], 'state'>;

/** Keeps in this tab what the way back from a provider is compared with. @returns where to go, without what is secret in it */
export const leaveForProvider = ({ url, state }: { url: string; state: string }, kept: Kept): string => {
  keepBegunSignIn({ state, ...kept });
  const { origin, pathname } = new URL(url);
  const known = `${origin}${pathname}?${hidden}`;
  withhold(known, url);
  return known;
};
