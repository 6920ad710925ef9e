import { type Palette, tonesOf } from '../art/colour.ts';
import { seeded } from '../art/seeded.ts';
import { motifNamed } from '../motifs/all.ts';
import { arch } from './arch.ts';
import { classic } from './classic.ts';
import type { Composition } from './composition.ts';
import { halves } from './halves.ts';
import { papered } from './papered.ts';
import { poster } from './poster.ts';
import { shout } from './shout.ts';
import { spineCloth } from './spine-cloth.ts';
import { strata } from './strata.ts';

const compositions: Record<string, Composition> = {
  arch,
  classic,
  halves,
  papered,
  poster,
  shout,
  spineCloth,
  strata,
};

export interface CoverOrder {
  slug: string;
  title: string;
  subtitle?: string | undefined;
  authors: string[];
  publisher: string;
  palette: Palette;
  motif: string;
  /** The composition's name. */
  look: string;
}

const page = (stage: string): string => `<!doctype html><meta charset="utf-8"><style>
*{margin:0;box-sizing:border-box}body{width:600px;height:900px;overflow:hidden;position:relative}
svg{position:absolute;inset:0}.words{position:absolute;display:flex;flex-direction:column;overflow:hidden}
.words span{text-wrap:balance;hyphens:manual;display:block}</style>${stage}`;

/** The cover as an HTML page of 600 by 900 CSS pixels, before its text is fitted (`fitWords`). */
export function coverPage(order: CoverOrder): string {
  const composition = compositions[order.look];
  if (!composition) throw new Error(`${order.slug}: no cover composition is named ${order.look}`);
  return page(
    composition({
      title: order.title,
      subtitle: order.subtitle,
      authors: order.authors,
      publisher: order.publisher,
      motif: motifNamed(order.motif),
      tones: tonesOf(order.palette),
      random: seeded(order.slug),
    }),
  );
}

/** Runs in the page: enlarges every text block to fill its box. */
export function fitWords(): void {
  for (const block of document.querySelectorAll<HTMLElement>('.words')) {
    const span = block.firstElementChild;
    let size = Number.parseFloat(getComputedStyle(block).fontSize);
    const overflows = () =>
      !span || span.scrollWidth > block.clientWidth || span.getBoundingClientRect().height > block.clientHeight + 1;
    while (size > 10 && overflows()) block.style.fontSize = `${(size -= 1)}px`;
  }
}
