import * as v from 'valibot';
import { type Appearance, parseAppearance, formatAppearance, defaultAppearance } from '../../machines/model/store/appearance.ts';
import { sendToServer } from './cookies.ts';
import { writeItem, readItem } from './storage.ts';

const storageKey = 'colophon.appearance';

const ThemeName = v.fallback(v.string(), '');
const StoredAppearance = v.object({ topBar: ThemeName, sidebar: ThemeName, background: ThemeName });

/**
 * The last look chosen in this browser; the cookie for the server is renewed, as for the language.
 */
export const readAppearance = (): Appearance => {
  const kept = readItem(storageKey, v.nullable(StoredAppearance), null);
  if (kept === null) return defaultAppearance;
  const chosen = parseAppearance(formatAppearance(kept));
  sendToServer('look', formatAppearance(chosen));
  return chosen;
};

export const saveAppearance = (appearance: Appearance): void => {
  writeItem(storageKey, appearance);
  sendToServer('look', formatAppearance(appearance));
};
