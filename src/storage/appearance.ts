import * as v from 'valibot';
import { type Appearance, appearanceOf, lookText, usualAppearance } from '../../machines/model/store/appearance.ts';
import { tellServer } from './cookies.ts';
import { store, stored } from './storage.ts';

const name = 'colophon.appearance';

const theme = v.fallback(v.string(), '');
const Stored = v.object({ topBar: theme, sidebar: theme, background: theme });

/** The look that was chosen in this browser before; the server is told of it anew, as of the language. */
export const firstAppearance = (): Appearance => {
  const kept = stored(name, v.nullable(Stored), null);
  if (kept === null) return usualAppearance;
  const chosen = appearanceOf(lookText(kept));
  tellServer('look', lookText(chosen));
  return chosen;
};

export const keepAppearance = (appearance: Appearance): void => {
  store(name, appearance);
  tellServer('look', lookText(appearance));
};
