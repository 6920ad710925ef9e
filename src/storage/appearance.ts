import * as v from 'valibot';
import { Appearance, usualAppearance } from '../../machines/model/appearance.ts';
import { tellServer } from './cookies.ts';
import { store, stored } from './storage.ts';

const name = 'colophon.appearance';

/** The look that was chosen in this browser before. */
export const firstAppearance = (): Appearance => stored(name, Appearance, usualAppearance);

export const keepAppearance = (appearance: Appearance): void => {
  store(name, appearance);
  tellServer('look', [appearance.topBar, appearance.sidebar, appearance.background].join('.'));
};

/** The look that a cookie names; the usual one where it names none. */
export const appearanceOf = (cookie: string): Appearance => {
  const [topBar, sidebar, background] = cookie.split('.');
  return v.parse(Appearance, { topBar, sidebar, background });
};
