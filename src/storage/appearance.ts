import * as v from 'valibot';
import { type Appearance, parseAppearance, formatAppearance, defaultAppearance } from '../../machines/model/store/appearance.ts';
import { writeChoiceCookie } from './cookies.ts';
import { writeItem, readItem } from './storage.ts';

const storageKey = 'colophon.appearance';

const ThemeName = v.fallback(v.string(), '');
const StoredAppearance = v.object({ topBar: ThemeName, sidebar: ThemeName, background: ThemeName });

/**
 * The look last chosen in this browser, or the default one. A stored look also renews the cookie
 * for the server, which browsers may delete earlier than storage.
 */
export const readAppearance = (): Appearance => {
  const storedLook = readItem(storageKey, v.nullable(StoredAppearance), null);
  if (storedLook === null) return defaultAppearance;
  const look = parseAppearance(formatAppearance(storedLook));
  writeChoiceCookie('look', formatAppearance(look));
  return look;
};

export const saveAppearance = (appearance: Appearance): void => {
  writeItem(storageKey, appearance);
  writeChoiceCookie('look', formatAppearance(appearance));
};
