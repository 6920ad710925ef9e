import type { EmotionCache } from '@emotion/cache';
import type { RenderedStyle } from '../../machines/model/store/server-rendering.ts';

/** The styles of a screen, with the names by which the browser's Emotion cache recognises them. */
export const getStyles = ({ key, inserted, registered }: EmotionCache): RenderedStyle[] => {
  const rules = Object.entries(inserted).flatMap(([name, css]) => (typeof css === 'string' ? [{ name, css }] : []));
  const isGlobal = ({ name }: { name: string }): boolean => registered[`${key}-${name}`] === undefined;
  const componentRules = rules.filter((rule) => !isGlobal(rule));
  return [
    ...rules.filter(isGlobal).map(({ name, css }) => ({ names: `${key}-global ${name}`, css })),
    { names: `${key} ${componentRules.map(({ name }) => name).join(' ')}`, css: componentRules.map(({ css }) => css).join('') },
  ];
};
