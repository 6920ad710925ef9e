import type { EmotionCache } from '@emotion/cache';
import type { PaintedStyle } from '../../machines/model/store/painting.ts';

/** The styles of a screen; the browser's own cache finds them by their names. */
export const stylesOf = ({ key, inserted, registered }: EmotionCache): PaintedStyle[] => {
  const rules = Object.entries(inserted).flatMap(([name, css]) => (typeof css === 'string' ? [{ name, css }] : []));
  const isGlobal = ({ name }: { name: string }): boolean => registered[`${key}-${name}`] === undefined;
  const own = rules.filter((rule) => !isGlobal(rule));
  return [
    ...rules.filter(isGlobal).map(({ name, css }) => ({ names: `${key}-global ${name}`, css })),
    { names: `${key} ${own.map(({ name }) => name).join(' ')}`, css: own.map(({ css }) => css).join('') },
  ];
};
