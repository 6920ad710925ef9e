import { drawScene, type SceneSpec, createSceneTones } from '../art/scene.ts';
import { escapeText } from '../text.ts';
import { round } from '../motifs/draw.ts';
import type { Film } from './source.ts';
import { type Staging, getStaging } from './staging.ts';

export const [width, height] = [640, 360];
const crossFadeSeconds = 0.8;

function moveFigures({ figures }: Staging, time: number, seconds: number): SceneSpec['figures'] {
  const progress = time / seconds - 0.5;
  return figures.map(({ drift = 0.02, ...figure }) => ({ ...figure, x: figure.x + progress * drift }));
}

function drawShot(film: Film, index: number, time: number): string {
  const shot = film.scenes[index];
  if (!shot) return '';
  const staging = getStaging(film, index);
  const content = drawScene({
    width,
    height,
    background: shot.background,
    palette: film.palette,
    setting: staging.setting,
    figures: moveFigures(staging, time, shot.seconds),
    seed: `${film.slug}-${index}`,
    time: time + index * 3,
  });
  const zoom = 1 + 0.06 * (index % 2 ? 1 - time / shot.seconds : time / shot.seconds);
  return `<g transform="translate(${width / 2} ${height / 2}) scale(${zoom.toFixed(4)}) translate(${-width / 2} ${-height / 2})">${content}</g>${drawLettering(film, index, time)}`;
}

const computeRamp = (time: number, from: number, to: number): number => Math.min(1, Math.max(0, (time - from) / (to - from)));

/** Draws the film's name over the first scene, and each later scene's name small in the corner. */
function drawLettering(film: Film, index: number, time: number): string {
  const shot = film.scenes[index];
  if (!shot) return '';
  const opacity = round(Math.min(computeRamp(time, 0.4, 1.4), 1 - computeRamp(time, shot.seconds - 1.4, shot.seconds - 0.5)));
  const { ink } = createSceneTones(shot.background, film.palette);
  if (index > 0) {
    return `<text x="28" y="40" font-family="URW Gothic" font-size="14" letter-spacing="2.5" fill="${ink}" opacity="${opacity}">${escapeText(shot.title.toUpperCase())}</text>`;
  }
  return `<g opacity="${opacity}" text-anchor="middle" fill="${ink}"><text x="320" y="62" font-family="URW Bookman" font-weight="600" font-size="40">${escapeText(film.title)}</text><text x="320" y="88" font-family="P052" font-style="italic" font-size="16">${escapeText(film.authors.join(', '))}</text></g>`;
}

/**
 * The film's frame at `time` seconds: the inside of an SVG of 640 by 360. Scenes cross-fade; start
 * and end fade from and to black.
 */
export function drawFrame(film: Film, time: number): string {
  let start = 0;
  let index = 0;
  while (index < film.scenes.length - 1 && time >= start + (film.scenes[index]?.seconds ?? 0))
    start += film.scenes[index++]?.seconds ?? 0;
  const shotTime = time - start;
  const previousShot = film.scenes[index - 1];
  const shotOpacity = previousShot ? computeRamp(shotTime, 0, crossFadeSeconds) : 1;
  const underlay = previousShot && shotOpacity < 1 ? drawShot(film, index - 1, previousShot.seconds + shotTime) : '';
  const total = film.scenes.reduce((sum, { seconds }) => sum + seconds, 0);
  const veilOpacity = Math.max(1 - computeRamp(time, 0, 0.8), computeRamp(time, total - 1.2, total - 0.1));
  const veil =
    veilOpacity > 0 ? `<rect width="${width}" height="${height}" fill="#000000" opacity="${veilOpacity.toFixed(3)}"/>` : '';
  return `${underlay}<g opacity="${shotOpacity.toFixed(3)}">${drawShot(film, index, shotTime)}</g>${veil}`;
}
