import { Appearance, usualAppearance } from '../../machines/model/appearance.ts';
import { store, stored } from './storage.ts';

const name = 'colophon.appearance';

/** The look that was chosen in this browser before. */
export const firstAppearance = (): Appearance => stored(name, Appearance, usualAppearance);

export const keepAppearance = (appearance: Appearance): void => store(name, appearance);
