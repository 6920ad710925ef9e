import type { SceneSpec, Setting } from '../art/scene.ts';
import type { Film } from './source.ts';

/**
 * The figures of a scene; `drift` is the distance that a figure moves across the frame during it.
 */
export interface Staging {
  setting: Setting;
  figures: (SceneSpec['figures'][number] & { drift?: number })[];
}

const stagings: Record<string, Staging[]> = {
  'low-water': [
    {
      setting: 'sea',
      figures: [
        { name: 'sun', x: 0.78, y: 0.42, size: 0.4 },
        { name: 'gulls', x: 0.22, y: 0.4, size: 0.3, drift: 0.2 },
        { name: 'breaker', x: 0.44, y: 0.66, size: 0.7, drift: 0.1 },
      ],
    },
    {
      setting: 'flats',
      figures: [
        { name: 'gulls', x: 0.6, y: 0.22, size: 0.28, drift: -0.2 },
        { name: 'boat', x: 0.74, y: 0.6, size: 0.34, tilt: -13, shift: 0.3 },
        { name: 'boat', x: 0.36, y: 0.64, size: 0.6, tilt: 16 },
      ],
    },
    {
      setting: 'flats',
      figures: [
        { name: 'sun', x: 0.8, y: 0.3, size: 0.34 },
        { name: 'casts', x: 0.5, y: 0.78, size: 0.5, drift: 0 },
      ],
    },
    {
      setting: 'flats',
      figures: [
        { name: 'gulls', x: 0.24, y: 0.26, size: 0.26, drift: 0.14 },
        { name: 'bird', x: 0.54, y: 0.56, size: 0.68 },
      ],
    },
    {
      setting: 'under',
      figures: [
        { name: 'fish', x: 0.24, y: 0.36, size: 0.2, shift: 0.4, drift: 0.16 },
        { name: 'fish', x: 0.5, y: 0.52, size: 0.56, drift: 0.12 },
      ],
    },
    { setting: 'sea', figures: [{ name: 'moon', x: 0.66, y: 0.34, size: 0.5, drift: -0.05 }] },
    {
      setting: 'sea',
      figures: [
        { name: 'moon', x: 0.86, y: 0.22, size: 0.26 },
        { name: 'boat', x: 0.72, y: 0.6, size: 0.34, shift: 0.3, drift: -0.08 },
        { name: 'boat', x: 0.36, y: 0.62, size: 0.58, drift: 0.14 },
      ],
    },
    {
      setting: 'sea',
      figures: [
        { name: 'moon', x: 0.78, y: 0.26, size: 0.32 },
        { name: 'breaker', x: 0.42, y: 0.65, size: 0.74, drift: 0.1 },
      ],
    },
  ],
  'the-lamp-mender': [
    { setting: 'room', figures: [{ name: 'lamp', x: 0.5, y: 0.6, size: 0.5 }] },
    {
      setting: 'room',
      figures: [
        { name: 'window', x: 0.54, y: 0.48, size: 0.68 },
        { name: 'lamp', x: 0.22, y: 0.7, size: 0.28, shift: 0.3 },
      ],
    },
    { setting: 'room', figures: [{ name: 'lamp', x: 0.5, y: 0.53, size: 0.66 }] },
    {
      setting: 'hills',
      figures: [
        { name: 'village', x: 0.4, y: 0.7, size: 0.62 },
        { name: 'tree', x: 0.8, y: 0.52, size: 0.72 },
      ],
    },
    {
      setting: 'room',
      figures: [
        { name: 'key', x: 0.52, y: 0.48, size: 0.56 },
        { name: 'lamp', x: 0.8, y: 0.7, size: 0.28 },
      ],
    },
    {
      setting: 'room',
      figures: [
        { name: 'clock', x: 0.52, y: 0.52, size: 0.64 },
        { name: 'lamp', x: 0.22, y: 0.7, size: 0.28 },
      ],
    },
    { setting: 'hills', figures: [{ name: 'darkVillage', x: 0.5, y: 0.72, size: 0.7 }] },
    {
      setting: 'hills',
      figures: [
        { name: 'moon', x: 0.78, y: 0.26, size: 0.36, drift: -0.04 },
        { name: 'darkVillage', x: 0.22, y: 0.64, size: 0.34 },
        { name: 'lanterns', x: 0.5, y: 0.72, size: 0.66, drift: 0.1 },
      ],
    },
    {
      setting: 'room',
      figures: [
        { name: 'lamp', x: 0.38, y: 0.54, size: 0.64 },
        { name: 'key', x: 0.68, y: 0.62, size: 0.32 },
      ],
    },
    { setting: 'room', figures: [{ name: 'lamp', x: 0.5, y: 0.52, size: 0.68 }] },
  ],
};

export function getStaging(film: Film, index: number): Staging {
  const staging = stagings[film.slug]?.[index];
  if (!staging) throw new Error(`${film.slug}: scene ${index + 1} is not staged; ${stagings[film.slug]?.length ?? 0} are`);
  return staging;
}
