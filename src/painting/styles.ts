import type { EmotionCache } from '@emotion/cache';

const tagOf = (names: string, css: string): string => `<style data-emotion="${names}">${css}</style>`;

/** On a server Emotion leaves the end out of a layer with nothing in it, and the next one would be lost with it. */
const mended = (css: string): string => css.replaceAll(/(@layer [\w-]+)(?=@)/g, '$1;');

/** The styles that a screen was drawn with, as tags that the browser's own cache finds and does not make again. */
export const stylesOf = ({ key, inserted, registered }: EmotionCache): string => {
  const rules = Object.entries(inserted).flatMap(([name, css]) => (typeof css === 'string' ? [{ name, css }] : []));
  const isGlobal = ({ name }: { name: string }): boolean => registered[`${key}-${name}`] === undefined;
  const own = rules.filter((rule) => !isGlobal(rule));
  return [
    ...rules.filter(isGlobal).map(({ name, css }) => tagOf(`${key}-global ${name}`, mended(css))),
    tagOf(`${key} ${own.map(({ name }) => name).join(' ')}`, own.map(({ css }) => css).join('')),
  ].join('');
};
