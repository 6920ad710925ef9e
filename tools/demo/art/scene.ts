import { getMotif } from '../motifs/all.ts';
import { scenery } from '../motifs/scenery.ts';
import { ripple, round, swing } from '../motifs/draw.ts';
import { computeContrast, computeLuminance, mix, type Palette, type Tones, createTones } from './colour.ts';
import { createSeededRandom } from './seeded.ts';

export type Setting = 'sea' | 'hills' | 'flats' | 'room' | 'under';

export interface SceneSpec {
  width: number;
  height: number;
  background: string;
  palette: Palette;
  setting: Setting;
  /**
   * In drawing order: each figure's name, its position in fractions of width and height, and its
   * size as a fraction of the height; a figure `behind` is partly hidden by the land.
   */
  figures: {
    name: string;
    x: number;
    y: number;
    size: number;
    shift?: number;
    tilt?: number;
    behind?: boolean;
  }[];
  seed: string;
  /** Seconds since the start of the scene, for moving parts. */
  time: number;
}

/** Tones whose ink and accent have enough contrast to this background. */
export function createSceneTones(background: string, [a, b, accent]: Palette): Tones {
  const dark = computeLuminance(background) < 0.2;
  const [pale, deep] = computeLuminance(a) > computeLuminance(b) ? [a, b] : [b, a];
  const visibleAccent = computeContrast(accent, background) > 1.1 ? accent : mix(background, '#ffffff', 0.75);
  return createTones([background, dark ? mix(pale, '#ffffff', 0.1) : deep, visibleAccent]);
}

function drawSky({ width, height, background, seed, setting, time }: SceneSpec, tones: Tones): string {
  const random = createSeededRandom(seed);
  const dark = computeLuminance(background) < 0.2;
  const id = `sky-${seed.replace(/\W+/g, '-')}`;
  const wash = `<defs><linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1"><stop stop-color="${mix(background, dark ? '#000000' : '#ffffff', 0.12)}"/><stop offset="1" stop-color="${mix(background, tones.accent, 0.28)}"/></linearGradient></defs><rect width="${width}" height="${height}" fill="url(#${id})"/>`;
  if (setting === 'room' || setting === 'under') return wash;
  if (dark) {
    const stars = Array.from({ length: 34 }, (_, i) => {
      const glow = 0.45 + 0.35 * swing(time / 4, i / 7);
      return `<circle cx="${round(random() * width)}" cy="${round(random() * height * 0.62)}" r="${round(height * (0.002 + random() * 0.004))}" fill="${tones.ink}" opacity="${round(glow)}"/>`;
    });
    return wash + stars.join('');
  }
  const clouds = Array.from({ length: 5 }, () => {
    const x = ((random() * width + time * width * 0.012) % (width * 1.3)) - width * 0.15;
    const scale = (height / 400) * (0.6 + random() * 0.8);
    return `<path transform="translate(${round(x)} ${round(height * (0.06 + random() * 0.3))}) scale(${round(scale)})" d="M-60 0h120a18 18 0 0 0 0-36a34 34 0 0 0-62-14a26 26 0 0 0-38 22a15 15 0 0 0-20 28Z" fill="#ffffff" opacity=".34"/>`;
  });
  return wash + clouds.join('');
}

function drawSea({ width, height, time }: SceneSpec, tones: Tones, near: boolean): string {
  const rows = near ? [0.8, 0.89] : [0.6, 0.69];
  return rows
    .map((y, i) => {
      const shift = (i % 2 ? -1 : 1) * time * 0.11 + (near ? 0.3 : 0);
      const depth = 0.22 + (near ? 0.4 : 0) + i * 0.2;
      const base = mix(tones.ground, computeLuminance(tones.ground) < 0.2 ? '#05070f' : tones.ink, depth);
      return `<path d="${ripple(0, width, round(height * y), width / (near ? 5 : 8), height * (near ? 0.03 : 0.018), shift)}V${height}H0Z" fill="${base}"/>`;
    })
    .join('');
}

function drawLand({ width, height, seed }: SceneSpec, tones: Tones, flat: boolean): string {
  const random = createSeededRandom(`${seed} land`);
  const tall = flat ? 0.05 : 0.2;
  return [0.62, 0.72, 0.84]
    .map((y, i) => {
      const toPoint = (x: number) => `${round(width * x)} ${round(height * (y + (random() - 0.65) * tall * (1 - i * 0.25)))}`;
      const fill = mix(
        mix(tones.ground, flat ? tones.accent : '#2f5d50', 0.18),
        computeLuminance(tones.ground) < 0.2 ? '#05070f' : tones.ink,
        0.16 + i * 0.2,
      );
      return `<path d="M0 ${round(height * y)}C${toPoint(0.16)} ${toPoint(0.3)} ${toPoint(0.46)}S${toPoint(0.8)} ${width} ${round(height * (y + 0.02))}V${height}H0Z" fill="${fill}"/>`;
    })
    .join('');
}

function drawRoom({ width, height, time }: SceneSpec, tones: Tones): string {
  const glow = 0.16 + 0.03 * swing(time / 2.3);
  const boards = Array.from(
    { length: 9 },
    (_, i) => `<path d="M${round((width / 8) * i)} 0V${height}" stroke="${tones.ink}" stroke-width="1" opacity=".1"/>`,
  ).join('');
  const jars = [0.08, 0.15, 0.84, 0.91]
    .map(
      (x, i) =>
        `<rect x="${round(width * x)}" y="${round(height * (0.2 - (i % 2) * 0.03))}" width="${round(width * 0.04)}" height="${round(height * (0.1 + (i % 2) * 0.03))}" rx="4" fill="${i % 2 ? tones.deep : tones.soft}"/>`,
    )
    .join('');
  return `${boards}${jars}<path d="M0 ${round(height * 0.3)}H${round(width * 0.24)}M${round(width * 0.78)} ${round(height * 0.3)}H${width}" stroke="${tones.half}" stroke-width="${round(height * 0.016)}"/>
<circle cx="${width / 2}" cy="${height / 2}" r="${round(height * 0.52)}" fill="${tones.accent}" opacity="${round(glow * 10) / 10}"/><circle cx="${width / 2}" cy="${height / 2}" r="${round(height * 0.38)}" fill="${tones.accent}" opacity=".12"/>
<rect y="${round(height * 0.83)}" width="${width}" height="${round(height * 0.17)}" fill="${mix(tones.ground, '#000000', 0.45)}"/><rect y="${round(height * 0.83)}" width="${width}" height="${round(height * 0.02)}" fill="${tones.deep}"/>`;
}

function drawUnderwater({ width, height, time }: SceneSpec, tones: Tones): string {
  const rays = [0.15, 0.38, 0.6, 0.82].map(
    (x, i) =>
      `<path d="M${round(width * x)} 0L${round(width * (x + 0.1 + 0.02 * swing(time / 5, i / 4)))} 0L${round(width * (x - 0.04))} ${height}H${round(width * (x - 0.2))}Z" fill="#ffffff" opacity="${(0.1 + 0.04 * swing(time / 4, i / 3)).toFixed(3)}"/>`,
  );
  const weeds = Array.from({ length: 12 }, (_, i) => {
    const x = width * (i < 6 ? 0.02 + i * 0.035 : 0.8 + (i - 6) * 0.035);
    const tall = height * (0.2 + 0.12 * ((i * 7) % 4));
    const lean = width * 0.025 * swing(time / 4, i / 9);
    return `<path d="M${round(x)} ${height}C${round(x - 14)} ${round(height - tall * 0.4)} ${round(x + 14 + lean)} ${round(height - tall * 0.7)} ${round(x + lean * 2)} ${round(height - tall)}" stroke="${i % 3 ? tones.half : tones.deep}" stroke-width="${round(height * 0.022)}" fill="none" stroke-linecap="round"/>`;
  });
  return `${rays.join('')}<path d="M0 ${round(height * 0.88)}C${round(width * 0.3)} ${round(height * 0.8)} ${round(width * 0.6)} ${round(height * 0.94)} ${width} ${round(height * 0.86)}V${height}H0Z" fill="${tones.soft}"/>${weeds.join('')}`;
}

/** A picture of a landscape or room with figures: the inside of an SVG of that width and height. */
export function drawScene(spec: SceneSpec): string {
  const tones = createSceneTones(spec.background, spec.palette);
  const drawFigures = (behind: boolean): string =>
    spec.figures
      .filter((figure) => (figure.behind ?? false) === behind)
      .map(({ name, x, y, size, shift = 0, tilt = 0 }) => {
        const scale = (spec.height * size) / 200;
        return `<g transform="translate(${round(spec.width * x)} ${round(spec.height * y)}) scale(${scale.toFixed(3)})${tilt ? ` rotate(${tilt})` : ''}">${(scenery[name] ?? getMotif(name))(tones, (spec.time / 6 + shift) % 1)}</g>`;
      })
      .join('');
  const background = {
    sea: drawSea(spec, tones, false),
    hills: drawLand(spec, tones, false),
    flats: drawLand(spec, tones, true),
    room: drawRoom(spec, tones),
    under: drawUnderwater(spec, tones),
  }[spec.setting];
  const foreground = spec.setting === 'sea' ? drawSea(spec, tones, true) : '';
  return drawSky(spec, tones) + drawFigures(true) + background + drawFigures(false) + foreground;
}
