import { scene, type SceneOrder, sceneTones } from '../art/scene.ts';
import { escapeText } from '../text.ts';
import { round } from '../motifs/draw.ts';
import type { Film } from './source.ts';
import { type Staging, stagingOf } from './staging.ts';

export const [width, height] = [640, 360];
const crossing = 0.8;

function figuresOf({ figures }: Staging, time: number, seconds: number): SceneOrder['figures'] {
  const along = time / seconds - 0.5;
  return figures.map(({ drift = 0.02, ...figure }) => ({ ...figure, x: figure.x + along * drift }));
}

function sceneAt(film: Film, index: number, time: number): string {
  const shot = film.scenes[index];
  if (!shot) return '';
  const stage = stagingOf(film, index);
  const inner = scene({
    width,
    height,
    background: shot.background,
    palette: film.palette,
    setting: stage.setting,
    figures: figuresOf(stage, time, shot.seconds),
    seed: `${film.slug}-${index}`,
    time: time + index * 3,
  });
  const zoom = 1 + 0.06 * (index % 2 ? 1 - time / shot.seconds : time / shot.seconds);
  return `<g transform="translate(${width / 2} ${height / 2}) scale(${zoom.toFixed(4)}) translate(${-width / 2} ${-height / 2})">${inner}</g>${lettering(film, index, time)}`;
}

const ramp = (time: number, from: number, to: number): number => Math.min(1, Math.max(0, (time - from) / (to - from)));

/** The film's name over the first scene; each later scene's name small in the corner. */
function lettering(film: Film, index: number, time: number): string {
  const shot = film.scenes[index];
  if (!shot) return '';
  const shown = round(Math.min(ramp(time, 0.4, 1.4), 1 - ramp(time, shot.seconds - 1.4, shot.seconds - 0.5)));
  const { ink } = sceneTones(shot.background, film.palette);
  if (index > 0) {
    return `<text x="28" y="40" font-family="URW Gothic" font-size="14" letter-spacing="2.5" fill="${ink}" opacity="${shown}">${escapeText(shot.title.toUpperCase())}</text>`;
  }
  return `<g opacity="${shown}" text-anchor="middle" fill="${ink}"><text x="320" y="62" font-family="URW Bookman" font-weight="600" font-size="40">${escapeText(film.title)}</text><text x="320" y="88" font-family="P052" font-style="italic" font-size="16">${escapeText(film.authors.join(', '))}</text></g>`;
}

/**
 * The film's frame at `time` seconds: the inside of an SVG of 640 by 360. Scenes cross-fade; start
 * and end fade from and to black.
 */
export function frame(film: Film, time: number): string {
  let start = 0;
  let index = 0;
  while (index < film.scenes.length - 1 && time >= start + (film.scenes[index]?.seconds ?? 0))
    start += film.scenes[index++]?.seconds ?? 0;
  const into = time - start;
  const before = film.scenes[index - 1];
  const shown = before ? ramp(into, 0, crossing) : 1;
  const under = before && shown < 1 ? sceneAt(film, index - 1, before.seconds + into) : '';
  const total = film.scenes.reduce((sum, { seconds }) => sum + seconds, 0);
  const dark = Math.max(1 - ramp(time, 0, 0.8), ramp(time, total - 1.2, total - 0.1));
  const veil = dark > 0 ? `<rect width="${width}" height="${height}" fill="#000000" opacity="${dark.toFixed(3)}"/>` : '';
  return `${under}<g opacity="${shown.toFixed(3)}">${sceneAt(film, index, into)}</g>${veil}`;
}
