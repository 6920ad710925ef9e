import { bird } from './bird.ts';
import { boat } from './boat.ts';
import { clock } from './clock.ts';
import type { Motif } from './draw.ts';
import { fish } from './fish.ts';
import { hill } from './hill.ts';
import { key } from './key.ts';
import { lamp } from './lamp.ts';
import { map } from './map.ts';
import { moon } from './moon.ts';
import { tree } from './tree.ts';
import { wave } from './wave.ts';
import { window } from './window.ts';

const motifs: Record<string, Motif> = {
  bird,
  boat,
  clock,
  fish,
  hill,
  key,
  lamp,
  map,
  moon,
  tree,
  wave,
  window,
};

/** The drawing with this name. @throws Error for an unknown name */
export function getMotif(name: string): Motif {
  const motif = motifs[name];
  if (!motif) throw new Error(`Unknown drawing: ${name}. Expected one of: ${Object.keys(motifs).join(', ')}`);
  return motif;
}
